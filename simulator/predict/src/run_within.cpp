#include "warpipe/predict/run_within.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "extension.hpp"
#include "extent.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

/// Runs of so few units are tried, and of twice and four times as many; of at most a fourth of all units, for what is
/// tried in vain before is as long again.
constexpr std::int64_t kFewestUnits = 2, kMostUnits = 4;
/// Where hardly all slots are filled once, units with one more group than others set the time, and of few units others
/// have it.
constexpr std::int64_t kLeastWaves = 2;

/// The units of a program, where few may tell what all of them take.
std::optional<Extent> units_of(const Program& program) {
  const Machine& machine = program.machine;
  if (machine.groups / machine.units < kLeastWaves * machine.group_slots) return std::nullopt;
  for (const Extent& extent : extents_of(program))
    if (extent.of == Extent::Of::Units && extent.size >= 4 * kMostUnits * kFewestUnits) return extent;
  return std::nullopt;
}

/// Runs of few units, of twice and of four times as many, until all of them take as long.
class FewerUnits {
 public:
  FewerUnits(const Program& program, const Extent& units, Ticks bound, double tolerance)
      : program_(program), units_(units), bound_(bound), tolerance_(tolerance) {}

  std::optional<RunWithin> find(const std::optional<RunWithin::Sizes>& least) {
    std::int64_t units = least ? std::max(kFewestUnits, least->units / 4) : kFewestUnits;
    RunWithin fewest = run(units, least), few = run(2 * units, fewest.sizes);
    for (units *= 4; units <= units_.size / kMostUnits; units *= 2) {
      const RunWithin more = run(units, few.sizes);
      const double change = change_of(fewest, few) + change_of(few, more);
      const double off = change + std::max(few.off, more.off);
      if (change <= tolerance_ / 2 && (off <= tolerance_ || is_near_bound(more))) return result(more, off, units);
      fewest = std::exchange(few, more);
    }
    return std::nullopt;
  }

 private:
  static double change_of(const RunWithin& few, const RunWithin& more) {
    const auto cycles = static_cast<double>(more.result.cycles.count);
    return std::abs(static_cast<double>(few.result.cycles.count) / cycles - 1);
  }

  bool is_near_bound(const RunWithin& run) const {
    return static_cast<double>(run.result.cycles.count) <= (1 + tolerance_) * static_cast<double>(bound_.count);
  }

  RunWithin result(const RunWithin& more, double off, std::int64_t units) const {
    const auto cycles = static_cast<double>(std::max(more.result.cycles, bound_).count);
    RunWithin all = result_of(cycles, off, instructions_issued(program_), simulated_, tolerance_);
    all.sizes = more.sizes;
    all.sizes.units = units;
    return all;
  }

  const RunWithin& run(std::int64_t units, const std::optional<RunWithin::Sizes>& least) {
    const auto [known, is_new] = runs_.try_emplace(units);
    if (!is_new) return known->second;
    const Program fewer = shortened(program_, units_, units);
    const auto sizes = least && least->waves > 0 ? least : std::nullopt;
    if (const auto extended = run_of_fewer_waves_and_trips(fewer, bound_, tolerance_, sizes))
      known->second = *extended;
    else
      known->second.result = simulate(fewer);
    simulated_ += known->second.result.issued - known->second.result.skipped;
    return known->second;
  }

  const Program& program_;
  const Extent& units_;
  Ticks bound_;
  double tolerance_;
  std::map<std::int64_t, RunWithin> runs_;  ///< by units
  std::int64_t simulated_ = 0;
};

}  // namespace

bool may_be_extended(const Program& program, double tolerance, Skipping skipping) {
  if (tolerance == 0 || skipping == Skipping::Verify) return false;
  return program.machine.units > 1 ? units_of(program).has_value() : is_worth_extending(program);
}

std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance,
                                      std::optional<RunWithin::Sizes> least) {
  if (const auto units = units_of(program)) return FewerUnits(program, *units, bound, tolerance).find(least);
  if (program.machine.units > 1) return std::nullopt;  // waves drift apart that are not of one unit
  return run_of_fewer_waves_and_trips(program, bound, tolerance, least);
}

std::vector<PartOfRun> parts_of(const Program& program, const RunWithin& run) {
  if (run.sizes.units == 0) return parts_of_waves_and_trips(program, run.sizes);
  const Program fewer = shortened(program, *units_of(program), run.sizes.units);
  if (run.sizes.waves == 0) return {{fewer, 1}};
  return parts_of_waves_and_trips(fewer, run.sizes);
}

std::optional<RunWithin> short_run(const Program& program, Ticks bound, double tolerance, Skipping skipping) {
  if (tolerance == 0 || skipping == Skipping::Verify) return std::nullopt;
  if (const auto whole = simulate_at_most(program, kShortRun, skipping)) return RunWithin{*whole};
  return extended_run(program, bound, tolerance);
}

std::optional<RunWithin> short_run(const LoweredLaunch& launch) {
  return short_run(launch.program, highest(launch.bounds.bounds).cycles, launch.options.tolerance,
                   launch.options.skipping);
}

RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping) {
  if (const auto run = short_run(program, bound, tolerance, skipping)) return *run;
  return {simulate(program, skipping)};
}

RunWithin run_within(const LoweredLaunch& launch) {
  return run_within(launch.program, highest(launch.bounds.bounds).cycles, launch.options.tolerance,
                    launch.options.skipping);
}

}  // namespace warpipe
