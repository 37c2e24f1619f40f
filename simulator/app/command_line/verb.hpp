#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"

namespace warpipe::app {

/// A verb of the command line: what help says of it, what options it has, and what it does.
struct Verb {
  std::string_view name;
  std::string_view usage;    ///< behind the name: "KERNEL --device DEVICE [options]"
  std::string_view purpose;  ///< one line
  OptionTable options;
  ExitStatus (*run)(const Arguments& arguments);
  std::string_view notes = {};                     ///< below the options
  std::vector<std::string> argument_choices = {};  ///< all that its first argument may be; empty: see the usage
};

}  // namespace warpipe::app
