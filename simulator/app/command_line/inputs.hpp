#pragma once

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"

namespace warpipe::app {

/// The kernel and the device that a command line names.
struct Inputs {
  Kernel kernel;
  Device device;
};

struct Verb;

/// Makes sure that only one input of a command line is standard input.
/// @throws UsageError if two inputs are `-`
void check_standard_input(const Arguments& arguments, const Verb& verb);

/// Reads the KERNEL. PTX, known by its ending or its text, is imported, and CUDA source compiled before.
/// @param device  that it is for; may be null
Kernel read_kernel(const Arguments& arguments, const DataFiles& files, const Device* device);

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError if one of them is not given; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
