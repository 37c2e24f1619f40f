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

/// The kernel whose parameters are looked for.
struct SoughtKernel {
  std::string symbol;                     ///< mangled or not
  std::optional<std::size_t> parameters;  ///< how many it has, where that is known
  std::uint32_t line = 0;                 ///< of the source, within its definition; 0: not known
};

/// Reads the parameters of a kernel from its source in CUDA C++, whatever attributes, macros or templates stand around
/// its name. Macros that declare kernels are expanded; no other is.
/// @return in order; empty where the text holds no such kernel, or several that `line` does not tell apart
std::vector<SourceParameter> parameters_in_source(std::string_view source, const SoughtKernel& sought);

}  // namespace warpipe::ptx
