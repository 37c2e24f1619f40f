#pragma once

#include <optional>
#include <utility>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "command_line/imported_kernel.hpp"

namespace warpipe::app {

/// The kernel and the device that a command line names.
struct Inputs {
  Kernel kernel;
  Device device;
};

/// A kernel, and where it was imported from.
struct ReadKernel {
  Kernel kernel;
  std::optional<ImportSource> source;  ///< nothing where it was not
  isa::ImportReport report;
};

struct Verb;

/// Makes sure that only one input of a command line is standard input.
/// @throws UsageError if two inputs are `-`
void check_standard_input(const Arguments& arguments, const Verb& verb);

/// Reads the KERNEL. PTX, known by its ending or its text, is imported, and CUDA source compiled before.
/// @param device  that it is for; may be null
Kernel read_kernel(const Arguments& arguments, const DataFiles& files, const Device* device);

/// Likewise; says nothing of what was found.
ReadKernel read_kernel_and_import(const Arguments& arguments, const DataFiles& files, const Device* device);

/// As read_inputs; says nothing of what was found.
std::pair<ReadKernel, Device> read_imported_inputs(const Arguments& arguments);

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError if one of them is not given; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
