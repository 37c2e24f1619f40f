#pragma once

#include <cstdint>

#include "arguments.hpp"
#include "data_files.hpp"

namespace warpipe::app {

/// The KERNEL and the DEVICE of a command line.
struct Inputs {
  Kernel kernel;
  Device device;
};

/// Reads the KERNEL; a PTX file is imported for warps of that many lanes.
Kernel read_kernel(const Arguments& arguments, const DataFiles& files, std::int64_t warp_size = 32);

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError where one is not given or both are standard input; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
