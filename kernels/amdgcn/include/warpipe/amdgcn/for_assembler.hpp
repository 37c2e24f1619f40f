#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {

/// The first line of a text from which only an assembler can make instructions.
struct ForAssembler {
  std::uint32_t line = 0;
  std::string text;    ///< ".macro LOAD dst"
  std::string target;  ///< what the text is for, as -mcpu takes it: "gfx90a:xnack-"; empty where it does not say it
};

/// Looks for macros, repetitions, conditions, and instructions that use a symbol that was given a value.
/// @param file  for messages
/// @return nothing where the text can be read as it is
/// @throws InputError where there are some, and the target is one that is not known
/// @complexity bytes of the text
std::optional<ForAssembler> for_assembler(std::string_view text, const std::string& file);

/// That such a text is not read, and how it is assembled.
Diagnostic to_be_assembled(const ForAssembler& found, const std::string& file);

}  // namespace warpipe::amdgcn
