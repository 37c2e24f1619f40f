#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// Whether a text is AMD GPU assembly, or a listing that a disassembler made of AMD GPU code.
bool is_assembly(std::string_view text);

/// Reads what `clang -S` writes, or what `llvm-objdump -d` prints.
/// @param file  for messages
/// @throws InputError, with the line, for what is no instruction or directive, a target that is not known, a file
///                    without a kernel
/// @complexity  bytes of the text
Module read_assembly(std::string_view text, std::string file);

/// The same of a code object: its listing, and the note that holds its metadata, as the text would have it.
/// @param metadata  an object with "amdhsa.kernels" and "amdhsa.target"
Module read_assembly(std::string_view text, std::string file, const nlohmann::json& metadata);

}  // namespace warpipe::amdgcn
