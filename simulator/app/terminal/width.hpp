#pragma once

#include <cstddef>
#include <optional>

namespace warpipe::app {

/// @return the columns of standard output where it is a terminal: COLUMNS, else the terminal's own number; nothing for
///         pipes and files, and where neither gives a number
std::optional<std::size_t> terminal_width();

}  // namespace warpipe::app
