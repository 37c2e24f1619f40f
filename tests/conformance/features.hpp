#pragma once

#include <functional>
#include <string>
#include <vector>

#include "drawn_models.hpp"

/// What a case can be about.

namespace warpipe::conformance {

/// Something that a rule of docs/model.md says. It matters to a model whose cycles change where it is taken away.
struct Feature {
  int rule = 0;
  std::string about;  ///< what the rule says, in a few words
  /// Takes it away from a model; leaves the model as it is where it has no part in it.
  std::function<void(Json&)> take_away;
  /// Instead, for what cannot be taken away: whether it shows in a model with so many cycles.
  std::function<bool(const Json&, Ticks)> shows{};
};

const std::vector<Feature>& features();

/// Whether the feature decides how many cycles the model takes.
/// @param cycles  of the model
bool matters(const Feature& feature, const Json& model, Ticks cycles);

}  // namespace warpipe::conformance
