#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/views/source_view.hpp"

namespace warpipe::app {

/// The files named by the lines of a kernel's instructions, as far as they are at hand: the given file, and files in
/// its folder.
/// @param given  KERNEL of the command line
std::vector<SourceText> source_texts(const Kernel& kernel, const std::string& given);

}  // namespace warpipe::app
