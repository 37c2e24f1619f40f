#include "confidence_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

#include "covariance.hpp"
#include "robust_loss.hpp"
#include "statistics.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr double kErased = 0.1;        ///< a factor to make an op ten times as fast
constexpr double kSignificant = 4;     ///< deviations by which erasing a value must hurt, over all rows
constexpr double kOutside = 0.01;      ///< of all cases have a true value outside its interval
const double kWidest = std::log(2.0);  ///< half of the widest interval to determine a value

std::vector<double> errors_with(const FitRows& rows, Device device, const TableParameter& parameter, double value) {
  set_value(parameter, value, device);
  return rows.errors(device);
}

bool any_row_runs(const FitRows& rows, const Device& device, const Op& op) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Instruction& instruction : rows.kernel(i).instructions) {
      if (device.find_op(instruction.op) == &op) return true;
    }
  }
  return false;
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

/// Why rows do not tell a number of no op and no level.
struct KeyReason {
  std::string_view key;
  Reason reason;
};
const std::array kReasons{
    KeyReason{"warp_interval",
              {"no row where a warp's own pace rules the time", "measure independent instructions of one warp"}},
    KeyReason{"store_latency_s", {"no row where a group waits for its stores", "measure many short groups that store"}},
    KeyReason{
        "group_dispatch_interval",
        {"no row where the device places groups no faster", "measure very many groups of one warp that do nothing"}},
    KeyReason{"clock_hz",
              {"no row whose time goes with the clock of the units", "measure the time of long chains of arithmetic"}},
    KeyReason{
        "launch_begin_s",
        {"no row that lasts as long as its launch begins", "measure kernels of few groups that do next to nothing"}},
    KeyReason{"launch_end_s",
              {"no row that lasts as long as its launch ends", "measure kernels of few groups that store"}},
    KeyReason{"launch_overhead_s",
              {"no row that a launch itself decides", "measure empty kernels, with the launch in the time"}},
    KeyReason{"launch_interval_s",
              {"no row that a launch itself decides", "measure empty kernels, with the launch in the time"}},
    KeyReason{
        "group_launch_latency",
        {"no row where a group waits for the place of another", "measure many short groups, one resident at a time"}}};

Interval around(double value, double half) { return {value * std::exp(-half), value * std::exp(half)}; }

/// @return how many standard deviations an interval reaches to each side
double reach(std::size_t rows, std::size_t parameters) {
  return student_t_quantile(kOutside / (2 * static_cast<double>(parameters)), static_cast<double>(rows - parameters));
}

}  // namespace

Reason reason_for(const TableParameter& parameter, const FitRows& rows, const Device& device) {
  if (is_of_op(parameter) && !any_row_runs(rows, device, device.ops[parameter.op])) {
    return {fmt::format("no row runs {}", device.ops[parameter.op].name), "measure a kernel that does"};
  }
  if (parameter.point) return {"no row near that many resident warps depends on it", "choose points where rows are"};
  switch (parameter.kind) {
    case TableParameter::Kind::Issue:
    case TableParameter::Kind::Further:
      return {"no saturated row: in none does its pipeline rule the time",
              "measure with more resident warps or more independent instructions"};
    case TableParameter::Kind::Completion:
      return {"no latency-bound row: in none does a warp wait for it to complete",
              "measure a dependent chain with few resident warps"};
    case TableParameter::Kind::ConflictIssue:
    case TableParameter::Kind::TransactionIssue:
      return {"no saturated row with another degree: what one more costs the pipeline is not seen",
              "measure several degrees with many resident warps"};
    case TableParameter::Kind::ConflictCompletion:
    case TableParameter::Kind::TransactionCompletion:
      return {"no latency-bound row with another degree: what one more costs a waiting warp is not seen",
              "measure several degrees in a dependent chain of one warp"};
    case TableParameter::Kind::OfLevel:
      if (is_rate(parameter) || parameter.key == "cycles_per_line")
        return {"no saturated row: in none does the rate of this level rule the time",
                "measure with more bytes at this level, and many resident warps"};
      return {"no latency-bound row: in none does a warp wait for what this level serves",
              "measure a dependent chain of loads that hit there"};
    case TableParameter::Kind::OfDevice:
    case TableParameter::Kind::OfMemory:
      break;
  }
  const auto found = std::ranges::find(kReasons, parameter.key, &KeyReason::key);
  assert(found != kReasons.end());
  return found->reason;
}

void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters) {
  if (rows.size() > parameters.size()) return;
  throw ModelError(Diagnostic{fmt::format("`fit {}`", parameters.back().name),
                              "there must be more fitted rows than fitted values",
                              fmt::format("found {} rows for {} values", rows.size(), parameters.size()),
                              "fit fewer values, hold out fewer rows, or measure more"});
}

std::vector<Confidence> confidence_intervals(const FitRows& rows, const Device& device,
                                             const std::vector<TableParameter>& parameters) {
  const auto errors = rows.errors(device);
  const double deviation = scale(errors, parameters.size());
  const double reached = reach(rows.size(), parameters.size());
  std::vector<Diagnostic> problems;
  std::vector<std::size_t> told;
  std::vector<Vector> slopes_of_told;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double value = value_of(parameters[j], device);
    const double hurt =
        mean_absolute(errors_with(rows, device, parameters[j], kErased * value)) - mean_absolute(errors);
    Vector column = slopes(rows, device, parameters[j]);
    const bool is_told = static_cast<double>(rows.size()) * hurt > kSignificant * deviation &&
                         reached * deviation < kWidest * norm(column);
    if (!is_told) {
      problems.push_back(untold(parameters[j], rows, device));
      continue;
    }
    told.push_back(j);
    slopes_of_told.push_back(std::move(column));
  }
  if (told.empty()) throw ModelError(std::move(problems));

  const Covariance covariance(slopes_of_told, deviation);
  const double alone = student_t_quantile(0.05, static_cast<double>(rows.size() - parameters.size())) / reached;
  std::vector<Confidence> intervals;
  for (std::size_t k = 0; k < told.size(); ++k) {
    const auto& parameter = parameters[told[k]];
    const double half = reached * covariance.deviation(k);
    if (!(half < kWidest)) {
      const std::size_t partner = told[covariance.partner_of(k)];
      problems.push_back(moves_with(parameter.name, parameters[partner].name));
    }
    const double value = value_of(parameter, device);
    intervals.push_back({around(value, half), around(value, alone * half)});
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
  return intervals;
}

}  // namespace warpipe
