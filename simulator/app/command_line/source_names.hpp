#pragma once

#include <string>
#include <vector>

#include "command_line/data_files.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::app {

/// PTX does not keep the names of parameters. They are read from the source that its `.file` lines name, or from that
/// which it was compiled from, if that is there.
/// @return in order; empty where they are not found
/// @throws UsageError if a result would overwrite the source
std::vector<ptx::SourceParameter> source_parameters(const ptx::Module& module, const ptx::Function& entry,
                                                    const TextFile& file);

/// Where an entry stands in its source: "saxpy.cu:6"; empty where the PTX does not tell.
std::string source_place(const ptx::Module& module, const ptx::Function& entry);

}  // namespace warpipe::app
