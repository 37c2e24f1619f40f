#pragma once

#include <span>

/// Growth from run to run, and from wave to wave of a run, with its uncertainty.

namespace warpipe {

/// A value at a step of a series, for example the cycles of a run at its trips.
struct StepValue {
  double step = 0, value = 0;
};

/// The straight line through values, with the least squares of their distances from it.
struct EvenGrowth {
  double per_step = 0;
  double squares = 0;  ///< the sum of these squares
  double error = 0;    ///< the standard error of `per_step`
};

/// @param values  at least three, not all at the same step
EvenGrowth even_growth(std::span<const StepValue> values);

/// The growth of a value from wave to wave. The first waves count for nothing: their groups begin at once, and come
/// apart.
struct Stride {
  double late = 0, early = 0;  ///< over the second half of the other waves, and over the first half
  double chance = 0;           ///< the uncertainty of `late`, from the scatter of the waves
};

/// @param waves  at least eight
Stride stride_of(std::span<const StepValue> waves);

}  // namespace warpipe
