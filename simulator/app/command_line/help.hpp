#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// The output of `warpipe` without arguments: its purpose and three examples.
std::string short_help();
/// The output of `warpipe --help`: the verbs.
std::string program_help(const std::vector<Verb>& verbs);
/// The output of `warpipe VERB --help`: the options, by group.
/// @param with_rare  also rarely used options: --help=all
std::string verb_help(const Verb& verb, bool with_rare);
/// @return a text behind its first words, wrapped for help; further lines are indented to the text
std::string hanging(std::string start, std::string_view words);
/// The options of a verb, without hidden options.
Options shown_options(const Verb& verb);

/// The purpose of the program in one line.
std::string_view program_purpose();
/// Commands to try.
std::span<const std::string_view> examples();

}  // namespace warpipe::app
