#include "terminal/messages.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cluster/launcher.hpp"
#include "terminal/flags.hpp"
#include "terminal/transcript.hpp"
#include "warpipe/idg/printable.hpp"

namespace warpipe::app {
namespace {

fmt::text_style style_of(Ink ink) {
  switch (ink) {
    case Ink::Error:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    case Ink::Warning:
      return fmt::fg(fmt::terminal_color::yellow);
    case Ink::Heading:
      return fmt::emphasis::bold;
  }
  return {};
}

std::string painted(std::string_view text, Ink ink) { return fmt::format(style_of(ink), "{}", text); }

bool is_heading(std::string_view line, std::string_view below) {
  return !line.empty() && std::isupper(static_cast<unsigned char>(line.front())) != 0 && below.starts_with(' ');
}

std::string message(Ink ink, std::string_view kind, std::string_view text) {
  const auto line = printable(with_flags(text));
  return fmt::format("{} {}\n", paint(fmt::format("warpipe: {}:", kind), ink, STDERR_FILENO), line);
}

void say(Ink ink, std::string_view kind, std::string_view text) {
  const auto line = message(ink, kind, text);
  fmt::print(stderr, "{}", line);
  if (transcript() != nullptr) transcript()->add(Said::To::StandardError, "", line);
}

}  // namespace

bool shows_colours(int descriptor) {
  if (::isatty(descriptor) == 0) return false;
  if (processes_by_environment()) return false;  // mpirun reads a terminal of its own, and may write to a file
  if (const char* none = std::getenv("NO_COLOR"); none != nullptr && *none != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

std::string paint(std::string_view text, Ink ink, int descriptor) {
  return shows_colours(descriptor) ? painted(text, ink) : std::string(text);
}

std::string with_bold_headings(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    result += is_heading(line, text) ? painted(line, Ink::Heading) : std::string(line);
    if (end != std::string_view::npos) result += '\n';
  }
  return result;
}

void say_error(std::string_view text) { say(Ink::Error, "error", text); }

void note(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "note", text);
}

void warn(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "warning", text);
}

void warn_of_this_run(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) fmt::print(stderr, "{}", message(Ink::Warning, "warning", text));
}

}  // namespace warpipe::app
