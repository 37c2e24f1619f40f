#pragma once

#include <string>
#include <vector>

#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// A source and the files that it includes, each once, the source first: from beside the file that includes them, and
/// from folders that the flags `-I` and `-isystem` of compilers name. Conditions are not looked at; headers of the
/// compiler itself, and names that macros make, are left out.
/// @param flags  of the compiler, a word each
/// @throws as read_file of the source
std::vector<TextFile> source_files(const std::string& source, const std::vector<std::string>& flags,
                                   const BeforeReading& before = {});

}  // namespace warpipe
