#pragma once

#include <vector>

#include "decode.hpp"

namespace warpipe::sass {

/// Register reads: for how many cycles each instruction of a function keeps the banks of registers.
///
/// A scheduler's registers lie in two banks, even numbers in one and odd numbers in the other. A bank gives one operand
/// of a warp in a cycle, one that the same operand of the instruction before keeps (`.reuse`) costs nothing, and a
/// number that an instruction reads twice counts once. The operands of two instructions are gathered at a time: what
/// one leaves free serves the other.
/// @param code  in the order of its addresses
/// @return      by instruction: cycles from its issue until the next one may issue, at least 1. Of what is no
/// arithmetic
///              of a fixed latency (accesses, matrix products, special functions) it is not known, and 1
/// @source measured on an H200: tests/single_effects/registers.cu
std::vector<int> register_reads(const std::vector<Decoded>& code);

}  // namespace warpipe::sass
