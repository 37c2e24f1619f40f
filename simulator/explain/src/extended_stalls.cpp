#include "extended_stalls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "warpipe/engine/observe.hpp"

namespace warpipe {
namespace {

/// All times, in the same order for all programs with the same streams and units.
template <class Take>
void for_each_time(Stalls& stalls, const Take& take) {
  for (std::vector<StepStalls>& stream : stalls.steps)
    for (StepStalls& step : stream) {
      std::ranges::for_each(step.times, take);
      std::ranges::for_each(step.backlogs, take);
      std::ranges::for_each(step.waits, take);
      for (std::vector<Ticks>& services : step.services) std::ranges::for_each(services, take);
    }
  for (StallTimes& unit : stalls.units) std::ranges::for_each(unit, take);
}

std::int64_t sum_of(const StallTimes& times) {
  return std::accumulate(times.begin(), times.end(), std::int64_t{0},
                         [](std::int64_t sum, Ticks time) { return sum + time.count; });
}

/// Gives each unit the mean of all, where only few were simulated.
void spread(Stalls& stalls, std::int64_t units) {
  if (std::ssize(stalls.units) == units) return;
  StallTimes mean{};
  for (const StallTimes& unit : stalls.units)
    for (std::size_t kind = 0; kind < mean.size(); ++kind) mean[kind].count += unit[kind].count;
  for (Ticks& time : mean) time.count /= units;
  stalls.units.assign(static_cast<std::size_t>(units), mean);
}

void count_executions(const Program& program, Stalls& stalls) {
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  for (std::size_t s = 0; s < stalls.steps.size(); ++s)
    for (std::size_t i = 0; i < stalls.steps[s].size(); ++i)
      stalls.steps[s][i].executions = warps[s] * program.streams[s].runs[i];
}

}  // namespace

Stalls extended_stalls(const Program& program, const RunWithin& run, Skipping skipping) {
  Stalls stalls;
  std::vector<double> sums;
  for (const PartOfRun& part : parts_of(program, run)) {
    stalls = observe(part.program, {.stalls = true}, skipping).stalls.value();
    std::size_t i = 0;
    for_each_time(stalls, [&](Ticks time) {
      if (i == sums.size()) sums.push_back(0);
      sums[i++] += part.times * static_cast<double>(time.count);
    });
  }
  const Machine& machine = program.machine;
  const auto of_unit =
      machine.group_slots * static_cast<std::int64_t>(warps_per_group(program)) * run.result.cycles.count;
  double found = 0;
  for (std::size_t i = sums.size() - stalls.units.size() * kStalls; i < sums.size(); ++i)
    found += std::max(0.0, sums[i]);
  const double scale = static_cast<double>(of_unit) * static_cast<double>(machine.units) / found;
  std::size_t i = 0;
  for_each_time(stalls, [&](Ticks& time) { time.count = std::llround(scale * std::max(0.0, sums[i++])); });
  spread(stalls, machine.units);
  for (StallTimes& unit : stalls.units) std::ranges::max_element(unit)->count += of_unit - sum_of(unit);  // of rounding
  count_executions(program, stalls);
  return stalls;
}

}  // namespace warpipe
