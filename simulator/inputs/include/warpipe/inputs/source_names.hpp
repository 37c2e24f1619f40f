#pragma once

#include <string>
#include <vector>

#include "warpipe/inputs/text_file.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe {

/// PTX does not keep the names of parameters. They are read from the source that its `.file` lines name, or from that
/// which it was compiled from, if that is there.
/// @return in order; empty where they are not found
/// @param before  called with the path of the source that they are in
std::vector<ptx::SourceParameter> source_parameters(const ptx::Module& module, const ptx::Function& entry,
                                                    const TextFile& file, const BeforeReading& before = {});

/// Where an entry stands in its source: "saxpy.cu:6"; empty where the PTX does not tell.
std::string source_place(const ptx::Module& module, const ptx::Function& entry);

}  // namespace warpipe
