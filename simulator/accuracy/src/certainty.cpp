#include "certainty.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "robust.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr double kStep = 0.02;         ///< of the logarithm of a value, for derivatives
constexpr double kErased = 0.1;        ///< a factor that makes an op ten times as fast
constexpr double kSignificant = 4;     ///< deviations by which erasing a value must hurt, over all rows
constexpr double kOutside = 0.01;      ///< of all cases have a true value outside its interval
const double kWidest = std::log(2.0);  ///< half an interval that still tells a value

std::vector<double> errors_with(const FitRows& rows, Device device, const TableParameter& parameter, double value) {
  set_value(parameter, value, device);
  return rows.errors(device);
}

/// Derivatives of the errors by the logarithms of the values: 1 where a row's time goes with the value.
Eigen::MatrixXd slopes(const FitRows& rows, const Device& device, const std::vector<TableParameter>& parameters) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double value = value_of(parameters[j], device);
    const auto above = errors_with(rows, device, parameters[j], value * std::exp(kStep));
    const auto below = errors_with(rows, device, parameters[j], value * std::exp(-kStep));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = (above[i] - below[i]) / (2 * kStep);
    }
  }
  return result;
}

bool any_row_runs(const FitRows& rows, const std::string& op) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Instruction& instruction : rows.kernel(i).instructions) {
      if (instruction.op == op) return true;
    }
  }
  return false;
}

struct Reason {
  std::string found, advice;
};

/// Why rows do not tell a value, from what kind of value it is.
Reason reason_for(const TableParameter& parameter, const FitRows& rows, const Device& device) {
  using Kind = TableParameter::Kind;
  if (is_of_op(parameter) && !any_row_runs(rows, device.ops[parameter.op].name)) {
    return {fmt::format("no row runs {}", device.ops[parameter.op].name), "measure a kernel that does"};
  }
  if (parameter.point) return {"no row near that many resident warps depends on it", "choose points where rows are"};
  switch (parameter.kind) {
    case Kind::Issue:
    case Kind::Further:
      return {"no saturated row: in none does its pipeline rule the time",
              "measure with more resident warps or more independent instructions"};
    case Kind::Completion:
      return {"no latency-bound row: in none does a warp wait for it to complete",
              "measure a dependent chain with few resident warps"};
    case Kind::ConflictIssue:
    case Kind::TransactionIssue:
      return {"no saturated row with another degree: what one more costs the pipeline is not seen",
              "measure several degrees with many resident warps"};
    case Kind::ConflictCompletion:
    case Kind::TransactionCompletion:
      return {"no latency-bound row with another degree: what one more costs a waiting warp is not seen",
              "measure several degrees in a dependent chain of one warp"};
    case Kind::WarpInterval:
      return {"no row where a warp's own pace rules the time", "measure independent instructions of one warp"};
    case Kind::GroupLaunchLatency:
      break;
  }
  return {"no row where a group waits for the place of another", "measure many short groups, one resident at a time"};
}

constexpr auto kUndetermined = "the rows do not determine it";

Diagnostic untold(const TableParameter& parameter, const FitRows& rows, const Device& device) {
  const Reason reason = reason_for(parameter, rows, device);
  return {fmt::format("`fit {}`", parameter.name), kUndetermined, reason.found,
          reason.advice + ", or leave it out of `fit`"};
}

Diagnostic moves_with(const std::string& name, const std::string& other) {
  return {fmt::format("`fit {}`", name), kUndetermined,
          fmt::format("it moves together with {}: one larger and the other smaller fits as well", other),
          fmt::format("fit only one of them, or add rows where {} alone matters", name)};
}

/// How sure the values are in the logarithm, from the slopes and the size of the errors.
class Covariance {
 public:
  Covariance(const Eigen::MatrixXd& slopes, double deviation)
      : lengths_(slopes.colwise().norm()), deviation_(deviation) {
    const Eigen::MatrixXd directions = slopes * lengths_.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(directions.transpose() * directions);
    const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(kLeastEigenvalue);
    inverse_ = solver.eigenvectors() * values.cwiseInverse().asDiagonal() * solver.eigenvectors().transpose();
  }

  /// Standard deviation of a value.
  double deviation(Eigen::Index j) const { return deviation_ / lengths_(j) * std::sqrt(inverse_(j, j)); }

  /// The value whose error goes most with that of another.
  Eigen::Index partner_of(Eigen::Index j) const {
    Eigen::Index partner = j;
    double most = -1;
    for (Eigen::Index k = 0; k < inverse_.rows(); ++k) {
      const double correlation = std::abs(inverse_(j, k)) / std::sqrt(inverse_(k, k));
      if (k == j || correlation <= most) continue;
      partner = k;
      most = correlation;
    }
    return partner;
  }

 private:
  static constexpr double kLeastEigenvalue = 1e-9;  // of directions that cannot be told apart
  Eigen::VectorXd lengths_;
  double deviation_;
  Eigen::MatrixXd inverse_;
};

/// @return how many standard deviations an interval reaches to each side
double reach(std::size_t rows, std::size_t parameters) {
  const boost::math::students_t distribution(static_cast<double>(rows - parameters));
  return boost::math::quantile(distribution, 1 - kOutside / (2 * static_cast<double>(parameters)));
}

}  // namespace

void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters) {
  if (rows.size() > parameters.size()) return;
  throw ModelError(Diagnostic{fmt::format("`fit {}`", parameters.back().name),
                              "there must be more fitted rows than fitted values",
                              fmt::format("found {} rows for {} values", rows.size(), parameters.size()),
                              "fit fewer values, hold out fewer rows, or measure more"});
}

std::vector<Interval> certainty(const FitRows& rows, const Device& device,
                                const std::vector<TableParameter>& parameters) {
  const auto errors = rows.errors(device);
  const double deviation = scale(errors, parameters.size());
  const double reached = reach(rows.size(), parameters.size());
  const Eigen::MatrixXd all_slopes = slopes(rows, device, parameters);
  std::vector<Diagnostic> problems;
  std::vector<Eigen::Index> told;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double value = value_of(parameters[j], device);
    const double hurt =
        mean_absolute(errors_with(rows, device, parameters[j], kErased * value)) - mean_absolute(errors);
    const auto column = static_cast<Eigen::Index>(j);
    const bool is_told = static_cast<double>(rows.size()) * hurt > kSignificant * deviation &&
                         reached * deviation < kWidest * all_slopes.col(column).norm();
    if (is_told) told.push_back(column);
    if (!is_told) problems.push_back(untold(parameters[j], rows, device));
  }
  if (told.empty()) throw ModelError(std::move(problems));

  const Covariance covariance(all_slopes(Eigen::all, told), deviation);
  std::vector<Interval> intervals;
  for (std::size_t k = 0; k < told.size(); ++k) {
    const auto j = static_cast<Eigen::Index>(k);
    const auto& parameter = parameters[static_cast<std::size_t>(told[k])];
    const double half = reached * covariance.deviation(j);
    if (!(half < kWidest)) {
      const auto partner = static_cast<std::size_t>(told[static_cast<std::size_t>(covariance.partner_of(j))]);
      problems.push_back(moves_with(parameter.name, parameters[partner].name));
    }
    const double value = value_of(parameter, device);
    intervals.push_back({value * std::exp(-half), value * std::exp(half)});
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
  return intervals;
}

}  // namespace warpipe
