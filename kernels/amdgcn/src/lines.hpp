#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// The text of a line without comments; of a listing also the content of its comment.
struct CodeLine {
  std::string_view text;                 ///< trimmed
  std::optional<std::uint64_t> address;  ///< "// 000000001E2C: ..."
  std::string_view target;               ///< "saxpy+0x78" of "<saxpy+0x78>"
};
CodeLine code_of(std::string_view line);

/// Splits an instruction into its parts.
/// @return nothing where the text is no instruction
std::optional<TextInstruction> parse_instruction(std::string_view text);

std::string_view trimmed(std::string_view text);

/// A whole number: "-12", "0x1f"; nothing else.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace warpipe::amdgcn
