#pragma once

#include <string>

#include "arguments.hpp"
#include "warpipe/ptx/import.hpp"

namespace warpipe::app {

/// @return whether a KERNEL is a PTX file, by its ending
bool is_ptx(const std::string& kernel);

/// The launch and the rules with which a PTX file becomes a kernel.
OptionTable ptx_option_table();

/// Refuses the options of ptx_option_table for a KERNEL that is no PTX file, and launch options that contradict them
/// for one that is.
/// @throws UsageError
void check_ptx_options(const Arguments& arguments, const std::string& kernel);

/// Reads a PTX file and imports its entry.
/// @param warp_size  lanes of a warp of the device
/// @throws UsageError, InputError as import_ptx; InputError where a file that an option names cannot be read or is
/// wrong
ptx::Import import_kernel(const std::string& path, const Arguments& arguments, std::int64_t warp_size = 32);

}  // namespace warpipe::app
