#pragma once

#include <vector>

#include "decode.hpp"

namespace warpipe::sass {

/// Register reads: the cycles for which each instruction of a function keeps the banks of registers.
///
/// A scheduler's registers lie in two banks, even numbers in one and odd numbers in the other. A bank gives one operand
/// of a warp in a cycle. An operand kept from the same operand of the instruction before (`.reuse`) costs nothing, and
/// a number read twice by an instruction counts once. The operands of two instructions are gathered at a time: cycles
/// of a bank left free by the first serve the second.
/// @param code  in the order of its addresses
/// @return      by instruction: cycles from its issue until the next may issue, at least 1. Where they are not known
///              the number is 1: for all but arithmetic of a fixed latency (accesses, matrix products, special
///              functions)
/// @source measured on an H200: bench/validation/single_effects/registers.cu
std::vector<int> register_reads(const std::vector<Decoded>& code);

}  // namespace warpipe::sass
