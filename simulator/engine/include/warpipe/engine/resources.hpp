#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/gates.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// When each instance of a pipeline, and each scheduler, is free again.
class Resources {
 public:
  explicit Resources(const Machine& machine) : schedulers_(static_cast<std::size_t>(machine.schedulers)) {
    std::size_t count = 0;
    for (const Machine::Pipeline& pipeline : machine.pipelines) {
      places_.push_back({count, pipeline.scope});
      count += static_cast<std::size_t>(instances(machine, pipeline.scope));
    }
    pipeline_free_.resize(count, 0);
    scheduler_free_.resize(static_cast<std::size_t>(machine.units) * schedulers_, 0);
  }

  std::int64_t& pipeline_free(std::uint32_t pipeline, std::size_t unit, std::size_t scheduler) {
    return pipeline_free_[instance(pipeline, unit, scheduler)];
  }
  std::int64_t pipeline_free(std::uint32_t pipeline, std::size_t unit, std::size_t scheduler) const {
    return pipeline_free_[instance(pipeline, unit, scheduler)];
  }

  bool has_schedulers() const { return schedulers_ != 0; }
  std::int64_t& scheduler_free(std::size_t unit, std::size_t scheduler) {
    return scheduler_free_[unit * schedulers_ + scheduler];
  }

  /// The earliest time at which anything behind that gate may issue.
  std::int64_t opens_at(const Gate& gate, std::size_t unit, std::size_t scheduler) const {
    std::int64_t time = pipeline_free(gate.pipeline, unit, scheduler);
    if (has_schedulers()) time = std::max(time, scheduler_free_[unit * schedulers_ + scheduler]);
    for (const Gate::Backlog& backlog : gate.backlogs)
      time = std::max(time, pipeline_free(backlog.pipeline, unit, scheduler) - backlog.slack);
    return time;
  }

 private:
  struct Place {
    std::size_t first;
    Scope scope;
  };

  std::size_t instance(std::uint32_t pipeline, std::size_t unit, std::size_t scheduler) const {
    const Place& place = places_[pipeline];
    switch (place.scope) {
      case Scope::ComputeUnit:
        return place.first + unit;
      case Scope::Scheduler:
        return place.first + unit * std::max<std::size_t>(schedulers_, 1) + scheduler;
      case Scope::Device:
        break;
    }
    return place.first;
  }

  std::size_t schedulers_;
  std::vector<Place> places_;
  std::vector<std::int64_t> pipeline_free_, scheduler_free_;
};

}  // namespace warpipe
