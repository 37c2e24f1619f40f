#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/study/predict.hpp"

namespace warpipe {

/// The parts of a prediction that a person may ask for.
enum class SummaryPart { Summary, Launch, Pipelines, Bounds, Latencies, All };

/// @return "summary", "launch", "pipelines", "bounds", "latencies", "all"
std::vector<std::string> summary_part_names();
std::optional<SummaryPart> parse_summary_part(std::string_view name);

/// A prediction as text: the time first, then what limits it.
std::string write_text(const Prediction& prediction, SummaryPart part = SummaryPart::Summary);

/// A prediction as one JSON object.
/// @source formats, "Result"
std::string write_json(const Prediction& prediction);

}  // namespace warpipe
