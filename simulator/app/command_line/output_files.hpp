#pragma once

#include <string>

#include "command_line/arguments.hpp"

namespace warpipe::app {

struct Verb;

/// Notes the files that the options of a command line name for results, so that no input is among them.
/// @throws UsageError where two of them, or one and standard output, are the same file, by whatever names
void note_outputs(const Arguments& arguments, const Verb& verb);

/// To be called for each file that is read.
/// @param path  `-` for standard input
/// @throws UsageError where a result would overwrite it, by whatever name: a relative path, a symbolic or a hard link
void check_not_overwritten(const std::string& path);

}  // namespace warpipe::app
