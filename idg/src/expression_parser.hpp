#pragma once

#include <string_view>
#include <vector>

#include "warpipe/idg/operations.hpp"

namespace warpipe {

/// Parses an expression (its grammar: Expression).
/// @return the operations of operations_of
/// @throws InputError for a text with an error; `where` of the diagnostic is empty
std::vector<Operation> parse_operations(std::string_view text);

/// @return whether `name` is a function of the grammar: min, max, ceil, ...
bool is_function_name(std::string_view name);

}  // namespace warpipe
