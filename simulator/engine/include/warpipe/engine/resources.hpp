#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// When each instance of a pipeline, and each scheduler, is free again. A chooser is a scheduler, or a unit where
/// there are no schedulers; it is numbered over all units.
class Resources {
 public:
  explicit Resources(const Program& program)
      : machine_(program.machine),
        choosers_of_unit_(static_cast<std::size_t>(std::max<std::int64_t>(machine_.schedulers, 1))),
        gates_(program.gates) {
    const std::size_t choosers = static_cast<std::size_t>(machine_.units) * choosers_of_unit_;
    std::size_t count = 0;
    for (const Machine::Pipeline& pipeline : machine_.pipelines) {
      first_instance_.push_back(count);
      count += static_cast<std::size_t>(instances(machine_, pipeline.scope));
    }
    pipeline_free_.resize(count, 0);
    scheduler_free_.resize(choosers, 0);
    for (std::size_t chooser = 0; chooser < choosers; ++chooser)
      for (const Gate& gate : gates_)
        gate_instance_.push_back(static_cast<std::uint32_t>(instance(gate.pipeline, chooser)));
  }

  /// When the pipeline of a gate is free.
  std::int64_t& gate_free(std::size_t chooser, std::size_t gate) {
    return pipeline_free_[gate_instance_[chooser * gates_.size() + gate]];
  }
  std::int64_t& pipeline_free(std::uint32_t pipeline, std::size_t chooser) {
    return pipeline_free_[instance(pipeline, chooser)];
  }
  std::int64_t& scheduler_free(std::size_t chooser) { return scheduler_free_[chooser]; }

  /// The earliest time at which anything behind that gate may issue.
  std::int64_t opens_at(std::size_t chooser, std::size_t gate) const {
    std::int64_t time =
        std::max(scheduler_free_[chooser], pipeline_free_[gate_instance_[chooser * gates_.size() + gate]]);
    for (const Gate::Backlog& backlog : gates_[gate].backlogs)
      time = std::max(time, pipeline_free_[instance(backlog.pipeline, chooser)] - backlog.slack.count);
    return time;
  }

  /// Shows the state to a visitor, see leap.hpp.
  template <class Visitor>
  void visit(Visitor& visitor) {
    for (std::int64_t& free : pipeline_free_) visitor.time(free);
    for (std::int64_t& free : scheduler_free_) visitor.time(free);
  }

 private:
  std::size_t instance(std::uint32_t pipeline, std::size_t chooser) const {
    switch (machine_.pipelines[pipeline].scope) {
      case Scope::ComputeUnit:
        return first_instance_[pipeline] + chooser / choosers_of_unit_;
      case Scope::Scheduler:
        return first_instance_[pipeline] + chooser;
      case Scope::Device:
        break;
    }
    return first_instance_[pipeline];
  }

  const Machine& machine_;
  std::size_t choosers_of_unit_;
  const std::vector<Gate>& gates_;
  std::vector<std::size_t> first_instance_;   ///< by pipeline
  std::vector<std::uint32_t> gate_instance_;  ///< by chooser and gate: the instance of the gate's pipeline
  std::vector<std::int64_t> pipeline_free_;   ///< by instance
  std::vector<std::int64_t> scheduler_free_;  ///< by chooser; stays 0 where there is no issue limit
};

}  // namespace warpipe
