#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  std::string_view notes = {};                     ///< below the options
  std::vector<std::string> argument_choices = {};  ///< all that its first argument may be; empty: see the usage
};

/// In the order of help. Help, manual pages and completions are made from this list alone.
std::vector<Verb> all_verbs();

Verb simulate_verb();
Verb sweep_verb();
Verb occupancy_verb();
Verb compare_verb();
Verb roofline_verb();
Verb validate_verb();
Verb calibrate_verb();
Verb what_if_verb();
Verb diff_verb();
Verb graph_verb();
Verb import_verb();
Verb check_verb();
Verb list_verb();
Verb completion_verb();
Verb man_verb();

}  // namespace warpipe::app
