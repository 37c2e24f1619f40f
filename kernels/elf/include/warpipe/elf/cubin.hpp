#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/elf/line_table.hpp"
#include "warpipe/elf/object.hpp"

/// The contents of an ELF file by NVIDIA's compiler. The numbers of attributes are known from public readers and from
/// files of our own.
/// of our own.

namespace warpipe::elf {

struct CubinParameter {
  std::int64_t offset = 0;  ///< bytes from the first
  std::int64_t bytes = 0;
};

/// A bank of constants as in its section.
struct ConstantBank {
  std::string_view contents;  ///< zero in the parts filled in by the launch
  std::vector<Relocation> relocations;
};

struct CubinKernel {
  std::string name;
  std::string_view code;                   ///< 16 bytes per instruction
  std::uint32_t section = 0;               ///< of the code
  std::int64_t registers = 0;              ///< of a thread
  std::int64_t shared_bytes = 0;           ///< of a group, known at compile time
  std::int64_t stack_bytes = 0;            ///< of a thread
  std::vector<CubinParameter> parameters;  ///< in order
  std::int64_t parameters_at = 0;          ///< bytes from the start of constant bank 0 to the first parameter
  std::int64_t parameters_bytes = 0;
  std::map<unsigned, ConstantBank> constants;  ///< by number
  std::optional<std::array<std::int64_t, 3>> required_block, most_block;
  std::map<std::uint64_t, LinePlace> lines;  ///< by the address from which on they hold; may be empty
  std::vector<Relocation> relocations;       ///< of the code
};

struct Cubin {
  std::string file;
  int architecture = 0;  ///< 80
  Object object;
  std::vector<CubinKernel> kernels;              ///< in the order of the file
  std::map<std::uint32_t, std::string> sources;  ///< by LinePlace::file
  std::string compiler;                          ///< "ptxas 13.0"; empty where unknown
};

/// 80 for sm_80: bits 8 to 15 of the flags in the ABI of nvcc 13, the lowest 8 in earlier ABIs.
int architecture_of(const Object& object);

/// @param bytes  must outlive the result
/// @throws InputError for a damaged file, or a file of another machine
Cubin read_cubin(std::string_view bytes, const std::string& file);

}  // namespace warpipe::elf
