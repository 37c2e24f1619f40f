#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terminal/messages.hpp"

namespace warpipe::app {

/// The meanings of the program's exit status.
enum class ExitStatus { Done = 0, Failed = 1, Usage = 2, BadInput = 3, NoModel = 4, GateFailed = 5 };

/// The reader of the output has gone: no more output is needed.
struct ClosedPipe {};

/// Runs the program and turns every exception into messages on standard error and a status. No other function does.
/// @param help  the command that shows help, for usage errors: "warpipe sweep --help"; read when an error comes
int guarded(const std::function<ExitStatus()>& program, const std::string& help);

}  // namespace warpipe::app
