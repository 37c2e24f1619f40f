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

/// The names that a kernel and a device give to the values of an option, as its form tells: OP, OP.FIELD, ID,
/// NAME=VALUE for a parameter, NAME=VALUES for all that a sweep can vary. None of a file that cannot be read.
/// @return each as it begins a value: "ffma.issue="
std::vector<std::string> model_names(const ValueForm& form, const NamedModel& model);

}  // namespace warpipe::app
