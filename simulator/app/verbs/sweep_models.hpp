#pragma once

#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "warpipe/sweep/sweep_models.hpp"

namespace warpipe::app {

/// The kernels and devices named by a command line for a sweep.
struct NamedModels {
  SweepModels models;
  std::string texts;  ///< of the kernels' files
};

/// Reads KERNEL or the values of `--vary kernel=`, and --device or the values of `--vary device=`. A kernel is named as
/// KERNEL is; FILE:ENTRY is an entry of a file of code; --entry names it for all without.
/// @throws UsageError where a kernel or device is named in no way or in both, and for options that suit none of the
///                    kernels; InputError for wrong names and files
NamedModels read_sweep_models(const Arguments& arguments, const DataFiles& files);

}  // namespace warpipe::app
