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

/// Runs of one, two and four units, or of more, show the effects of units on each other; of at most a fourth of all
/// units.
constexpr std::int64_t kFewestUnits = 4, kMostUnits = 4;
/// The first of these runs are short: so many instructions of a unit, but no fewer waves and trips, so that slots have
/// been filled anew, and loops gone round.
constexpr double kInstructionsOfUnit = 1 << 17;
constexpr std::int64_t kWavesOfUnit = 4, kTripsOfUnit = 8;
/// The error allowed to a single unit's run, as a share of the tolerance left by uneven groups of units.
constexpr double kShareOfOne = 0.8;
/// Groups of a unit beyond the groups of the rest.
constexpr double kMoreGroups = 2;
/// The largest share of the time for group dispatch: units with more waits for it drift apart.
constexpr double kMostOfDispatch = 0.02;
/// Where a single unit takes its bound, chance may change short runs by so many times the tolerance.
constexpr double kNearBound = 2;
/// The largest share of a program's instructions in runs of few units; beyond it they are given up.
constexpr double kMostOfUnits = 0.15;
/// With hardly all slots filled once, units with an additional group set the time, and among few units the additional
/// groups lie elsewhere.
constexpr std::int64_t kLeastWaves = 2;

/// The units of a program, where few units may tell the time of all.
std::optional<Extent> units_of(const Program& program) {
  const Machine& machine = program.machine;
  if (machine.groups / machine.units < kLeastWaves * machine.group_slots) return std::nullopt;
  for (const Extent& extent : extents_of(program))
    if (extent.of == Extent::Of::Units && extent.size >= kMostUnits * kFewestUnits) return extent;
  return std::nullopt;
}

/// Runs of few units, short enough for chance to show.
class ShortRuns {
 public:
  ShortRuns(const Program& program, const Extent& units) : program_(program), units_(units) { cut(); }

  double cycles(std::int64_t units) {
    const auto [known, is_new] = cycles_.try_emplace(units);
    if (!is_new) return known->second;
    const SimulationResult result = simulate(short_program(units));
    simulated_ += result.issued - result.skipped;
    return known->second = static_cast<double>(result.cycles.count);
  }

  /// @return false where they are as long as they can be
  bool lengthen() {
    if (loops_.empty() && waves_ == waves_of_unit()) return false;
    loops_.clear();
    waves_ = waves_of_unit();
    instructions_of_unit_ *= 2;
    cut();
    cycles_.clear();
    return true;
  }

  std::int64_t simulated() const { return simulated_; }

 private:
  std::int64_t waves_of_unit() const {
    return program_.machine.groups / program_.machine.units / program_.machine.group_slots;
  }

  /// Halves the trips of the busiest loop, again and again, then the waves.
  void cut() {
    const Program one = short_program(1);
    if (static_cast<double>(instructions_issued(one)) <= instructions_of_unit_) return;
    const std::vector<Extent> extents = extents_of(one);
    const Extent* longest = nullptr;
    for (const Extent& extent : extents)
      if (extent.of == Extent::Of::Trips && extent.size >= 2 * kTripsOfUnit &&
          (longest == nullptr || extent.instructions > longest->instructions))
        longest = &extent;
    if (longest != nullptr)
      loops_.emplace_back(*longest, longest->size / 2);
    else if (waves_ >= 2 * kWavesOfUnit)
      waves_ /= 2;
    else
      return;
    cut();
  }

  Program short_program(std::int64_t units) const {
    Program program = shortened(program_, units_, units);
    for (const auto& [loop, trips] : loops_) program = shortened(std::move(program), loop, trips);
    program.machine.groups = units * waves_ * program.machine.group_slots;
    return program;
  }

  const Program& program_;
  const Extent& units_;
  double instructions_of_unit_ = kInstructionsOfUnit;
  std::int64_t waves_ = waves_of_unit();
  std::vector<std::pair<Extent, std::int64_t>> loops_;  ///< cut loops and their trips, in the order of the cuts
  std::map<std::int64_t, double> cycles_;               ///< by units
  std::int64_t simulated_ = 0;
};

/// A run of one unit with its share of the resources common to all, and the effect of units on each other: the ratio of
/// short runs of several units to a short run of one unit, if twice as many units take as long.
class FewerUnits {
 public:
  FewerUnits(const Program& program, const Extent& units, Ticks bound, double tolerance)
      : program_(program),
        units_(units),
        bound_(static_cast<double>(bound.count)),
        tolerance_(tolerance),
        short_runs_(program, units) {}

  std::optional<RunWithin> find(const std::optional<RunWithin::Sizes>& least) {
    const double imbalance = imbalance_of(program_.machine);
    if (imbalance >= tolerance_) return std::nullopt;
    const RunWithin alone = run_alone(least, kShareOfOne * std::sqrt(tolerance_ * tolerance_ - imbalance * imbalance));
    const auto of_one = static_cast<double>(alone.result.cycles.count);
    const Machine& machine = program_.machine;
    if (static_cast<double>(machine.groups) * static_cast<double>(machine.group_dispatch_interval.count) >
        kMostOfDispatch * of_one)
      return std::nullopt;
    const bool takes_bound = of_one <= (1 + tolerance_) * bound_;
    const double overshoot = takes_bound ? 0 : overshoot_of(machine);
    const std::int64_t issued = instructions_issued(program_);
    std::int64_t units = least ? std::max(least->units, kFewestUnits) : kFewestUnits;
    while (units <= units_.size / kMostUnits) {
      const double one = short_runs_.cycles(1), few = short_runs_.cycles(units / 2), more = short_runs_.cycles(units);
      const double change = std::abs(short_runs_.cycles(units / 4) / few - 1) + std::abs(few / more - 1);
      const double off = std::hypot(std::hypot(alone.off, change), std::max(imbalance, overshoot));
      const bool is_chance = takes_bound && imbalance == 0 && change <= kNearBound * tolerance_;
      if (is_chance || (change <= tolerance_ / 2 && off <= tolerance_)) {
        const double cycles = std::max(of_one * (is_chance ? 1 : more / one), bound_);
        const std::int64_t simulated = alone.result.issued - alone.result.skipped + short_runs_.simulated();
        RunWithin all = result_of(cycles, off, issued, simulated, tolerance_);
        all.sizes = alone.sizes;
        all.sizes.units = units;
        return all;
      }
      if (static_cast<double>(short_runs_.simulated()) > kMostOfUnits * static_cast<double>(issued)) break;
      if (!short_runs_.lengthen()) units *= 2;
    }
    return std::nullopt;
  }

 private:
  /// The share of additional groups on a unit: units go at their own pace, but no slot takes two groups in a wave.
  static double imbalance_of(const Machine& machine) {
    const auto slots = static_cast<double>(machine.group_slots);
    const double own = groups_of_unit(machine), groups = std::ceil(own);
    return std::min(kMoreGroups, std::ceil(own / slots) * slots - groups) / groups;
  }

  /// Common resources have less to do where some units have fewer groups than the simulated unit.
  static double overshoot_of(const Machine& machine) {
    const double own = groups_of_unit(machine), groups = std::ceil(own);
    return (groups - own) / groups;
  }

  static double groups_of_unit(const Machine& machine) {
    return static_cast<double>(machine.groups) / static_cast<double>(machine.units);
  }

  RunWithin run_alone(const std::optional<RunWithin::Sizes>& least, double tolerance) const {
    const Program one = shortened(program_, units_, 1);
    const Ticks bound{static_cast<std::int64_t>(bound_)};
    const auto sizes = least && least->waves > 0 ? least : std::nullopt;
    ResumableSimulation whole(one, true);
    if (const auto run = run_of_fewer_waves_and_trips(one, bound, tolerance, sizes, sizes ? nullptr : &whole))
      return *run;
    return {*whole.up_to(INT64_MAX)};
  }

  const Program& program_;
  const Extent& units_;
  double bound_, tolerance_;
  ShortRuns short_runs_;
};

bool is_exact(double tolerance, Skipping skipping) { return tolerance == 0 || skipping == Skipping::Verify; }

std::optional<RunWithin> short_run(const Program& program, Ticks bound, double tolerance, ResumableSimulation& whole) {
  if (const auto exact = whole.up_to(kShortRun)) return RunWithin{*exact};
  return extended_run(program, bound, tolerance, {}, &whole);
}

}  // namespace

bool may_be_extended(const Program& program, double tolerance, Skipping skipping) {
  if (is_exact(tolerance, skipping)) return false;
  return program.machine.units > 1 ? units_of(program).has_value() : is_worth_extending(program);
}

std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance,
                                      const std::optional<RunWithin::Sizes>& least, ResumableSimulation* whole) {
  if (const auto units = units_of(program)) return FewerUnits(program, *units, bound, tolerance).find(least);
  if (program.machine.units > 1) return std::nullopt;  // waves of several units drift apart
  return run_of_fewer_waves_and_trips(program, bound, tolerance, least, whole);
}

std::vector<PartOfRun> parts_of(const Program& program, const RunWithin& run) {
  if (run.sizes.units == 0) return parts_of_waves_and_trips(program, run.sizes);
  const Program fewer = shortened(program, *units_of(program), run.sizes.units);
  if (run.sizes.waves == 0) return {{fewer, 1}};
  return parts_of_waves_and_trips(fewer, run.sizes);
}

std::optional<RunWithin> short_run(const LoweredLaunch& launch) {
  const LaunchOptions& options = launch.options;
  if (is_exact(options.tolerance, options.skipping)) return std::nullopt;
  ResumableSimulation whole(launch.program, options.skipping == Skipping::On);
  return short_run(launch.program, highest(launch.bounds.bounds).cycles, options.tolerance, whole);
}

RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping) {
  if (is_exact(tolerance, skipping)) return {simulate(program, skipping)};
  ResumableSimulation whole(program, skipping == Skipping::On);
  return run_within(program, bound, tolerance, whole);
}

RunWithin run_within(const Program& program, Ticks bound, double tolerance, ResumableSimulation& whole) {
  if (const auto run = short_run(program, bound, tolerance, whole)) return *run;
  return {*whole.up_to(INT64_MAX)};
}

RunWithin run_within(const LoweredLaunch& launch) {
  return run_within(launch.program, highest(launch.bounds.bounds).cycles, launch.options.tolerance,
                    launch.options.skipping);
}

}  // namespace warpipe
