#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {

/// The first line of a text for assemblers only.
struct ForAssembler {
  std::uint32_t line = 0;
  std::string text;    ///< ".macro LOAD dst"
  std::string target;  ///< of the text, as -mcpu takes it: "gfx90a:xnack-"; empty where it has none
};

/// Looks for macros, repetitions, conditions, and instructions with an assigned symbol.
/// @param file  for messages
/// @return nothing where the text can be read as it is
/// @throws InputError where the text needs an assembler and its target is unknown
/// @complexity bytes of the text
std::optional<ForAssembler> for_assembler(std::string_view text, const std::string& file);

/// The message that the text needs an assembler, with the command to assemble it.
Diagnostic to_be_assembled(const ForAssembler& found, const std::string& file);

}  // namespace warpipe::amdgcn
