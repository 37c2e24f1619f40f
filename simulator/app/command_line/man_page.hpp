#pragma once

#include <string>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// The manual page warpipe(1), in roff with the macros of man(7).
std::string program_page(const std::vector<Verb>& verbs);
/// The manual page of a verb: warpipe-simulate(1).
std::string verb_page(const Verb& verb);

}  // namespace warpipe::app
