#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "routine.hpp"

namespace warpipe::ptx {

/// The ops of the common vocabulary that an instruction becomes, each after the one before it. Empty: it issues
/// nothing. Whole-number division and remainder, 64-bit products and 16-byte stores to shared memory become several;
/// how many of a division is an estimate.
/// @return nothing for an opcode that is not known
std::optional<std::vector<std::string>> ops_of(const Instruction& instruction);

/// Whether an atomic of shared memory is a loop around a compare-and-swap in machine code.
/// @source ptxas 13.0 for sm_75 to sm_120: additions of floats, and all of 64 bits but exch and cas
bool retries(const Instruction& instruction);

/// About how many instructions of machine code one becomes, for rules that ask how long a side of a branch is: none of
/// a mov, its ops of others, sixteen of a division or a root by the rules of IEEE 754, which is a call; one where the
/// opcode is not known.
std::size_t issued_by(const Instruction& instruction);

/// Floating-point operations that one lane does; a fused multiply-add counts as two.
int flops_of(const Instruction& instruction);

/// Whether a mov makes one number of two halves, as a bfloat16 becomes a float: that takes an instruction.
bool packs_halves(const Instruction& instruction);

}  // namespace warpipe::ptx
