#pragma once

#include "warpipe/inputs/text_file.hpp"
#include "warpipe/isa/import_options.hpp"

namespace warpipe::app {

/// Executes a launch on this machine before it is imported, so the import follows its loads. Arrays hold their given
/// bytes; arrays without are zero, and 1 GiB long.
/// @param file  PTX
/// @throws InputError for code other than PTX, or code that cannot be executed; UsageError for arrays not given as
///                    bytes
void execute_launch(const TextFile& file, isa::ImportOptions& options);

}  // namespace warpipe::app
