#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "warpipe/tune/tuner.hpp"

namespace warpipe {

/// The unit of work: the bounds or the times of a part, or the prediction of a configuration on a device.
struct TuningItem {
  enum class Make : std::uint32_t { Bounds, Times, Time, Range, RangeOfBest };
  Make make = Make::Bounds;
  std::size_t index = 0;  ///< of a part, or of a configuration and a device
  /// Seconds, rounded up: a Time is not made where its bound is above it.
  float worst = std::numeric_limits<float>::infinity();
};
std::uint64_t pack(const TuningItem& item);
TuningItem unpack_tuning_item(std::uint64_t packed);

/// The result of an item.
struct TunedItem {
  std::vector<TunedPoint> points;     ///< of a part in its order, else a single point
  std::vector<std::string> warnings;  ///< of a RangeOfBest
};

/// The requested results for a space.
struct TuningWish {
  std::size_t top = 10;
  bool all = false;   ///< the times of all configurations, with any bounds
  bool range = true;  ///< of the best
};

/// The ranking of a space: the bounds of all, then times in the order of the bounds, then ranges of the best; or the
/// times of all, then ranges. The choice of simulated configurations does not depend on the number of threads.
class TuningRun {
 public:
  /// @param tuner  outlives this
  TuningRun(const Tuner& tuner, std::string source, const TuningWish& wish);

  /// From several threads, and in several processes.
  /// @throws errors that concern all configurations
  TunedItem make(const TuningItem& item) const;

  /// Items that belong together.
  struct Step {
    std::string what;                ///< "configurations bounded"
    std::size_t configurations = 0;  ///< of all items
    std::vector<TuningItem> items;
  };
  /// To be called with the result of each item, in their order.
  using Take = std::function<void(std::size_t place, const TunedItem& made)>;
  /// Has the items of a step made, and takes their results.
  using Do = std::function<void(const Step& step, const Take& take)>;

  /// @throws the error of the first configuration, where no device runs any; exceptions of `act`
  const Tuning& run(const Do& act);
  /// The same on some threads; 0: all cores.
  const Tuning& run(std::size_t threads);

  /// Of the best of each device, after a run.
  const std::vector<std::vector<std::string>>& warnings() const { return warnings_; }

 private:
  Tuner::Item item_of(std::size_t index) const;
  TunedPoint& point_of(const Tuner::Item& item) { return tuning_.devices[item.device].points[item.configuration]; }
  void go_through(const Do& act, TuningItem::Make make, const char* what);
  void find_times(const Do& act, std::size_t device);
  void simulate(const Do& act, std::size_t device, const std::vector<std::size_t>& chosen);
  void find_ranges(const Do& act, std::size_t device);
  double worst_of_best(const DeviceTuning& found) const;
  void add_measured(std::size_t device);

  const Tuner& tuner_;
  TuningWish wish_;
  std::vector<std::vector<Tuner::Item>> parts_;
  Tuning tuning_;
  std::vector<std::vector<std::string>> warnings_;  ///< by device
};

}  // namespace warpipe
