#pragma once

#include <optional>
#include <string>

#include "warpipe/amdgcn/module.hpp"

/// The source lane of each lane, as text for parse_semantics: a function of `lane`, its number.

namespace warpipe::amdgcn {

/// The pattern of the first source under DPP.
struct LanePattern {
  std::string from;              ///< a number beyond the wave where there is none
  std::string takes_part;        ///< a truth: by the masks of rows and banks; empty: all lanes do
  bool zero_where_none = false;  ///< else lanes without a source keep their values
};
/// @return nothing for an unknown pattern
std::optional<LanePattern> dpp_pattern(const TextInstruction& instruction);

/// The pattern of ds_swizzle_b32, from its offset.
std::optional<std::string> swizzle_pattern(const TextInstruction& instruction);

}  // namespace warpipe::amdgcn
