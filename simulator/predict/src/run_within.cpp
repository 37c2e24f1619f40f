#include "warpipe/predict/run_within.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "extent.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kShort = 1 << 18;  ///< instructions: some hundredths of a second, which nothing would shorten
constexpr int kDigitsOfCycles = 5;        ///< of extended cycles: more than a tolerance can tell
constexpr double kLeastOff = 1e-4;        ///< what the digits leave open
/// The shortest runs that are tried. Fewer waves have hardly come into their stride; trips are cheaper.
constexpr std::int64_t kFewestWaves = 2, kFewestTrips = 4;
/// Sizes are in the ratio 1 : 2 : 3. A longest one above half of the whole saves nothing.
constexpr std::int64_t kMiddle = 2, kLongest = 3, kLeastSaved = 2;
/// Instructions of the longest run, in all and for each resident warp, at a tolerance of half a percent, and more at a
/// smaller one: a few waves of next to nothing do not show what many come to.
constexpr double kLeastLongest = 1 << 16, kLeastOfWarp = 256, kAtTolerance = 0.005;
/// Of the instructions of a run, at least so many are in the loop whose trips are fewer.
constexpr double kLeastOfLoop = 0.8;
/// Runs whose sum is more than that of the whole cost as much as the whole may save.
constexpr double kMostCost = 0.6;
/// Near the bound slopes may differ by so many times the tolerance.
constexpr double kNearBound = 2;

using Sizes = std::vector<std::int64_t>;  ///< of all axes

/// An extent along which the program is shortened.
struct Axis {
  Extent extent;
  std::int64_t shortest = 1;

  bool is_whole() const { return extent.size < kLeastSaved * kLongest * shortest; }
  std::int64_t longest() const { return is_whole() ? extent.size : kLongest * shortest; }
};

/// Runs of shorter programs, and what they make of the program itself.
class Extension {
 public:
  Extension(const Program& program, Ticks bound, double tolerance, Skipping skipping)
      : program_(program),
        bound_(static_cast<double>(bound.count)),
        tolerance_(tolerance),
        skipping_(skipping),
        issued_(instructions_issued(program)) {
    const std::vector<Extent> extents = extents_of(program);
    const Extent* loop = nullptr;
    for (const Extent& extent : extents) {
      if (extent.of == Extent::Of::Waves)
        axes_.push_back({extent, kFewestWaves});
      else if (extent.size > kFewestTrips && (loop == nullptr || saves(extent) > saves(*loop)))
        loop = &extent;
    }
    if (loop && static_cast<double>(loop->instructions) >= kLeastOfLoop * static_cast<double>(issued_))
      axes_.push_back(axis_of(*loop));
  }

  /// @return nothing where nothing shorter tells enough
  std::optional<RunWithin> find() {
    if (program_.machine.units > 1) return std::nullopt;
    while (!is_long_enough() && lengthen()) {
    }
    for (double before = 0; is_worth_it();) {
      const double cycles = extended();
      const auto [off, worst] = disagreement();
      const bool is_same = std::abs(cycles - before) <= tolerance_ * cycles;
      if (is_same && is_good(cycles, off)) return result(std::max(cycles, bound_), off);
      if (before == 0) {
        for (Axis& axis : axes_) axis.shortest *= axis.is_whole() ? 1 : 2;
      } else {
        worst->shortest *= 2;
      }
      before = cycles;
    }
    return std::nullopt;
  }

 private:
  bool is_long_enough() const {
    const Machine& machine = program_.machine;
    const double groups = static_cast<double>(std::min(machine.group_slots * machine.units, machine.groups));
    const double warps = groups * static_cast<double>(warps_per_group(program_));
    const double least = std::max(kLeastLongest, kLeastOfWarp * warps) * kAtTolerance / tolerance_;
    return static_cast<double>(instructions_issued(program_of(longest_sizes()))) >= least;
  }

  /// With fewer trips, too, the loop is what most of the instructions are in: else other parts of the kernel would take
  /// turns in setting the time, and what they hide at first would come out later.
  Axis axis_of(const Extent& loop) const {
    Axis axis{loop, kFewestTrips};
    const double of_trip = static_cast<double>(loop.instructions) / static_cast<double>(loop.size);
    const double others = static_cast<double>(issued_ - loop.instructions);
    while (!axis.is_whole() && of_trip * static_cast<double>(axis.shortest) <
                                   kLeastOfLoop * (of_trip * static_cast<double>(axis.shortest) + others))
      axis.shortest *= 2;
    return axis;
  }

  /// Makes runs longer: more waves, else more trips.
  bool lengthen() {
    const auto axis = std::ranges::find_if_not(axes_, &Axis::is_whole);
    if (axis == axes_.end()) return false;
    axis->shortest *= 2;
    return true;
  }

  static double saves(const Extent& loop) {
    return static_cast<double>(loop.instructions) *
           (1 - static_cast<double>(kFewestTrips) / static_cast<double>(loop.size));
  }

  Sizes longest_sizes() const {
    Sizes sizes;
    for (const Axis& axis : axes_) sizes.push_back(axis.longest());
    return sizes;
  }

  Program program_of(const Sizes& sizes) const {
    Program shorter = program_;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (sizes[i] < axes_[i].extent.size) shorter = shortened(std::move(shorter), axes_[i].extent, sizes[i]);
    return shorter;
  }

  bool is_worth_it() const {
    double cost = static_cast<double>(instructions_issued(program_of(longest_sizes())));
    for (const Axis& axis : axes_)
      if (!axis.is_whole()) cost *= static_cast<double>(kMiddle + kLongest) / kLongest;
    return !std::ranges::all_of(axes_, &Axis::is_whole) && cost <= kMostCost * static_cast<double>(issued_);
  }

  double cycles(const Sizes& sizes) {
    const auto [known, is_new] = cycles_.try_emplace(sizes, 0);
    if (is_new) {
      const SimulationResult run = simulate(program_of(sizes), skipping_);
      simulated_ += run.issued - run.skipped;
      known->second = static_cast<double>(run.cycles.count);
    }
    return known->second;
  }

  /// The cycles of the program by the slopes between the middle and the longest sizes.
  double extended() { return extended_from(longest_sizes(), 0); }

  double extended_from(Sizes sizes, std::size_t axis) {
    if (axis == axes_.size()) return cycles(sizes);
    const Axis& along = axes_[axis];
    const double longest = extended_from(sizes, axis + 1);
    if (along.is_whole()) return longest;
    sizes[axis] = kMiddle * along.shortest;
    const double middle = extended_from(sizes, axis + 1);
    const auto slope = (longest - middle) / static_cast<double>((kLongest - kMiddle) * along.shortest);
    return longest + slope * static_cast<double>(along.extent.size - along.longest());
  }

  /// How much it matters that slopes between shorter sizes are others, and the axis where it matters most.
  std::pair<double, Axis*> disagreement() {
    double sum = 0, most = 0;
    Axis* worst = nullptr;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].is_whole()) continue;
      const double off = disagreement_along(i);
      sum += off;
      if (worst != nullptr && off <= most) continue;
      most = off;
      worst = &axes_[i];
    }
    return {sum, worst};
  }

  double disagreement_along(std::size_t i) {
    const Axis& axis = axes_[i];
    Sizes sizes = longest_sizes();
    const double longest = cycles(sizes);
    sizes[i] = kMiddle * axis.shortest;
    const double middle = cycles(sizes);
    sizes[i] = axis.shortest;
    const double shortest = cycles(sizes);
    const auto before = (middle - shortest) / static_cast<double>((kMiddle - 1) * axis.shortest);
    const auto behind = (longest - middle) / static_cast<double>((kLongest - kMiddle) * axis.shortest);
    const auto left = static_cast<double>(axis.extent.size - axis.longest());
    return std::abs(before - behind) * left / std::max(longest + behind * left, 1.0);
  }

  /// Slopes agree; or nearly, and the time is as near to its bound as is asked for, which it cannot pass.
  bool is_good(double cycles, double off) const {
    if (off <= tolerance_) return true;
    return off <= kNearBound * tolerance_ && std::abs(cycles / bound_ - 1) <= tolerance_;
  }

  RunWithin result(double cycles, double off) const {
    RunWithin run;
    // Rounded up, so that it is not below its bound.
    const double unit = std::pow(10, std::floor(std::log10(std::max(cycles, 1.0))) - (kDigitsOfCycles - 1));
    run.result.cycles = round_to_ticks(Cycles{std::ceil(cycles / unit) * unit / kTicksPerCycle});
    run.result.issued = issued_;
    run.result.skipped = std::max<std::int64_t>(0, issued_ - simulated_);
    run.off = std::min(std::max(off, kLeastOff), tolerance_);
    return run;
  }

  const Program& program_;
  double bound_, tolerance_;
  Skipping skipping_;
  std::int64_t issued_, simulated_ = 0;
  std::vector<Axis> axes_;
  std::map<Sizes, double> cycles_;  ///< of those that have been simulated
};

}  // namespace

std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance, Skipping skipping) {
  return Extension(program, bound, tolerance, skipping).find();
}

RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping) {
  if (tolerance > 0 && skipping != Skipping::Verify) {
    if (const auto whole = simulate_at_most(program, kShort, skipping)) return {*whole, 0};
    if (const auto run = extended_run(program, bound, tolerance, skipping)) return *run;
  }
  return {simulate(program, skipping), 0};
}

RunWithin run_within(const LoweredLaunch& launch) {
  return run_within(launch.program, highest(launch.bounds.bounds).cycles, launch.options.tolerance,
                    launch.options.skipping);
}

}  // namespace warpipe
