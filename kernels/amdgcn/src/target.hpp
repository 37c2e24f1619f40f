#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {

/// A target: the differences between GPUs.
struct Target {
  std::string_view name;       ///< "gfx942"
  std::string_view title;      ///< "CDNA 3"
  int lanes = 64;              ///< of a wave, unless a file says it
  bool packed_index = false;   ///< the thread's indices are ten bits each of v0
  bool store_counter = false;  ///< stores have a counter of their own
  bool null_is_124 = false;    ///< else 125; m0 has the other number
  bool fast_single = false;    ///< products of matrices with one block of 16 or 8 bits are faster than with several
  int vector_granule = 8;      ///< registers are allocated in multiples of it
  int scalar_registers = 102;  ///< nameable in code
};

/// The target of a GPU, or of a GPU with the same instructions: gfx1100 for gfx1101.
/// @return null for an unknown name
const Target* find_target(std::string_view name);
/// Whether a GPU lacks an instruction of the target it is read as.
bool lacks(std::string_view target, std::string_view instruction);
/// The message that code for a GPU cannot be read, with the targets to compile for instead.
Diagnostic unknown_target(const std::string& file, const std::string& target);
/// The target of a listing, as far as its instructions tell.
std::string_view guess_target(const std::vector<KernelText>& kernels);

}  // namespace warpipe::amdgcn
