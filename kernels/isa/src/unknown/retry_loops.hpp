#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lanes/interpreter.hpp"
#include "unknown/defaults.hpp"

namespace warpipe::isa {

/// A loop in which lanes retry to change a word until no other change comes between.
struct RetryLoop {
  std::uint32_t atomic = 0;  ///< compare-and-swap or exchange, with influence on the end of the loop
  bool passes_on = false;    ///< an exchange that hands on the value found there: each is as good as a success
};

/// How often a lane tries, and why.
struct Tries {
  std::int64_t count = 1;
  std::string why;
};
/// Trips of a loop with this many tries; and the share of the lanes to try again, where the execution mask decides it.
Default trips_of(const Tries& tries);
Default share_of(const Tries& tries);

/// @param reader, range  the instruction to decide on a further try of a lane, and the registers for its decision
/// @return nothing where no compare-and-swap or exchange decides the end of the loop, or where the loop moves its
///         address, as a search in a hash table does
std::optional<RetryLoop> find_retry_loop(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t reader,
                                         const RegisterRange& range);

/// Average tries of a lane: half the number of lanes competing for a word at a time, since each lane gets it once. An
/// exchange that hands on the value found there finds nothing every other time.
/// @param reader, ranges  as of find_retry_loop
/// @return nothing where a loop does not retry
std::optional<Tries> tries_in(const Interpreter& warp, const LoopInfo& loop, std::uint32_t reader,
                              std::span<const RegisterRange> ranges, LaneMask mask);

}  // namespace warpipe::isa
