#pragma once

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "warpipe/ptx/import.hpp"

namespace warpipe::app {

/// @return whether a KERNEL is PTX: by its ending, else (standard input, a pipe) by its text, which begins with a
///         directive or a comment
bool is_ptx(const TextFile& kernel);

/// The launch and the rules with which a PTX file becomes a kernel.
OptionTable ptx_option_table();

/// Refuses the options of ptx_option_table for a KERNEL that is no PTX file, and launch options that contradict them
/// for one that is.
/// @throws UsageError
void check_ptx_options(const Arguments& arguments, const TextFile& kernel);
/// Likewise for a file that is known to be no PTX.
void check_ptx_options(const Arguments& arguments, const std::string& other);

/// A PTX file that has been read, and what the command line says of its import.
struct PtxSource {
  ptx::Module module;
  ptx::ImportOptions options;
};

/// @param warp_size  lanes of a warp of the device
/// @throws UsageError, InputError where the file, an option or a file that one names is wrong
PtxSource read_ptx_source(const TextFile& file, const Arguments& arguments, std::int64_t warp_size = 32);

/// Imports the entry of a PTX file.
/// @throws as read_ptx_source and import_ptx
ptx::Import import_kernel(const TextFile& file, const Arguments& arguments, std::int64_t warp_size = 32);

}  // namespace warpipe::app
