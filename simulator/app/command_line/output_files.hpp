#pragma once

#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "terminal/output.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe::app {

struct Verb;

/// Notes the files to which the options of a command line send results, so that no input is overwritten.
/// @throws UsageError if two of them, or a file and standard output, are the same file, under any names
void note_outputs(const Arguments& arguments, const Verb& verb);

/// Must be called for each file before it is read.
/// @param path  `-` for standard input
/// @throws UsageError if a result would overwrite it, also through a relative path, a symbolic link or a hard link
void check_not_overwritten(const std::string& path);

/// The destinations of a result's page: --html and --markdown.
struct PageFiles {
  std::optional<Output> html, markdown;
  void write(const Page& page) const;
};

/// @return the first option that asks for a page, "--html"; empty where none does
std::string page_option(const Arguments& arguments);

/// Checked before the long work.
/// @return nothing if no page is asked for
/// @throws UsageError for standard output, where the other results go; InputError if a file cannot be created or, of
///                    --html, the program was built without charts
std::optional<PageFiles> page_files(const Arguments& arguments);

}  // namespace warpipe::app
