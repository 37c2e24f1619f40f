#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operands.hpp"
#include "target.hpp"
#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// The contents of registers when a wave begins.
/// @source LLVM, User Guide for AMDGPU Backend: initial kernel execution state
struct LaunchRegisters {
  std::optional<std::uint32_t> arguments, dispatch, private_buffer;  ///< the first of several scalar ones
  std::array<std::optional<std::uint32_t>, 3> group;                 ///< scalar, by axis
  std::optional<std::uint32_t> wave_offset;                          ///< of scratch memory; scalar
  int thread_axes = 1;                                               ///< whose index vector registers hold
  bool packed_index = false;
  std::uint32_t preloaded = 0;  ///< words of the arguments in scalar registers behind the rest
  std::uint32_t first_preloaded = 0, preload_offset = 0;
  std::vector<std::string> guesses;  ///< missing in the file, and taken from the registers read
};

LaunchRegisters launch_registers(const KernelText& kernel, const Target& target);

}  // namespace warpipe::amdgcn
