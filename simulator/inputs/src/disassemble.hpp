#pragma once

#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// The listing of a code object of AMD, with its metadata before it, by the llvm-objdump of the PATH.
/// @param file    a code object, or a bundle or host object around a code object
/// @param device  "gfx942": of several code objects, the object for it counts, else the first
/// @throws InputError where there is no llvm-objdump, it fails, or the file holds no code of AMD
TextFile disassembled(const TextFile& file, const std::string& device);

}  // namespace warpipe
