#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// A kernel of a file, of any language, before anything is said of its launch.
struct Entry {
  struct Parameter {
    std::string type;         ///< as the file has it: ".u32", ".b8[24]", "global_buffer"
    std::string symbol;       ///< its name in the file; may be empty
    std::string name;         ///< in the source; empty where not known
    std::string declaration;  ///< in the source: "const float* x"; empty where not known
    std::int64_t offset = 0;  ///< bytes from the start of the parameters
    std::int64_t bytes = 0;
  };
  std::string symbol;
  std::string source;                 ///< the file of most of its instructions; empty where not known
  std::uint32_t source_line = 0;      ///< the first line of its instructions there
  std::vector<std::string> sources;   ///< the files of all of its instructions
  std::vector<Parameter> parameters;  ///< in order
  std::optional<Dimensions> required_block;
  std::optional<Dimensions> most_block;        ///< whose product is the limit
  std::string block_directive;                 ///< the directive behind one of these: ".reqntid"
  std::optional<std::int64_t> most_registers;  ///< of a thread
  std::optional<std::int64_t> least_groups;    ///< on a unit
  std::optional<std::int64_t> registers;       ///< of a thread, where given by machine code
  std::optional<std::int64_t> stack_bytes;     ///< of a thread, likewise: arrays outside of registers, spills
  std::string problem;                         ///< why it cannot be read; empty where it can
  int block_axes = 0, grid_axes = 0;  ///< the axes, from x on, along which it reads the places of threads and groups
};

/// The size of a group that an entry is compiled for: the required size, or the largest allowed size.
/// @return nothing for an entry without either, or with more threads than a group can have
std::optional<Dimensions> compiled_block(const Entry& entry);

/// Whether an entry comes from headers alone, like kernels launched by libraries; false for unknown sources.
bool is_of_header(const Entry& entry);

/// @param instructions  of an entry, by the number of their file
/// @param names         of files by their numbers
/// @return              the names of the files with instructions
std::vector<std::string> names_of_files(const std::map<std::uint32_t, std::size_t>& instructions,
                                        const std::map<std::uint32_t, std::string>& names);

/// An entry's place in its source: "saxpy.cu:6"; empty where not known.
std::string source_place(const Entry& entry);

}  // namespace warpipe::isa
