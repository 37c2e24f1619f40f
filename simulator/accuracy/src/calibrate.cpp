#include "warpipe/accuracy/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "chain_fit.hpp"
#include "confidence_intervals.hpp"
#include "fit_rows.hpp"
#include "fitted_sources.hpp"
#include "minimize.hpp"
#include "robust_loss.hpp"
#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/device_path.hpp"

namespace warpipe {
namespace {

const double kSpread = std::log(4.0);       ///< of starts around the table's values; the search goes to 64 times them
constexpr int kDigits = 5;                  ///< of a fitted value
constexpr double kClosedFormAgrees = 1e-5;  ///< relative; milli-cycles are rounded

using Kind = TableParameter::Kind;

struct Split {
  std::vector<Measurement> fitted, held_out;
};

Split split(const std::vector<Measurement>& measurements, std::size_t hold_out) {
  Split result;
  std::map<std::string, std::size_t> seen;
  for (const Measurement& measurement : measurements) {
    const bool held = hold_out > 0 && ++seen[measurement.kernel] % hold_out == 0;
    (held ? result.held_out : result.fitted).push_back(measurement);
  }
  return result;
}

/// @return the op of a parameter, or the parameter's own name
std::string subject(const TableParameter& parameter, const Device& device) {
  return is_of_op(parameter) ? device.ops[parameter.op].name : parameter.name;
}

/// @return whether a parameter stands for a number of the device's file
bool decides(const LaunchOptions::SetNumber& set, const TableParameter& parameter, Device device) {
  const double tried = 2 * value_above_zero(parameter, device);
  set_value(parameter, tried, device);
  return value_of(parameter, with_number(device, set.name, set.value)) != tried;
}

/// A launch option would undo the values of the search.
void refuse_options_of_fitted_ops(const FitPlan& plan, const LaunchOptions& options) {
  const auto refuse = [&](const std::string& field, const std::string& name, const std::string& changed) {
    for (const TableParameter& parameter : plan.parameters) {
      if (subject(parameter, plan.start) != changed) continue;
      throw UsageError(Diagnostic{fmt::format("`{} {}`", field, name),
                                  fmt::format("`fit {}` would change the same number", parameter.name), "",
                                  "leave one of them out"});
    }
  };
  for (const auto& set : options.set_device)
    for (const TableParameter& parameter : plan.parameters)
      if (decides(set, parameter, plan.start)) refuse("set_device", set.name, subject(parameter, plan.start));
  for (const auto& set : options.set)
    for (const TableParameter& parameter : parameters_of(plan.start))
      if (parameter.name == set.name || base_name(parameter) == set.name)
        refuse("set", set.name, subject(parameter, plan.start));
  for (const auto& scale : options.scale) refuse("scale", scale.op, scale.op);
}

Device with_values(Device device, const std::vector<TableParameter>& parameters, const std::vector<double>& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) set_value(parameters[i], values[i], device);
  return device;
}

/// The values of logarithms moved by the search.
std::vector<double> from_logarithms(std::vector<double> logarithms) {
  for (double& x : logarithms) x = rounded(std::exp(x), kDigits);
  return logarithms;
}

/// The op of a fit of nothing but its constant issue and completion.
std::optional<std::size_t> only_op(const FitPlan& plan) {
  const TableParameter& first = plan.parameters.front();
  const auto fits = [&](const TableParameter& parameter) {
    return (parameter.kind == Kind::Issue || parameter.kind == Kind::Completion) && parameter.op == first.op &&
           !parameter.point;
  };
  if (!std::ranges::all_of(plan.parameters, fits)) return std::nullopt;
  return first.op;
}

std::optional<std::vector<ChainRow>> chain_rows(const FitRows& rows, const Device& device, const std::string& op,
                                                const LaunchOptions& options) {
  const Hertz clock = options.clock.value_or(device.clock);
  std::vector<ChainRow> chains;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto shape = chain_shape(rows.program(i, device));
    if (!shape || rows.kernel(i).instructions[shape->instruction].op != op) return std::nullopt;
    const auto time = measured_time(rows.measurement(i), rows.launch(i), clock);
    const bool with_launch = rows.measurement(i).includes_overhead;
    const double overhead = with_launch ? device.launch_overhead.count : 0;
    const double least = with_launch ? std::max(overhead, device.launch_interval.count) : 0;
    if (!time || time->count <= least) return std::nullopt;
    chains.push_back({*shape, (time->count - overhead) * clock.count});
  }
  return chains;
}

/// @return the values of the parameters, where all rows are plain chains and the simulation agrees with their formula
std::optional<std::vector<double>> solve_chains(const FitRows& rows, const FitPlan& plan,
                                                const LaunchOptions& options) {
  const auto index = only_op(plan);
  if (!index) return std::nullopt;
  const Op& op = plan.start.ops[*index];
  const auto chains = chain_rows(rows, plan.start, op.name, options);
  if (!chains) return std::nullopt;
  ChainLatencies known{op.issue.points.front().second, op.completion.points.front().second};
  for (const TableParameter& parameter : plan.parameters) {
    (parameter.kind == Kind::Issue ? known.issue : known.completion).reset();
  }
  const auto solved = fit_chains(*chains, known);
  if (!solved) return std::nullopt;
  std::vector<double> values;
  for (const TableParameter& parameter : plan.parameters) {
    values.push_back(rounded(parameter.kind == Kind::Issue ? *solved->issue : *solved->completion, kDigits));
  }
  const Device device = with_values(plan.start, plan.parameters, values);
  const Op& fitted = device.ops[*index];
  const auto errors = rows.errors(device);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double formula =
        chain_cycles((*chains)[i].shape, fitted.issue.points.front().second, fitted.completion.points.front().second) /
            (*chains)[i].cycles -
        1;
    if (std::abs(errors[i] - formula) > kClosedFormAgrees) return std::nullopt;
  }
  return values;
}

std::vector<double> search(const FitRows& rows, const FitPlan& plan, const Progress& progress,
                           std::size_t& simulations) {
  std::vector<double> start;
  for (const TableParameter& parameter : plan.parameters)
    start.push_back(std::log(value_above_zero(parameter, plan.start)));
  const SearchEffort effort;
  const std::size_t most = most_evaluations(start.size(), effort);
  const auto function = [&](const std::vector<double>& logarithms) {
    if (progress) progress(std::min(++simulations, most - 1), most);
    return loss(rows.errors(with_values(plan.start, plan.parameters, from_logarithms(logarithms))));
  };
  const Minimum minimum = minimize(function, start, kSpread, effort);
  if (progress) progress(most, most);
  simulations = minimum.evaluations;
  return from_logarithms(minimum.at);
}

Calibration::Errors errors(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                           const Device& before, const Device& after, const CalibrationRequest& request) {
  const auto score_on = [&](const Device& device) {
    return score(
        measurements, kernels, [&](const std::string&) { return device; }, request.launch, request.threads);
  };
  return {score_on(before), score_on(after)};
}

}  // namespace

Calibration calibrate(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels, const Device& device,
                      const CalibrationRequest& request, const Progress& progress) {
  const FitPlan plan = parse_fit(request.fit, device);
  refuse_options_of_fitted_ops(plan, request.launch);
  const Split parts = split(measurements, request.hold_out);
  const FitRows rows(parts.fitted, kernels, plan.start, request.launch, request.threads);
  const FitRows held_out(parts.held_out, kernels, plan.start, request.launch, request.threads);
  require_more_rows(rows, plan.parameters);

  Calibration result;
  const auto solved = solve_chains(rows, plan, request.launch);
  result.closed_form = solved.has_value();
  const auto values = solved ? *solved : search(rows, plan, progress, result.simulations);
  result.device = with_values(plan.start, plan.parameters, values);
  const auto intervals = confidence_intervals(rows, result.device, plan.parameters);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TableParameter& parameter = plan.parameters[i];
    result.values.push_back(
        {parameter.name, value_of(parameter, plan.start), values[i], intervals[i].together, intervals[i].alone});
  }
  result.fitted = errors(parts.fitted, kernels, device, result.device, request);
  result.held_out = errors(parts.held_out, kernels, device, result.device, request);
  put_sources(result, plan.parameters, request);
  return result;
}

}  // namespace warpipe
