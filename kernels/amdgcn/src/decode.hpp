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

/// A kernel that was decoded.
struct Decoded {
  isa::Program program;
  std::vector<std::uint32_t> text_of;    ///< by instruction of the program: of the kernel; none of what the launch does
  std::vector<isa::Assumption> assumed;  ///< opcodes that were left out
  std::vector<std::string> skipped;      ///< the same, and those that the user left out, for the report
  std::vector<std::string> notes;
  int grid_axes = 0, block_axes = 0;  ///< along which it looks where threads and groups are
};

inline constexpr std::uint32_t kOfLaunch = UINT32_MAX;  ///< in text_of

Decoded decode_kernel(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering);

/// By instruction: why it cannot be decoded; empty where it can.
std::vector<std::string> problems_of(const Module& module, const KernelText& kernel);

/// Registers of a thread: what the file says, or what the text names.
std::int64_t registers_of(const Module& module, const KernelText& kernel);

}  // namespace warpipe::amdgcn
