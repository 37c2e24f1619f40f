#pragma once

#include <string>
#include <vector>

#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// A source and the files that it includes, each once, the source first: from the folder of the including file, and
/// from folders named by the compiler flags `-I` and `-isystem`. Conditions are not evaluated; headers of the compiler
/// itself, and names made by macros, are left out.
/// @param flags  of the compiler, a word each
/// @throws as read_file of the source
std::vector<TextFile> source_files(const std::string& source, const std::vector<std::string>& flags,
                                   const BeforeReading& before = {});

}  // namespace warpipe
