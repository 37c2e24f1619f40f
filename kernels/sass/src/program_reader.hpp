#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "decode.hpp"
#include "warpipe/isa/dataflow.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// A kernel in the form of no language, and the machine code that it is from.
struct ReadKernel {
  isa::Program program;
  std::vector<Decoded> decoded;        ///< by instruction of the program
  std::vector<std::uint32_t> unknown;  ///< instructions whose opcodes are not known
  std::size_t calls = 0;               ///< that were inlined
  bool takes_fast_divisions = false;   ///< slow paths of divisions count as never taken
  bool guesses_shapes = false;         ///< of matrix products
  std::size_t textures = 0;            ///< instructions that reach textures and surfaces
  /// Calls of functions whose code is not in the file, which are left out, by name.
  std::map<std::string, std::size_t> left_out = {};
};

/// Decodes the code of a kernel that its entry reaches, with calls inlined and jump tables as chains of branches.
/// @throws InputError with the address for code that runs over its end, calls itself or jumps to where nobody knows
ReadKernel read_kernel(const Module& module, const Kernel& kernel);

/// What an instruction is in the vocabulary of graphs.
std::vector<std::string> ops_of(const Decoded& decoded);

/// "saxpy.cubin: saxpy+0x120".
std::string place_of(const Module& module, const Kernel& kernel, std::uint64_t address);
/// The number of an instruction, from 1: what takes the place of a line.
constexpr std::uint32_t line_of(std::uint64_t address) { return static_cast<std::uint32_t>(address / 16 + 1); }

std::optional<isa::SourceLine> source_at(const Kernel& kernel, std::uint64_t address);

}  // namespace warpipe::sass
