#pragma once

#include <string>
#include <string_view>

#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

/// Reads a module of the PTX language, as nvcc, clang and Triton print it (versions 3.0 to 9.x).
/// @param text  the file's content
/// @param file  its name, for messages
/// @return      the module; unknown opcodes are kept, later stages ask for their meaning
/// @throws InputError  with the line, for text against the grammar, an unknown version, an undeclared register or
///                     label, or a module of more than a million instructions
/// @complexity linear in the text
/// @source PTX ISA, "Syntax" and "State spaces, types and variables"
Module read_ptx(std::string_view text, const std::string& file);

}  // namespace warpipe::ptx
