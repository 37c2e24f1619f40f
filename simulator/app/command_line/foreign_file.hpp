#pragma once

#include "command_line/data_files.hpp"

namespace warpipe::app {

/// Refuses a file of which a compiler can make one that this program reads: CUDA or HIP source, a binary.
/// @throws InputError with the command that makes it
void refuse_foreign(const TextFile& file);

}  // namespace warpipe::app
