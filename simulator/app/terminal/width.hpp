#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpipe::app {

/// @return the columns of standard output where that is a terminal: COLUMNS, else what the terminal says; nothing for
///         pipes and files, and where neither says a number
std::optional<std::size_t> terminal_width();

/// Cuts the last column of tables where that is source text, the column "text", at the width of a terminal. No number
/// is cut: a table whose text begins beyond it stays as it is.
///
///     saxpy.cu:9  92.1 %  4096  y[i] = a * x…
std::string with_cut_texts(std::string_view text, std::size_t width);

}  // namespace warpipe::app
