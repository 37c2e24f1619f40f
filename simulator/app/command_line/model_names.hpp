#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/data_files.hpp"
#include "command_line/value_form.hpp"

namespace warpipe::app {

/// The kernel and the device named so far by a command line.
struct NamedModel {
  std::optional<std::string> kernel, device, data, entry;
};

/// The names in the kernel and the device for the values of an option, according to its form: OP, OP.FIELD, PATH, ID,
/// NAME=VALUE for a parameter, NAME=VALUES for all variations of a sweep; of PTX and machine code entries and
/// arguments. None if the file cannot be read, and of source, which would have to be compiled.
/// @param option  without the dashes; empty for an argument
/// @return each name as a value begins with it: "ffma.issue="
std::vector<std::string> model_names(std::string_view option, const ValueForm& form, const NamedModel& model);

}  // namespace warpipe::app
