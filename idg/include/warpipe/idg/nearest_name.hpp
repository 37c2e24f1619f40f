#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpipe {

/// @return the text with the capital letters of ASCII made small, as names of kernels and devices are compared
std::string lower_case(std::string_view text);

/// Finds the name that a user probably meant, regardless of case.
/// @param name        the name as written
/// @param candidates  the existing names; another digit makes another name
/// @return            the candidate with the fewest edits (insert, delete, replace, swap neighbours; a continuation of
///                    `name` counts as one), the first of equals; empty if none is within a third of the length of
///                    `name`, at least 2 edits
/// @complexity        candidates x length squared
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// @return `did you mean "X"?`; or `one of: a.name, b.name`, the candidates with the name between their dots; or if no
///         candidate is near `one of: a, b, c` for a short list, else `similar: a, b`, the candidates with the same
///         first letters, or empty
std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpipe
