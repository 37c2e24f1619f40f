#include "terminal/colours.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "cluster/launcher.hpp"

namespace warpipe::app {
namespace {

enum class Colours { Auto, Always, Never };
constexpr std::array<std::pair<std::string_view, Colours>, 3> kChoices{
    {{"auto", Colours::Auto}, {"always", Colours::Always}, {"never", Colours::Never}}};

Colours& chosen() {
  static Colours colours = Colours::Auto;
  return colours;
}

fmt::text_style style_of(Ink ink) {
  switch (ink) {
    case Ink::Error:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    case Ink::Warning:
      return fmt::fg(fmt::terminal_color::yellow);
    case Ink::Heading:
      return fmt::emphasis::bold;
    case Ink::Limiter:
      return fmt::fg(fmt::terminal_color::cyan);
  }
  return {};
}

std::string painted(std::string_view text, Ink ink) { return fmt::format(style_of(ink), "{}", text); }

bool is_heading(std::string_view line, std::string_view below) {
  return !line.empty() && std::isupper(static_cast<unsigned char>(line.front())) != 0 && below.starts_with(' ');
}

std::string painted_line(std::string_view line, std::string_view below) {
  constexpr std::string_view kSentence = "Limited by ";
  if (line.starts_with(kSentence)) {
    const auto end = std::min(line.find_first_of(":;.", kSentence.size()), line.size());
    const auto limiter = line.substr(kSentence.size(), end - kSentence.size());
    return std::string(kSentence) + painted(limiter, Ink::Limiter) + std::string(line.substr(end));
  }
  return is_heading(line, below) ? painted(line, Ink::Heading) : std::string(line);
}

}  // namespace

void choose_colours(std::span<const std::string> words) {
  constexpr std::string_view kOption = "--color", kEquals = "--color=";
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    const auto value = word.starts_with(kEquals)                 ? word.substr(kEquals.size())
                       : word == kOption && i + 1 < words.size() ? std::string_view(words[i + 1])
                                                                 : std::string_view();
    const auto choice = std::ranges::find(kChoices, value, &std::pair<std::string_view, Colours>::first);
    if (choice != kChoices.end()) chosen() = choice->second;
  }
}

bool shows_colours(int descriptor) {
  if (chosen() != Colours::Auto) return chosen() == Colours::Always;
  if (::isatty(descriptor) == 0) return false;
  if (processes_by_environment()) return false;  // mpirun reads a terminal of its own, and may write to a file
  if (const char* none = std::getenv("NO_COLOR"); none != nullptr && *none != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

std::string paint(std::string_view text, Ink ink, int descriptor) {
  return shows_colours(descriptor) ? painted(text, ink) : std::string(text);
}

std::string painted_report(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    result += painted_line(line, text);
    if (end != std::string_view::npos) result += '\n';
  }
  return result;
}

}  // namespace warpipe::app
