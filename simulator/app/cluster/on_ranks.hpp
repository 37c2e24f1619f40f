#pragma once

#include <functional>

#include "cluster/ranks.hpp"
#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"
#include "terminal/progress.hpp"

namespace warpipe::app {

/// Runs a verb whose work is shared by all ranks with which a launcher of MPI has started the program. What fails at
/// the lead fails the program. Another rank that fails says so to the lead, and the others do its work.
/// @throws UsageError for several ranks and an input from standard input, which only one of them has
ExitStatus on_ranks(const Arguments& arguments, const std::function<ExitStatus(Ranks&)>& run);

/// @return how much the program says: nothing at a rank that is not the lead
Voice voice_of(const Ranks& ranks, const Arguments& arguments);

/// @return work whose pieces all ranks do: how long the others take for theirs is known only by when they come
LongWork shared_by(const Ranks& ranks, LongWork work);

}  // namespace warpipe::app
