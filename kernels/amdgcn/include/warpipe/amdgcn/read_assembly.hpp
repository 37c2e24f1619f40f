#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// Whether a text is AMD GPU assembly, or a disassembler's listing of AMD GPU code.
bool is_assembly(std::string_view text);

/// Reads the output of `clang -S` or `llvm-objdump -d`.
/// @param file  for messages
/// @throws InputError, with the line, for a line without an instruction or directive, an unknown target, a file without
///         a kernel
/// @complexity  bytes of the text
Module read_assembly(std::string_view text, std::string file);

/// Reads a code object: its listing, and the note with its metadata, in the form of the text.
/// @param metadata  an object with "amdhsa.kernels" and "amdhsa.target"
Module read_assembly(std::string_view text, std::string file, const nlohmann::json& metadata);

}  // namespace warpipe::amdgcn
