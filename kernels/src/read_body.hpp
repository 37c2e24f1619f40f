#pragma once

#include <vector>

#include "read_instruction.hpp"

namespace warpipe {

/// Reads the kernel's body, and the bodies in it; problems go to the context.
/// @param node          a body
/// @param instructions  takes the instructions in program order
/// @return              its items in program order
/// @source formats, "Kernel (an IDG)"
std::vector<Item> read_body(const JsonNode& node, const BodyContext& context, std::vector<Instruction>& instructions);

}  // namespace warpipe
