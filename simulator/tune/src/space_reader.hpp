#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/tune/space.hpp"

/// Functions shared by the readers of all forms of spaces.

namespace warpipe {

/// The configurations tried by another tuner, before their space is known.
struct TriedRows {
  struct Row {
    std::vector<FormulaValue> values;  ///< of `names`
    std::optional<isa::Dimensions> block, grid;
    MeasuredTime time;
    std::string device;
  };
  std::string device;  ///< of all rows; empty where each has its own
  std::vector<std::string> names;
  std::vector<Row> rows;
};

/// @return a number, text or truth value; nothing, with a diagnosis, for another value
std::optional<FormulaValue> value_of(const JsonNode& node);
/// @return a formula of a number or a text; nothing, with a diagnosis, for another node
std::optional<Formula> formula_of(const JsonNode& node);
/// Reads a text as a formula; diagnoses at a node.
std::optional<Formula> formula_of(const std::string& text, const JsonNode& node);
/// The values of a list, or of the text of a list; diagnoses at its node.
std::vector<FormulaValue> values_of(const JsonNode& node);

/// The groups that hold `size` when each holds the product of the others: "ceil((4096) / ((block) * (tile)))".
Formula groups_that_hold(const std::string& size, const std::vector<std::string>& by);

/// Makes the tried rows of a tuner the space: their values, and the configurations themselves.
void make_space_of(const TriedRows& rows, TuningSpace& space);
/// Adds the times of rows to a space.
/// @return the number of rows without a configuration in the space
std::size_t add_times(const TriedRows& rows, TuningSpace& space);

/// The text of JSON that was cut off behind a configuration, with its closing braces.
std::string closed(std::string_view text);

// The forms. Problems go to the diagnostics of the document.
void read_own_space(const JsonNode& root, TuningSpace& space);
void read_tuning_input(const JsonNode& root, TuningSpace& space);
TriedRows read_tuner_cache(const JsonNode& root, TuningSpace* space);
TriedRows read_ktt_output(const JsonNode& root, TuningSpace* space);

}  // namespace warpipe
