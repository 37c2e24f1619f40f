#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpipe {

/// @return the text with small letters for the capital ones of ASCII: names of kernels and devices are compared so
std::string lower_case(std::string_view text);

/// Finds the name that a user probably meant; capital letters count as small ones.
/// @param name        what was written
/// @param candidates  the names that exist; one with other digits is another thing
/// @return            the candidate with the fewest edits (insert, delete, replace, swap neighbours; going on after
///                    `name` counts as one), the first of equals; empty where none is within a third of the
///                    length of `name`, at least 2 edits
/// @complexity        candidates x length squared
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// @return `did you mean "X"?`, or `one of: a.name, b.name` of those that have the name between their dots, or where no
///         candidate is near `one of: a, b, c` where they are few, else `similar: a, b` with those whose first letters
///         are the same, or empty
std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpipe
