#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// Finds the stores that may have written the bytes of a load from memory of the group or of the thread. Loads by
/// generic addresses count where the program makes generic addresses of group or thread memory; other generic loads
/// reach global memory.
class MemoryFlow {
 public:
  explicit MemoryFlow(const Program& program);

  /// In the order of the text; none for a load from other memory, or another instruction.
  std::vector<std::uint32_t> writers(const Instruction& load) const;

 private:
  struct Write {
    std::uint32_t instruction;
    Space space;
  };
  std::vector<Write> writes_;
  bool generic_ = false;  ///< generic addresses lead to memory of the group or thread
};

/// Whether an instruction may write, in lanes, to memory of the group or of the thread.
bool writes_near_memory(const Instruction& instruction);

}  // namespace warpipe::isa
