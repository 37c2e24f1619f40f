#include "terminal/width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "warpipe/views/text_table.hpp"

namespace warpipe::app {
namespace {

constexpr std::string_view kTitle = "  text";  ///< of a last column
constexpr std::size_t kLeastText = 8;          ///< columns, of which something can be read

/// @return the first `places` code points
std::string_view first_places(std::string_view text, std::size_t places) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && places-- == 0) break;
  }
  return text.substr(0, end);
}

std::string cut(std::string_view line, std::size_t width) {
  if (width_of(line) <= width) return std::string(line);
  const auto kept = first_places(line, width - 1);
  return std::string(kept.substr(0, kept.find_last_not_of(' ') + 1)) + "…";
}

}  // namespace

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

std::string with_cut_texts(std::string_view text, std::size_t width) {
  std::string result;
  bool is_cut = false;  // inside a table whose last column is to be cut
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) is_cut = false;
    if (!is_cut && line.ends_with(kTitle)) is_cut = width_of(line) - 4 + kLeastText <= width;  // where "text" begins
    result += is_cut ? cut(line, width) : std::string(line);
    if (end != std::string_view::npos) result += '\n';
  }
  return result;
}

}  // namespace warpipe::app
