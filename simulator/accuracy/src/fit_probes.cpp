#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "confidence_intervals.hpp"
#include "fit_rows.hpp"
#include "fitted_sources.hpp"
#include "probe_fit.hpp"
#include "probe_judge.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

struct Probes {
  Device start;
  std::vector<Probed> numbers;
};

/// The numbers named by rows, in the order of their first rows.
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

/// A number bounded by its rows from a single side stays at the bound only if the table's value lies beyond.
std::string end_of_range(const Probed& number, double value) {
  return fmt::format("its rows say only that it is at {} {:.4g}, which it is now",
                     value < number.start ? "most" : "least", value);
}

/// Both keep their fitted values: the table's value of either would falsify the fit of its partner.
std::string moves_with(const std::string& other) {
  return fmt::format("it moves together with {}: one larger and the other smaller fits as well; both are fitted",
                     other);
}

Untold untold(const Probed& number, std::string reason, const FitRows& rows, const Device& device) {
  return {number.parameter.name, std::move(reason), reason_for(number.parameter, rows, device).advice};
}

Interval one_sided(const Probed& number, double value) {
  const double far = std::exp(kFarthestFit);
  return value < number.start ? Interval{value / far, value} : Interval{value, value * far};
}

/// Leaves out the numbers with hardly any effect on their rows, until there is none.
/// @return the numbers left out but bounded by their rows from one side
std::vector<Probed> leave_out_idle(const FitRows& rows, ProbeFit& fit, ProbeJudge& judge, std::vector<Untold>& named,
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
    judge = ProbeJudge(rows, fit);
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
  ProbeJudge judge(rows, fit);
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
