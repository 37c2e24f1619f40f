#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/launch.hpp"

namespace warpipe::ptx {

using isa::ArrayValues;
using isa::Dimensions;

/// A parameter as the source declares it.
struct SourceParameter {
  std::string name;         ///< empty where it has none
  std::string declaration;  ///< "const float* __restrict__ x"
};

/// A kernel to look for in a source.
struct SoughtKernel {
  std::string symbol;                     ///< mangled or not
  std::optional<std::size_t> parameters;  ///< the number of parameters, where known
  std::uint32_t line = 0;                 ///< of the source, within its definition; 0: not known
};

/// Reads the parameters of a kernel from its source in CUDA C++, with any attributes, macros or templates around its
/// name. Only macros that declare kernels are expanded.
/// @return in order; empty where the text does not hold the kernel, or holds several and `line` does not tell them
///         apart
std::vector<SourceParameter> parameters_in_source(std::string_view source, const SoughtKernel& sought);

}  // namespace warpipe::ptx
