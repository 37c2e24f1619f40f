#include "warpipe/baselines/operators.hpp"

#include <cmath>

namespace warpipe {

double intensity(const OperatorCost& cost) { return cost.bytes > 0 ? cost.operations / cost.bytes : 0; }

OperatorCost cost_of(const MatrixMultiply& of) {
  return {2 * of.m * of.n * of.k * of.batch,
          (of.reread_a * of.m * of.k + of.reread_b * of.k * of.n + of.m * of.n) * of.batch * of.element_bytes};
}

std::int64_t output_size(const ConvolutionAxis& axis) {
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };  // products of any sizes fit
  const double reach = number(axis.dilation) * (number(axis.kernel) - 1) + 1;
  const double room = number(axis.input) + 2 * number(axis.padding) - reach;
  return room < 0 ? 0 : static_cast<std::int64_t>(std::floor(room / number(axis.stride))) + 1;
}

OperatorCost cost_of(const Convolution& of) {
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  const double taps = number(of.channels) / number(of.groups) * number(of.height.kernel) * number(of.width.kernel);
  const double outputs =
      number(of.batch) * number(of.filters) * number(output_size(of.height)) * number(output_size(of.width));
  const double inputs = number(of.batch) * number(of.channels) * number(of.height.input) * number(of.width.input);
  const double weights = number(of.filters) * taps;
  return {2 * outputs * taps, (of.reread_input * inputs + of.reread_weights * weights + outputs) * of.element_bytes};
}

OperatorCost cost_of(const ElementWise& of) {
  return {of.elements * of.operations_per_element, of.elements * (of.inputs + of.outputs) * of.element_bytes};
}

OperatorCost cost_of(const Reduction& of) {
  return {(of.elements - of.results) * of.operations_per_element, (of.elements + of.results) * of.element_bytes};
}

}  // namespace warpipe
