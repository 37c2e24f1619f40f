#pragma once

#include <string_view>

namespace warpipe::app {

/// How much is said on standard error besides errors.
enum class Voice { Normal, Quiet };

/// "warpipe: error: ..." on standard error, on one line whatever a file or an option put into it.
void say_error(std::string_view text);
/// "warpipe: note: ..." and "warpipe: warning: ..." likewise; nothing where the voice is quiet.
void note(Voice voice, std::string_view text);
void warn(Voice voice, std::string_view text);

}  // namespace warpipe::app
