#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpipe/sweep/variation.hpp"

namespace warpipe {

/// The forms of the values of a variation.
inline constexpr std::string_view kForms = "1,2,4 or MIN:MAX or MIN:MAX:STEP or MIN:MAX:xFACTOR";

/// @throws UsageError always
[[noreturn]] void refuse_variation(const std::string& where, std::string problem, std::string found,
                                   std::string advice);

/// Reads the values of a variation: numbers, or sizes where a block or a grid varies.
/// @param where  for messages: "`vary block`"
/// @throws UsageError for text in none of the forms, or more than a million values
std::vector<VariedValue> parse_values(const std::string& where, std::string_view written, Variation::Kind kind);

/// Reads the values of a macro: numbers, where all are, else words.
/// @throws UsageError as parse_values and parse_names
std::vector<VariedValue> parse_numbers_or_words(const std::string& where, std::string_view written);

/// Reads NAME,NAME of a variation of kernels, devices or policies.
/// @throws UsageError for an empty name, and for standard input
std::vector<VariedValue> parse_names(const std::string& where, std::string_view written);

}  // namespace warpipe
