#pragma once

#include <string>
#include <vector>

#include "launch_registers.hpp"
#include "target.hpp"
#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {

/// Counters of waits.
enum Counter : std::uint8_t {
  kVectorMemory = 0,
  kSharedMemory = 1,  ///< in order, of lgkmcnt
  kExports = 2,
  kScalarMemory = 3,  ///< of lgkmcnt, in any order: only a wait for all of them says something
  kStores = 4         ///< since gfx10
};

/// A decoded kernel.
struct Decoded {
  isa::Program program;
  std::vector<std::uint32_t> text_of;    ///< by instruction of the program: of the kernel; or kOfLaunch
  std::vector<isa::Assumption> assumed;  ///< opcodes left out
  std::vector<std::string> skipped;      ///< the same, and opcodes left out by the user, for the report
  std::vector<std::string> notes;
  int grid_axes = 0, block_axes = 0;  ///< the axes by which it reads indices of threads and groups
};

inline constexpr std::uint32_t kOfLaunch = UINT32_MAX;  ///< in text_of

Decoded decode_kernel(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering);

/// By instruction: the reason why it cannot be decoded; empty where it can.
std::vector<std::string> problems_of(const Module& module, const KernelText& kernel);

/// Registers per thread: from the file, or else from the names in the text.
std::int64_t registers_of(const Module& module, const KernelText& kernel);

}  // namespace warpipe::amdgcn
