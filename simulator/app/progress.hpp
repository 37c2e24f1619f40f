#pragma once

#include <string>

#include "warpipe/study/sweep.hpp"

namespace warpipe::app {

/// A line on standard error that says how far a long piece of work is, ten times a second at most:
///     warpipe: 1200 of 4096 points, 310 a second, 9 s left
/// @param noun  what is counted: "points"
/// @return      nothing to call where standard error is no terminal
Progress progress_on_terminal(const std::string& noun);

}  // namespace warpipe::app
