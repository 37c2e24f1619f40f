#pragma once

#include <cstdint>
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
    std::string name;         ///< in the source; empty where it is not known
    std::string declaration;  ///< in the source: "const float* x"; empty where it is not known
    std::int64_t offset = 0;  ///< bytes from the start of the parameters
    std::int64_t bytes = 0;
  };
  std::string symbol;
  std::string place;                  ///< in the source: "saxpy.cu:6"; empty where it is not known
  std::vector<Parameter> parameters;  ///< in order
  std::optional<Dimensions> required_block, most_block;
  std::optional<std::int64_t> most_registers;  ///< of a thread
  std::optional<std::int64_t> least_groups;    ///< on a unit
  std::optional<std::int64_t> registers;       ///< of a thread, where machine code says it
  std::string problem;                         ///< why it cannot be read; empty where it can
  int block_axes = 1, grid_axes = 1;           ///< how many axes of thread and group indices it looks at
};

/// The size of a group that an entry is compiled for.
struct CompiledBlock {
  Dimensions sizes{1, 1, 1};
  std::string from;  ///< where the file says so: ".reqntid", ".maxntid"
};

}  // namespace warpipe::isa
