#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lanes/interpreter.hpp"
#include "unknown/defaults.hpp"

namespace warpipe::isa {

/// A loop in which lanes try again to change a word until none has come between.
struct RetryLoop {
  std::uint32_t atomic = 0;  ///< the compare-and-swap or exchange that the end of the loop depends on
  bool passes_on = false;    ///< an exchange that hands on what it found there before: as good as each one succeeds
};

/// How often a lane tries, and why.
struct Tries {
  std::int64_t count = 1;
  std::string why;
};
/// Trips of a loop in which a lane tries so often; and the share of the lanes that try again, where it is the execution
/// mask that says it.
Default trips_of(const Tries& tries);
Default share_of(const Tries& tries);

/// @param reader, range  what says whether a lane tries again, and the registers that it tells it by
/// @return nothing where the end of the loop depends on no such instruction, or where the loop moves its address, as a
///         search in a hash table does
std::optional<RetryLoop> find_retry_loop(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t reader,
                                         const RegisterRange& range);

/// As many lanes as want a word at a time, each of which gets it once, take half of that many tries on average. An
/// exchange that hands on what it found finds nothing there every other time.
/// @param reader, ranges  as of find_retry_loop
/// @return nothing where a loop is none that tries again
std::optional<Tries> tries_in(const Interpreter& warp, const LoopInfo& loop, std::uint32_t reader,
                              std::span<const RegisterRange> ranges, LaneMask mask);

}  // namespace warpipe::isa
