#include "stall_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "chart.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostShownInstructions = 24;

constexpr double kLeastBar = 0.01;  ///< of the longest: a shorter bar is not seen

/// In the order of the stack: work first, time that no warp can use last.
constexpr std::array<Stall, kStalls> kStack{Stall::Issuing,   Stall::Result,  Stall::Pipeline, Stall::Backlog,
                                            Stall::Scheduler, Stall::Barrier, Stall::Interval, Stall::Drain,
                                            Stall::Ended,     Stall::Empty};

Ticks time_of(const StallTimes& times, Stall stall) { return times[static_cast<std::size_t>(stall)]; }

/// A bar of the stacks.
void add_bar(Records& records, const std::string& name, const StallTimes& times, Ticks total) {
  for (std::size_t place = 0; place < kStack.size(); ++place) {
    const Ticks time = time_of(times, kStack[place]);
    if (time.count == 0) continue;
    records.rows.push_back({name, to_string(kStack[place]), nsight_name(kStack[place]), share(time, total),
                            format_cycles(time), static_cast<std::int64_t>(place)});
  }
}

Records no_bars() { return {{"name", "state", "nsight", "share", "cycles", "order"}, {}}; }

/// The instructions with the most time, most first.
std::vector<const InstructionTimes*> longest(const Explanation& explanation) {
  std::vector<const InstructionTimes*> instructions;
  for (const auto& one : explanation.instructions) instructions.push_back(&one);
  std::ranges::stable_sort(instructions, std::ranges::greater{},
                           [](const InstructionTimes* one) { return sum(one->times); });
  if (instructions.size() > kMostShownInstructions) instructions.resize(kMostShownInstructions);
  return instructions;
}

Stall main_stall(const StallTimes& times) {
  return *std::ranges::max_element(kStack, {}, [&](Stall stall) { return time_of(times, stall); });
}

Figure chart(const char* id, const std::string& title, const std::string& description, const Records& bars) {
  return {Figure::Kind::Chart, id, title, "", description, Chart("stalls").data("times", bars).text(description)};
}

PageTable states_table(const Explanation& explanation) {
  PageTable table{"By state", {{"state"}, {"in Nsight Compute"}, {"share", true}, {"warp cycles", true}}, {}};
  for (const Stall stall : kStack) {
    const Ticks time = time_of(explanation.times, stall);
    if (time.count == 0) continue;
    table.rows.push_back(
        {to_string(stall), nsight_name(stall), show_percent(share(time, explanation.total)), format_cycles(time)});
  }
  table.rows.push_back({"all", "", show_percent(1), format_cycles(explanation.total)});
  return table;
}

PageTable instructions_table(const Explanation& explanation) {
  PageTable table{"By waiting instruction",
                  {{"instruction"}, {"op"}, {"share", true}, {"executions", true}, {"mostly"}, {"awaited", true}},
                  {}};
  for (const auto* one : longest(explanation)) {
    table.rows.push_back({one->id, one->op, show_percent(share(sum(one->times), explanation.total)),
                          fmt::format("{}", one->executions), to_string(main_stall(one->times)),
                          show_percent(share(one->waited_for, explanation.total))});
  }
  return table;
}

using LineTimes = std::vector<std::pair<std::string, StallTimes>>;

/// The lines of the source with the most time, most first; empty where the source is not known.
LineTimes longest_lines(const Explanation& explanation) {
  std::map<std::string, StallTimes> by_line;
  for (const auto& one : explanation.instructions) {
    const auto line = source_line(one.text);
    if (line.empty()) continue;
    auto& times = by_line[line];
    for (std::size_t i = 0; i < times.size(); ++i) times[i].count += one.times[i].count;
  }
  LineTimes lines(by_line.begin(), by_line.end());
  std::ranges::stable_sort(lines, std::ranges::greater{}, [](const auto& line) { return sum(line.second); });
  if (lines.size() > kMostShownInstructions) lines.resize(kMostShownInstructions);
  return lines;
}

PageTable lines_table(const LineTimes& lines, const Explanation& explanation) {
  PageTable table{"By source line", {{"line"}, {"share", true}, {"warp cycles", true}, {"mostly"}}, {}};
  for (const auto& [line, times] : lines)
    table.rows.push_back({line, show_percent(share(sum(times), explanation.total)), format_cycles(sum(times)),
                          to_string(main_stall(times))});
  return table;
}

}  // namespace

Section stall_section(const Explanation& explanation) {
  Records all = no_bars(), by_instruction = no_bars();
  add_bar(all, "all warps", explanation.times, explanation.total);
  const auto waiting = longest(explanation);
  for (const auto* one : waiting)
    if (share(sum(one->times), sum(waiting.front()->times)) >= kLeastBar)
      add_bar(by_instruction, one->id, one->times, explanation.total);
  const Stall most = main_stall(explanation.times);
  const auto about =
      fmt::format("The time of all warp slots by state; most, {}, is {}.",
                  show_percent(share(time_of(explanation.times, most), explanation.total)), to_string(most));
  const std::string instructions =
      "The same time by instruction: what warps did before and at each of those that take most of it.";
  Section section{
      "Where the time goes",
      "Every warp slot is in one state at each moment; the states add up to warp slots x cycles without remainder. "
      "Waiting counts for the instruction that waits; \"awaited\" is what others waited for its result.",
      {chart("stalls", "Stall stack (share of the time)", about, all)},
      {states_table(explanation)}};
  if (const auto lines = longest_lines(explanation); !lines.empty()) {
    Records by_line = no_bars();
    for (const auto& [line, times] : lines) add_bar(by_line, line, times, explanation.total);
    section.figures.push_back(
        chart("stalls-by-line", "Stall stacks by source line (share of the time)",
              fmt::format("The same time by source line: the {} that take most of it.", lines.size()), by_line));
    section.tables.insert(section.tables.begin(), lines_table(lines, explanation));
  }
  section.figures.push_back(chart("stalls-by-instruction", "Stall stacks by waiting instruction (share of the time)",
                                  instructions, by_instruction));
  section.tables.push_back(instructions_table(explanation));
  return section;
}

}  // namespace warpipe
