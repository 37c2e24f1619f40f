#pragma once

#include <string_view>

#include "arguments.hpp"
#include "exit_status.hpp"

namespace warpipe::app {

/// A verb of the command line: what help says of it, what options it has, and what it does.
struct Verb {
  std::string_view name;
  std::string_view usage;    ///< behind the name: "KERNEL --device DEVICE [options]"
  std::string_view purpose;  ///< one line
  OptionTable options;
  ExitStatus (*run)(const Arguments& arguments);
  std::string_view notes = {};  ///< below the options
};

Verb simulate_verb();
Verb sweep_verb();
Verb occupancy_verb();
Verb compare_verb();
Verb roofline_verb();
Verb validate_verb();
Verb calibrate_verb();
Verb what_if_verb();
Verb graph_verb();
Verb import_verb();
Verb check_verb();
Verb list_verb();

}  // namespace warpipe::app
