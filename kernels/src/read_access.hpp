#pragma once

#include "read_instruction.hpp"

namespace warpipe {

/// Reads the addresses of the lanes of a warp; problems go to the context.
/// @param context  with the loops around the instruction
/// @source formats, "Access"
AccessPattern read_access(const JsonNode& node, const BodyContext& context);

}  // namespace warpipe
