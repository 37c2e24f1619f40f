#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

namespace warpipe::isa {

/// A register that an instruction reads or writes while another one may still be about to write it: a decoder that
/// reads a file wrongly finds such places in code that works.
struct CoverageGap {
  std::uint32_t instruction = 0;  ///< reads or writes the register
  std::uint32_t producer = 0;     ///< raised the counter, and writes it
  std::uint32_t reg = 0;
  std::uint8_t counter = 0;
  bool overwrites = false;  ///< it writes the register, and does not read it
  auto operator<=>(const CoverageGap&) const = default;
};

/// Whether every use of a register that an instruction with a counter writes stands behind a wait that covers it, on
/// all ways through the program. Counters are queues as for waited_for. An instruction may overwrite what one before it
/// on the same queue writes.
/// @return where that is not so, ascending, each once
/// @complexity instructions x (those under way x the most that a wait lets pend), times the depth of the loop nest
std::vector<CoverageGap> check_coverage(const Program& program, const ControlFlow& flow);

/// How many pairs of an instruction that raises a counter and one that reads its result such a check looks at.
std::size_t awaited_uses(const Program& program, const ControlFlow& flow);

/// "line 12, s_waitcnt ...: reads v5 while global_load_dword on line 9 may be about to write it".
std::string text_of(const CoverageGap& gap, const Program& program);

}  // namespace warpipe::isa
