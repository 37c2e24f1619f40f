#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

/// A file of machine code of NVIDIA GPUs, before any instruction in it is decoded.

namespace warpipe::sass {

/// A kernel parameter as machine code has it: bytes without a name or a type.
struct KernelParameter {
  std::int64_t offset = 0;  ///< bytes from the start of the parameters
  std::int64_t bytes = 0;
};

/// A number put into code or constants by a loader: the address of a symbol, plus `addend`.
struct Relocation {
  std::uint64_t offset = 0;  ///< bytes from the start of the code or the constants
  std::string symbol;
  std::int64_t addend = 0;
};

/// A variable of the file: memory of the device, or constants open to writes of the host.
struct Variable {
  std::string symbol;
  isa::Space space = isa::Space::Global;
  std::int64_t offset = 0;  ///< of constants: bytes from the start of their bank
  std::int64_t bytes = 0;
};

struct Kernel {
  std::string symbol;
  std::string code;  ///< 16 bytes per instruction
  std::int64_t registers = 0;
  std::int64_t stack = 0;           ///< bytes of a thread
  std::int64_t shared_memory = 0;   ///< static bytes of a group, without the system's reserve
  std::int64_t parameter_base = 0;  ///< where parameters begin in constant bank 0
  std::vector<KernelParameter> parameters;
  std::optional<isa::Dimensions> required_block, most_block;
  std::map<std::uint64_t, isa::SourceLine> lines;                    ///< from an address on
  std::map<unsigned, std::string> constants;                         ///< by bank, but for bank 0
  std::map<std::uint64_t, std::string> functions;                    ///< in the code, by address: the called functions
  std::vector<Relocation> relocations;                               ///< of the code
  std::map<unsigned, std::vector<Relocation>> constant_relocations;  ///< by bank
};

struct Module {
  std::string file;                              ///< for messages
  std::string target;                            ///< "sm_80"
  int architecture = 0;                          ///< 80
  std::string compiler;                          ///< "ptxas 13.0"; empty where unknown
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::vector<Variable> variables;
  std::vector<Kernel> kernels;

  /// @throws InputError where no kernel or several fit the name, see isa::find_symbol
  const Kernel& find(const std::string& name) const;
};

}  // namespace warpipe::sass
