#pragma once

#include <span>
#include <string>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// What `warpipe` alone prints: what it is for and three examples.
std::string short_help();
/// What `warpipe --help` prints: the verbs.
std::string program_help(const std::vector<Verb>& verbs);
/// What `warpipe VERB --help` prints: the options, by group.
std::string verb_help(const Verb& verb);

/// What the program is, in a line.
std::string_view program_purpose();
/// Commands to copy.
std::span<const std::string_view> examples();

}  // namespace warpipe::app
