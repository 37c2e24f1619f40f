#pragma once

#include <string_view>

#include "calls.hpp"

namespace warpipe::programs {

/// How a program hands over the arguments of a launch.
struct Arguments {
  void** each = nullptr;      ///< a pointer to each of them
  std::string_view together;  ///< else, where that is not null, all as they lie in memory
};

/// Launches a kernel by what the program calls it.
/// @param call    sizes and shape; the rest is filled in here
/// @param handle  of the stream
cuda::Error launch(const void* function, LaunchCall call, const Arguments& arguments, void* handle);

LaunchCall with_sizes(cuda::Dim3 grid, cuda::Dim3 block, std::size_t shared);

/// With the shape that attributes of the launch say.
LaunchCall with_attributes(LaunchCall call, const cuda::LaunchAttribute* attributes, unsigned count);

}  // namespace warpipe::programs
