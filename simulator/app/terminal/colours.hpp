#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpipe::app {

/// The kinds of coloured text on a terminal: errors red, warnings yellow, headings bold, the limiter of a run cyan.
enum class Ink { Error, Warning, Heading, Limiter };

/// Takes --color from the words of a call, before any output: errors of other options are coloured, too. A value other
/// than auto, always and never is left to the check of the options.
/// @param words  behind the verb; words behind `--` belong to another program
void choose_colours(std::span<const std::string> words);

/// @param descriptor  of an open file: 1 or 2
/// @return the choice of --color; with auto, whether the file is a terminal that shows colours, no launcher of MPI
///         reads from it, and the user has not switched them off with NO_COLOR
/// @source https://no-color.org: a NO_COLOR with any text
bool shows_colours(int descriptor);

/// @return the text with the colours of that terminal; unchanged where colours are not shown
std::string paint(std::string_view text, Ink ink, int descriptor);

/// Paints a report: its headings, the lines that begin with a capital and have indented lines below, and the limiter of
/// its sentence.
///
///     Limited by [the load-store unit]: shared loads of transpose.cu:36 have bank
std::string painted_report(std::string_view text);

}  // namespace warpipe::app
