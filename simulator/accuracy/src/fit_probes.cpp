#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "confidence_intervals.hpp"
#include "covariance.hpp"
#include "fit_rows.hpp"
#include "fitted_sources.hpp"
#include "statistics.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

constexpr double kRowError = 0.01;        // standard deviation of a probe and of what the model makes of it
constexpr double kBeyond = 1.02;          // a first step goes so much farther than where a proportion would end
const double kFarthest = std::log(64.0);  // from where the table has it
constexpr double kClose = 1e-4;           // of the logarithm of a row; a tick is that much of ten cycles
constexpr double kAtRest = 5e-4;          // of the logarithm of a number
constexpr int kMostRounds = 30;
constexpr std::uintmax_t kMostSteps = 60;  // of a search between two ends
constexpr double kSideStep = 0.05;       // of the logarithm of a number; longer than the steps of a rate in whole ticks
constexpr double kLeastStretch = 0.003;  // of the logarithm of a number, between two ticks
constexpr double kLeastSlope = 0.05;     // of a row's time by the number that it is for
const double kWidestTold = std::log(1.5);  // half of the interval of a number that counts as told
constexpr double kQuantile = 1.645;        // of a normal distribution: 90 of 100 cases within

/// A number and the rows that were measured for it.
struct Probed {
  TableParameter parameter;
  std::vector<std::size_t> rows;
  double start = 0;
};

/// Sets numbers so that the rows measured for them are predicted as measured.
class ProbeFit {
 public:
  ProbeFit(const FitRows& rows, std::vector<Probed> numbers, Device start)
      : rows_(rows), numbers_(std::move(numbers)), device_(std::move(start)) {}

  const Device& device() const { return device_; }
  const std::vector<Probed>& numbers() const { return numbers_; }
  std::size_t simulations() const { return simulations_; }

  void settle(const Progress& progress) {
    double moved = 1;
    for (int round = 0; round < kMostRounds && moved > kAtRest; ++round) {
      moved = 0;
      for (const Probed& number : numbers_) {
        if (progress) progress(std::min(done_++, most_simulations() - 1), most_simulations());
        moved = std::max(moved, solve(number));
      }
    }
    for (const Probed& number : numbers_) center(number);
  }

  /// Gives a number back what the table had, and leaves it out from now on.
  void give_up(std::size_t index) {
    set_value(numbers_[index].parameter, numbers_[index].start, device_);
    leave(index);
  }

  /// Leaves a number out from now on, where it is.
  void leave(std::size_t index) { numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(index)); }

  /// @return whether the rows for a number are farther from what was measured with what the table had, by more than the
  ///         errors of rows explain
  bool contradicts_start(std::size_t index) {
    const Probed& number = numbers_[index];
    const double found = value_of(number.parameter, device_);
    const double with_start = std::abs(miss(number, std::log(number.start)));
    set_value(number.parameter, found, device_);
    return with_start > std::abs(miss_now(number)) + 2 * kRowError;
  }

 private:
  std::size_t most_simulations() const { return numbers_.size() * kMostRounds; }

  /// The mean logarithm of predicted / measured, of the rows for a number with that logarithm.
  double miss(const Probed& number, double logarithm) {
    set_value(number.parameter, std::exp(logarithm), device_);
    return miss_now(number);
  }

  double miss_now(const Probed& number) {
    double sum = 0;
    for (const std::size_t row : number.rows) sum += std::log1p(rows_.error(row, device_));
    simulations_ += number.rows.size();
    return sum / static_cast<double>(number.rows.size());
  }

  /// @return how far the number moved
  double solve(const Probed& number) {
    const double before = std::log(value_above_zero(number.parameter, device_));
    const double at = root(number, before);
    set_value(number.parameter, std::exp(at), device_);
    return std::abs(at - before);
  }

  /// Goes where the rows come nearer to what was measured until they pass it; where they never do, to the nearest
  /// place. Where many numbers fit as well, takes the nearest of them.
  double root(const Probed& number, double from) {
    const double miss_from = miss(number, from);
    if (std::abs(miss_from) < kClose) return from;
    const double aim = std::copysign(kClose / 2, miss_from);                   // just short of a stretch where all fit
    const double way = (miss_from > 0) == is_rate(number.parameter) ? 1 : -1;  // a higher rate is faster
    double nearest = from, least = std::abs(miss_from), step = kBeyond * std::abs(miss_from);
    for (bool last = false; !last; step *= 2) {
      last = step >= kFarthest;
      const double to = from + way * std::min(step, kFarthest);
      const double miss_to = miss(number, to);
      if ((miss_to > aim) != (miss_from > aim)) return between(number, aim, {from, miss_from}, {to, miss_to});
      if (std::abs(miss_to) < least - kClose) {
        nearest = to;
        least = std::abs(miss_to);
      }
    }
    return nearest;
  }

  /// Of the numbers between two ticks of a row, which all fit as well, takes the middle.
  void center(const Probed& number) {
    const double at = std::log(value_above_zero(number.parameter, device_));
    const double here = miss(number, at);
    const double below = reach(number, at, here, -1), above = reach(number, at, here, 1);
    const bool is_stretch = std::max(below, above) < kSideStep;
    set_value(number.parameter, std::exp(is_stretch ? at + (above - below) / 2 : at), device_);
  }

  /// @return how far the rows stay as they are, up to kSideStep
  double reach(const Probed& number, double at, double here, double way) {
    const auto same = [&](double step) { return std::abs(miss(number, at + way * step) - here) < kClose; };
    double near = 0, far = kSideStep;
    if (!same(kLeastStretch)) return 0;
    if (same(far)) return far;
    while (far - near > kLeastStretch) (same((near + far) / 2) ? near : far) = (near + far) / 2;
    return near;
  }

  struct End {
    double logarithm, miss;
  };

  double between(const Probed& number, double aim, End a, End b) {
    if (a.logarithm > b.logarithm) std::swap(a, b);
    std::uintmax_t steps = kMostSteps;
    const auto ends = boost::math::tools::toms748_solve([&](double x) { return miss(number, x) - aim; }, a.logarithm,
                                                        b.logarithm, a.miss - aim, b.miss - aim,
                                                        [](double x, double y) { return y - x < kClose / 4; }, steps);
    return (ends.first + ends.second) / 2;
  }

  const FitRows& rows_;
  std::vector<Probed> numbers_;
  Device device_;
  std::size_t simulations_ = 0, done_ = 0;
};

struct Probes {
  Device start;
  std::vector<Probed> numbers;
};

/// The numbers that rows name, in the order of their first rows.
Probes probes_of(const std::vector<Measurement>& rows, const Device& device) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::string& name : rows[i].fits) {
      if (rows_of[name].empty()) names.push_back(name);
      rows_of[name].push_back(i);
    }
  if (names.empty())
    throw ModelError(
        Diagnostic{"the probes", "no row names a number to fit", "", "name them in a column \"fits\", or give `fit`"});
  const FitPlan plan = parse_fit(names, device);
  Probes probes{plan.start, {}};
  for (const TableParameter& parameter : plan.parameters)
    probes.numbers.push_back({parameter, rows_of[base_name(parameter)], value_of(parameter, plan.start)});
  return probes;
}

/// Whether a row can depend on a number: its kernel has the op, or goes to the memory.
bool can_depend(const Kernel& kernel, const TableParameter& parameter, const Device& device) {
  const bool of_memory = is_of_level(parameter) || parameter.kind == TableParameter::Kind::StoreLatency;
  if (!is_of_op(parameter) && !of_memory) return true;
  return std::ranges::any_of(kernel.instructions, [&](const Instruction& instruction) {
    if (of_memory) return class_of(instruction.op) == OpClass::GlobalMemory;
    return device.find_op(instruction.op) == &device.ops[parameter.op];
  });
}

/// How the rows' errors change with the logarithm of a number: below where it is, and above.
struct Slopes {
  Vector below, above;
};

Slopes slopes_of(const FitRows& rows, const Device& device, const TableParameter& parameter, const Vector& errors) {
  const double value = value_of(parameter, device);
  Device less = device, more = device;
  set_value(parameter, value * std::exp(-kSideStep), less);
  set_value(parameter, value * std::exp(kSideStep), more);
  Slopes slopes{Vector(rows.size()), Vector(rows.size())};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!can_depend(rows.kernel(row), parameter, device)) continue;
    slopes.below[row] = (errors[row] - rows.error(row, less)) / kSideStep;
    slopes.above[row] = (rows.error(row, more) - errors[row]) / kSideStep;
  }
  return slopes;
}

/// Finds the numbers that the rows leave open, and says of each why.
class Judge {
 public:
  Judge(const FitRows& rows, const ProbeFit& fit) : fit_(&fit) {
    const Vector errors = rows.errors(fit.device());
    for (const Probed& number : fit.numbers()) {
      const auto [below, above] = slopes_of(rows, fit.device(), number.parameter, errors);
      double own = 0;
      for (const std::size_t row : number.rows)
        own = std::max(own, std::min(std::abs(below[row]), std::abs(above[row])));
      own_slopes_.push_back(own);
      slopes_.emplace_back(rows.size());
      for (std::size_t row = 0; row < rows.size(); ++row) slopes_.back()[row] = (below[row] + above[row]) / 2;
    }
  }

  /// @return the numbers that their rows hardly depend on, the last one first
  std::vector<std::size_t> idle() const {
    std::vector<std::size_t> found;
    for (std::size_t i = own_slopes_.size(); i-- > 0;)
      if (own_slopes_[i] < kLeastSlope) found.push_back(i);
    return found;
  }

  std::string hardly_matters(std::size_t number) const {
    return fmt::format("its rows hardly depend on it: a tenth more or less changes them by {:.2g} %",
                       10 * own_slopes_[number]);
  }

  /// Where a number lies, and with which it moves together where that is wide.
  struct Told {
    Interval interval;
    std::optional<std::size_t> partner;
  };

  std::vector<Told> told() const {
    std::vector<Told> found;
    const Covariance covariance(slopes_, kRowError);
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double value = value_of(fit_->numbers()[i].parameter, fit_->device());
      const double half = std::min(kQuantile * covariance.deviation(i), kFarthest);
      found.push_back({{value * std::exp(-half), value * std::exp(half)}, {}});
      if (half >= kWidestTold) found.back().partner = covariance.partner_of(i);
    }
    return found;
  }

 private:
  const ProbeFit* fit_;
  Vector own_slopes_;  ///< on the flatter side, of the number's own rows the most
  std::vector<Vector> slopes_;
};

/// A number that its rows keep from one side only stays where they do, if the table has it beyond.
std::string end_of_range(const Probed& number, double value) {
  return fmt::format("its rows say only that it is at {} {:.4g}, which it is now",
                     value < number.start ? "most" : "least", value);
}

/// Both keep what fits together: what the table had for one would falsify the other.
std::string moves_with(const std::string& other) {
  return fmt::format("it moves together with {}: one larger and the other smaller fits as well; both are fitted",
                     other);
}

Untold untold(const Probed& number, std::string reason, const FitRows& rows, const Device& device) {
  return {number.parameter.name, std::move(reason), reason_for(number.parameter, rows, device).advice};
}

Interval one_sided(const Probed& number, double value) {
  const double far = std::exp(kFarthest);
  return value < number.start ? Interval{value / far, value} : Interval{value, value * far};
}

/// Leaves out the numbers that their rows hardly depend on, until there is none.
/// @return those of them that their rows keep from one side
std::vector<Probed> leave_out_idle(const FitRows& rows, ProbeFit& fit, Judge& judge, std::vector<Untold>& named,
                                   const Progress& progress) {
  std::vector<Probed> ends;
  for (auto idle = judge.idle(); !idle.empty(); idle = judge.idle()) {
    for (const std::size_t index : idle) {
      const Probed number = fit.numbers()[index];
      const bool is_end = fit.contradicts_start(index);
      const double value = value_of(number.parameter, fit.device());
      named.push_back(
          untold(number, is_end ? end_of_range(number, value) : judge.hardly_matters(index), rows, fit.device()));
      if (is_end) ends.push_back(number);
      is_end ? fit.leave(index) : fit.give_up(index);
    }
    fit.settle(progress);
    judge = Judge(rows, fit);
  }
  return ends;
}

Accuracy score_on(const Device& device, const std::vector<Measurement>& rows, const Lookup<Kernel>& kernels,
                  const CalibrationRequest& request) {
  return score(
      rows, kernels, [&](const std::string&) { return device; }, request.launch, request.threads);
}

}  // namespace

Calibration fit_probes(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                       const Device& device, const CalibrationRequest& request, const Progress& progress) {
  const auto is_check = [](const Measurement& row) { return row.fits.empty(); };
  std::vector<Measurement> fitted = measurements, checks;
  std::ranges::copy_if(measurements, std::back_inserter(checks), is_check);
  std::erase_if(fitted, is_check);
  auto [start, numbers] = probes_of(fitted, device);
  const FitRows rows(fitted, kernels, start, request.launch, 1);

  Calibration result;
  ProbeFit fit(rows, std::move(numbers), std::move(start));
  fit.settle(progress);
  Judge judge(rows, fit);
  const auto ends = leave_out_idle(rows, fit, judge, result.untold, progress);

  std::vector<TableParameter> parameters;
  const auto keep = [&](const Probed& number, Interval interval) {
    parameters.push_back(number.parameter);
    result.values.push_back(
        {number.parameter.name, number.start, value_of(number.parameter, fit.device()), interval, interval});
  };
  const auto told = judge.told();
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Probed& number = fit.numbers()[i];
    keep(number, told[i].interval);
    if (!told[i].partner) continue;
    const std::string& partner = fit.numbers()[*told[i].partner].parameter.name;
    result.untold.push_back(untold(number, moves_with(partner), rows, fit.device()));
  }
  for (const Probed& number : ends) keep(number, one_sided(number, value_of(number.parameter, fit.device())));
  result.device = fit.device();
  result.simulations = fit.simulations();
  result.fitted = {score_on(device, fitted, kernels, request), score_on(result.device, fitted, kernels, request)};
  result.held_out = {score_on(device, checks, kernels, request), score_on(result.device, checks, kernels, request)};
  put_sources(result, parameters, request);
  return result;
}

}  // namespace warpipe
