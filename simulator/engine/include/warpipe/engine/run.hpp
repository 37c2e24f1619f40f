#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// Whether to skip what happens again: periods of a steady state, and units that do the same as another one. The result
/// is the same. Verify plays both ways and holds one against the other.
enum class Skipping { Off, On, Verify };
/// "off", "on", "verify".
std::string to_string(Skipping leap);
std::optional<Skipping> parse_skipping(std::string_view name);

struct RunResult {
  Ticks cycles;              ///< the latest end of a group, and of a stage still draining
  std::int64_t issued = 0;   ///< warp instructions
  std::int64_t skipped = 0;  ///< of these, not played
  friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// Plays a program to its end.
/// @throws ModelError where a time or the number of instructions does not fit 64 bits
/// @throws GateError where Skipping::Verify finds a difference
/// @complexity instructions that are issued and not skipped x (issue ports + log schedulers); memory in resident warps
/// x cells
/// @source the simulation rules, 5 to 8
RunResult run(const Program& program, Skipping leap = Skipping::On);

}  // namespace warpipe
