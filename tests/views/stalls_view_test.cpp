#include "warpipe/views/stalls_view.hpp"

#include <gmock/gmock.h>

#include <string>

#include "warpipe/views/instructions_view.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Ticks& time_in(StallTimes& times, Stall stall) { return times[static_cast<std::size_t>(stall)]; }

InstructionTimes executed(const std::string& id, const std::string& op, std::int64_t executions) {
  InstructionTimes times;
  times.id = id;
  times.op = op;
  times.executions = executions;
  return times;
}

/// Two warps for 1000 cycles: 1200 warp-cycles of waiting for a load, 100 for an add, 0.3 and 0.2 for two more; 600 of
/// a full queue, 99.5 of a barrier.
Explanation example_stalls() {
  Explanation explanation;
  explanation.cycles = Ticks{1'000'000};
  explanation.total = Ticks{2'000'000};
  time_in(explanation.times, Stall::Result) = Ticks{1'300'500};
  time_in(explanation.times, Stall::Backlog) = Ticks{600'000};
  time_in(explanation.times, Stall::Barrier) = Ticks{99'500};
  explanation.units = {explanation.times};
  explanation.pipelines = {{"dram", {}, Ticks{600'000}}};
  InstructionTimes load = executed("load", "global.load", 4);
  load.text = "x[i]";
  load.waited_for = Ticks{1'200'000};
  load.waits_behind = {{"dram", Ticks{600'000}}};
  time_in(load.times, Stall::Backlog) = Ticks{600'000};
  InstructionTimes add = executed("add", "fadd", 4);
  add.waited_for = Ticks{100'000};
  add.waits_for = {{"load", Ticks{1'200'000}}};
  time_in(add.times, Stall::Result) = Ticks{1'200'000};
  InstructionTimes rare = executed("rare", "sin", 0);
  rare.waited_for = Ticks{300};
  InstructionTimes rarer = executed("rarer", "sin", 0);
  rarer.waited_for = Ticks{200};
  InstructionTimes sync = executed("sync", "barrier", 4);
  time_in(sync.times, Stall::Barrier) = Ticks{99'500};
  explanation.instructions = {load, add, rare, rarer, sync};
  return explanation;
}

// 1300.5 of 2000 warp-cycles are 65.0 %, and 650.2 (.25) for each of two warps; a share below 0.5 % has no row of its
// own.
TEST(StallsView, ShowsWhatIsWaitedForBelowEachState) {
  EXPECT_EQ(write_stalls_text(example_stalls()),
            "Stalls          share  cycles per warp  in Nsight Compute\n"
            "  result       65.0 %            650.2\n"
            "    of load    60.0 %            600.0  long scoreboard\n"
            "    of add      5.0 %             50.0  wait\n"
            "    2 more      0.0 %              0.2  short scoreboard\n"
            "  queue full   30.0 %            300.0\n"
            "    dram       30.0 %            300.0  LG throttle\n"
            "  barrier       5.0 %             49.8\n"
            "    sync        5.0 %             49.8  barrier\n"
            "  all         100.0 %           1000.0\n");
}

TEST(StallsView, AUnitIsComparedWithOthersWhereThereAreSeveral) {
  EXPECT_THAT(write_stalls_text(example_stalls()), Not(HasSubstr("least of a unit")));
  auto two = example_stalls();
  two.units.push_back({});
  time_in(two.units[1], Stall::Empty) = Ticks{1000};
  time_in(two.times, Stall::Empty) = Ticks{1000};
  EXPECT_THAT(write_stalls_text(two), HasSubstr("least of a unit"));
  EXPECT_THAT(write_stalls_text(two), HasSubstr("0.0 %  100.0 %"));  // of the empty slots
}

// The load's mean wait for its queue is 600 / 4, the add's for its operands 1200 / 4.
TEST(InstructionsView, ShowsMeansOfAnExecution) {
  const auto text = write_instructions_text(example_stalls());
  EXPECT_THAT(
      text,
      HasSubstr("  load                global.load     4       0       0  none         0.0     150.0        0.0"));
  EXPECT_THAT(
      text,
      HasSubstr("  add                 fadd            4       0       0  none       300.0       0.0        0.0"));
  EXPECT_THAT(text, HasSubstr("30.0 %  x[i]"));
}

TEST(InstructionsView, AnInstructionThatNeverRanHasNoMeans) {
  EXPECT_THAT(write_instructions_text(example_stalls()),
              HasSubstr("rare                sin             0       0       0  none                "));
}

TEST(Nsight, NamesFollowWhatIsWaitedFor) {
  EXPECT_EQ(nsight_name(Stall::Result, "global.load.128"), "long scoreboard");
  EXPECT_EQ(nsight_name(Stall::Result, "shared.atomic"), "short scoreboard");
  EXPECT_EQ(nsight_name(Stall::Result, "ffma"), "wait");
  EXPECT_EQ(nsight_name(Stall::Pipeline, "ffma"), "math pipe throttle");
  EXPECT_EQ(nsight_name(Stall::Pipeline, "shared.store"), "MIO throttle");
  EXPECT_EQ(nsight_name(Stall::Scheduler), "not selected");
  EXPECT_EQ(nsight_name(Stall::Empty), "");
}

}  // namespace
}  // namespace warpipe::test
