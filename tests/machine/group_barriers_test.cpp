// Barriers in shared memory (mbarrier), copies that arrive at them, and clocks.
#include <gmock/gmock.h>

#include <numeric>

#include "loaded.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

/// Runs a kernel of two warps. %r1 is the thread, %r2 its warp, %p1 holds in thread 0; the 64-bit barriers are at
/// `barrier` and 8 bytes behind; `room` has 64 words. %rd1 is the array of numbers `in`, %rd2 the thread's place of
/// `out`.
std::vector<int> run(const std::string& body) {
  const auto text = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
.shared .align 16 .b8 room[256]; .shared .align 8 .b64 barrier[2];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.u32 %p1, %r1, 0;
mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3; shl.b32 %r3, %r1, 2; mov.u32 %r4, room; add.s32 %r4, %r4, %r3;
mov.u32 %r5, barrier; add.s32 %r6, %r3, 0;
)" + body + "\nret; }";
  const auto module = ptx::read_ptx(text, "k.ptx");
  machine::Memory memory;
  machine::Variables variables(memory);
  auto* const in = reinterpret_cast<int*>(memory.allocate(64 * sizeof(int)));
  auto* const out = reinterpret_cast<int*>(memory.allocate(64 * sizeof(int)));
  std::iota(in, in + 64, 100);
  machine::Launch launch;
  launch.block = {64, 1, 1};
  launch.arguments = arguments(in, out);
  const auto outcome = machine::Machine(ptx::executable_program(module, "k"), variables).run(launch, memory, {});
  EXPECT_TRUE(outcome.complete);
  return {out, out + 64};
}

/// The word of the thread 63 - i, for each thread i.
std::vector<int> turned(int first) {
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i) numbers[static_cast<std::size_t>(i)] = first + 63 - i;
  return numbers;
}

const std::string kMake = "@%p1 mbarrier.init.shared::cta.b64 [%r5], 64; bar.sync 0;\n";
const std::string kReadTurned =
    "mov.u32 %r7, room; sub.s32 %r8, %r7, %r3; ld.shared.u32 %r9, [%r8+252]; st.global.u32 [%rd2], %r9;";

TEST(GroupBarriers, OpenWithTheLastArrival) {
  EXPECT_EQ(run(kMake +
                "st.shared.u32 [%r4], %r1; mbarrier.arrive.shared::cta.b64 %rd4, [%r5];\n"
                "WAIT: mbarrier.try_wait.shared::cta.b64 %p2, [%r5], %rd4; @!%p2 bra WAIT;\n" +
                kReadTurned),
            turned(0));
}

// Before the last of 64 arrivals the phase is not over, behind it is, and its parity is that of the next.
TEST(GroupBarriers, TellPhasesByStateAndByParity) {
  const auto all =
      run("@%p1 mbarrier.init.shared::cta.b64 [barrier+8], 2; bar.sync 0; @!%p1 bra END;\n"
          "mbarrier.arrive.shared::cta.b64 %rd4, [%r5+8]; mbarrier.test_wait.shared::cta.b64 %p2, [%r5+8], %rd4;\n"
          "mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r5+8], 0;\n"
          "mbarrier.test_wait.parity.shared::cta.b64 %p4, [%r5+8], 1;\n"
          "mbarrier.arrive.shared::cta.b64 _, [%r5+8], 1; mbarrier.test_wait.shared::cta.b64 %p5, [%r5+8], %rd4;\n"
          "mbarrier.test_wait.parity.shared::cta.b64 %p6, [%r5+8], 0;\n"
          "selp.u32 %r9, 1, 0, %p2; selp.u32 %r10, 10, 0, %p3; selp.u32 %r11, 100, 0, %p4;\n"
          "selp.u32 %r12, 1000, 0, %p5; selp.u32 %r13, 10000, 0, %p6; add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11;\n"
          "add.u32 %r9, %r9, %r12; add.u32 %r9, %r9, %r13; st.global.u32 [%rd2], %r9; END:");
  EXPECT_EQ(all[0], 11100) << "the phase of parity 1 counts as over before the first";
}

// The first warp leaves: in the second phase 32 arrivals are enough.
TEST(GroupBarriers, ExpectNoThreadThatLeft) {
  const auto all = run(kMake +
                       "setp.ne.u32 %p2, %r2, 0; @%p2 bra STAY; mbarrier.arrive_drop.shared::cta.b64 _, [%r5]; ret;\n"
                       "STAY: mov.u32 %r9, 0;\n"
                       "NEXT: mbarrier.arrive.shared::cta.b64 %rd4, [%r5];\n"
                       "WAIT: mbarrier.try_wait.shared::cta.b64 %p3, [%r5], %rd4; @!%p3 bra WAIT;\n"
                       "add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 3; @%p4 bra NEXT; st.global.u32 [%rd2], %r9;");
  EXPECT_EQ(all[31], 0);
  EXPECT_EQ(all[32], 3);
}

// A single arrival, with the bytes to come: the copy of a single thread serves all.
TEST(GroupBarriers, WaitForTheBytesOfBulkCopies) {
  EXPECT_EQ(run("@%p1 mbarrier.init.shared::cta.b64 [%r5], 1; bar.sync 0; @!%p1 bra WAIT;\n"
                "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r5], 256; mov.u32 %r8, room;\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd1], 128, [%r5];\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8+128], [%rd1+128], 128, [%r5];\n"
                "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra WAIT;\n" +
                kReadTurned),
            turned(100));
}

TEST(GroupBarriers, BulkCopiesGoBackToo) {
  const auto all =
      run("st.shared.u32 [%r4], %r1; bar.sync 0; mov.u32 %r8, room; @!%p1 bra END;\n"
          "cp.async.bulk.global.shared::cta.bulk_group [%rd2+16], [%r8+32], 64; cp.async.bulk.commit_group;\n"
          "cp.async.bulk.wait_group.read 0; END:");
  EXPECT_EQ(all[3], 0);
  EXPECT_EQ(all[4], 8);
  EXPECT_EQ(all[19], 23);
  EXPECT_EQ(all[20], 0);
}

TEST(GroupBarriers, ACopyBeyondMemoryIsAFault) {
  EXPECT_THROW(run("mov.u32 %r8, room; cp.async.bulk.global.shared::cta.bulk_group [%rd1+224], [%r8], 64;"),
               machine::Fault);
}

TEST(Clocks, GoOnWithEachInstruction) {
  for (const auto time : run("mov.u64 %rd4, %clock64; mov.u64 %rd5, %clock64; sub.s64 %rd5, %rd5, %rd4;\n"
                             "cvt.u32.u64 %r9, %rd5; st.global.u32 [%rd2], %r9;"))
    EXPECT_GT(time, 0);
}

}  // namespace
}  // namespace warpipe::test
