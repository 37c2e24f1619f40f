#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpipe {

/// Finds the name that a user probably meant.
/// @param name        what was written
/// @param candidates  the names that exist
/// @return            the candidate with the fewest edits (insert, delete, replace, swap neighbours; going on after
///                    `name` counts as one), the first of equals; empty where none is within a third of the
///                    length of `name`, at least 2 edits
/// @complexity        candidates x length squared
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// @return `did you mean "X"?`, or `one of: a, b, c` where no candidate is near and they are few, or empty
std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpipe
