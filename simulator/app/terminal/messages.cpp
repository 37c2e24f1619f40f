#include "terminal/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

#include "terminal/colour.hpp"

namespace warpipe::app {
namespace {

void say(Ink ink, std::string_view kind, std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
  fmt::print(stderr, "{} {}\n", paint(fmt::format("warpipe: {}:", kind), ink, STDERR_FILENO), line);
}

}  // namespace

void say_error(std::string_view text) { say(Ink::Error, "error", text); }

void note(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "note", text);
}

void warn(Voice voice, std::string_view text) {
  if (voice == Voice::Normal) say(Ink::Warning, "warning", text);
}

}  // namespace warpipe::app
