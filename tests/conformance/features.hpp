#pragma once

#include <functional>
#include <string>
#include <vector>

#include "drawn_models.hpp"

/// The features under test in the cases.

namespace warpipe::conformance {

/// A statement of a rule of docs/model.md. It matters to a model whose cycles change without it.
struct Feature {
  int rule = 0;
  std::string about;  ///< the statement, in a few words
  /// Takes it away from a model; leaves the model as it is where it has no part in it.
  std::function<void(Json&)> take_away;
  /// For statements that cannot be taken away: whether it shows in a model with these cycles.
  std::function<bool(const Json&, Ticks)> shows{};
};

const std::vector<Feature>& features();

/// Whether the feature decides how many cycles the model takes.
/// @param cycles  of the model
bool matters(const Feature& feature, const Json& model, Ticks cycles);

}  // namespace warpipe::conformance
