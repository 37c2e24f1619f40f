#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/ptx/control_flow.hpp"
#include "warpipe/ptx/schedule.hpp"

namespace warpipe::ptx {

/// Which instructions may have written what an instruction reads.
class ReachingDefinitions {
 public:
  /// @throws InputError for a routine of more than 10^9 (writes x blocks)
  /// @complexity blocks x writes / 64, times the depth of the loop nest
  ReachingDefinitions(const Routine& routine, const ControlFlow& flow);

  /// @return the writers of `reg` that reach `instruction`, in the order of the text; empty where nothing wrote it
  std::vector<std::uint32_t> writers(std::uint32_t instruction, std::uint32_t reg) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  void solve();
  const Routine& routine_;
  const ControlFlow& flow_;
  std::vector<std::uint32_t> writes_;                    ///< instructions that write a register, one entry a register
  std::vector<std::uint32_t> written_;                   ///< the register, alike
  std::vector<std::vector<std::uint32_t>> of_register_;  ///< indices into writes_
  std::vector<std::uint32_t> first_of_block_;            ///< index into writes_ of a block's first; one more at the end
  std::vector<Bits> entering_;                           ///< by block
};

/// The most 32-bit registers that hold a value at one time; predicates, and parts of a register pair that are not used,
/// apart.
/// @param schedule  the order in which a block's instructions are issued: what is loaded early lives longer
/// @param free  registers that do not count: they hold operands, not values
/// @source liveness: backward dataflow to a fixed point
std::int64_t most_live_registers(const Routine& routine, const ControlFlow& flow, const Schedule& schedule,
                                 const std::vector<bool>& free);

}  // namespace warpipe::ptx
