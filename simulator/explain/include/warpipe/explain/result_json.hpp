#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/idg/json_writer.hpp"

/// The saved result, JSON of format "warpipe-result": written and read here and nowhere else.

namespace warpipe {

/// A member of a result beyond the common members: its name and its value, as JSON.
using ResultMember = std::pair<std::string, std::string>;

/// The value of the member "stalls": the time in each state, in all and by unit and pipeline.
std::string stalls_json(const Explanation& explanation);
/// The value of the member "instructions": every state's time of each, and the waits for other instructions.
std::string instructions_json(const Explanation& explanation);

/// The value of the member "memory": the traffic of each access at each level.
std::string memory_json(const MemoryTraffic& traffic);

/// Writes the member "range": where cycles and times lie.
void write_range(JsonWriter& json, const TimeRange& range);

/// A prediction as one JSON object.
/// @param further  written behind the common members
/// @source formats, "Result"
std::string write_result_json(const Prediction& prediction, const std::vector<ResultMember>& further = {});

/// @return whether a text is a saved result, by its `format`; false for a text that is no JSON
bool is_saved_result(std::string_view text);

/// Reads a result of write_result_json, as far as runs are compared by it; everything else keeps its default. There are
/// stalls and instructions where the result was saved with these members.
/// @throws InputError for a text without such a result
Outcome read_result_json(std::string_view text, const std::string& file);

}  // namespace warpipe
