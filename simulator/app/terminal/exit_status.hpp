#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terminal/messages.hpp"

namespace warpipe::app {

/// What the program's exit status says.
enum class ExitStatus { Done = 0, Failed = 1, Usage = 2, BadInput = 3, NoModel = 4, GateFailed = 5 };

/// The reader of the output has gone: nothing is left to say.
struct ClosedPipe {};

/// Runs the program and turns every exception into messages on standard error and a status. The only place that does.
/// @param help  what to call for help, for usage errors: "warpipe sweep --help"; read when an error comes
int guarded(const std::function<ExitStatus()>& program, const std::string& help);

}  // namespace warpipe::app
