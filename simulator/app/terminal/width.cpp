#include "terminal/width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace warpipe::app {

std::optional<std::size_t> terminal_width() {
  if (::isatty(STDOUT_FILENO) == 0) return std::nullopt;
  if (const char* given = std::getenv("COLUMNS")) {
    const std::string_view text(given);
    std::size_t columns = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && columns > 0) return columns;
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace warpipe::app
