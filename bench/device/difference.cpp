#include "difference.hpp"

#include <algorithm>
#include <vector>

#include "statistics.hpp"

namespace measure {
namespace {

std::string problem_of(const Run& run) {
  if (run.full_units == 0) return "no unit held exactly the planned number of groups";
  if (!run.together) return "the groups of a unit did not all run at the same time";
  return "";
}

}  // namespace

Difference difference(int repeats, const std::function<Run()>& short_run, const std::function<Run()>& long_run) {
  short_run();
  long_run();
  Difference result;
  std::vector<double> cycles;
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const Run brief = short_run();
    const Run lengthy = long_run();
    const int full_units = std::min(brief.full_units, lengthy.full_units);
    result.full_units = i == 0 ? full_units : std::min(result.full_units, full_units);
    if (result.problem.empty()) result.problem = problem_of(brief);
    if (result.problem.empty()) result.problem = problem_of(lengthy);
    cycles.push_back(lengthy.cycles - brief.cycles);
    times.push_back(lengthy.time_us - brief.time_us);
  }
  const Summary summary = summarize(cycles);
  result.cycles = summary.median;
  result.spread = summary.spread;
  result.time_us = median(times);
  if (result.time_us > 0) result.clock_mhz = result.cycles / result.time_us;
  if (result.problem.empty() && result.cycles <= 0)
    result.problem = "the long launch took no longer than the short one";
  return result;
}

int trips_for(double cycles, double cycles_of_a_trip, int least, int most) {
  if (cycles_of_a_trip <= 0) return least;
  const double trips = cycles / cycles_of_a_trip;
  return trips >= most ? most : std::max(least, static_cast<int>(trips));
}

}  // namespace measure
