#pragma once

#include <utility>
#include <vector>

#include "observers/observer.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {

/// Observes the times of placements, in a run without skipping.
class PlacementObserver : public NoObserver {
 public:
  void on_group_placed(const GroupPlacedEvent& placed) { placements_.push_back(Ticks{placed.time}); }

  std::vector<Ticks> placements() && { return std::move(placements_); }

 private:
  std::vector<Ticks> placements_;
};

}  // namespace warpipe
