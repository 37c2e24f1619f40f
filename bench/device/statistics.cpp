#include "statistics.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace measure {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Summary summarize(const std::vector<double>& values) {
  if (values.empty()) return {};
  const double middle = median(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {middle, middle == 0 ? 0 : (*most - *least) / middle};
}

UnitSpans unit_spans(const std::vector<Stamp>& stamps, int warps_per_unit) {
  struct Unit {
    int warps = 0;
    long long first_start = std::numeric_limits<long long>::max();
    long long last_stop = std::numeric_limits<long long>::min();
    bool met = true;
  };
  std::map<unsigned, Unit> units;
  for (const Stamp& stamp : stamps) {
    Unit& unit = units[stamp.unit];
    ++unit.warps;
    unit.first_start = std::min(unit.first_start, stamp.start);
    unit.last_stop = std::max(unit.last_stop, stamp.stop);
    unit.met = unit.met && stamp.met;
  }
  UnitSpans spans;
  std::vector<double> cycles;
  bool together = true;
  for (const auto& [id, unit] : units) {
    if (unit.warps != warps_per_unit) continue;
    cycles.push_back(static_cast<double>(unit.last_stop - unit.first_start));
    together = together && unit.met;
  }
  if (cycles.empty()) return spans;
  spans.median_cycles = median(cycles);
  spans.longest_cycles = *std::max_element(cycles.begin(), cycles.end());
  spans.full_units = static_cast<int>(cycles.size());
  spans.together = together;
  return spans;
}

}  // namespace measure
