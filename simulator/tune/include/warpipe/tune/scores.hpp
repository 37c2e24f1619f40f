#pragma once

#include <optional>
#include <vector>

#include "warpipe/views/tuning_view.hpp"

namespace warpipe {

/// Scores the predictions of a device where times were measured.
/// @return nothing where no configuration has both times
std::optional<TuningScore> score_of(const DeviceTuning& tuning);

/// Kendall's tau-b where predicted times whose ratio is at most 1 + `within` are equal: pairs that the model does not
/// tell apart count neither for it nor against it.
/// @param predicted, measured  as many, above 0
/// @return                     nothing where no pair is apart
/// @complexity                 pairs
std::optional<double> kendall_tau_apart(const std::vector<double>& predicted, const std::vector<double>& measured,
                                        double within);

}  // namespace warpipe
