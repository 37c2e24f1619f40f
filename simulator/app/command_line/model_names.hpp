#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/data_files.hpp"
#include "command_line/value_form.hpp"

namespace warpipe::app {

/// The kernel and the device that a command line names so far.
struct NamedModel {
  std::optional<std::string> kernel, device, data;
};

/// The names in the kernel and the device that an option accepts, according to its form: OP, OP.FIELD, PATH, ID,
/// NAME=VALUE for a parameter, NAME=VALUES for everything that a sweep can vary. None if the file cannot be read.
/// @return each name as a value begins with it: "ffma.issue="
std::vector<std::string> model_names(const ValueForm& form, const NamedModel& model);

}  // namespace warpipe::app
