#pragma once

#include "arguments.hpp"
#include "data_files.hpp"

namespace warpipe::app {

/// The KERNEL and the DEVICE of a command line.
struct Inputs {
  Kernel kernel;
  Device device;
};

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError where one is not given or both are standard input; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
