#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/study/predict.hpp"

namespace warpipe {

/// What a sweep varies.
struct Variation {
  enum class Kind {
    GroupSize,
    Groups,
    ConcurrentGroups,
    Occupancy,
    Parameter,
    OpLatency,
    ConflictDegree,
    Transactions
  };
  std::string name;  ///< as written: "concurrent_groups", "n", "ffma.issue", "load_a.conflict_degree"
  Kind kind = Kind::Parameter;
  std::string target;                        ///< the parameter, op or instruction id, else empty
  LatencyField field = LatencyField::Issue;  ///< for OpLatency
  std::vector<double> values;
};

/// Reads NAME=VALUES. VALUES: 1,2,4 or MIN:MAX or MIN:MAX:STEP (MIN + i x STEP up to MAX inclusive) or MIN:MAX:xFACTOR.
/// A name with a dot is split at the last dot. More than a million values are refused.
/// @throws UsageError for anything else, or a name that neither kernel nor device has, with the nearest name
Variation parse_variation(std::string_view text, const Kernel& kernel, const Device& device);

/// One point of a sweep: its prediction, or why there is none.
struct SweepPoint {
  std::vector<double> values;  ///< one a variation, in their order
  std::optional<Prediction> prediction;
  std::string error;  ///< where there is no prediction
};

/// Puts the values of one point into a copy of the options: a varied value replaces what they say of the same thing.
/// @throws ModelError for an occupancy (resident warps) that is no whole number of groups
LaunchOptions options_at(const LaunchOptions& options, const std::vector<Variation>& variations,
                         const std::vector<double>& values, const Kernel& kernel, const Device& device);

/// @return the number of combinations of the values
/// @throws UsageError for more than ten million of them
std::size_t number_of_points(const std::vector<Variation>& variations);

/// @return the values of one combination, one a variation; the last variation varies fastest
std::vector<double> values_of_point(std::size_t index, const std::vector<Variation>& variations);

/// Predicts the combinations from `first` on and hands over each as soon as all before it are; keeps none. A point that
/// fails says so and stops no other.
/// @param threads  at most so many at a time; 0: all cores; never changes what is handed over, nor the order
/// @param take     called from any thread, one call at a time, in the order of the combinations
/// @throws UsageError for more than ten million combinations, two variations of the same thing, and an option that the
///                    files do not know
void for_each_point(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                    const std::vector<Variation>& variations, std::size_t first, std::size_t threads,
                    const std::function<void(SweepPoint point)>& take);

/// Called after each finished piece of work, from any thread, one call at a time.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

/// Predicts all combinations, as for_each_point.
/// @return points in the order of the combinations
std::vector<SweepPoint> run_sweep(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                  const std::vector<Variation>& variations, std::size_t threads,
                                  const Progress& progress = {});

}  // namespace warpipe
