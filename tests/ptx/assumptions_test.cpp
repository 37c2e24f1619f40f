// The questions of an import, asked at once; its assumptions; and the same kernel from a launch with the same values
// given.
#include <gmock/gmock.h>

#include <algorithm>

#include "small_ptx.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::test {
namespace {

using isa::Assumption;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kHead =
    "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;\n"
    "mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;\n";
const std::string kGuard = "setp.ge.s32 %p1, %r5, %r1; @%p1 bra END;\n";
const std::string kLoad = "mul.wide.s32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r6, [%rd3];\n";
const std::string kEnd = "END: ret;";

/// 8 groups of 64 threads, of whose arguments nothing is said.
ptx::ImportOptions assuming() {
  ptx::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.grid = {8, 1, 1};
  options.launch.assume = true;
  return options;
}

/// All assumptions of an import, as "argument n=512".
std::vector<std::string> assumed_of(const std::string& body) {
  std::vector<std::string> all;
  for (const auto& one : import(body, assuming()).report.assumptions)
    all.push_back(std::string(isa::to_string(one.kind)) + " " + one.name + "=" + one.value);
  return all;
}

// A loop over a row: from the value of the thread's element to the value two elements further, by one; each trip loads
// the element of its number.
const std::string kRow = kHead + kGuard + kLoad +
                         "ld.global.u32 %r7, [%rd3+8]; setp.ge.s32 %p2, %r6, %r7; @%p2 bra END;\n"
                         "ROW: mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r8, [%rd5];\n"
                         "add.s32 %r6, %r6, 1; setp.lt.s32 %p3, %r6, %r7; @%p3 bra ROW;\n" +
                         kEnd;

TEST(Assumptions, AllQuestionsComeAtOnce) {
  auto options = assuming();
  options.launch.assume = false;
  const auto text = message_of([&] { import(kRow, options); });
  EXPECT_THAT(text,
              HasSubstr("a branch needs the value of parameter 0 (.u32 n); found none; give `arguments n=VALUE`"));
  EXPECT_THAT(text, HasSubstr("a branch depends on data"));
  EXPECT_THAT(text, HasSubstr("the end of a loop depends on data"));
  EXPECT_THAT(text, HasSubstr("`trips ROW=N`"));
  EXPECT_THAT(text, HasSubstr("an address depends on data"));
  EXPECT_THAT(text, HasSubstr("`addresses p=random:BYTES`"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
}

// n is compared with the index of 64 x 8 threads; two branches go to END, so lines name them; a row has 16 elements;
// 512 threads x 4 bytes are less than 1 MiB.
TEST(Assumptions, FollowFromWhatStandsAround) {
  EXPECT_THAT(assumed_of(kRow),
              ElementsAre("argument n=512", "branch 10=0.25", "address p=random:1048576", "trips ROW=16"));
}

TEST(Assumptions, SaidByOptionsGiveTheSameKernel) {
  const auto assumed = import(kRow, assuming());
  auto said = assuming();
  said.launch.assume = false;
  for (const auto& one : assumed.report.assumptions) isa::answer(said, one, one.value);
  auto kernel = import(kRow, said).kernel;
  kernel.origin = assumed.kernel.origin;  // tells assumed from given values
  EXPECT_EQ(write_kernel_json(kernel), write_kernel_json(assumed.kernel));
  EXPECT_THAT(assumed.kernel.origin, HasSubstr("assumed: trips ROW = 16"));
}

/// A kernel in which a single group of 64 reaches a branch and an address that depend on the group's element.
/// @param before  code of all groups
/// @param behind  code of the single group, at its end
std::string asked_by_group(int group, const std::string& before, const std::string& behind) {
  return kHead + "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r6, [%rd3];\n" + before +
         "setp.ne.s32 %p5, %r3, " + std::to_string(group) +
         "; @%p5 bra END;\n"
         "setp.lt.s32 %p2, %r6, 7; @%p2 bra LATE; st.global.u32 [%rd3], %r6; bar.sync 0;\n"
         "LATE: mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r8, [%rd5];\n" +
         behind + kEnd;
}

// Also where a question comes too late for the launch to begin anew with its answer.
TEST(Assumptions, ThatAreMetLateGiveTheKernelThatOptionsGive) {
  const std::string draws = "setp.lt.s32 %p1, %r6, 3; @%p1 bra ON; st.global.u32 [%rd3], %r6; bar.sync 0; ON:\n";
  const std::string loop = "ROW: add.s32 %r10, %r10, 1; setp.lt.s32 %p3, %r10, %r8; @%p3 bra ROW;\n";
  auto options = assuming();
  options.launch.grid = {64, 1, 1};
  for (int group = 0; group < 64; ++group)
    for (const auto& before : {std::string(), draws})
      for (const auto& behind : {std::string(), loop}) {
        SCOPED_TRACE(testing::Message() << "group " << group << ", " << before << behind);
        const auto body = asked_by_group(group, before, behind);
        const auto assumed = import(body, options);
        auto answered = options;
        answered.launch.assume = false;
        for (const auto& one : assumed.report.assumptions) isa::answer(answered.launch, one, one.value);
        auto said = import(body, answered);
        said.kernel.origin = assumed.kernel.origin;
        EXPECT_EQ(assumed.report.assumptions.size(), 2U + (before.empty() ? 0 : 1) + (behind.empty() ? 0 : 1));
        EXPECT_EQ(write_kernel_json(assumed.kernel), write_kernel_json(said.kernel));
        EXPECT_EQ(assumed.report.executions, said.report.executions);
      }
}

/// The sizes assumed for the arguments n and m of a kernel whose threads end where their index is beyond `product`.
std::vector<std::string> sizes_assumed(const std::string& product) {
  auto text = entry_with("ld.param.u32 %r7, [m];" + kHead + product +
                         "setp.ge.s32 %p1, %r5, %r6; @%p1 bra END; st.global.u32 [%rd1], %r5;\n" + kEnd);
  text.replace(text.find(".param .u64 p)"), 14, ".param .u64 p, .param .u32 m)");
  auto options = assuming();
  options.launch.grid = {16, 1, 1};
  std::vector<std::string> all;
  for (const auto& one : ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options).report.assumptions)
    all.push_back(one.name + "=" + one.value);
  return all;
}

// 16 x 64 threads are 32 x 32, or 512 + 512, or 32 x 32 + 1: each size is as small as the other size lets it be.
TEST(Assumptions, SizesThatAreMultipliedShareTheThreads) {
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(sizes_assumed("mul.lo.s32 %r6, %r1, %r7;"), UnorderedElementsAre("n=32", "m=32"));
  EXPECT_THAT(sizes_assumed("add.s32 %r6, %r1, %r7;"), UnorderedElementsAre("n=512", "m=512"));
  EXPECT_THAT(sizes_assumed("mul.lo.s32 %r6, %r1, %r1; add.s32 %r6, %r6, %r7;"), UnorderedElementsAre("n=32", "m=1"));
}

struct SizeCase {
  const char* name;
  std::string body, size;
};

class SizeByUse : public ::testing::TestWithParam<SizeCase> {};

TEST_P(SizeByUse, FollowsFromIt) {
  EXPECT_THAT(assumed_of(kHead + GetParam().body), ElementsAre("argument n=" + GetParam().size));
}

// From x - n to x + n, and from - n to n.
const std::string kWindow =
    "sub.s32 %r6, %r5, %r1; add.s32 %r7, %r5, %r1;\n"
    "L: mul.wide.s32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;\n"
    "add.s32 %r6, %r6, 1; setp.le.s32 %p1, %r6, %r7; @%p1 bra L; ret;";
const std::string kBothSides =
    "neg.s32 %r6, %r1;\n"
    "L: mul.wide.s32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;\n"
    "add.s32 %r6, %r6, 1; setp.le.s32 %p1, %r6, %r1; @%p1 bra L; ret;";

std::string store_where(const std::string& comparison) {
  return comparison + " @%p1 bra END; st.global.u32 [%rd1], %r5; END: ret;";
}

/// Each lane at `step` times its index.
std::string access_at_steps(const std::string& access) {
  return "mul.lo.s32 %r6, %r5, %r1; mul.wide.s32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2; " + access + " ret;";
}

// 8 x 64 threads: the last has the index 511.
INSTANTIATE_TEST_SUITE_P(
    Uses, SizeByUse,
    ::testing::Values(
        // 4 x 511 + 1
        SizeCase{"four_elements_per_thread", store_where("shl.b32 %r6, %r5, 2; setp.ge.s32 %p1, %r6, %r1;"), "2045"},
        // n / 4 is 512 from 2048 on; (n + 3) / 4 from 2045 on
        SizeCase{"in_vectors", store_where("shr.u32 %r6, %r1, 2; setp.ge.u32 %p1, %r5, %r6;"), "2048"},
        SizeCase{"in_vectors_begun",
                 store_where("add.s32 %r6, %r1, 3; shr.u32 %r6, %r6, 2; setp.ge.u32 %p1, %r5, %r6;"), "2045"},
        SizeCase{"at_most", store_where("setp.gt.s32 %p1, %r5, %r1;"), "511"},
        // index 511 is the border, and no index has to be beyond it
        SizeCase{"with_a_border", store_where("add.s32 %r6, %r1, -1; setp.ge.s32 %p1, %r5, %r6;"), "512"},
        SizeCase{"from_the_end", store_where("sub.s32 %r6, %r1, %r5; setp.lt.s32 %p1, %r6, 1;"), "512"},
        SizeCase{"clamped",
                 "add.s32 %r6, %r1, -1; min.s32 %r7, %r5, %r6; mul.wide.s32 %rd2, %r7, 4; add.s64 %rd3, %rd1, %rd2;\n"
                 "st.global.u32 [%rd3], %r5; ret;",
                 "512"},
        // 511 + 7 x 512
        SizeCase{"in_a_loop",
                 "mov.u32 %r6, 0; mov.u32 %r7, %r5;\nL: setp.ge.s32 %p1, %r7, %r1; @%p1 bra NEXT;\n"
                 "st.global.u32 [%rd1], %r7;\nNEXT: add.s32 %r7, %r7, 512; add.s32 %r6, %r6, 1;\n"
                 "setp.lt.s32 %p2, %r6, 8; @%p2 bra L; ret;",
                 "4096"},
        // each thread makes a single pass
        SizeCase{"by_the_stride_of_the_grid",
                 "mov.u32 %r7, %r5; setp.ge.s32 %p1, %r7, %r1; @%p1 bra END;\nL: st.global.u32 [%rd1], %r7;\n"
                 "add.s32 %r7, %r7, 512; setp.lt.s32 %p2, %r7, %r1; @%p2 bra L; END: ret;",
                 "512"},
        // of a row of unknown length, begun by 64 threads
        SizeCase{"by_the_stride_of_the_group",
                 "mov.u32 %r7, %r2; setp.ge.s32 %p1, %r7, %r1; @%p1 bra END;\nL: st.global.u32 [%rd1], %r7;\n"
                 "add.s32 %r7, %r7, 64; setp.lt.s32 %p2, %r7, %r1; @%p2 bra L; END: ret;",
                 "1024"},
        SizeCase{"window", kWindow, "4"}, SizeCase{"both_sides", kBothSides, "4"},
        SizeCase{"step", access_at_steps("ld.global.u32 %r7, [%rd3]; st.global.u32 [%rd1], %r7;"), "1"},
        SizeCase{"step_of_vectors",
                 access_at_steps("ld.global.v4.u32 {%r7, %r8, %r9, %r10}, [%rd3]; st.global.u32 [%rd1], %r7;"), "4"}),
    [](const auto& one) { return one.param.name; });

// The last group along x and y has the largest index.
TEST(Assumptions, TheLargestIndexIsThatOfTheLastGroup) {
  auto options = assuming();
  options.launch.grid = {8, 4, 1};
  const auto report = import(
                          "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;\n"
                          "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mad.lo.s32 %r5, %r4, 1000, %r2;\n"
                          "mad.lo.s32 %r5, %r3, 64, %r5; setp.ge.s32 %p1, %r5, %r1; @%p1 bra END;\n"
                          "st.global.u32 [%rd1], %r5; END: ret;",
                          options)
                          .report;
  ASSERT_EQ(report.assumptions.size(), 1U);
  EXPECT_EQ(report.assumptions.front().value, "3512");  // 3 x 1000 + 7 x 64 + 63 + 1
}

// Loads an element and its successor; `behind` goes on with both.
std::string between_neighbours(const std::string& behind) {
  return kHead + kGuard + kLoad + "ld.global.u32 %r7, [%rd3+4];" + behind + kEnd;
}

const std::string kEachOfARow =
    "ROW: mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; atom.global.add.u32 %r8, [%rd5], 1;\n"
    "add.s32 %r6, %r6, 1; setp.lt.s32 %p3, %r6, %r7; @%p3 bra ROW;\n";

// 8 groups of 2 warps, and each thread's row has 16 elements.
TEST(Assumptions, NeighboursThatBoundALoopAreWhereRowsBegin) {
  for (const std::string first : {"", "setp.ge.s32 %p2, %r6, %r7; @%p2 bra END;\n"}) {
    const auto body = between_neighbours(first + kEachOfARow);
    EXPECT_THAT(assumed_of(body), ElementsAre("argument n=512", "array p=rows:16"));
    EXPECT_EQ(executed(import(body, assuming()), "global.atomic"), 8 * 2 * 16);
    auto said = assuming();
    ASSERT_TRUE(isa::parse_values("rows:3", said.launch.arrays["p"]));
    EXPECT_EQ(executed(import(body, said), "global.atomic"), 8 * 2 * 3);
    EXPECT_THAT(import(body, said).report.assumptions, testing::SizeIs(1));
  }
}

TEST(Assumptions, OtherNeighboursAreNoRows) {
  const auto compared = between_neighbours("setp.eq.s32 %p2, %r6, %r7; @%p2 bra END; st.global.u32 [%rd3], %r6;\n");
  EXPECT_THAT(assumed_of(compared), ElementsAre("argument n=512", "branch 10=0.16"));
  auto pairs = between_neighbours(kEachOfARow);
  pairs.replace(pairs.find("ld.global.u32 %r7"), 17, "ld.global.v2.u32 {%r7, %r9}");
  EXPECT_THAT(assumed_of(pairs), Contains("trips ROW=16"));
}

TEST(Assumptions, TripsAreThoseOfTheLoop) {
  const auto report = import(kRow, assuming()).report;
  ASSERT_EQ(report.entered_loops.size(), 1U);
  EXPECT_EQ(report.entered_loops.front().iterations.least, 16);
  EXPECT_EQ(report.entered_loops.front().iterations.most, 16);
}

struct LoopCase {
  const char* name;
  std::string body, trips;
};

class TripsByLoop : public ::testing::TestWithParam<LoopCase> {};

TEST_P(TripsByLoop, FollowFromItsKind) {
  const auto all = assumed_of(kHead + kLoad + GetParam().body + kEnd);
  EXPECT_THAT(all, ::testing::Contains("trips L=" + GetParam().trips));
}

INSTANTIATE_TEST_SUITE_P(
    Loops, TripsByLoop,
    ::testing::Values(
        // 512 threads: the rest is halved 9 times.
        LoopCase{"halving", "L: shr.u32 %r6, %r6, 1; setp.ne.s32 %p1, %r6, 0; @%p1 bra L;\n", "9"},
        LoopCase{"by_four", "mov.u32 %r7, 0; L: add.s32 %r7, %r7, 4; setp.lt.s32 %p1, %r7, %r6; @%p1 bra L;\n", "4"},
        LoopCase{"rest", "and.b32 %r7, %r6, 3; L: add.s32 %r7, %r7, -1; setp.ne.s32 %p1, %r7, 0; @%p1 bra L;\n", "2"},
        LoopCase{
            "rest_of_two",
            "and.b32 %r8, %r6, 1; neg.s32 %r7, %r8; L: add.s32 %r7, %r7, 1; setp.ne.s32 %p1, %r7, 0; @%p1 bra L;\n",
            "1"},
        LoopCase{"chase",
                 "L: mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r6, [%rd5];\n"
                 "setp.ne.s32 %p1, %r6, 7; @%p1 bra L;\n",
                 "4"}),
    [](const auto& one) { return one.param.name; });

struct BranchCase {
  const char* name;
  std::string body, taken;
};

class TakenByGuard : public ::testing::TestWithParam<BranchCase> {};

TEST_P(TakenByGuard, FollowsFromIt) {
  const auto all = assumed_of(kHead + kLoad + GetParam().body);
  EXPECT_THAT(all, ElementsAre("branch S=" + GetParam().taken));
}

const std::string kWork = " st.global.u32 [%rd3], %r2; bar.sync 0; S: st.global.u32 [%rd3+4], %r2; ret;";

INSTANTIATE_TEST_SUITE_P(
    Guards, TakenByGuard,
    ::testing::Values(
        BranchCase{"less", "setp.lt.s32 %p1, %r6, 7; @%p1 bra S;" + kWork, "0.5"},
        BranchCase{"equal", "setp.eq.s32 %p1, %r6, 7; @%p1 bra S;" + kWork, "0.16"},
        BranchCase{"not_equal", "setp.ne.s32 %p1, %r6, 7; @%p1 bra S;" + kWork, "0.84"},
        BranchCase{"last_group",
                   "atom.global.add.u32 %r8, [%rd3], 1; mov.u32 %r9, %nctaid.x; sub.s32 %r9, %r9, 1;\n"
                   "setp.ne.u32 %p1, %r8, %r9; @%p1 bra S;" +
                       kWork,
                   "1"},
        BranchCase{"last_group_by_shared_memory",
                   "atom.global.inc.u32 %r8, [%rd3], 9; mov.u32 %r9, %nctaid.x; setp.eq.u32 %p2, %r8, %r9;\n"
                   "selp.u32 %r9, 1, 0, %p2; st.shared.u8 [tile], %r9; bar.sync 0; ld.shared.u8 %r10, [tile];\n"
                   "setp.ne.u32 %p1, %r10, 0; @%p1 bra S;" +
                       kWork,
                   "0"},
        BranchCase{"first_to_come", "atom.global.add.u32 %r8, [%rd3], 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra S;" + kWork,
                   "0.16"},
        BranchCase{"truths",
                   "setp.gt.s32 %p2, %r6, 7; selp.u32 %r8, 1, 0, %p2; setp.lt.s32 %p3, %r6, 9;\n"
                   "selp.u32 %r9, 1, 0, %p3; setp.eq.u32 %p1, %r8, %r9; @%p1 bra S;" +
                       kWork,
                   "0.5"},
        BranchCase{"turned", "setp.ne.s32 %p1, %r6, 7; @!%p1 bra S;" + kWork, "0.16"},
        BranchCase{"end", "setp.lt.s32 %p1, %r6, 7; @%p1 bra S; bar.sync 0; st.global.u32 [%rd3], %r2; S: ret;",
                   "0.28"}),
    [](const auto& one) { return one.param.name; });

TEST(Assumptions, TheOnlyGroupIsTheLastToCome) {
  auto options = assuming();
  options.launch.grid = {1, 1, 1};
  const auto made = import(kHead + kLoad +
                               "atom.global.add.u32 %r8, [%rd3], 1; mov.u32 %r9, %nctaid.x; sub.s32 %r9, %r9, 1;\n"
                               "setp.ne.u32 %p1, %r8, %r9; @%p1 bra S;" +
                               kWork,
                           options);
  ASSERT_EQ(made.report.assumptions.size(), 1U);
  EXPECT_EQ(made.report.assumptions.front().value, "0");
}

TEST(Assumptions, AMaskIsAsWideAsTheNumberOfThreads) {
  EXPECT_THAT(assumed_of(kHead + "and.b32 %r6, %r5, %r1; mul.wide.u32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2;\n"
                                 "ld.global.u32 %r7, [%rd3]; st.global.u32 [%rd1], %r7; ret;"),
              ElementsAre("argument n=511"));
}

// The rest of a row after a loop by fours.
TEST(Assumptions, WhatIsCutByANumberIsNoMask) {
  EXPECT_THAT(assumed_of(kHead + "and.b32 %r6, %r1, 3; mul.wide.u32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2;\n"
                                 "ld.global.u32 %r7, [%rd3]; st.global.u32 [%rd1], %r7; ret;"),
              ElementsAre("argument n=1024"));
}

TEST(Assumptions, NothingIsAssumedOfWhatIsKnown) {
  auto options = assuming();
  options.launch.arguments["n"] = "512";
  EXPECT_THAT(import(kHead + kGuard + kLoad + kEnd, options).report.assumptions, IsEmpty());
}

const ptx::AccessReport& last_load(const ptx::ImportReport& report) {
  return report.accesses[report.accesses.size() - 2];  // before the store
}

/// Mean number of segments of 32 bytes reached by the load behind a load.
double segments_at(const std::string& pattern) {
  auto options = assuming();
  options.launch.assume = false;
  isa::parse_pattern(pattern, options.launch.addresses["p"]);
  const auto report = import(kHead + kLoad +
                                 "mul.wide.u32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r7, [%rd5];\n"
                                 "st.global.u32 [%rd3], %r7; ret;",
                             options)
                          .report;
  const auto& gather = last_load(report).statistics;
  return gather.segments.sum / gather.executions;
}

// 32 lanes at random among 32768 segments reach 32 x (1 - 31 / 65536) of them on average; neighbours reach 4; a single
// segment holds all.
TEST(Assumptions, AddressesAreRandomOrCoalescedWithinTheArray) {
  EXPECT_NEAR(segments_at("random:1048576"), 32 * (1 - 31.0 / 65536), 0.3);
  EXPECT_EQ(segments_at("coalesced:1048576"), 4);
  EXPECT_EQ(segments_at("random:32"), 1);
}

// All lanes read the same word and get the same assumed value: neighbours stay neighbours.
TEST(Assumptions, WhatIsKnownOfAnAddressStays) {
  const auto report = import(kHead +
                                 "ld.global.u32 %r6, [%rd1]; add.s32 %r7, %r6, %r5; mul.wide.u32 %rd4, %r7, 4;\n"
                                 "add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r8, [%rd5];\n"
                                 "st.global.u32 [%rd1], %r8; ret;",
                             assuming())
                          .report;
  const auto& reached = last_load(report).statistics.segments;
  EXPECT_GE(reached.least, 4);
  EXPECT_LE(reached.most, 6);  // where it begins within a segment, and where it wraps around the end of the array
}

// Unknown opcodes are left out, and counted: 16 warps x 10 trips; beside them an addition, a comparison and a branch.
// Thread 0 takes a tile of 32 numbers for its group and tells it through shared memory: each group another tile.
TEST(Assumptions, NumbersInSharedMemoryAreOtherNumbersInOtherGroups) {
  auto options = assuming();
  options.launch.block = {64, 1, 1};
  options.launch.grid = {64, 1, 1};
  const auto made = import(
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra T;\n"
      "atom.global.add.u32 %r2, [%rd1], 1; st.shared.u32 [tile], %r2;\n"
      "T: bar.sync 0; ld.shared.u32 %r3, [tile]; shl.b32 %r3, %r3, 6; add.u32 %r3, %r3, %r1;\n"
      "mul.wide.u32 %rd2, %r3, 4; add.s64 %rd2, %rd1, %rd2; ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd2], %r4; ret;",
      options);
  const auto load = std::ranges::find(made.kernel.instructions, "global.load", &Instruction::op);
  ASSERT_NE(load, made.kernel.instructions.end());
  std::set<std::int64_t> places;
  for (const auto& lanes : std::get<AccessPattern::Sampled>(load->access->lanes).executions)
    places.insert(lanes.front());
  EXPECT_GT(places.size(), 16U);  // not the two of one tile
}

TEST(Assumptions, UnknownOpcodesAreLeftOutAndCounted) {
  const auto made = import(
      "mov.u32 %r1, 0;\nL: frob.sync.b32 %r2; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 10; @%p1 "
      "bra L; ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1; ret;",
      assuming());
  ASSERT_EQ(made.report.assumptions.size(), 1U);
  EXPECT_EQ(made.report.assumptions.front().kind, Assumption::Kind::Opcode);
  EXPECT_THAT(made.report.left_out, ElementsAre(std::pair<const std::string, double>("frob.sync.b32", 160)));
  EXPECT_EQ(issued(made), 16 * (1 + 3 * 10 + 1));  // the counter begins, and is stored
  EXPECT_EQ(isa::share_left_out(made.report), 160 / (160 + issued(made)));
  EXPECT_THAT(made.report.notes,
              testing::Contains("what is left out is 24 % of the instructions that the launch issues"));  // 160 / 672
  EXPECT_EQ(isa::share_left_out(import(kHead + kLoad + "st.global.u32 [%rd3], %r2; ret;", assuming()).report), 0);
}

TEST(Assumptions, AnErrorThatTheyMayHaveLedToNamesThem) {
  const auto text = message_of([&] {
    import(kHead + "sub.u32 %r6, %r1, 1024; div.u32 %r7, %r2, %r6; ld.shared.u32 %r8, [%r7]; ret;", assuming());
  });
  EXPECT_THAT(text, HasSubstr("found a division by zero"));
  EXPECT_THAT(text, HasSubstr("`arguments n=1024`"));
}

TEST(Assumptions, MayLeadBeyondTheSharedMemoryWhichIsSaid) {
  const auto far = kHead + "mul.lo.s32 %r6, %r1, 4; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7; ret;";
  auto options = assuming();
  EXPECT_THAT(import(far, options).report.notes,
              Contains(AllOf(HasSubstr("with what is assumed, an access leaves the 128 bytes of shared memory"),
                             HasSubstr("k.ptx: line"))));
  // The user's own number is an error, as nothing is assumed then.
  options.launch.arguments["n"] = "1024";
  EXPECT_THAT(message_of([&] { import(far, options); }), HasSubstr("leaves the 128 bytes of shared memory"));
}

// An array without a size is as large as accesses reach: 64 threads, 4 bytes each, behind the 128 bytes of the other.
TEST(Assumptions, TheSizeOfASharedArrayIsWhatIsReached) {
  auto text = entry_with(kHead + "mov.u32 %r6, more; mad.lo.u32 %r6, %r2, 4, %r6; st.shared.u32 [%r6], %r2; ret;");
  text.insert(text.find(".visible"), ".extern .shared .align 16 .b8 more[];\n");
  auto options = assuming();
  const auto made = ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
  EXPECT_EQ(made.kernel.resources.shared_memory_per_group->evaluate({}), 128 + 256);
  ASSERT_EQ(made.report.assumptions.size(), 1U);
  EXPECT_EQ(isa::answer_text(made.report.assumptions.front(), made.report.assumptions.front().value),
            "`dynamic_shared_memory 256`");
  auto said = options;
  said.launch.assume = false;
  // Without leave to assume, the import asks for the same size.
  try {
    ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), said);
    ADD_FAILURE() << "nothing was asked";
  } catch (const isa::UnknownData& lack) {
    ASSERT_EQ(lack.assumptions.size(), 1U);
    EXPECT_EQ(lack.assumptions.front().value, "256");
    EXPECT_THAT(lack.what(), HasSubstr("give `dynamic_shared_memory = BYTES`"));
  }
  isa::answer(said, made.report.assumptions.front(), "256");
  auto kernel = ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), said).kernel;
  kernel.origin = made.kernel.origin;
  EXPECT_EQ(write_kernel_json(kernel), write_kernel_json(made.kernel));
  options.launch.dynamic_shared_memory = 128;  // the user's size is too small
  EXPECT_THAT(message_of([&] { ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options); }),
              HasSubstr("leaves the 256 bytes of shared memory"));
}

// An argument of 1024 is taken: byte 4096 of 128. As an option alone it would be an error.
TEST(Assumptions, AnswersThatLeadBeyondTheSharedMemoryNeedToBeAssumed) {
  auto options = assuming();
  options.launch.assume = false;
  const auto needs_assume = [&](const std::string& body) {
    try {
      import(body, options);
    } catch (const isa::UnknownData& lack) {
      return lack.needs_assume;
    }
    ADD_FAILURE() << "nothing was asked";
    return false;
  };
  EXPECT_TRUE(
      needs_assume(kHead + "mul.lo.s32 %r6, %r1, 4; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7; ret;"));
  EXPECT_FALSE(needs_assume(kRow));
}

TEST(Assumptions, PatternsAreRead) {
  isa::AddressPattern pattern;
  EXPECT_TRUE(isa::parse_pattern("coalesced:64", pattern));
  EXPECT_TRUE(pattern.coalesced);
  EXPECT_EQ(pattern.bytes, 64);
  for (const auto* wrong : {"random", "random:", "random:0", "random:-4", "random:4x", "strided:4", ""})
    EXPECT_FALSE(isa::parse_pattern(wrong, pattern)) << wrong;
  isa::ArrayValues values;
  EXPECT_TRUE(isa::parse_values("uniform:64", values));
  EXPECT_EQ(values.uniform, 64U);
  for (const auto* wrong : {"rows", "rows:", "rows:0", "rows:-4", "rows:4x", "uniform:", "64", ""})
    EXPECT_FALSE(isa::parse_values(wrong, values)) << wrong;
}

// n is 10. The loaded value is unknown, and does not matter beside a truth that decides alone.
TEST(Assumptions, AskForNoDataThatADecidedTruthIsJoinedWith) {
  const auto barriers = [](const std::string& join, const std::string& truth) {
    return executed(import(kHead + "ld.global.u32 %r6, [%rd1]; setp.eq.u32 %p1, %r6, 0; setp." + truth +
                           ".u32 %p2, %r1, 50; " + join + ".pred %p3, %p1, %p2; @%p3 bra END; bar.sync 0;" + kEnd),
                    "barrier");
  };
  EXPECT_EQ(barriers("and", "gt"), 1);
  EXPECT_EQ(barriers("or", "lt"), 0);
  EXPECT_THAT(message_of([&] { barriers("and", "lt"); }), HasSubstr("depends on data"));
  EXPECT_THAT(message_of([&] { barriers("or", "gt"); }), HasSubstr("depends on data"));
}

}  // namespace
}  // namespace warpipe::test
