#pragma once

#include <optional>
#include <string>

#include "warpipe/amdgcn/module.hpp"

/// Which lane each lane reads, as text for parse_semantics: of `lane`, its number.

namespace warpipe::amdgcn {

/// What DPP says of the first source.
struct LanePattern {
  std::string from;              ///< a number beyond the wave where there is none
  std::string takes_part;        ///< a truth: by the masks of rows and banks; empty: all lanes do
  bool zero_where_none = false;  ///< else such lanes keep what they have
};
/// @return nothing where it is not known
std::optional<LanePattern> dpp_pattern(const TextInstruction& instruction);

/// What ds_swizzle_b32 says by its offset.
std::optional<std::string> swizzle_pattern(const TextInstruction& instruction);

}  // namespace warpipe::amdgcn
