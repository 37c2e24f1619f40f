#include "extension.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "extent.hpp"
#include "stride.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/predict/bounds.hpp"

namespace warpipe {
namespace {

constexpr int kDigitsOfCycles = 5;  ///< of extended cycles: more than a tolerance can tell
constexpr double kLeastOff = 1e-4;  ///< the rounding to these digits
/// The shortest runs: enough waves for the run to come into its stride and to tell a change from chance, and enough
/// trips to outweigh the code before and behind them.
constexpr std::int64_t kFewestWaves = 8, kFewestTrips = 4;
/// Trips are in the ratio 1 : 2 : 4.
constexpr std::int64_t kMiddle = 2, kLongest = 4, kSumOfTrips = 7;
/// Runs longer than half of the whole save nothing.
constexpr std::int64_t kLeastSaved = 2;
/// Instructions of the first runs, at the usual tolerance, and more at a smaller tolerance: a tenth of a second.
constexpr double kFirst = 1 << 20;
/// The program itself is simulated as far as one in so many instructions of inconclusive runs: enough for most periods.
constexpr std::int64_t kShareOfWhole = 4;
/// The least share of a run's instructions in the loop with fewer trips.
constexpr double kLeastOfLoop = 0.8;
/// The time usually gained or lost by chance in a run, in trips, and its weight beside the scatter seen, in runs.
constexpr double kUsualChance = 0.1, kWeightOfUsual = 2;
/// Near the bound slopes may differ by so many times the tolerance.
constexpr double kNearBound = 2;

/// An evenly growing value, and its error if it goes on growing as before.
struct Grown {
  double value = 0, off = 0;

  friend Grown operator+(const Grown& a, const Grown& b) { return {a.value + b.value, a.off + b.off}; }
  friend Grown operator-(const Grown& a, const Grown& b) { return {a.value - b.value, a.off - b.off}; }
  friend Grown operator*(double times, const Grown& a) { return {times * a.value, times * a.off}; }
};

/// The instructions of a warp.
double instructions_of(const InstructionStream& stream) {
  return static_cast<double>(std::accumulate(stream.runs.begin(), stream.runs.end(), std::int64_t{0}));
}

/// The mean, over the groups of each wave, of a value of their placements, in ticks.
template <class Value>
std::vector<StepValue> means_of_waves(const std::vector<GroupPlacement>& placements, std::int64_t waves,
                                      std::int64_t groups, const Value& value) {
  std::vector<StepValue> means(static_cast<std::size_t>(waves));
  for (std::size_t group = 0; group < static_cast<std::size_t>(waves * groups); ++group) {
    const std::size_t wave = group / static_cast<std::size_t>(groups);
    means[wave].step = static_cast<double>(wave);
    means[wave].value += static_cast<double>(value(placements[group])) / static_cast<double>(groups);
  }
  return means;
}

/// Runs of shorter programs, and their extension to the program itself.
class Extension {
 public:
  Extension(const Program& program, Ticks bound, double tolerance)
      : program_(program),
        bound_(static_cast<double>(bound.count)),
        tolerance_(tolerance),
        issued_(instructions_issued(program)) {
    const Extent* loop = nullptr;
    const std::vector<Extent> extents = extents_of(program);
    for (const Extent& extent : extents) {
      if (extent.of == Extent::Of::Waves)
        waves_ = extent;
      else if (extent.of == Extent::Of::Trips && extent.size > kFewestTrips &&
               (loop == nullptr || saves(extent) > saves(*loop)))
        loop = &extent;
    }
    if (loop && static_cast<double>(loop->instructions) >= kLeastOfLoop * static_cast<double>(issued_)) {
      trips_ = *loop;
      fewest_trips_ = fewest_trips(*loop);
    }
  }

  bool is_worth_it() const {
    return !(waves_are_whole() && trips_are_whole()) &&
           cost(fewest_waves_, fewest_trips_) <= kMostOfExtension * static_cast<double>(issued_);
  }

  /// @param least  sizes of the runs; without it, cheap sizes
  /// @param whole  as extended_run
  /// @return nothing where no shorter run tells enough
  std::optional<RunWithin> find(std::optional<RunWithin::Sizes> least, ResumableSimulation* whole) {
    if (least) {
      fewest_waves_ = least->waves;
      fewest_trips_ = std::max(fewest_trips_, least->trips);
    } else {
      spend();
    }
    while (is_worth_it()) {
      const Grown grown = extended();
      const double cycles = grown.value;
      const double of_waves = std::abs(grown.off) / cycles, bent = std::abs(bend()) / cycles;
      // Runs of the same sizes have the chance in common. Bent growth may be chance, too.
      const double of_trips = least ? bent : std::max(bent, chance_of_trips() / cycles);
      const double off = std::hypot(of_waves, of_trips);
      if (is_near_bound(cycles, of_waves + bent) || off <= tolerance_) return result(std::max(cycles, bound_), off);
      if (whole)
        if (const auto exact = whole->up_to(simulated_ / kShareOfWhole)) return RunWithin{*exact};
      lengthen(of_waves >= of_trips);
    }
    return std::nullopt;
  }

  /// Other results than cycles are extended along the waves, from the runs of all shortened waves and of half as many.
  std::vector<PartOfRun> parts(RunWithin::Sizes sizes) {
    fewest_waves_ = sizes.waves;
    fewest_trips_ = sizes.trips;
    std::vector<PartOfRun> parts;
    const auto add_waves = [&](std::int64_t trips, double times) {
      if (waves_are_whole()) return parts.push_back({program_of(1, trips), times});
      const std::int64_t half = fewest_waves_ / 2;
      const double more = static_cast<double>(waves_.size - fewest_waves_) / static_cast<double>(half);
      parts.push_back({program_of(fewest_waves_, trips), times * (1 + more)});
      parts.push_back({program_of(half, trips), -times * more});
    };
    if (trips_are_whole()) {
      add_waves(1, 1);
    } else {
      add_waves(kLongest * fewest_trips_, 1 + more_trips());
      add_waves(kMiddle * fewest_trips_, -more_trips());
    }
    return parts;
  }

 private:
  bool waves_are_whole() const { return waves_.size < kLeastSaved * fewest_waves_; }
  bool trips_are_whole() const { return !trips_ || trips_->size < kLeastSaved * kLongest * fewest_trips_; }

  static double saves(const Extent& loop) {
    return static_cast<double>(loop.instructions) *
           (1 - static_cast<double>(kFewestTrips) / static_cast<double>(loop.size));
  }

  /// The fewest trips with most of the instructions still in the loop: with fewer, other parts of the kernel would take
  /// turns in setting the time, and hide effects of the whole program.
  std::int64_t fewest_trips(const Extent& loop) const {
    const double of_trip = static_cast<double>(loop.instructions) / static_cast<double>(loop.size);
    const double others = static_cast<double>(issued_ - loop.instructions);
    std::int64_t trips = kFewestTrips;
    while (trips < loop.size &&
           of_trip * static_cast<double>(trips) < kLeastOfLoop * (of_trip * static_cast<double>(trips) + others))
      trips *= 2;
    return trips;
  }

  /// Makes the first runs as long as is cheap: trips before waves, since short loops are more unlike long loops.
  void spend() {
    const double most = kFirst * kUsualTolerance / tolerance_;
    while (!trips_are_whole() && cost(fewest_waves_, 2 * fewest_trips_) <= most) fewest_trips_ *= 2;
    while (!waves_are_whole() && cost(2 * fewest_waves_, fewest_trips_) <= most) fewest_waves_ *= 2;
  }

  /// Makes runs longer, by more waves or more trips; by the other where there are no more.
  void lengthen(bool by_waves) {
    if ((by_waves && !waves_are_whole()) || trips_are_whole())
      fewest_waves_ *= 2;
    else
      fewest_trips_ *= 2;
  }

  /// Instructions of all runs with these sizes.
  double cost(std::int64_t waves, std::int64_t trips) const {
    double instructions = static_cast<double>(issued_);
    if (waves_.size >= kLeastSaved * waves)
      instructions *= static_cast<double>(waves) / static_cast<double>(waves_.size);
    if (trips_ && trips_->size >= kLeastSaved * kLongest * trips)
      instructions *= static_cast<double>(kSumOfTrips * trips) / static_cast<double>(trips_->size);
    return instructions;
  }

  RunWithin result(double cycles, double off) const {
    RunWithin run = result_of(cycles, off, issued_, simulated_, tolerance_);
    run.sizes = {fewest_waves_, fewest_trips_};
    return run;
  }

  Program program_of(std::int64_t waves, std::int64_t trips) const {
    Program shorter = program_;
    if (!trips_are_whole()) shorter = shortened(std::move(shorter), *trips_, trips);
    if (!waves_are_whole()) shorter = shortened(std::move(shorter), waves_, waves);
    return shorter;
  }

  /// The cycles of the program with so many trips and all waves.
  Grown with_trips(std::int64_t trips) {
    const auto [known, is_new] = runs_.try_emplace({fewest_waves_, trips});
    if (!is_new) return known->second;
    const ObservedRun run = observe(program_of(fewest_waves_, trips), {.placements = true});
    simulated_ += run.result.issued;
    Grown grown{static_cast<double>(run.result.cycles.count), 0};
    if (!waves_are_whole()) grown = grown + of_more_waves(run);
    return known->second = grown;
  }

  /// The time from wave to wave, and more where pipelines fall behind their groups: the last group then ends first.
  Grown of_more_waves(const ObservedRun& run) const {
    const auto stride_of_waves = [&](const auto& value) {
      return stride_of(means_of_waves(run.placements, fewest_waves_, waves_.groups, value));
    };
    const Stride time = stride_of_waves([](const GroupPlacement& placed) { return placed.time.count; });
    const Stride backlog = stride_of_waves([](const GroupPlacement& placed) {
      return std::max<std::int64_t>(0, placed.booked.count - placed.time.count);
    });
    const auto left = static_cast<double>(waves_.size - fewest_waves_);
    const double behind = backlog.late > backlog.chance ? backlog.late : 0;
    const double more_work = work_of_waves_left() - 1;
    return {left * (time.late + behind) * (1 + more_work),
            left * (std::abs(time.late - time.early) + time.chance + time.late * std::abs(more_work))};
  }

  /// The instructions of a group of the waves left out, over the instructions of a group of the late waves of the run.
  double work_of_waves_left() const {
    if (!waves_.are_mixed) return 1;
    const auto work_of_first = [&](std::int64_t groups) {
      const std::vector<std::int64_t> of_kinds = program_.order.counts(program_.kinds.size(), groups);
      double work = 0;
      for (std::size_t kind = 0; kind < of_kinds.size(); ++kind)
        for (const std::uint32_t stream : program_.kinds[kind])
          work += static_cast<double>(of_kinds[kind]) * instructions_of(program_.streams[stream]);
      return work;
    };
    const std::int64_t half = fewest_waves_ / 2 * waves_.groups, run = fewest_waves_ * waves_.groups;
    const std::int64_t all = waves_.size * waves_.groups;
    const double of_run = (work_of_first(run) - work_of_first(half)) / static_cast<double>(run - half);
    const double of_left = (work_of_first(all) - work_of_first(run)) / static_cast<double>(all - run);
    return of_left / of_run;
  }

  Grown extended() {
    if (trips_are_whole()) return with_trips(0);
    return with_trips(kLongest * fewest_trips_) + more_trips() * last_step();
  }

  /// The change of the cycles if they grew with the trips as at first.
  double bend() {
    if (trips_are_whole()) return 0;
    const Grown first_step = with_trips(kMiddle * fewest_trips_) - with_trips(fewest_trips_);
    return more_trips() * (last_step() - 2 * first_step).value;
  }

  /// The time of the additional trips of the longest run over the middle run.
  Grown last_step() { return with_trips(kLongest * fewest_trips_) - with_trips(kMiddle * fewest_trips_); }

  double in_last_steps(std::int64_t trips) const {
    return static_cast<double>(trips) / static_cast<double>((kLongest - kMiddle) * fewest_trips_);
  }
  double more_trips() const { return in_last_steps(trips_->size - kLongest * fewest_trips_); }

  /// The error of extended() by time gained or lost by chance in each run: as much as usual, and as the runs of these
  /// waves scatter about a straight line.
  double chance_of_trips() const {
    if (trips_are_whole()) return 0;
    std::vector<StepValue> runs;
    for (const auto& [sizes, grown] : runs_)
      if (sizes.first == fewest_waves_) runs.push_back({static_cast<double>(sizes.second), grown.value});
    const EvenGrowth growth = even_growth(runs);
    const double usual = kUsualChance * growth.per_step;
    const double seen = std::sqrt((kWeightOfUsual * usual * usual + growth.squares) /
                                  (kWeightOfUsual + static_cast<double>(runs.size() - 2)));
    return seen * std::hypot(1 + more_trips(), more_trips());
  }

  /// Slopes nearly agree, and the time is within the tolerance of its bound, which no time can pass; so is the part of
  /// the time that grows with the trips. Then the limiter is always busy, and chance has no part.
  bool is_near_bound(double cycles, double off) {
    return off <= kNearBound * tolerance_ && std::abs(cycles / bound_ - 1) <= tolerance_ &&
           of_all_trips() >= (1 - tolerance_) * bound_;
  }

  double of_all_trips() {
    if (trips_are_whole()) return bound_;
    return in_last_steps(trips_->size) * last_step().value;
  }

  const Program& program_;
  double bound_, tolerance_;
  std::int64_t issued_, simulated_ = 0;
  Extent waves_;
  std::optional<Extent> trips_;
  std::int64_t fewest_waves_ = kFewestWaves, fewest_trips_ = kFewestTrips;
  std::map<std::pair<std::int64_t, std::int64_t>, Grown> runs_;  ///< by waves and trips
};

}  // namespace

RunWithin result_of(double cycles, double off, std::int64_t issued, std::int64_t simulated, double tolerance) {
  RunWithin run;
  // Rounded up, so that it is not below its bound.
  const double unit = std::pow(10, std::floor(std::log10(std::max(cycles, 1.0))) - (kDigitsOfCycles - 1));
  run.result.cycles = round_to_ticks(Cycles{std::ceil(cycles / unit) * unit / kTicksPerCycle});
  run.result.issued = issued;
  run.result.skipped = std::max<std::int64_t>(0, issued - simulated);
  run.off = std::min(std::max(off, kLeastOff), tolerance);
  return run;
}

bool is_worth_extending(const Program& program) { return Extension(program, Ticks{}, kUsualTolerance).is_worth_it(); }

std::optional<RunWithin> run_of_fewer_waves_and_trips(const Program& program, Ticks bound, double tolerance,
                                                      const std::optional<RunWithin::Sizes>& least,
                                                      ResumableSimulation* whole) {
  return Extension(program, bound, tolerance).find(least, whole);
}

std::vector<PartOfRun> parts_of_waves_and_trips(const Program& program, const RunWithin::Sizes& sizes) {
  return Extension(program, Ticks{}, kUsualTolerance).parts(sizes);
}

}  // namespace warpipe
