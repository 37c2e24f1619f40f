#include "warpipe/idg/printable.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace warpipe {
namespace {

std::string escaped(unsigned code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}", code);
  }
}

/// The control character at the begin of the text, and its bytes: of ASCII, or U+0080 to U+009F as UTF-8, which
/// terminals obey too. No bytes if the text begins with another character.
std::pair<unsigned, std::size_t> control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return {byte(0), 1};
  if (byte(0) == 0xC2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xA0) return {byte(1), 2};
  return {0, 0};
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  while (!text.empty()) {
    const auto [code, bytes] = control_at(text);
    if (bytes == 0 || kept.find(text.front()) != std::string_view::npos) {
      shown += text.front();
      text.remove_prefix(1);
    } else {
      shown += escaped(code);
      text.remove_prefix(bytes);
    }
  }
  return shown;
}

}  // namespace warpipe
