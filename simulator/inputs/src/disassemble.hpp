#pragma once

#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// The listing of a code object of AMD, with its metadata before it, by the llvm-objdump of the PATH.
/// @param file    a code object, or a bundle or host object that holds one
/// @param device  "gfx942": of several code objects that for it counts, else the first
/// @throws InputError where there is no llvm-objdump, it fails, or the file holds no code of AMD
TextFile disassembled(const TextFile& file, const std::string& device);

}  // namespace warpipe
