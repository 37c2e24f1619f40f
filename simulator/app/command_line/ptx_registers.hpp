#pragma once

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "warpipe/code/module.hpp"

namespace warpipe::app {

/// Sets the registers of a thread from --registers, from what `ptxas -v` printed (--ptxas-log), or by running ptxas
/// (--ptxas: the one of PTXAS, else of the path, else of /usr/local/cuda/bin). Leaves them to be estimated where none
/// is given.
/// @throws UsageError for more than one of them; InputError for a log without the entry, or a ptxas that fails
void read_registers(const Arguments& arguments, const code::Module& module, const TextFile& file,
                    isa::ImportOptions& options);

}  // namespace warpipe::app
