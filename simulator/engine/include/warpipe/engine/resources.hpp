#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// When each instance of a pipeline is free again. A chooser is a scheduler, or a unit where there are no schedulers;
/// it is numbered over all units.
class Resources {
 public:
  explicit Resources(const Program& program) : pipelines_(program.machine.pipelines.size()) {
    const Machine& machine = program.machine;
    const auto a_unit = static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1));
    const std::size_t choosers = static_cast<std::size_t>(machine.units) * a_unit;
    instances_.resize(choosers * pipelines_);
    std::size_t first = 0;
    for (std::size_t i = 0; i < pipelines_; ++i) {
      const Scope scope = machine.pipelines[i].scope;
      for (std::size_t chooser = 0; chooser < choosers; ++chooser)
        instances_[chooser * pipelines_ + i] = first + instance(scope, chooser, a_unit);
      first += static_cast<std::size_t>(instances(machine, scope));
    }
    free_.resize(first, 0);
  }

  /// When the instance of a pipeline that a chooser issues to is free.
  std::int64_t& pipeline_free(std::uint32_t pipeline, std::size_t chooser) {
    return free_[instances_[chooser * pipelines_ + pipeline]];
  }

  /// Shows the state to a visitor, see leap.hpp.
  template <class Visitor>
  void visit(Visitor& visitor) {
    for (std::int64_t& free : free_) visitor.time(free);
  }

 private:
  static std::size_t instance(Scope scope, std::size_t chooser, std::size_t schedulers_per_unit) {
    switch (scope) {
      case Scope::ComputeUnit:
        return chooser / schedulers_per_unit;
      case Scope::Scheduler:
        return chooser;
      case Scope::Device:
        break;
    }
    return 0;
  }

  std::size_t pipelines_;
  std::vector<std::size_t> instances_;  ///< by chooser and pipeline
  std::vector<std::int64_t> free_;      ///< by instance
};

}  // namespace warpipe
