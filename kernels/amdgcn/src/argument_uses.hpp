#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::amdgcn {

/// What a kernel does with the 32-bit words of its arguments, which are named by the byte where they begin.
struct ArgumentUses {
  std::set<std::int64_t> read;    ///< by any instruction but those that copy
  std::set<std::int64_t> wide;    ///< the lower ones of two that are used as one number of 64 bits
  std::set<std::int64_t> halved;  ///< of which some reader takes one half
};

/// Follows words through copies and choices, in scalar and vector registers, one by one: the halves of a pointer may be
/// anywhere until they are used as one.
/// @param loads  instructions that load words of the arguments, and the first byte that each loads
ArgumentUses find_argument_uses(const isa::Program& program, const isa::ControlFlow& flow,
                                const std::map<std::uint32_t, std::int64_t>& loads);

/// The arguments of a kernel whose file does not say them, in order: numbers of 32 and 64 bits, and behind them what
/// the runtime passes, which a packed size of the block gives away.
/// @source LLVM, User Guide for AMDGPU Backend: code object V5 metadata, hidden arguments
std::vector<KernelArgument> guess_arguments(const ArgumentUses& uses);

}  // namespace warpipe::amdgcn
