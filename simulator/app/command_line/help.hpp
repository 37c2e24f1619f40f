#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// What `warpipe` without arguments prints: its purpose and three examples.
std::string short_help();
/// What `warpipe --help` prints: the verbs.
std::string program_help(const std::vector<Verb>& verbs);
/// What `warpipe VERB --help` prints: the options, by group.
/// @param with_rare  also those that are rarely used: --help=all
std::string verb_help(const Verb& verb, bool with_rare);
/// @return a text behind its first words, in lines that fit help; those that it goes on with begin below it
std::string hanging(std::string start, std::string_view words);
/// The options of a verb but for those that are never shown.
Options shown_options(const Verb& verb);

/// The purpose of the program in one line.
std::string_view program_purpose();
/// Commands to try.
std::span<const std::string_view> examples();

}  // namespace warpipe::app
