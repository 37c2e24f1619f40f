#pragma once

#include <string>
#include <string_view>

namespace warpipe::app {

/// Whether notes and warnings are printed on standard error besides errors.
enum class Voice { Normal, Quiet };

/// Writes a text to standard error. Where that is closed or full, the text is lost, and the work goes on.
void to_standard_error(std::string_view text);

/// "warpipe: error: ..." on standard error, on a single line whatever a file or an option put into it. Fields in the
/// text are shown as flags, see with_flags.
void say_error(std::string_view text);
/// "warpipe: note: ..." and "warpipe: warning: ..." likewise; nothing where the voice is quiet.
void note(Voice voice, std::string_view text);
void warn(Voice voice, std::string_view text);
/// As warn, of this run alone: the same call may need no such warning another time, and no Transcript has it.
void warn_of_this_run(Voice voice, std::string_view text);

}  // namespace warpipe::app
