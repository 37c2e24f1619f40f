#pragma once

#include <vector>

#include "observers/observer.hpp"
#include "warpipe/engine/observe.hpp"

namespace warpipe {

/// Observes when groups are placed. Those of skipped periods are missing.
class PlacementObserver : public NoObserver {
 public:
  static constexpr bool kSupportsSkipping = true;

  void on_group_placed(const GroupPlacedEvent& placed) { placements_.push_back({placed.age, Ticks{placed.time}}); }

  /// What was placed is past, and has no part in what repeats.
  template <class Visitor>
  void visit(Visitor&) {}

  std::vector<Placement> placements() && { return std::move(placements_); }

 private:
  std::vector<Placement> placements_;
};

}  // namespace warpipe
