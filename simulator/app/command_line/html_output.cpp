#include "command_line/html_output.hpp"

#include "warpipe/report/html.hpp"

namespace warpipe::app {

std::optional<Output> html_output(const Arguments& arguments) {
  const auto file = arguments.value("html");
  if (!file) return std::nullopt;
  if (*file == "-")
    refuse("--html", "the page goes to a file", "standard output has the other results", "give --html FILE");
  require_charts();
  return Output(*file);
}

}  // namespace warpipe::app
