#include "probe_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "covariance.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

constexpr double kLeastSlope = 0.05;       // of a row's time by its number
const double kWidestTold = std::log(1.5);  // half of the interval of a number that counts as told
constexpr double kQuantile = 1.645;        // of a normal distribution: 90 of 100 cases within

/// Whether a row can depend on a number: its kernel has the op, or goes to the memory.
bool can_depend(const Kernel& kernel, const TableParameter& parameter, const Device& device) {
  const bool of_memory = is_of_memory(parameter);
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

}  // namespace

ProbeJudge::ProbeJudge(const FitRows& rows, const ProbeFit& fit) : fit_(&fit) {
  const Vector errors = rows.errors(fit.device());
  for (const Probed& number : fit.numbers()) {
    const auto [below, above] = slopes_of(rows, fit.device(), number.parameter, errors);
    double own = 0;
    for (const std::size_t row : number.rows) own = std::max(own, std::min(std::abs(below[row]), std::abs(above[row])));
    own_slopes_.push_back(own);
    slopes_.emplace_back(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) slopes_.back()[row] = (below[row] + above[row]) / 2;
  }
}

std::vector<std::size_t> ProbeJudge::idle() const {
  std::vector<std::size_t> found;
  for (std::size_t i = own_slopes_.size(); i-- > 0;)
    if (own_slopes_[i] < kLeastSlope) found.push_back(i);
  return found;
}

std::string ProbeJudge::hardly_matters(std::size_t number) const {
  return fmt::format("its rows hardly depend on it: a tenth more or less changes them by {:.2g} %",
                     10 * own_slopes_[number]);
}

std::vector<ProbeJudge::Told> ProbeJudge::told() const {
  std::vector<Told> found;
  const Covariance covariance(slopes_, kProbeError);
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    const double value = value_of(fit_->numbers()[i].parameter, fit_->device());
    const double half = std::min(kQuantile * covariance.deviation(i), kFarthestFit);
    found.push_back({{value * std::exp(-half), value * std::exp(half)}, {}});
    if (half >= kWidestTold) found.back().partner = covariance.partner_of(i);
  }
  return found;
}

}  // namespace warpipe
