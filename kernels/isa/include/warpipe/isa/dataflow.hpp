#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

namespace warpipe::isa {

/// The instructions whose writes may reach the reads of an instruction.
///
/// A write under a guard may leave the register as it was. A write under an explicit execution mask leaves the
/// masked-out lanes as they were: it hides earlier writes until the mask may widen.
class ReachingDefinitions {
 public:
  /// @throws InputError for a program of more than 10^9 (writes x blocks)
  /// @complexity blocks x writes / 64, times the depth of the loop nest
  ReachingDefinitions(const Program& program, const ControlFlow& flow);

  /// @return the writers of a register whose writes reach an instruction, in the order of the text; empty without any
  std::vector<std::uint32_t> writers(std::uint32_t instruction, std::uint32_t reg) const;
  /// The writers of all registers read by the instruction, each once.
  std::vector<std::uint32_t> sources(std::uint32_t instruction) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct State {
    Bits visible, hidden;
  };
  void solve();
  void write(State& state, std::uint32_t index) const;
  bool join(State& into, const State& from) const;
  const Program& program_;
  const ControlFlow& flow_;
  std::vector<std::uint32_t> writes_;                    ///< instructions with writes, one entry per written register
  std::vector<std::uint32_t> written_;                   ///< the register, alike
  std::vector<std::vector<std::uint32_t>> of_register_;  ///< indices into writes_
  std::vector<std::uint32_t> first_of_block_;  ///< index into writes_ of a block's first entry; one more at the end
  std::vector<State> entering_;                ///< by block
};

}  // namespace warpipe::isa
