// mbarriers, named barriers and copies by the engine: their signals, with the instructions arriving and awaiting.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "small_ptx.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The instructions arriving at a signal, or awaiting it, by op.
std::vector<std::string> users(const Kernel& kernel, std::optional<std::size_t> Instruction::*how, std::size_t signal) {
  std::vector<std::string> ops;
  for (const auto& instruction : kernel.instructions)
    if (instruction.*how == signal) ops.push_back(instruction.op);
  return ops;
}

double number(const Expression& expression) { return expression.evaluate({}); }

/// Two warps and two buffers of 128 bytes: the first lane of a warp copies n times, the other warp reads, and a lane of
/// it gives the buffer back.
const std::string kRing = R"(
.shared .align 8 .b64 full[2]; .shared .align 8 .b64 empty[2]; .shared .align 16 .b8 buffer[256];
ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;
setp.ne.u32 %p1, %r2, 0; @%p1 bra READY;
mbarrier.init.shared.b64 [full], 1; mbarrier.init.shared.b64 [full+8], 1;
mbarrier.init.shared.b64 [empty], 1; mbarrier.init.shared.b64 [empty+8], 1;
READY: bar.sync 0;
mov.u32 %r3, 0; mov.u32 %r10, full; mov.u32 %r11, empty; mov.u32 %r12, buffer;
setp.ge.u32 %p2, %r2, 32; @%p2 bra CONSUME;
setp.ne.u32 %p1, %r2, 0; @%p1 bra END;
PRODUCE:
and.b32 %r4, %r3, 1; shl.b32 %r5, %r4, 3; add.u32 %r6, %r10, %r5; add.u32 %r7, %r11, %r5;
shr.u32 %r8, %r3, 1; and.b32 %r8, %r8, 1; xor.b32 %r8, %r8, 1;
WAIT_EMPTY: mbarrier.try_wait.parity.shared.b64 %p3, [%r7], %r8; @!%p3 bra WAIT_EMPTY;
mbarrier.arrive.expect_tx.shared.b64 _, [%r6], 128;
shl.b32 %r9, %r4, 7; add.u32 %r9, %r12, %r9;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [%rd1], 128, [%r6];
add.s64 %rd1, %rd1, 128; add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, %r1; @%p4 bra PRODUCE; bra END;
CONSUME:
and.b32 %r4, %r3, 1; shl.b32 %r5, %r4, 3; add.u32 %r6, %r10, %r5; add.u32 %r7, %r11, %r5;
shr.u32 %r8, %r3, 1; and.b32 %r8, %r8, 1;
WAIT_FULL: mbarrier.try_wait.parity.shared.b64 %p3, [%r6], %r8; @!%p3 bra WAIT_FULL;
ld.volatile.shared.f32 %f1, [%r12];
setp.eq.u32 %p5, %r2, 32; @%p5 mbarrier.arrive.shared.b64 _, [%r7];
add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, %r1; @%p4 bra CONSUME;
END: ret;)";

ptx::ImportOptions two_warps() {
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  return options;
}

TEST(GroupSignals, OfARingAreThoseOfItsBarriers) {
  const auto made = import(kRing, two_warps());
  const auto& kernel = made.kernel;
  ASSERT_THAT(kernel.signals, SizeIs(2));
  const std::size_t full = number(kernel.signals[0].open) == 0 ? 0 : 1, empty = 1 - full;
  // A phase of `full` is the producer's word and the copy. Both buffers are free at first.
  EXPECT_EQ(number(kernel.signals[full].arrivals), 2);
  EXPECT_EQ(number(kernel.signals[full].open), 0);
  EXPECT_EQ(number(kernel.signals[empty].arrivals), 1);
  EXPECT_EQ(number(kernel.signals[empty].open), 2);
  EXPECT_THAT(users(kernel, &Instruction::arrives, full), ::testing::ElementsAre("arrive", "global.copy"));
  EXPECT_THAT(users(kernel, &Instruction::awaits, full), ::testing::ElementsAre("wait"));
  EXPECT_THAT(users(kernel, &Instruction::arrives, empty), ::testing::ElementsAre("arrive"));
  EXPECT_THAT(users(kernel, &Instruction::awaits, empty), ::testing::ElementsAre("wait"));
}

TEST(GroupSignals, OfARingAreGoneRoundAsOftenAsItsLoops) {
  const auto made = import(kRing, two_warps());
  EXPECT_EQ(executed(made, "global.copy"), 10);
  EXPECT_EQ(executed(made, "wait"), 20);
  EXPECT_EQ(executed(made, "arrive"), 20);
  EXPECT_EQ(executed(made, "shared.load"), 10);
  EXPECT_EQ(number(*made.kernel.work.bytes), 10 * 128);
}

TEST(GroupSignals, CopiesByTheEngineTouchEachOfTheirBytesOnce) {
  const auto made = import(kRing, two_warps());
  for (const auto& access : made.report.accesses)
    if (access.op == "global.copy") {
      // 128 bytes at a multiple of 128: four sectors in a line.
      EXPECT_EQ(access.statistics.segments.least, 4);
      EXPECT_EQ(access.statistics.segments.most, 4);
      EXPECT_EQ(access.statistics.lines.most, 1);
    }
}

TEST(GroupSignals, CopiesByTheEngineHaveNoBankConflicts) {
  // 8192 bytes are 256 for each of 32 lanes, more than all banks hold in a row.
  const auto made = import(
      ".shared .align 8 .b64 full[1]; .shared .align 16 .b8 buffer[8192]; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;"
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [full], 1;"
      "mbarrier.arrive.expect_tx.shared.b64 _, [full], 8192;"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buffer], [%rd1], 8192, [full]; READY: "
      "bar.sync "
      "0; WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra WAIT; ret;",
      two_warps());
  const auto path = in_sources("latency_tables/data/h100.json");
  EXPECT_GT(predict(made.kernel, read_device_json(read_text_file(path), path), {}).cycles, Ticks{});
}

TEST(GroupSignals, HaveTheArrivalsOfTheWarpsThatComeThere) {
  // Of three warps the first waits for the other two.
  auto options = two_warps();
  options.launch.block = {96, 1, 1};
  const auto made = import(
      ".shared .align 8 .b64 full[1]; mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra READY;"
      "mbarrier.init.shared.b64 [full], 64; READY: bar.sync 0; setp.lt.u32 %p2, %r2, 32; @%p2 bra WAIT;"
      "mbarrier.arrive.shared.b64 _, [full]; bra END;"
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra WAIT; END: ret;",
      options);
  ASSERT_THAT(made.kernel.signals, SizeIs(1));
  EXPECT_EQ(number(made.kernel.signals[0].arrivals), 2);
}

TEST(GroupSignals, OfNamedBarriersAreAwaitedByThoseThatSynchronise) {
  const auto made = import(
      "mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 32; @%p1 bra FIRST; bar.sync 1, 64; bra END;"
      "FIRST: bar.arrive 1, 64; END: ret;",
      two_warps());
  ASSERT_THAT(made.kernel.signals, SizeIs(1));
  EXPECT_EQ(number(made.kernel.signals[0].arrivals), 2);
  EXPECT_THAT(users(made.kernel, &Instruction::arrives, 0), SizeIs(2));
  EXPECT_THAT(users(made.kernel, &Instruction::awaits, 0), SizeIs(1));
}

TEST(GroupSignals, ABarrierOfAllWarpsIsNone) {
  const auto made = import("bar.sync 0; barrier.sync 0; ret;", two_warps());
  EXPECT_THAT(made.kernel.signals, IsEmpty());
  EXPECT_EQ(executed(made, "barrier"), 4);
}

TEST(GroupSignals, LabelsAreThoseOfTheirScope) {
  // Inline assembly has braces around it, and the same labels each time.
  const std::string wait =
      "{ .reg .pred %q; WAIT: mbarrier.try_wait.parity.shared.b64 %q, [tile], 0; @%q bra DONE; bra WAIT; DONE: }\n";
  const auto made = import(
      "mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra READY; mbarrier.init.shared.b64 [tile], 64; READY: "
      "bar.sync 0; mbarrier.arrive.shared.b64 _, [tile];" +
          wait + "mbarrier.arrive.shared.b64 _, [tile];" + wait + "ret;",
      two_warps());
  ASSERT_THAT(made.kernel.signals, SizeIs(1));
  EXPECT_EQ(number(made.kernel.signals[0].arrivals), 2);
  EXPECT_THAT(users(made.kernel, &Instruction::awaits, 0), SizeIs(2));
}

/// A thread copies tiles of 8192 bytes of a tensor, each at some coordinates.
ptx::Import copied_tiles(const std::vector<std::string>& coordinates) {
  std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128])
{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .shared .align 8 .b64 full[1]; .shared .align 128 .b8 tile[8192];
mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra READY; mbarrier.init.shared.b64 [full], 1;
mbarrier.arrive.expect_tx.shared.b64 _, [full], 8192;
mov.b64 %rd1, map; mov.u32 %r1, 0;
)";
  for (const auto& at : coordinates)
    text += fmt::format(
        "cp.async.bulk.tensor.{}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%rd1, {{{}}}], "
        "[full];\n",
        std::ranges::count(at, ',') + 1, at);
  text += "READY: bar.sync 0;\nWAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra WAIT; ret; }";
  ptx::ImportOptions options;
  options.launch.block = {64, 1, 1};
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
}

TEST(GroupSignals, TensorCopiesHaveTheBytesThatAreExpected) {
  const auto made = copied_tiles({"%r1, %r1"});
  EXPECT_EQ(executed(made, "global.copy"), 1);
  EXPECT_EQ(number(*made.kernel.work.bytes), 8192);
}

/// The expected bytes are shared by the copies, in whole bytes of each lane.
TEST(GroupSignals, OtherCoordinatesOfATensorAreOtherBytes) {
  const auto bytes = [](const std::vector<std::string>& coordinates) {
    return number(*copied_tiles(coordinates).kernel.work.compulsory_bytes);
  };
  EXPECT_EQ(bytes({"%r1, %r1", "%r1, %r1"}), 8192 / 2);
  EXPECT_EQ(bytes({"%r1, %r1", "%r1, 1"}), 8192);
  EXPECT_EQ(bytes({"%r1, %r1, %r1", "%r1, %r1, 1", "%r1, 1, %r1"}), 3 * (8192 / 3 / 32 * 32));
}

}  // namespace
}  // namespace warpipe::test
