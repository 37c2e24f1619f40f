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
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr double kRowError = 0.01;        // standard deviation of a probe and of what the model makes of it
constexpr double kFirstReach = 0.1;       // of the logarithm of a number
const double kFarthest = std::log(64.0);  // from where the table has it
constexpr double kClose = 1e-5;           // of the logarithm of a number, in one search
constexpr double kAtRest = 1e-4;          // likewise, over all numbers
constexpr int kMostRounds = 12;
constexpr std::uintmax_t kMostSteps = 60;  // of a search between two ends
constexpr double kLeastSlope = 0.05;       // of a row's time by the number that it is for
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
  }

  /// Gives a number back what the table had, and leaves it out from now on.
  void give_up(std::size_t index) {
    set_value(numbers_[index].parameter, numbers_[index].start, device_);
    numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(index));
  }

 private:
  std::size_t most_simulations() const { return numbers_.size() * kMostRounds; }

  /// The mean logarithm of predicted / measured, of the rows for a number with that logarithm.
  double miss(const Probed& number, double logarithm) {
    set_value(number.parameter, std::exp(logarithm), device_);
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
  /// place.
  double root(const Probed& number, double from) {
    double miss_from = miss(number, from);
    if (std::abs(miss_from) < kClose) return from;
    const double way = (miss_from > 0) == is_rate(number.parameter) ? 1 : -1;  // a higher rate is faster
    double nearest = from, least = std::abs(miss_from);
    for (double step = kFirstReach; step <= kFarthest; step *= 2) {
      const double to = from + way * step;
      const double miss_to = miss(number, to);
      if ((miss_to > 0) != (miss_from > 0)) return between(number, from, miss_from, to, miss_to);
      if (std::abs(miss_to) < least - kClose) {
        nearest = to;
        least = std::abs(miss_to);
      }
    }
    return nearest;
  }

  double between(const Probed& number, double a, double miss_a, double b, double miss_b) {
    if (a > b) {
      std::swap(a, b);
      std::swap(miss_a, miss_b);
    }
    std::uintmax_t steps = kMostSteps;
    const auto ends = boost::math::tools::toms748_solve([&](double x) { return miss(number, x); }, a, b, miss_a, miss_b,
                                                        [](double x, double y) { return y - x < kClose; }, steps);
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

/// Finds the numbers that the rows leave open, and says of each why.
class Judge {
 public:
  Judge(const FitRows& rows, const ProbeFit& fit) : rows_(rows), fit_(fit) {
    for (const Probed& number : fit.numbers()) slopes_.push_back(slopes(rows, fit.device(), number.parameter));
  }

  /// @return the index of the number that is told least, and why; nothing where all are told
  std::optional<std::pair<std::size_t, Untold>> worst() const {
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      if (own_slope(i) < kLeastSlope) return {{i, hardly_matters(i)}};
    const Covariance covariance(slopes_, kRowError);
    std::size_t widest = 0;
    for (std::size_t i = 1; i < slopes_.size(); ++i)
      if (covariance.deviation(i) > covariance.deviation(widest)) widest = i;
    if (slopes_.empty() || kQuantile * covariance.deviation(widest) < kWidestTold) return std::nullopt;
    return {{widest, moves_with(widest, covariance.partner_of(widest))}};
  }

  std::vector<Interval> intervals() const {
    std::vector<Interval> found;
    const Covariance covariance(slopes_, kRowError);
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double value = value_of(fit_.numbers()[i].parameter, fit_.device());
      const double half = kQuantile * covariance.deviation(i);
      found.push_back({value * std::exp(-half), value * std::exp(half)});
    }
    return found;
  }

 private:
  const TableParameter& parameter(std::size_t number) const { return fit_.numbers()[number].parameter; }

  double own_slope(std::size_t number) const {
    double most = 0;
    for (const std::size_t row : fit_.numbers()[number].rows) most = std::max(most, std::abs(slopes_[number][row]));
    return most;
  }

  Untold hardly_matters(std::size_t number) const {
    return {parameter(number).name,
            fmt::format("its rows hardly depend on it: a tenth more changes them by {:.2g} %", 10 * own_slope(number)),
            reason_for(parameter(number), rows_, fit_.device()).advice};
  }

  Untold moves_with(std::size_t number, std::size_t other) const {
    return {
        parameter(number).name,
        fmt::format("it moves together with {}: one larger and the other smaller fits as well", parameter(other).name),
        reason_for(parameter(number), rows_, fit_.device()).advice};
  }

  const FitRows& rows_;
  const ProbeFit& fit_;
  std::vector<Vector> slopes_;
};

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
  while (const auto open = Judge(rows, fit).worst()) {
    result.untold.push_back(open->second);
    fit.give_up(open->first);
    fit.settle(progress);
  }
  const auto intervals = Judge(rows, fit).intervals();
  std::vector<TableParameter> parameters;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const Probed& number = fit.numbers()[i];
    const TableParameter& parameter = number.parameter;
    parameters.push_back(parameter);
    result.values.push_back(
        {parameter.name, number.start, value_of(parameter, fit.device()), intervals[i], intervals[i]});
  }
  result.device = fit.device();
  result.simulations = fit.simulations();
  result.fitted = {score_on(device, fitted, kernels, request), score_on(result.device, fitted, kernels, request)};
  result.held_out = {score_on(device, checks, kernels, request), score_on(result.device, checks, kernels, request)};
  put_sources(result, parameters, request);
  return result;
}

}  // namespace warpipe
