#pragma once

#include <cstdint>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"

namespace warpipe::app {

/// The KERNEL and the DEVICE of a command line.
struct Inputs {
  Kernel kernel;
  Device device;
};

struct Verb;

/// Holds a command line to reading standard input for one thing only.
/// @throws UsageError where two of its inputs are `-`
void check_standard_input(const Arguments& arguments, const Verb& verb);

/// Reads the KERNEL; PTX, which its ending or its text tells, is imported for warps of that many lanes.
Kernel read_kernel(const Arguments& arguments, const DataFiles& files, std::int64_t warp_size = 32);

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError where one is not given; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
