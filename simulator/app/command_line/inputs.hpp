#pragma once

#include <optional>
#include <utility>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "command_line/imported_kernel.hpp"

namespace warpipe::app {

/// The kernel and the device named by a command line.
struct Inputs {
  Kernel kernel;
  Device device;
};

/// A kernel, and the source of its import.
struct ReadKernel {
  Kernel kernel;
  std::optional<ImportSource> source;  ///< nothing where it was not imported
  isa::ImportReport report;
};

struct Verb;

/// Makes sure that only one input of a command line is standard input.
/// @throws UsageError if two inputs are `-`
void check_standard_input(const Arguments& arguments, const Verb& verb);

/// Reads the KERNEL. PTX, known by its ending or its text, is imported, and CUDA source compiled before.
/// @param device  the kernel's device; may be null
Kernel read_kernel(const Arguments& arguments, const DataFiles& files, const Device* device);

/// Likewise; prints no findings.
ReadKernel read_kernel_and_import(const Arguments& arguments, const DataFiles& files, const Device* device);

/// As read_inputs; prints no findings.
std::pair<ReadKernel, Device> read_imported_inputs(const Arguments& arguments);

/// Reads `KERNEL --device DEVICE`.
/// @throws UsageError if either is missing; InputError as DataFiles
Inputs read_inputs(const Arguments& arguments);

}  // namespace warpipe::app
