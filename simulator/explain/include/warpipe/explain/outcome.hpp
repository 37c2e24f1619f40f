#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/explain/explain.hpp"

/// What came out of a run, as far as two of them can be held against each other: simulated just now, or saved.

namespace warpipe {

/// What became of one instruction.
struct InstructionOutcome {
  std::string id, op;
  Ticks issue, completion;  ///< lambda and Lambda
  std::int64_t executions = 0;
  StallTimes times{};
  std::vector<std::pair<std::string, Ticks>> waits_for;  ///< of the time in Result: by id of the producer
};

struct Outcome {
  std::string kernel, device;
  Ticks cycles;
  Seconds time;
  Hertz clock{1};
  std::string limiter;                                      ///< empty where there are no bounds
  std::vector<std::pair<std::string, std::string>> launch;  ///< by name, as a person reads it; in the order of a result
  std::vector<Bound> bounds;
  std::vector<std::pair<std::string, double>> utilizations;  ///< of pipelines
  std::optional<Ticks> warp_time;  ///< all times together; empty where nobody accounted for it
  StallTimes times{};
  std::vector<InstructionOutcome> instructions;  ///< empty where nobody accounted for them
};

Outcome outcome_of(const Explanation& explanation);

/// @return whether a text is a saved result, by its `format`; false for what is no JSON
bool is_saved_result(std::string_view text);

/// Reads what write_json of a prediction wrote; stalls and instructions where it was written with those views.
/// @throws InputError for what is no such result
Outcome read_result_json(std::string_view text, const std::string& file);

}  // namespace warpipe
