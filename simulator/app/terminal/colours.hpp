#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpipe::app {

/// What a text is, which says how it looks on a terminal: errors red, warnings yellow, headings bold, what limits a run
/// cyan.
enum class Ink { Error, Warning, Heading, Limiter };

/// Takes --color from the words of a call, before anything is said: what is wrong with other options is coloured, too.
/// A value that is none of auto, always and never is left to the check of the options.
/// @param words  behind the verb; those behind `--` are another program's
void choose_colours(std::span<const std::string> words);

/// @param descriptor  of an open file: 1 or 2
/// @return what --color says; with auto, whether the file is a terminal that shows colours, no launcher of MPI reads
///         from it, and the user has not switched them off with NO_COLOR
/// @source https://no-color.org: NO_COLOR that is not empty
bool shows_colours(int descriptor);

/// @return the text as it looks on that terminal; unchanged where colours are not shown
std::string paint(std::string_view text, Ink ink, int descriptor);

/// Paints a report: its headings, the lines that begin with a capital and have indented lines below, and the limiter of
/// its sentence.
///
///     Limited by [the load-store unit]: shared loads of transpose.cu:36 have bank
std::string painted_report(std::string_view text);

}  // namespace warpipe::app
