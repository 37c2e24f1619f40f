#pragma once

#include <utility>
#include <vector>

#include "observers/observer.hpp"
#include "warpipe/engine/observe.hpp"

namespace warpipe {

/// Observes the placements of groups, in a run without skipping.
class PlacementObserver : public NoObserver {
 public:
  void on_group_placed(const GroupPlacedEvent& placed) {
    placements_.push_back({Ticks{placed.time}, Ticks{placed.booked}});
  }

  std::vector<GroupPlacement> placements() && { return std::move(placements_); }

 private:
  std::vector<GroupPlacement> placements_;
};

}  // namespace warpipe
