#pragma once

#include <map>
#include <string>
#include <vector>

#include "warpipe/baselines/operators.hpp"

namespace warpipe::app {

/// The operators that the command line knows.
std::vector<std::string> operator_names();

/// The sizes of an operator by name, as given with --size.
using Sizes = std::map<std::string, double, std::less<>>;

/// Reads --size NAME=VALUE... of an operator.
/// @throws UsageError for an unknown operator or size, with the nearest one, and for a size that is missing, given
/// twice
///                    or out of range
OperatorCost cost_of(const std::string& name, const std::vector<std::string>& sizes, double element_bytes);

/// What --size takes for each operator, for help.
std::string operator_help();

}  // namespace warpipe::app
