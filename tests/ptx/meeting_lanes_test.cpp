#include <gtest/gtest.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// Four warps in each of 4 x 64 groups.
ptx::ImportOptions many_groups() {
  ptx::ImportOptions options;
  options.launch.block = {128, 1, 1};
  options.launch.grid = {4, 64, 1};
  options.launch.arguments["n"] = "10";
  return options;
}

/// %rd1 is the array; %rd3 is 4 x the thread, %rd5 4 x the group along x, %rd6 4 x the group along y.
std::string operation(const std::string& address, const std::string& text, const std::string& behind = "") {
  return "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
         "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; mov.u32 %r3, %ctaid.y; mul.wide.u32 %rd6, %r3, 4;\n"
         "add.s64 %rd7, %rd1, " +
         address + ";\n" + text + "\n" + behind + "\nret;";
}

struct Meeting {
  double lanes = 0;  ///< of an execution: lanes taking turns at a place
  double ways = 1;   ///< of the kernel's instruction
  double turns = 1;  ///< likewise
};

Meeting meeting(const std::string& body, const ptx::ImportOptions& options = many_groups()) {
  const auto made = import(body, options);
  Meeting result;
  for (const auto& access : made.report.accesses) {
    if (access.op != "global.atomic") continue;
    result.lanes = access.turns_at_one_place.value_or(-1);
    // A sector takes a turn where the kernel says nothing else.
    result.turns = access.statistics.segments.sum / access.statistics.executions;
  }
  for (const auto& instruction : made.kernel.instructions) {
    if (!instruction.op.starts_with("global.atomic")) continue;
    if (instruction.conflict_degree) result.ways = instruction.conflict_degree->evaluate({});
    if (instruction.turns) result.turns = instruction.turns->evaluate({});
  }
  return result;
}

TEST(MeetingLanes, AllLanesOfAllGroupsTakeTurnsAtOneWord) {
  const auto all = meeting(operation("16", "red.global.add.f32 [%rd7], 0f3F800000;"));
  EXPECT_DOUBLE_EQ(all.lanes, 32);
  EXPECT_EQ(all.ways, 32);
}

std::string op_of_atomic(const std::string& body) {
  for (const auto& instruction : import(body, many_groups()).kernel.instructions)
    if (instruction.op.starts_with("global.atomic")) return instruction.op;
  return "";
}

// L2 adds a float to a word that has just got another one only when that sum is there.
TEST(MeetingLanes, FloatsAddedToOneWordByAllHaveAnOpOfTheirOwn) {
  const std::string one = "[%rd7], 0f3F800000;";
  EXPECT_EQ(op_of_atomic(operation("16", "red.global.add.f32 " + one)), "global.atomic.float");
  EXPECT_EQ(op_of_atomic(operation("16", "atom.global.add.f32 %f1, " + one)), "global.atomic.float");
  EXPECT_EQ(op_of_atomic(operation("%rd5", "red.global.add.f32 " + one)), "global.atomic") << "a word for each group";
  EXPECT_EQ(op_of_atomic(operation("%rd3", "red.global.add.f32 " + one)), "global.atomic") << "one for each thread";
  EXPECT_EQ(op_of_atomic(operation("16", "red.global.add.u32 [%rd7], 1;")), "global.atomic");
  EXPECT_EQ(op_of_atomic(operation("16", "atom.global.exch.b32 %r9, [%rd7], %r1;")), "global.atomic");
}

/// A word for each value of a register, 512 bytes apart.
std::string at_place_of(const std::string& number) {
  return operation("0", "mul.wide.u32 %rd8, " + number +
                            ", 512; add.s64 %rd9, %rd7, %rd8;"
                            "red.global.add.f32 [%rd9], 0f3F800000;");
}

TEST(MeetingLanes, PlacesApartAreServedAtATime) {
  // A place for each thread of a group, reached by one lane of each group: a turn each, over the executions of 4 warps.
  EXPECT_DOUBLE_EQ(meeting(at_place_of("%r1")).lanes, 0.25);
  // The groups in a column have a place: a fourth of all.
  EXPECT_DOUBLE_EQ(meeting(at_place_of("%r2")).lanes, 8);
  EXPECT_DOUBLE_EQ(meeting(at_place_of("%r3")).lanes, 0.5);
  EXPECT_EQ(meeting(at_place_of("%r1")).ways, 1);
  EXPECT_EQ(meeting(at_place_of("%r2")).ways, 9);
}

TEST(MeetingLanes, WordsOfAPlaceAreServedSectorBySector) {
  // The 128 words of a group's threads lie in 512 bytes: each warp goes to four of its sectors, all lanes at once.
  const auto threads = meeting(operation("%rd3", "red.global.add.f32 [%rd7], 0f3F800000;"));
  EXPECT_DOUBLE_EQ(threads.lanes, 4);
  EXPECT_EQ(threads.turns, 4);
  // The words of the groups share 512 bytes: all lanes take a turn there.
  const auto groups = meeting(operation("%rd6", "red.global.add.f32 [%rd7], 0f3F800000;"));
  EXPECT_DOUBLE_EQ(groups.lanes, 32);
  EXPECT_EQ(groups.turns, 32);
}

TEST(MeetingLanes, OneLaneGoesForAllWhereTheCompilerCombinesThem) {
  struct Case {
    std::string text, behind;
    double lanes;
  };
  // The operations for which ptxas 13.0 votes; the numbers are in %r1.
  for (const auto& [text, behind, lanes] : {
           Case{"red.global.add.u32 [%rd7], %r1;", "", 1},
           Case{"atom.global.add.s32 %r9, [%rd7], 1;", "st.global.u32 [%rd7+512], %r9;", 1},
           Case{"atom.global.add.u32 %r9, [%rd7], %r1;", "st.global.u32 [%rd7+512], %r9;", 1},
           Case{"red.global.add.u64 [%rd7], 1;", "", 1},
           Case{"red.global.add.u64 [%rd7], %rd3;", "", 32},
           Case{"red.global.max.s32 [%rd7], %r1;", "", 1},
           Case{"atom.global.min.u32 %r9, [%rd7], %r1;", "", 1},
           Case{"atom.global.min.u32 %r9, [%rd7], %r1;", "st.global.u32 [%rd7+512], %r9;", 32},
           Case{"red.global.or.b32 [%rd7], %r1;", "", 1},
           Case{"red.global.or.b64 [%rd7], %rd3;", "", 32},
           Case{"red.global.inc.u32 [%rd7], %r1;", "", 32},
           Case{"atom.global.exch.b32 %r9, [%rd7], %r1;", "", 32},
           Case{"atom.global.cas.b32 %r9, [%rd7], 0, %r1;", "", 32},
           Case{"red.global.add.f32 [%rd7], %f1;", "", 32},
       }) {
    const auto found = meeting(operation("16", "mov.f32 %f1, 0f3F800000; " + text, behind));
    EXPECT_DOUBLE_EQ(found.lanes, lanes) << text;
    EXPECT_EQ(found.turns, lanes) << text;
  }
  // The compiler does not see the same address in all lanes: 4 x (thread / 128).
  EXPECT_DOUBLE_EQ(meeting(operation("0",
                                     "shr.u32 %r4, %r1, 7; mul.wide.u32 %rd8, %r4, 4; add.s64 %rd9, %rd7, %rd8;"
                                     "red.global.add.u32 [%rd9], %r1;"))
                       .lanes,
                   32);
}

// The groups looked at are evenly spread, so by steps that a repeating address may divide.
TEST(MeetingLanes, GroupsThatRepeatTheirAddressesMeetAsOftenAsTheyDo) {
  auto options = many_groups();
  options.launch.grid = {1, 4096, 1};
  const auto every = [&](int period) {
    return meeting(at_place_of("%r4; rem.u32 %r4, %r3, " + std::to_string(period) + "; mul.wide.u32 %rd8, %r4"),
                   options)
        .lanes;
  };
  for (const int period : {2, 3, 16, 21, 64}) EXPECT_NEAR(every(period), 32.0 / period, 0.2 * 32 / period) << period;
  EXPECT_LT(every(1024), 0.2);
}

// Four atomics at 64 places have half a turn each: two of them a whole one.
TEST(MeetingLanes, HalvesOfTurnsAddUpOverUnrolledAtomics) {
  auto options = many_groups();
  options.launch.grid = {1, 4096, 1};
  const std::string place = "and.b32 %r6, %r3, 63; mul.wide.u32 %rd8, %r6, 512; add.s64 %rd9, %rd1, %rd8;";
  std::string text;
  for (int i = 0; i < 4; ++i) text += "red.global.add.f32 [%rd9], 0f3F800000;";
  double turns = 0;
  for (const auto& instruction : import(operation("0", place + text), options).kernel.instructions)
    if (instruction.op == "global.atomic" && instruction.conflict_degree)
      turns += instruction.conflict_degree->evaluate({}) - 1;
  EXPECT_EQ(turns, 2);
}

// Each trip goes to the next place: 64 trips of all groups meet at 64 places, unseen from a single group.
TEST(MeetingLanes, GroupsThatMoveWithTheirTripsMeetAsOftenAsTheyDo) {
  auto options = many_groups();
  options.launch.grid = {1, 4096, 1};
  const std::string loop =
      "mov.u32 %r5, 0; L: add.u32 %r6, %r5, %r3; and.b32 %r6, %r6, 63; mul.wide.u32 %rd8, %r6, 512;"
      "add.s64 %rd9, %rd1, %rd8; red.global.add.f32 [%rd9], 0f3F800000;"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 64; @%p1 bra L;";
  EXPECT_NEAR(meeting(operation("0", loop), options).lanes, 0.5, 0.1);
}

TEST(MeetingLanes, GroupsDrawWordsFromMemoryAsThoseLookedAt) {
  auto options = many_groups();
  const auto drawn = operation("%rd3",
                               "mad.lo.u32 %r5, %r3, 4, %r2; mul.wide.u32 %rd8, %r5, 512; add.s64 %rd7, %rd7, %rd8;"
                               "ld.global.u32 %r4, [%rd7]; mul.wide.u32 %rd8, %r4, 512; add.s64 %rd9, %rd1, %rd8;"
                               "red.global.add.u32 [%rd9], 1;");
  options.launch.arrays["p"].uniform = 8;
  EXPECT_NEAR(meeting(drawn, options).lanes, 4, 0.5);
  options.launch.arrays["p"].uniform = 1 << 20;
  EXPECT_LT(meeting(drawn, options).lanes, 0.1);
}

}  // namespace
}  // namespace warpipe::test
