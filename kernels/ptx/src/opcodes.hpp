#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "routine.hpp"

namespace warpipe::ptx {

/// The ops of the common vocabulary for an instruction, each after the op before it. Empty: it issues nothing.
/// Whole-number division and remainder, 64-bit products and 16-byte stores to shared memory become several; the number
/// for a division is an estimate.
/// @return nothing for an unknown opcode
std::optional<std::vector<std::string>> ops_of(const Instruction& instruction);

/// Whether an atomic of shared memory is a loop around a compare-and-swap in machine code.
/// @source ptxas 13.0 for sm_75 to sm_120: additions of floats, and all of 64 bits but exch and cas
bool retries(const Instruction& instruction);

/// An estimate of the machine instructions for an instruction of PTX, for rules on the length of a side of a branch: 0
/// for a mov; 16 for a division or a root by the rules of IEEE 754, which is a call; the number of its ops for the
/// rest; 1 for an unknown opcode.
std::size_t issued_by(const Instruction& instruction);

/// Floating-point operations of one lane; a fused multiply-add counts as two.
int flops_of(const Instruction& instruction);

/// Whether a mov makes one number of two halves, as from a bfloat16 to a float: it takes an instruction.
bool packs_halves(const Instruction& instruction);

}  // namespace warpipe::ptx
