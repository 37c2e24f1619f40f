// Loops of long-running warps, with sampled iterations.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// With 100,000 instructions allowed, loops are sampled from 1000 on: there is room for 100 groups of that length.
ptx::ImportOptions short_of_time() {
  auto options = one_warp();
  options.launch.max_instructions = 100'000;
  options.launch.arguments["n"] = "100000";
  return options;
}

/// r5 is data; half of the lanes jump by it to S.
constexpr auto kData =
    "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, 0;\n"
    "ld.global.u32 %r5, [%rd1]; setp.gt.s32 %p1, %r5, 7;\n";
constexpr auto kByData = "@%p1 bra S; ld.global.f32 %f1, [%rd1+4]; st.global.f32 [%rd1+8], %f1; S: ";

ptx::Import sampled(const std::string& body, ptx::ImportOptions options = short_of_time()) {
  options.launch.taken["S"] = 0.5;
  return import(kData + body + "\nret;", options);
}

TEST(SampledIterations, EndWhereAConditionIsKnownToFail) {
  const auto made =
      sampled(std::string("L: ") + kByData + "bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;");
  EXPECT_EQ(executed(made, "barrier"), 100000);
  EXPECT_GT(made.report.sampled_iterations, 50000);
  EXPECT_LT(made.report.executed, 100'000);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("a higher `max_instructions` follows more of them")));
}

TEST(SampledIterations, EndWhereTheConditionStandsAtTheTop) {
  const auto made = sampled(std::string("L: setp.ge.u32 %p2, %r2, %r1; @%p2 bra E; bar.sync 0; ") + kByData +
                            "add.u32 %r2, %r2, 1; bra L; E:");
  EXPECT_EQ(executed(made, "barrier"), 100000);
  EXPECT_GT(made.report.sampled_iterations, 50000);
}

// r3 begins at 300,000 and falls by 4: it is above 100,000 for 50,000 iterations, before r2 is at n.
TEST(SampledIterations, EndWhereTheFirstOfTwoConditionsFails) {
  const auto made = sampled(std::string("mov.u32 %r3, 300000; L: bar.sync 0; ") + kByData +
                            "add.u32 %r2, %r2, 1; sub.u32 %r3, %r3, 4; setp.lt.u32 %p2, %r2, %r1;\n"
                            "setp.gt.u32 %p3, %r3, 100000; and.pred %p4, %p2, %p3; @%p4 bra L;");
  EXPECT_EQ(executed(made, "barrier"), 50000);
  EXPECT_GT(made.report.sampled_iterations, 25000);
}

// Each lane counts from its index: all are through when lane 0 is.
TEST(SampledIterations, EndForEachLane) {
  const auto made = sampled(std::string("mov.u32 %r2, %tid.x; L: bar.sync 0; ") + kByData +
                            "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;");
  EXPECT_EQ(executed(made, "barrier"), 100000);
}

TEST(SampledIterations, EndAtTripsThatAreGiven) {
  auto options = short_of_time();
  options.launch.trips["L"] = 70000;
  const auto made = sampled(
      std::string("L: bar.sync 0; ") + kByData + "ld.global.u32 %r6, [%rd1+12]; setp.gt.s32 %p2, %r6, 7; @%p2 bra L;",
      options);
  EXPECT_EQ(executed(made, "barrier"), 70000);
  EXPECT_GT(made.report.sampled_iterations, 35000);
}

// A doubled number has no constant step: each iteration of the loop that ends by it is executed. It ends when 31 more
// doublings have made it 0; the loop around it goes on to 100,000.
TEST(SampledIterations, PassOverNoConditionOnWhatMovesOtherwise) {
  const auto made = sampled(
      std::string("L: mov.u32 %r3, 1; M: bar.sync 0; shl.b32 %r3, %r3, 1; setp.ne.u32 %p3, %r3, 0; @%p3 bra M;\n") +
      kByData + "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;");
  EXPECT_EQ(executed(made, "barrier"), 3'200'000);
}

// The i-th iteration makes i trips: 1 + ... + 2000. An iteration stands for up to a 16th of the iterations before it
// and, where much was executed, for a quarter of them: less than a quarter is missing.
TEST(SampledIterations, TakeInnerLoopsToBeAsLongAsInTheLastIteration) {
  auto options = short_of_time();
  options.launch.arguments["n"] = "2000";
  const auto made =
      sampled(std::string("L: mov.u32 %r3, 0; add.u32 %r2, %r2, 1; M: bar.sync 0; add.u32 %r3, %r3, 1; ") +
                  "setp.lt.u32 %p3, %r3, %r2; @%p3 bra M;\n" + kByData + "setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;",
              options);
  const double all = 2000.0 * 2001 / 2;
  EXPECT_LE(executed(made, "barrier"), all);
  EXPECT_GT(executed(made, "barrier"), 0.75 * all);
  EXPECT_GT(made.report.sampled_iterations, 500);
}

// The memory holds 32 words: an iteration behind the last would leave them.
TEST(SampledIterations, ReachNoMemoryBehindTheLastIteration) {
  auto options = short_of_time();
  options.launch.max_instructions = 10'000;  // sampled from 100 instructions on
  options.launch.arguments["n"] = "32";
  const auto made = sampled(
      std::string("L: mul.lo.u32 %r3, %r2, 4; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3; st.shared.u32 [%r4], %r5; ") +
          kByData + "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;",
      options);
  EXPECT_EQ(executed(made, "shared.store"), 32);
  EXPECT_GT(made.report.sampled_iterations, 0);
}

// r3 goes round 32 words: two moves by one do not prove the next.
TEST(SampledIterations, GoRoundARingOfBuffers) {
  const auto made =
      sampled(std::string("mov.u32 %r3, 0; L: mul.lo.u32 %r4, %r3, 4; mov.u32 %r6, tile; add.u32 %r4, %r4, %r6;\n"
                          "st.shared.u32 [%r4], %r5; add.u32 %r6, %r3, 1; setp.eq.u32 %p3, %r6, 32;\n"
                          "selp.u32 %r6, 0, %r6, %p3; mov.u32 %r3, %r6; ") +
              kByData + "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;");
  EXPECT_EQ(executed(made, "shared.store"), 100000);
  EXPECT_GT(made.report.sampled_iterations, 50000);
}

TEST(SampledIterations, AreMadeOnlyWhereAWarpTakesLong) {
  auto options = short_of_time();
  options.launch.arguments["n"] = "1000";
  options.launch.max_instructions = 100'000'000;
  const auto made =
      sampled(std::string("L: ") + kByData + "bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;",
              options);
  EXPECT_EQ(made.report.sampled_iterations, 0);
  EXPECT_EQ(executed(made, "barrier"), 1000);
}

// Three nested loops of 1024 iterations by data are more than is executed; of 64 they are not.
TEST(SampledIterations, TakeSmallerSizesWhereNobodyGaveThem) {
  ptx::ImportOptions options;
  options.launch.block = {32, 1, 1};
  options.launch.assume = true;
  options.launch.max_instructions = 100'000'000;
  const auto loops = [](const std::string& body) {
    std::string text = body;
    for (const std::string at : {"3", "2", "1"})
      text = "mov.u32 %r1" + at + ", 0; L" + at + ": " + text + " add.u32 %r1" + at + ", %r1" + at +
             ", 1; setp.lt.u32 %p" + at + ", %r1" + at + ", %r1; @%p" + at + " bra L" + at + ";\n";
    return text;
  };
  const auto made =
      import("ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];\n" +
                 loops("ld.global.u32 %r5, [%rd1]; setp.gt.s32 %p5, %r5, 7; @%p5 bra S; bar.sync 0; S: ") + "ret;",
             options);
  ASSERT_THAT(made.report.assumptions, testing::Not(IsEmpty()));
  EXPECT_EQ(made.report.assumptions.front().value, "64");
  EXPECT_EQ(made.report.assumptions.front().why, "any size that does not take long");
  EXPECT_EQ(executed(made, "global.load"), 64 * 64 * 64);
}

// r3 <- 5 r3 + 1 (mod 2^18) is back at 0 after 2^18 steps, and no constant step leads there.
constexpr auto kLongWayRound =
    "mov.u32 %r3, 0; L: bar.sync 0; mad.lo.u32 %r3, %r3, 5, 1; and.b32 %r3, %r3, 262143;\n"
    "setp.ne.u32 %p1, %r3, 0; @%p1 bra L; ret;";

ptx::ImportOptions assuming() {
  auto options = one_warp();
  options.launch.assume = true;
  options.launch.max_instructions = 100'000;
  return options;
}

// Sampled from 1000 instructions on, and cut at 8 times as many: an eighth of the trips until then, at 4 or 5
// instructions each.
TEST(CutLoops, HaveTripsThatAreAssumed) {
  const auto made = import(kLongWayRound, assuming());
  ASSERT_THAT(made.report.assumptions, testing::SizeIs(1));
  const auto& trips = made.report.assumptions.front();
  EXPECT_EQ(trips.kind, isa::Assumption::Kind::Trips);
  EXPECT_EQ(trips.name, "L");
  EXPECT_THAT(std::stoi(trips.value), testing::AllOf(testing::Ge(8000 / 8 / 5), testing::Le(8000 / 8 / 4)));
  EXPECT_EQ(executed(made, "barrier"), std::stod(trips.value));
}

TEST(CutLoops, AreThoseThatTheOptionGives) {
  auto options = one_warp();
  options.launch.trips["L"] = 300;
  EXPECT_EQ(executed(import(kLongWayRound, options), "barrier"), 300);
}

TEST(CutLoops, AreFollowedToTheirEndWhereNothingIsAssumed) {
  EXPECT_EQ(executed(import(kLongWayRound), "barrier"), 262144);
}

// The loop inside has 10 iterations: the loop around it takes long.
TEST(CutLoops, AreNotTheShortOnesInThem) {
  const auto made = import(
      "mov.u32 %r3, 0; L: mov.u32 %r2, 0; M: bar.sync 0; xor.b32 %r4, %r3, %r2; add.u32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p2, %r2, 10; @%p2 bra M; mad.lo.u32 %r3, %r3, 5, 1; and.b32 %r3, %r3, 262143;\n"
      "setp.ne.u32 %p1, %r3, 0; @%p1 bra L; ret;",
      assuming());
  ASSERT_THAT(made.report.assumptions, testing::SizeIs(1));
  EXPECT_EQ(made.report.assumptions.front().name, "L");
  EXPECT_EQ(executed(made, "barrier"), 10 * std::stod(made.report.assumptions.front().value));
}

// r2 goes on by 2 from 1 and is never 0.
constexpr auto kForEver =
    "mov.u32 %r2, 1; mov.u64 %rd2, 1; L: bar.sync 0; add.u64 %rd2, %rd2, 2; setp.ne.u64 %p1, %rd2, 0; @%p1 bra L; ret;";

TEST(EndlessLoops, AreRefusedWithTheirPlace) {
  EXPECT_THAT([] { import(kForEver); },
              testing::ThrowsMessage<InputError>(testing::AllOf(HasSubstr("a loop ends"), HasSubstr("the loop at L"))));
}

TEST(EndlessLoops, ThatHaveNoWayOutAreRefusedWhateverIsAssumed) {
  EXPECT_THAT([] { import("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; bra L;", assuming()); },
              testing::ThrowsMessage<InputError>(HasSubstr("found one that nothing ends")));
}

TEST(EndlessLoops, HaveAFewTripsWhereThatIsAssumed) {
  const auto made = import(kForEver, assuming());
  ASSERT_THAT(made.report.assumptions, testing::SizeIs(1));
  EXPECT_EQ(made.report.assumptions.front().why, "nothing that is known ends it");
  EXPECT_EQ(executed(made, "barrier"), 4);
}

}  // namespace
}  // namespace warpipe::test
