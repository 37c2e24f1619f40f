#pragma once

#include "warpipe/amdgcn/for_assembler.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// The code object of assembly of AMD with macros, by the first clang of the PATH that assembles it.
/// @param found  the reason why the text is not read as it is
/// @throws InputError where the text does not state its target, no clang is there, or none assembles it
TextFile assembled(const TextFile& file, const amdgcn::ForAssembler& found);

}  // namespace warpipe
