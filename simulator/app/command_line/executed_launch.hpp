#pragma once

#include "warpipe/inputs/text_file.hpp"
#include "warpipe/isa/import_options.hpp"

namespace warpipe::app {

/// Executes a launch on this machine before it is imported, so that the import follows what it loads. Arrays hold what
/// is given of them as bytes; those that nobody gives are zero, and 1 GiB long.
/// @param file  PTX
/// @throws InputError for what is not PTX, or cannot be executed; UsageError for arrays that are not given as bytes
void execute_launch(const TextFile& file, isa::ImportOptions& options);

}  // namespace warpipe::app
