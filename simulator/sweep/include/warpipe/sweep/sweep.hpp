#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/sweep_kernel.hpp"
#include "warpipe/sweep/sweep_models.hpp"
#include "warpipe/sweep/variation.hpp"

namespace warpipe {

/// A point of a sweep: its prediction, or the error in its place.
struct SweepPoint {
  std::vector<VariedValue> values;  ///< one per variation, in their order
  std::optional<Prediction> prediction;
  std::string error;  ///< where there is no prediction
  ArrayReaches arrays = {};
  std::optional<Seconds> measured = {};  ///< from a file of measured times
};

/// Puts the values of a point into a copy of the options: a varied value replaces the option of the same meaning.
/// @throws ModelError for an occupancy (resident warps) that is no whole number of groups
LaunchOptions options_at(const LaunchOptions& options, const std::vector<Variation>& variations,
                         const std::vector<VariedValue>& values, const Kernel& kernel, const Device& device);

/// The points of a sweep, each a pure function of its index.
class SweepStudy {
 public:
  /// All arguments must outlive the study.
  /// @throws UsageError for more than ten million combinations and for two variations of the same quantity; where no
  ///                    kernel and device can be swept, the error of the first pair: an option unknown to the files,
  ///                    group sizes of which smaller ones would do less work, an import
  SweepStudy(const SweepModels& models, const LaunchOptions& options, const std::vector<Variation>& variations);
  ~SweepStudy();
  SweepStudy(const SweepStudy&) = delete;
  SweepStudy& operator=(const SweepStudy&) = delete;

  std::size_t size() const { return size_; }
  /// Predicts a combination. A failed point holds the error. May be called from several threads. The prediction's
  /// warnings have no doubts of one unit.
  /// @throws GateError where two engines disagree: no result is to be trusted
  SweepPoint at(std::size_t index) const;

  /// The doubts of one unit of a combination (one_unit.hpp); they take longer than its prediction.
  /// @return nothing where it cannot be predicted
  std::vector<std::string> doubts_at(std::size_t index) const;

  /// Guesses the cost of a combination from a simulation of a part of its groups.
  /// @param halvings  of the groups, but no less than a unit holds at a time
  /// @return          nothing where it cannot be simulated, or cost_of has none
  std::optional<double> guessed_cost(std::size_t index, int halvings) const;

  /// The cost of a combination with a known time, without simulating it.
  /// @param time  in any unit
  /// @return      as cost_of; nothing where the combination cannot be predicted
  std::optional<double> cost_of_time(std::size_t index, double time) const;

  /// @return the warps of a group of a combination; nothing where the combination cannot be predicted
  std::optional<std::int64_t> warps_of_group(std::size_t index) const;

  /// @return the warp instructions of predicting a combination; 0 where it cannot be predicted
  double effort(std::size_t index) const;

 private:
  struct Point;
  struct Check;
  Point point(std::size_t index) const;
  const SweepModel& checked_model(std::size_t index) const;
  void check(const SweepModel& model) const;

  const SweepModels& models_;
  const LaunchOptions& options_;
  const std::vector<Variation>& variations_;
  std::size_t size_ = 0;
  std::unique_ptr<Check[]> checks_;  ///< of each model
};

/// Predicts the combinations from `first` on and hands over each as soon as all before it are; keeps none. A failed
/// point holds the error and stops no other.
/// @param threads  the most points at a time; 0: all cores; never changes the points handed over, nor their order
/// @param take     called from any thread, without overlapping calls, in the order of the combinations
/// @throws UsageError as SweepStudy
void for_each_point(const SweepKernel& kernel, const Device& device, const LaunchOptions& options,
                    const std::vector<Variation>& variations, std::size_t first, std::size_t threads,
                    const std::function<void(SweepPoint point)>& take);

/// Predicts all combinations, as for_each_point.
/// @return points in the order of the combinations
std::vector<SweepPoint> run_sweep(const SweepKernel& kernel, const Device& device, const LaunchOptions& options,
                                  const std::vector<Variation>& variations, std::size_t threads,
                                  const Progress& progress = {});

}  // namespace warpipe
