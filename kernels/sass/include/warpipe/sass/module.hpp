#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

/// A file of machine code of NVIDIA GPUs, before any instruction of it is decoded.

namespace warpipe::sass {

/// A kernel parameter as machine code has it: bytes without a name or a type.
struct KernelParameter {
  std::int64_t offset = 0;  ///< bytes from the start of the parameters
  std::int64_t bytes = 0;
};

/// A number that a loader puts into code or constants: the address of a symbol, plus `addend`.
struct Relocation {
  std::uint64_t offset = 0;  ///< bytes from the start of what it is put into
  std::string symbol;
  std::int64_t addend = 0;
};

/// A variable of the file: memory of the device, or constants that the host may write.
struct Variable {
  std::string symbol;
  isa::Space space = isa::Space::Global;
  std::int64_t offset = 0;  ///< of constants: bytes from the start of their bank
  std::int64_t bytes = 0;
};

struct Kernel {
  std::string symbol;
  std::string code;  ///< 16 bytes an instruction
  std::int64_t registers = 0;
  std::int64_t stack = 0;           ///< bytes of a thread
  std::int64_t shared_memory = 0;   ///< static bytes of a group, what the system reserves not counted
  std::int64_t parameter_base = 0;  ///< where parameters begin in constant bank 0
  std::vector<KernelParameter> parameters;
  std::optional<isa::Dimensions> required_block, most_block;
  std::map<std::uint64_t, isa::SourceLine> lines;                    ///< from an address on
  std::map<unsigned, std::string> constants;                         ///< by bank, but for bank 0
  std::map<std::uint64_t, std::string> functions;                    ///< in the code, by address: what it calls
  std::vector<Relocation> relocations;                               ///< of the code
  std::map<unsigned, std::vector<Relocation>> constant_relocations;  ///< by bank
};

struct Module {
  std::string file;                              ///< for messages
  std::string target;                            ///< "sm_80"
  int architecture = 0;                          ///< 80
  std::string compiler;                          ///< "ptxas 13.0"; empty where the file does not say
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::vector<Variable> variables;
  std::vector<Kernel> kernels;

  /// @throws InputError where no kernel or several fit the name, see isa::find_symbol
  const Kernel& find(const std::string& name) const;
};

}  // namespace warpipe::sass
