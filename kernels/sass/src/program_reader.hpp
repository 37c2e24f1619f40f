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

/// A kernel in the neutral form, and its machine code.
struct ReadKernel {
  isa::Program program;
  std::vector<Decoded> decoded;        ///< by instruction of the program
  std::vector<std::uint32_t> unknown;  ///< instructions with unknown opcodes
  std::size_t calls = 0;               ///< inlined
  bool guesses_shapes = false;         ///< of matrix products
  std::size_t textures = 0;            ///< instructions for textures and surfaces
  /// Calls of functions without code in the file, which are left out, by name.
  std::map<std::string, std::size_t> left_out = {};
};

/// Decodes the code of a kernel that its entry reaches, with calls inlined and jump tables as chains of branches.
/// @throws InputError with the address for code that runs over its end, calls itself or jumps to an unknown place
ReadKernel read_kernel(const Module& module, const Kernel& kernel);

/// The ops of an instruction in the vocabulary of graphs.
std::vector<std::string> ops_of(const Decoded& decoded);

/// "saxpy.cubin: saxpy+0x120".
std::string place_of(const Module& module, const Kernel& kernel, std::uint64_t address);
/// The number of an instruction, from 1: it serves as the line.
constexpr std::uint32_t line_of(std::uint64_t address) { return static_cast<std::uint32_t>(address / 16 + 1); }

std::optional<isa::SourceLine> source_at(const Kernel& kernel, std::uint64_t address);

}  // namespace warpipe::sass
