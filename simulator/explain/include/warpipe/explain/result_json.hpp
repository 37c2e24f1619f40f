#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/idg/json_writer.hpp"

/// The saved result, JSON of format "warpipe-result": written and read here and nowhere else.

namespace warpipe {

/// A member of a result besides those that every result has: its name and its value, as JSON.
using ResultMember = std::pair<std::string, std::string>;

/// The value of the member "stalls": the time in each state, in all and by unit and pipeline.
std::string stalls_json(const Explanation& explanation);
/// The value of the member "instructions": every state's time of each, and which waited for which.
std::string instructions_json(const Explanation& explanation);

/// The value of the member "memory": what each level does for each access.
std::string memory_json(const MemoryTraffic& traffic);

/// Writes the member "range": where cycles and times lie.
void write_range(JsonWriter& json, const TimeRange& range);

/// A prediction as one JSON object.
/// @param further  written behind the members that every result has
/// @source formats, "Result"
std::string write_result_json(const Prediction& prediction, const std::vector<ResultMember>& further = {});

/// @return whether a text is a saved result, by its `format`; false for a text that is no JSON
bool is_saved_result(std::string_view text);

/// Reads what write_result_json wrote, as far as runs are compared by it; everything else keeps its default. There are
/// stalls and instructions where the result was saved with these members.
/// @throws InputError for a text that is no such result
Outcome read_result_json(std::string_view text, const std::string& file);

}  // namespace warpipe
