#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// Which stores may have written what a load reads from memory of the group or of the thread. Loads by generic
/// addresses count where the program makes such addresses of that memory; others reach global memory.
class MemoryFlow {
 public:
  explicit MemoryFlow(const Program& program);

  /// In the order of the text; none for what reads other memory, or does not load.
  std::vector<std::uint32_t> writers(const Instruction& load) const;

 private:
  struct Write {
    std::uint32_t instruction;
    Space space;
  };
  std::vector<Write> writes_;
  bool generic_ = false;  ///< generic addresses lead there
};

/// Whether an instruction may write to memory of the group or of the thread, in lanes.
bool writes_near_memory(const Instruction& instruction);

}  // namespace warpipe::isa
