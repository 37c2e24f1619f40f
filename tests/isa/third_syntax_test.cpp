// A third language, read into the neutral form: the resulting graph, derived by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "flow/slice.hpp"
#include "toy_assembly.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/make_kernel.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Toy {
  explicit Toy(const std::string& text)
      : program(read_toy(text)),
        flow(isa::analyse_control_flow(program)),
        definitions(program, flow),
        plan(isa::plan_as_written(program, flow, definitions)) {}
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;

  isa::Import import(const isa::Launch& launch) const {
    isa::ImportReport report;
    report.registers = 16;
    return isa::make_kernel({program, flow, definitions, plan}, launch, {}, report);
  }

  isa::Program program;
  isa::ControlFlow flow;
  isa::ReachingDefinitions definitions;
  isa::IssuePlan plan;
};

isa::Launch launch(std::int64_t threads, std::int64_t n) {
  isa::Launch made;
  made.block = {threads, 1, 1};
  made.arguments["n"] = fmt::format("{}", n);
  return made;
}

/// Each instruction with its producers, and executions back if not the last: "wait_4 < load_1 load_2(2)".
std::string graph_of(const Kernel& kernel, const std::vector<Item>& body, const std::string& indent = "") {
  std::string text;
  for (const auto& item : body) {
    if (const auto* index = std::get_if<std::size_t>(&item.node)) {
      const auto& made = kernel.instructions[*index];
      text += indent + made.id + (made.after.empty() ? "" : " <");
      for (const auto& [producer, back, latency] : made.after)
        text += fmt::format(" {}{}", kernel.instructions[producer].id,
                            back == Expression(1) ? "" : "(" + back.text() + ")");
      text += "\n";
    } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
      text += indent + loop->trip_count.text() + " times\n" + graph_of(kernel, loop->body, indent + "  ");
    } else {
      const auto& when = std::get<When>(item.node);
      text += indent + "when " + when.condition.text() + "\n" + graph_of(kernel, when.body, indent + "  ");
    }
  }
  return text;
}

const warpipe::Instruction& instruction(const Kernel& kernel, const std::string& id) {
  const auto found = std::ranges::find(kernel.instructions, id, &warpipe::Instruction::id);
  if (found == kernel.instructions.end()) throw std::out_of_range(id);
  return *found;
}

template <class Run>
std::string refusal(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    return to_string(error.diagnostics().front());
  }
  return "nothing was refused";
}

// v1 is in turn the byte offset of a column, the offset of an element, an address in the group's memory, and a loaded
// value. Lines are numbered from 1.
const std::string kColumns = R"(arg s[0:1], 0
arg s2, 1
thread v0
wait 1, 0
less vcc, v0, s2
and_save s[4:5], vcc
if_none exec, out
shl v1, v0, 2
mov s3, 0
row: load v2, v1, s[0:1]
add v1, v1, 768
add s3, s3, 1
wait 0, 1
less scc, s3, 1000
if scc, row
wait 0, 0
less vcc, v0, 32
and_save s[6:7], vcc
shl v1, v0, 2
store v2, v1, s[0:1]
mov exec, s[6:7]
out: mov exec, s[4:5]
shl v1, v0, 2
lds_store v0, v1
barrier
lds_load v1, v1
wait 1, 0
end)";

// Three waves of 64; n = 128, so no thread of the third wave has a column: it goes round lines 8 to 21.
//
// Waits (`<`): for the writers that reach a read, through registers and exec, but of loads and stores only where a
// wait ends them.
//   4   both arguments. 5: v0 is no instruction's, s2 an argument's; exec has no writer yet.
//   8   exec of 6; and the branch before it, as the first instruction of each block of this side does.
//   10  exec of 6, v1 of 8 and of 11 a row before, and the branch that came back. The pointer is waited for in 4.
//   13  one load may pend: the load of the row before, the second last, has ended.
//   16  the last load, and the branch that left the loop.
//   17  exec of 6. 18: vcc, and exec of 6.
//   19  exec of 18. 20: exec of 18, v1 of 19 in all active lanes: the results of 8 and 11 are hidden.
//   21  the mask saved by 18; 22: the mask saved by 6, and the branches that lead here.
//   24  exec of 22, v1 of 23; it hides v1 of 19 from before the mask widened. 27: line 24 and 26.
TEST(ThirdSyntax, GivesTheGraphDerivedByHand) {
  const Toy toy(kColumns);
  const auto made = toy.import(launch(192, 128));
  EXPECT_EQ(graph_of(made.kernel, made.kernel.body), R"(constant_load_1
constant_load_2
wait_4 < constant_load_1 constant_load_2
compare_5
logic_6 < compare_5
branch_7 < logic_6
when warp <= 1
  shift_8 < logic_6 branch_7
  iadd_9
  1000 times
    global_load_10 < logic_6 shift_8 iadd_11 branch_15
    iadd_11 < logic_6 shift_8 iadd_11
    iadd_12 < iadd_9 iadd_12
    wait_13 < global_load_10(2)
    compare_14 < iadd_12
    branch_15 < compare_14
  wait_16 < global_load_10 branch_15
  compare_17 < logic_6
  logic_18 < logic_6 compare_17
  shift_19 < logic_18
  global_store_20 < logic_18 shift_19
  iadd_21 < logic_18
iadd_22 < logic_6 branch_7
shift_23 < iadd_22
shared_store_24 < iadd_22 shift_23
barrier_25
shared_load_26 < iadd_22 shift_23
wait_27 < shared_store_24 shared_load_26
)");
}

TEST(ThirdSyntax, CountsWhatTheLanesOfTheMaskReach) {
  const Toy toy(kColumns);
  const auto made = toy.import(launch(192, 128));
  // 64 neighbouring floats are 8 segments of 32 bytes; in the store 32 lanes of the first wave are active, and no lane
  // of the second, which issues it all the same: 4 segments in two executions.
  const auto load = std::ranges::find(made.report.accesses, 10U, &isa::AccessReport::line);
  ASSERT_NE(load, made.report.accesses.end());
  EXPECT_EQ(load->statistics.segments.least, 8);
  EXPECT_EQ(load->statistics.segments.most, 8);
  EXPECT_FALSE(instruction(made.kernel, "global_load_10").transactions) << "its address tells them";
  EXPECT_EQ(instruction(made.kernel, "global_store_20").transactions, Expression(2));
  const auto& stored = instruction(made.kernel, "shared_store_24").access;
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->lanes, (decltype(AccessPattern::lanes)(AccessPattern::Strided{Expression(4)})));
  const auto& accesses = made.report.accesses;
  const auto lanes_at = [&](std::uint32_t line) {
    return std::ranges::find(accesses, line, &isa::AccessReport::line)->statistics.lanes.sum;
  };
  EXPECT_EQ(lanes_at(10), 1000 * 2 * 64);
  EXPECT_EQ(lanes_at(20), 32);
  EXPECT_EQ(lanes_at(24), 3 * 64);
  // 32-byte segments: 1000 rows x 2 waves x 8 and 4 of the store; all are distinct, but for the store's.
  EXPECT_EQ(made.kernel.work.bytes, Expression(32 * (16000 + 4)));
  EXPECT_EQ(made.kernel.work.compulsory_bytes, Expression(32 * (16000 + 4)));
}

/// Imports with loops closed, which changes nothing but the number of executed iterations.
/// @return the import of the fully executed loops, and the iterations saved by closing them
std::pair<isa::Import, std::int64_t> import_both_ways(const Toy& toy, isa::Launch how) {
  const auto closed = toy.import(how);
  how.close_loops = false;
  auto executed = toy.import(how);
  EXPECT_EQ(closed.kernel, executed.kernel);
  EXPECT_EQ(executed.report.closed_iterations, 0);
  return {std::move(executed), closed.report.closed_iterations};
}

TEST(ThirdSyntax, ClosesLoopsInForm) { EXPECT_GT(import_both_ways(Toy(kColumns), launch(192, 128)).second, 2 * 990); }

TEST(ThirdSyntax, SlicesByTheWritesThatReachAReadAndNotByRegister) {
  const Toy toy(kColumns);
  const auto slice = isa::find_slice(toy.program, toy.definitions);
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < slice.needed.size(); ++i)
    if (slice.needed[i]) lines.push_back(toy.program.instructions[i].line);
  // All but waits, jumps, loads and stores, and line 21: no lane is active by its restored mask. The load of line 26
  // also writes v1, the base of lines 10, 20, 24 and 26.
  EXPECT_THAT(lines, ElementsAre(1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 17, 18, 19, 22, 23));
  const auto load = std::ranges::find(toy.program.instructions, 26U, &isa::Instruction::line);
  EXPECT_EQ(isa::written_registers(*load), isa::written_registers(toy.program.instructions[7]));
}

TEST(ThirdSyntax, DoesNotTakeForAPointerWhatLaterLiesInARegisterOfOne) {
  // s[0:1] holds x, then p, a number that decides: it must be given.
  const std::string text =
      "arg s[0:1], 0\nthread v0\nwait 1, 0\nload v1, v0, s[0:1]\narg s[0:1], 2\nwait 1, 0\n"
      "less scc, s0, 5\nif scc, out\nbarrier\nout: end";
  const Toy toy(text);
  EXPECT_THAT(refusal([&] { toy.import(launch(64, 1)); }),
              AllOf(HasSubstr("toy.s: line 8"), HasSubstr("needs the value of parameter 2 (p)")));
  auto how = launch(64, 1);
  how.arguments["p"] = "7";
  EXPECT_EQ(toy.import(how).report.issued.at("barrier"), 1);
  how.arguments["p"] = "3";
  EXPECT_FALSE(toy.import(how).report.issued.contains("barrier"));
}

/// v[2:3] = p + START * 2^32 + 4 x thread, on by 2^26 bytes a row, upwards or downwards: the low word wraps every 64th
/// row, and the carry goes up.
std::string rows_of_pairs(std::int64_t start, std::uint32_t low_step, std::uint32_t high_step) {
  return fmt::format(R"(arg s[0:1], 2
thread v0
wait 1, 0
shl v1, v0, 2
addc v2, v1, s0
mov v3, s1
addci v3, v3, {}
mov s3, 0
row: load v4, v[2:3]
store v4, v[2:3]
addc v2, v2, {}
addci v3, v3, {}
add s3, s3, 1
less scc, s3, 300
if scc, row
end)",
                     start, low_step, high_step);
}

TEST(ThirdSyntax, MakesAddressesOfPairsWithCarries) {
  constexpr std::uint32_t kStep = 1 << 26;
  for (const auto& text : {rows_of_pairs(0, kStep, 0), rows_of_pairs(5, -kStep, UINT32_MAX)}) {
    const auto [executed, closed_iterations] = import_both_ways(Toy(text), launch(64, 1));
    EXPECT_GT(closed_iterations, 200);
    // Read and written, 300 rows x 64 floats: no row is another's.
    EXPECT_EQ(executed.kernel.work.compulsory_bytes, Expression(2 * 300 * 64 * 4));
  }
}

const std::string kByData =
    "arg s[0:1], 0\nthread v0\nwait 1, 0\nshl v1, v0, 2\nload v2, v1, s[0:1]\nwait 0, 0\nless vcc, "
    "v2, 7\nand_save s[4:5], vcc\nif_none exec, out\nstore v0, v1, s[0:1]\nout: mov exec, "
    "s[4:5]\nbarrier\nend";

TEST(ThirdSyntax, UnknownMaskNamesTheLoadAndTheWaysOut) {
  const Toy toy(kByData);
  EXPECT_THAT(refusal([&] { toy.import(launch(64, 1)); }),
              AllOf(HasSubstr("toy.s: line 8: the execution mask depends on data"),
                    HasSubstr("the load \"load\" at line 5 from x"),
                    HasSubstr("`taken 8=SHARE` of the lanes that stay active"), HasSubstr("`arrays x=FILE`")));
}

TEST(ThirdSyntax, UnknownMaskTakesTheShareThatIsSaid) {
  const Toy toy(kByData);
  auto how = launch(64, 1);
  how.taken["8"] = 0;
  EXPECT_FALSE(toy.import(how).report.issued.contains("global.store"));
  how.taken["8"] = 1;
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 64);
  how.taken["8"] = 0.5;
  const auto drawn = toy.import(how).report.accesses.back().statistics.lanes.sum;
  EXPECT_GT(drawn, 16);
  EXPECT_LT(drawn, 48);
}

TEST(ThirdSyntax, UnknownMaskFollowsTheArrayThatIsGiven) {
  const Toy toy(kByData);
  auto how = launch(64, 1);
  // 0 to 63: seven are less than 7.
  for (int i = 0; i < 64; ++i) how.arrays["x"].values.push_back(i);
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 7);
}

TEST(ThirdSyntax, OfAMaskThatIsKnownInPartTheRestTakesTheShare) {
  const Toy toy(kByData);
  auto how = launch(64, 1);
  // The numbers read by lanes 20 to 63 are unknown.
  for (int i = 0; i < 20; ++i) how.arrays["x"].values.push_back(i);
  how.taken["8"] = 0;
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 7);
  how.taken["8"] = 1;
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 7 + 44);
}

// Lanes 0 to 3 are active under any mask, even an unknown mask.
TEST(ThirdSyntax, OfAMaskThatIsNotKnownBitsThatAreSetAreKnown) {
  auto text = kByData;
  const auto saved = text.find("and_save s[4:5], vcc");
  const Toy toy(
      text.replace(saved, std::strlen("and_save s[4:5], vcc"), "or s[6:7], vcc, 15\nand_save s[4:5], s[6:7]"));
  auto how = launch(64, 1);
  how.taken["9"] = 0;
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 4);
  how.taken["9"] = 1;
  EXPECT_EQ(toy.import(how).report.accesses.back().statistics.lanes.sum, 64);
}

TEST(ThirdSyntax, LastWaveHasTheLanesThatTheGroupHas) {
  const Toy toy(kColumns);
  const auto made = toy.import(launch(100, 100));
  const auto& load = made.report.accesses.front().statistics;
  EXPECT_EQ(load.lanes.most, 64);
  EXPECT_EQ(load.lanes.least, 36);
}

}  // namespace
}  // namespace warpipe::test
