#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::amdgcn {

/// The uses of a kernel's arguments by their 32-bit words, each named by its first byte.
struct ArgumentUses {
  std::set<std::int64_t> read;    ///< by any instruction but copies
  std::set<std::int64_t> wide;    ///< lower words of pairs used as a number of 64 bits
  std::set<std::int64_t> halved;  ///< words read by half
};

/// Finds the uses by following words through copies and choices, in scalar and vector registers, each by itself: the
/// halves of a pointer may be anywhere before they are used together.
/// @param loads  loads of words of the arguments, each with its first byte
ArgumentUses find_argument_uses(const isa::Program& program, const isa::ControlFlow& flow,
                                const std::map<std::uint32_t, std::int64_t>& loads);

/// Guesses the arguments of a kernel without a list of them in its file, in order: numbers of 32 and 64 bits, and
/// behind them the numbers of the runtime, recognised by a packed size of the block.
/// @source LLVM, User Guide for AMDGPU Backend: code object V5 metadata, hidden arguments
std::vector<KernelArgument> guess_arguments(const ArgumentUses& uses);

}  // namespace warpipe::amdgcn
