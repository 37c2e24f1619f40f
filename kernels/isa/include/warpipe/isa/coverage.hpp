#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

namespace warpipe::isa {

/// A register read or written by an instruction while an earlier instruction may still be about to write it. In working
/// code, such places mean a wrong decoder.
struct CoverageGap {
  std::uint32_t instruction = 0;  ///< reads or writes the register
  std::uint32_t producer = 0;     ///< raised the counter, and writes the register
  std::uint32_t reg = 0;
  std::uint8_t counter = 0;
  bool overwrites = false;  ///< `instruction` writes the register, and does not read it
  auto operator<=>(const CoverageGap&) const = default;
};

/// Checks the uses of registers written by instructions with a counter: on all ways through the program, each use must
/// stand behind a wait for the write. Counters are queues as for waited_for. An instruction may overwrite a result of
/// an earlier instruction on the same queue.
/// @return the uncovered uses, ascending, each once
/// @complexity instructions x (pending instructions x the largest pending number of a wait), times the depth of the
///             loop nest
std::vector<CoverageGap> check_coverage(const Program& program, const ControlFlow& flow);

/// The number of pairs checked by check_coverage: an instruction with a counter, and a reader of its result.
std::size_t awaited_uses(const Program& program, const ControlFlow& flow);

/// "line 12, s_waitcnt ...: reads v5 while global_load_dword on line 9 may be about to write it".
std::string text_of(const CoverageGap& gap, const Program& program);

}  // namespace warpipe::isa
