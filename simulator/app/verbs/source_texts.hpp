#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/views/source_view.hpp"

namespace warpipe::app {

/// The files that the lines of a kernel's instructions name, as far as they are at hand: the file that was given, and
/// those in its folder.
/// @param given  KERNEL of the command line
std::vector<SourceText> source_texts(const Kernel& kernel, const std::string& given);

}  // namespace warpipe::app
