#pragma once

#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "terminal/output.hpp"

namespace warpipe::app {

struct Verb;

/// Notes the files to which the options of a command line send results, so that no input is overwritten.
/// @throws UsageError if two of them, or one and standard output, are the same file, whatever their names
void note_outputs(const Arguments& arguments, const Verb& verb);

/// Must be called for each file before it is read.
/// @param path  `-` for standard input
/// @throws UsageError if a result would overwrite it, also through a relative path, a symbolic link or a hard link
void check_not_overwritten(const std::string& path);

/// What help says of --html.
/// Where the page of --html goes; checked before the long work.
/// @return nothing if no page is asked for
/// @throws UsageError for standard output, where the other results go; InputError if the file cannot be created or
///                    the program was built without charts
std::optional<Output> html_output(const Arguments& arguments);

}  // namespace warpipe::app
