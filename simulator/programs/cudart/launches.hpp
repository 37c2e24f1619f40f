#pragma once

#include <string_view>

#include "calls.hpp"

namespace warpipe::programs {

/// The arguments of a launch as a program hands them over.
struct Arguments {
  void** each = nullptr;      ///< a pointer to each of them
  std::string_view together;  ///< else, where not null, all as they lie in memory
};

/// Launches a kernel by the program's handle of it.
/// @param call    sizes and shape; the rest is filled in here
/// @param handle  of the stream
cuda::Error launch(const void* function, LaunchCall call, const Arguments& arguments, void* handle);

LaunchCall with_sizes(cuda::Dim3 grid, cuda::Dim3 block, std::size_t shared);

/// With the shape given by attributes of the launch.
LaunchCall with_attributes(LaunchCall call, const cuda::LaunchAttribute* attributes, unsigned count);

}  // namespace warpipe::programs
