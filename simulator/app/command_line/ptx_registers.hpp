#pragma once

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "warpipe/code/module.hpp"

namespace warpipe::app {

/// Sets the registers of a thread from --registers, from the output of `ptxas -v` (--ptxas-log), or by running ptxas
/// (--ptxas: the program of PTXAS, else of the path, else of /usr/local/cuda/bin). Leaves them to be estimated where
/// none is given.
/// @throws UsageError for several of them; InputError for a log without the entry, or a ptxas that fails
void read_registers(const Arguments& arguments, const code::Module& module, const TextFile& file,
                    isa::ImportOptions& options);

}  // namespace warpipe::app
