#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/launch.hpp"

namespace warpipe::ptx {

using isa::ArrayValues;
using isa::Dimensions;

struct PtxLaunch : isa::Launch {
  std::int64_t warp_size = 32;  ///< lanes, at most 64
};

/// Reads the names of a kernel's parameters from its source in CUDA C++.
/// @return in order; empty where the text holds no such kernel
std::vector<std::string> parameter_names(std::string_view source, std::string_view entry);

}  // namespace warpipe::ptx
