#pragma once

#include <cstddef>
#include <optional>

namespace warpipe::app {

/// @return the columns of standard output where that is a terminal: COLUMNS, else what the terminal says; nothing for
///         pipes and files, and where neither says a number
std::optional<std::size_t> terminal_width();

}  // namespace warpipe::app
