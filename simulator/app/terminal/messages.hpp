#pragma once

#include <string>
#include <string_view>

namespace warpipe::app {

/// How much is said on standard error besides errors.
enum class Voice { Normal, Quiet };

/// "warpipe: error: ..." on standard error, on one line whatever a file or an option put into it. Fields that the text
/// names are shown as flags, see with_flags.
void say_error(std::string_view text);
/// "warpipe: note: ..." and "warpipe: warning: ..." likewise; nothing where the voice is quiet.
void note(Voice voice, std::string_view text);
void warn(Voice voice, std::string_view text);
/// As warn, of this run alone: the same call may need no such warning another time, and no Transcript has it.
void warn_of_this_run(Voice voice, std::string_view text);

/// What a text is, which says how it looks on a terminal: errors red, warnings yellow, headings bold.
enum class Ink { Error, Warning, Heading };

/// @param descriptor  of an open file: 1 or 2
/// @return whether it is a terminal that shows colours, no launcher of MPI reads from it, and the user has not switched
/// them
///         off with NO_COLOR
/// @source https://no-color.org: NO_COLOR that is not empty
bool shows_colours(int descriptor);

/// @return the text as it looks on that terminal; unchanged where colours are not shown
std::string paint(std::string_view text, Ink ink, int descriptor);

/// Makes the headings of a report bold: the lines that begin with a capital and have indented lines below. JSON, CSV
/// and graphs have none.
std::string with_bold_headings(std::string_view text);

}  // namespace warpipe::app
