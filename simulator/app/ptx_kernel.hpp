#pragma once

#include "arguments.hpp"
#include "data_files.hpp"
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

/// Imports the entry of a PTX file.
/// @param warp_size  lanes of a warp of the device
/// @throws UsageError, InputError as import_ptx; InputError where a file that an option names cannot be read or is
/// wrong
ptx::Import import_kernel(const TextFile& file, const Arguments& arguments, std::int64_t warp_size = 32);

}  // namespace warpipe::app
