#include "warpipe/views/timeline_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Ticks cycles(std::int64_t count) { return Ticks{1000 * count}; }

TimelineRow row(std::string id, std::string op, std::vector<StallInterval> waits, std::int64_t issue,
                std::int64_t end) {
  TimelineRow row;
  row.id = std::move(id);
  row.op = std::move(op);
  row.waits = std::move(waits);
  for (const StallInterval& wait : row.waits) row.causes.emplace_back(wait.stall == Stall::Result ? "load_y" : "");
  row.issue = cycles(issue);
  row.end = cycles(end);
  return row;
}

/// The worked example of the model, a warp alone.
Timeline example_timeline() {
  Timeline timeline;
  timeline.kernel = "worked";
  timeline.device = "tiny";
  timeline.cycles = timeline.to = cycles(440);
  timeline.rows = {
      row("index", "imad", {}, 0, 6),
      row("load_x", "global.load", {{Stall::Result, cycles(1), cycles(6)}}, 6, 406),
      row("load_y", "global.load", {}, 14, 414),
      row("fma", "ffma", {{Stall::Result, cycles(22), cycles(414)}}, 414, 432),
      row("store_y", "global.store", {{Stall::Result, cycles(415), cycles(432)}}, 432, 440),
  };
  return timeline;
}

/// A row over ten columns of a cycle each.
std::string line(const TimelineRow& row, Ticks to = cycles(10)) {
  Timeline timeline;
  timeline.to = timeline.cycles = to;
  timeline.rows = {row};
  const std::string text = write_text(timeline);
  const auto begin = text.find("op  ") + 4;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(TimelineView, TextReadsAsInTheGoldenFile) { expect_golden("timeline.txt", write_text(example_timeline())); }

TEST(TimelineView, JsonReadsAsInTheGoldenFile) { expect_golden("timeline.json", timeline_json(example_timeline())); }

TEST(TimelineView, ShowsIssueExecutionAndTheLastCycleOfIt) {
  EXPECT_EQ(line(row("id", "op", {}, 2, 6)), "  IeeE");  // [2, 6)
  EXPECT_EQ(line(row("id", "op", {}, 2, 3)), "  I");
  EXPECT_EQ(line(row("id", "op", {}, 2, 2)), "  I");
}

TEST(TimelineView, ShowsEveryReasonToWaitByALetter) {
  const auto wait = [](Stall stall, std::int64_t from) { return StallInterval{stall, cycles(from), cycles(from + 1)}; };
  const std::vector<StallInterval> waits{wait(Stall::Interval, 0), wait(Stall::Result, 1), wait(Stall::Scheduler, 2),
                                         wait(Stall::Pipeline, 3), wait(Stall::Backlog, 4)};
  EXPECT_EQ(line(row("id", "op", waits, 5, 7)), "-=spqIE");
}

TEST(TimelineView, ShowsWhoIsAtTheBarrier) {
  auto barrier = row("id", "op", {}, 1, 5);
  barrier.is_barrier = true;
  EXPECT_EQ(line(barrier), " IbbE");
}

// 0 to 160 in columns of 2: the wait [0, 7) fills three, of the fourth [6, 8) its half comes before the issue at 7.
TEST(TimelineView, AColumnOfSeveralCyclesShowsTheIssueElseWhatLastsLongest) {
  EXPECT_EQ(line(row("id", "op", {{Stall::Result, cycles(0), cycles(7)}}, 7, 20), cycles(160)), "===IeeeeeE");
  // [2, 4): half a cycle of '=', then a cycle and a half of 's'
  EXPECT_EQ(
      line(row("id", "op", {{Stall::Result, cycles(0), Ticks{2500}}, {Stall::Scheduler, Ticks{2500}, cycles(4)}}, 4, 8),
           cycles(160)),
      "=sIE");
}

TEST(TimelineView, ColumnsAreFewEnoughForALine) {
  for (const std::int64_t to : {79, 80, 81, 160, 399, 400, 7172623}) {
    const std::string text = line(row("id", "op", {}, 0, to), cycles(to));
    EXPECT_LE(text.size(), 80U) << to;
    EXPECT_GE(text.size(), 30U) << to;
  }
}

TEST(TimelineView, SaysHowMuchIsLeftOut) {
  auto timeline = example_timeline();
  EXPECT_THAT(write_text(timeline), Not(HasSubstr("left out")));
  timeline.left_out = 7;
  EXPECT_THAT(write_text(timeline), HasSubstr("7 more executions are left out"));
}

TEST(TimelineView, NamesTheUnitWhereThereAreSeveral) {
  auto timeline = example_timeline();
  timeline.units = 2;
  EXPECT_THAT(write_text(timeline), HasSubstr("\nunit  group  warp"));
}

TEST(TimelineView, OfNothingSaysSo) {
  Timeline timeline;
  timeline.kernel = "none";
  EXPECT_THAT(write_text(timeline), HasSubstr("No instruction is in this window."));
}

TEST(TimelineView, TextEndsNoLineWithABlank) { EXPECT_THAT(write_text(example_timeline()), Not(HasSubstr(" \n"))); }

}  // namespace
}  // namespace warpipe::test
