#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"

namespace warpipe::app {

/// Runs a verb. Where an import lacks data known only to the user, and assumptions are not allowed, asks for all of
/// them on standard error, with the call that has guesses in their place.
/// @param words  of the command line, the verb first
/// @throws as the verb, but not an isa::UnknownData with a list of the missing data
ExitStatus asking_for_what_lacks(const std::vector<std::string>& words, const Arguments& arguments,
                                 const std::function<ExitStatus()>& verb);

}  // namespace warpipe::app
