#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"

namespace warpipe::app {

/// Runs a verb. Where an import lacks what only the user knows, and nothing may be assumed, asks for all of it on
/// standard error, with the call that has guesses in its place.
/// @param words  of the command line, the verb first
/// @throws as the verb, but no isa::UnknownData that knows what is lacking
ExitStatus asking_for_what_lacks(const std::vector<std::string>& words, const Arguments& arguments,
                                 const std::function<ExitStatus()>& verb);

}  // namespace warpipe::app
