#pragma once

#include <string_view>

#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"

namespace warpipe::app {

/// A verb of the command line: its help, and its function.
struct Verb {
  std::string_view name;
  std::string_view usage;    ///< behind the name: "KERNEL --device DEVICE [options]"
  std::string_view purpose;  ///< a line of text
  ExitStatus (*run)(const Arguments& arguments);
  std::string_view notes = {};  ///< below the options
  Options options = options_of(name);
};

}  // namespace warpipe::app
