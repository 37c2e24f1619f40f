#include "terminal/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "terminal/colours.hpp"
#include "terminal/flags.hpp"
#include "terminal/transcript.hpp"
#include "warpipe/idg/printable.hpp"

namespace warpipe::app {
namespace {

std::string message(Ink ink, std::string_view kind, std::string_view text) {
  const auto line = printable(with_flags(text));
  return fmt::format("{} {}\n", paint(fmt::format("warpipe: {}:", kind), ink, STDERR_FILENO), line);
}

void say(Ink ink, std::string_view kind, std::string_view text) {
  const auto line = message(ink, kind, text);
  to_standard_error(line);
  if (transcript() != nullptr) transcript()->add(Said::To::StandardError, "", line);
}

}  // namespace

void to_standard_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void say_error(std::string_view text) { say(Ink::Error, "error", text); }

void note(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "note", text);
}

void warn(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "warning", text);
}

void warn_of_this_run(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) to_standard_error(message(Ink::Warning, "warning", text));
}

}  // namespace warpipe::app
