#pragma once

#include <cstdint>

/// What the operators of neural networks and linear algebra cost: operations, bytes, arithmetic intensity.

namespace warpipe {

/// Of a whole operator; every operand is read once times its factor, every result written once.
struct OperatorCost {
  double operations = 0;
  double bytes = 0;
};

/// @return operations / bytes; 0 where nothing is moved
double intensity(const OperatorCost& cost);

/// C (m x n) = A (m x k) B (k x n), `batch` times: 2 m n k operations.
struct MatrixMultiply {
  double m = 1, n = 1, k = 1, batch = 1;
  double element_bytes = 4;
  double reread_a = 1, reread_b = 1;  ///< how often an operand comes from memory
};
OperatorCost cost_of(const MatrixMultiply& multiply);

/// One direction of a convolution.
struct ConvolutionAxis {
  std::int64_t input = 1;  ///< >= 1
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;  ///< on each side
  std::int64_t dilation = 1;
};
/// @return floor((input + 2 padding - dilation (kernel - 1) - 1) / stride) + 1; 0 where the kernel does not fit
std::int64_t output_size(const ConvolutionAxis& axis);

/// Two-dimensional; each output is a sum over (channels / groups) x kernel height x kernel width products.
struct Convolution {
  std::int64_t batch = 1, channels = 1, filters = 1;
  std::int64_t groups = 1;  ///< divides channels and filters
  ConvolutionAxis height, width;
  double element_bytes = 4;
  double reread_input = 1, reread_weights = 1;
};
OperatorCost cost_of(const Convolution& convolution);

/// The same operations on every element of some operands.
struct ElementWise {
  double elements = 1;
  double inputs = 1, outputs = 1;  ///< operands of that many elements
  double operations_per_element = 1;
  double element_bytes = 4;
};
OperatorCost cost_of(const ElementWise& work);

/// Many elements to few: one operation for each that disappears.
struct Reduction {
  double elements = 1;
  double results = 1;  ///< <= elements
  double operations_per_element = 1;
  double element_bytes = 4;
};
OperatorCost cost_of(const Reduction& reduction);

}  // namespace warpipe
