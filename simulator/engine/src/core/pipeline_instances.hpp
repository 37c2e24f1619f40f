#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// One value for each instance of each pipeline: a unit, a scheduler or the device has an instance of its own, and
/// every scheduler issues to its own instance, or to its unit's or the device's (rule 5).
template <class Value>
class PipelineInstances {
 public:
  explicit PipelineInstances(const Program& program) : pipelines_(program.machine.pipelines.size()) {
    const Layout layout(program);
    instances_.resize(layout.schedulers() * pipelines_);
    std::size_t first = 0;
    for (std::size_t i = 0; i < pipelines_; ++i) {
      const Scope scope = program.machine.pipelines[i].scope;
      for (std::size_t scheduler = 0; scheduler < layout.schedulers(); ++scheduler)
        instances_[scheduler * pipelines_ + i] = first + instance_within(scope, scheduler, layout);
      first += static_cast<std::size_t>(instances(program.machine, scope));
    }
    values_.resize(first);
  }

  /// The instance used by a scheduler.
  std::size_t instance(std::uint32_t pipeline, std::size_t scheduler) const {
    return instances_[scheduler * pipelines_ + pipeline];
  }

  Value& operator[](std::size_t instance) { return values_[instance]; }
  Value& operator()(std::uint32_t pipeline, std::size_t scheduler) { return values_[instance(pipeline, scheduler)]; }

  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }

 private:
  static std::size_t instance_within(Scope scope, std::size_t scheduler, const Layout& layout) {
    switch (scope) {
      case Scope::ComputeUnit:
        return layout.unit_of_scheduler(scheduler);
      case Scope::Scheduler:
        return scheduler;
      case Scope::Device:
        break;
    }
    return 0;
  }

  std::size_t pipelines_;
  std::vector<std::size_t> instances_;  ///< by scheduler and pipeline
  std::vector<Value> values_;           ///< by instance
};

}  // namespace warpipe
