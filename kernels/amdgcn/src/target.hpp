#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {

/// What differs between the targets.
struct Target {
  std::string_view name;       ///< "gfx942"
  std::string_view title;      ///< "CDNA 3"
  int lanes = 64;              ///< of a wave, where a file does not say it
  bool packed_index = false;   ///< the thread's indices are ten bits each of v0
  bool store_counter = false;  ///< stores have a counter of their own
  bool null_is_124 = false;    ///< else 125; m0 is the other one
  bool fast_single = false;  ///< products of matrices with one block of 16 or 8 bits are faster than those with several
  int vector_granule = 8;    ///< registers are given out in such numbers
  int scalar_registers = 102;  ///< that code can name
};

/// That of a GPU, or of the one whose instructions it shares: gfx1100 for gfx1101.
/// @return null for one that is not known
const Target* find_target(std::string_view name);
/// Whether a GPU lacks an instruction that the target it is read as has.
bool lacks(std::string_view target, std::string_view instruction);
/// That code for a GPU cannot be read, and what to compile for instead.
Diagnostic unknown_target(const std::string& file, const std::string& target);
/// What a listing was made for, as far as its instructions tell.
std::string_view guess_target(const std::vector<KernelText>& kernels);

}  // namespace warpipe::amdgcn
