#pragma once

#include "warpipe/code/module.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// PTX and NVIDIA's machine code do not keep the names of parameters. They are read from the source named in the file,
/// or from the source of its compilation, if it is there.
/// @return the entry, with the names and declarations of its parameters where they are found
/// @param before  called with the path of this source
isa::Entry with_source_names(isa::Entry entry, const code::Module& module, const TextFile& file,
                             const BeforeReading& before = {});

}  // namespace warpipe
