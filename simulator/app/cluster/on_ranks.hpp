#pragma once

#include <functional>

#include "cluster/ranks.hpp"
#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"
#include "terminal/progress.hpp"

namespace warpipe::app {

/// Runs a verb whose work is shared by all ranks started by a launcher of MPI. A failure at the lead fails the program.
/// Another rank reports a failure to the lead, and the remaining ranks do its work.
/// @throws UsageError for several ranks and an input from standard input, which only a single rank has
ExitStatus on_ranks(const Arguments& arguments, const std::function<ExitStatus(Ranks&)>& run);

/// @return the voice of the program: quiet at a rank that is not the lead
Voice voice_of(const Ranks& ranks, const Arguments& arguments);

/// @return work whose pieces all ranks do: the times of other ranks are known only from the arrival of their pieces
LongWork shared_by(const Ranks& ranks, LongWork work);

}  // namespace warpipe::app
