#include "stride.hpp"

#include <cmath>
#include <cstddef>

namespace warpipe {
namespace {

/// The first waves: one in so many.
constexpr std::size_t kWavesOfStart = 8;

/// The standard errors of a slope that hold it in 19 of 20 cases: about Student's t.
double standard_errors(std::size_t values) { return 2 + 4.6 / static_cast<double>(values - 2); }

}  // namespace

EvenGrowth even_growth(std::span<const StepValue> values) {
  const auto n = static_cast<double>(values.size());
  StepValue mean;
  for (const StepValue& each : values) mean = {mean.step + each.step / n, mean.value + each.value / n};
  double along = 0, width = 0;
  for (const StepValue& each : values) {
    along += (each.step - mean.step) * (each.value - mean.value);
    width += (each.step - mean.step) * (each.step - mean.step);
  }
  EvenGrowth growth{.per_step = along / width};
  for (const StepValue& each : values) {
    const double rest = each.value - mean.value - growth.per_step * (each.step - mean.step);
    growth.squares += rest * rest;
  }
  growth.error = std::sqrt(growth.squares / (n - 2) / width);
  return growth;
}

Stride stride_of(std::span<const StepValue> waves) {
  const auto steady = waves.subspan(waves.size() / kWavesOfStart);
  const std::size_t half = steady.size() / 2 + 1;  // with the wave in the middle
  const EvenGrowth late = even_growth(steady.last(half)), early = even_growth(steady.first(half));
  return {late.per_step, early.per_step, standard_errors(half) * late.error};
}

}  // namespace warpipe
