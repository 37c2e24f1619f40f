#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dispatcher.hpp"
#include "core/layout.hpp"
#include "core/level_pipeline.hpp"
#include "core/pipeline_instances.hpp"
#include "core/scheduler.hpp"
#include "core/scoreboard.hpp"
#include "core/signals.hpp"
#include "core/warp.hpp"
#include "fast/lookahead.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// A group slot of a unit, and the group in it: its barrier and its end (rule 7).
struct Group {
  std::size_t live = 0;                 ///< warps before their end
  std::size_t waiting = 0;              ///< of these, at the barrier
  std::int64_t latest_issue = 0;        ///< of the waiting warps' barriers and the ended warps' last instructions
  std::int64_t barrier_completion = 0;  ///< the largest Lambda of the waiting barriers
  std::int64_t end = 0;                 ///< the latest end of the ended warps
};

/// An issue port with resources shared by several units.
struct SharedPort {
  std::uint32_t issue_port = 0;
  std::vector<IssueQueue::Backlog> shared;  ///< the port's own pipeline, with a slack of 0, and queues behind it

  /// The earliest time at which a warp of any unit may issue here.
  std::int64_t opens_at() const {
    std::int64_t time = kNever;
    for (const IssueQueue::Backlog& each : shared) time = std::max(time, *each.pipeline_free - each.slack);
    return time;
  }
};

/// The changing state of the simulated machine.
struct EngineState {
  explicit EngineState(const Program& simulated)
      : program(simulated),
        machine(simulated.machine),
        layout(simulated),
        dispatcher(machine),
        pipeline_free(simulated),
        level_pipelines(simulated),
        groups(layout.group_slots()),
        warps(layout.warp_slots()),
        scoreboard(warps.size(), simulated.streams),
        signals(simulated, layout),
        schedulers(layout.schedulers()) {
    for (std::size_t i = 0; i < warps.size(); ++i) set_up_warp_slot(i);
    set_up_schedulers();
    set_up_levels();
  }
  EngineState(const EngineState&) = delete;  // its parts point at each other
  EngineState& operator=(const EngineState&) = delete;

  /// Lets very many warps of a queue be a crowd.
  /// @param by_index  as Crowd
  void allow_crowds(bool by_index) {
    for (IssueQueue& queue : queues_) {
      queue.most_listed = IssueQueue::kMostListed;
      queue.ranked_by_index = by_index;
    }
  }

  /// Puts crowds in order after all times and orders have changed.
  void sort_crowds() {
    for (IssueQueue& queue : queues_)
      if (queue.crowd) queue.crowd->sort_again();
  }

  /// The rank of a warp by age: by the age of the group, then by the warp.
  std::int64_t order_of(std::int64_t age, std::size_t warp) const {
    return age * static_cast<std::int64_t>(layout.warps_per_group) + static_cast<std::int64_t>(warp);
  }

  const Program& program;
  const Machine& machine;
  const Layout layout;

  Dispatcher dispatcher;
  PipelineInstances<std::int64_t> pipeline_free;     ///< when each instance is free again
  PipelineInstances<LevelPipeline> level_pipelines;  ///< the accesses in flight at each instance
  std::vector<Group> groups;                         ///< by group slot
  std::vector<Warp> warps;                           ///< by warp slot
  Scoreboard scoreboard;
  Signals signals;
  std::vector<Scheduler> schedulers;
  std::vector<SharedPort> shared_ports;  ///< on a machine with several units
  SimulationResult result;

 private:
  void set_up_warp_slot(std::size_t warp_slot) {
    Warp& warp = warps[warp_slot];
    warp.run_stream(program.streams[program.kinds.front()[layout.warp_of_group(warp_slot)]]);
    warp.cells = scoreboard.cells(warp_slot);
    warp.counters = scoreboard.counters(warp_slot);
    warp.group_slot = static_cast<std::uint32_t>(layout.group_slot_of(warp_slot));
    warp.unit = static_cast<std::uint32_t>(layout.unit_of(warp_slot));
    warp.scheduler = static_cast<std::uint32_t>(layout.scheduler_of(warp_slot));
    warp.index = static_cast<std::uint32_t>(layout.index_on_unit(warp_slot));
  }

  void set_up_levels() {
    for (std::uint32_t i = 0; i < machine.pipelines.size(); ++i) {
      if (!machine.pipelines[i].latency) continue;
      for (std::size_t scheduler = 0; scheduler < layout.schedulers(); ++scheduler)
        level_pipelines(i, scheduler).set_latency(machine.pipelines[i].latency->count);
    }
  }

  void set_up_schedulers() {
    const std::size_t issue_ports = program.issue_ports.size();
    std::size_t backlogs_per_scheduler = 0;
    for (const IssuePort& issue_port : program.issue_ports) backlogs_per_scheduler += issue_port.backlogs.size();
    queues_.resize(schedulers.size() * issue_ports);
    backlogs_.reserve(schedulers.size() * backlogs_per_scheduler);  // keeps pointers into it valid
    for (std::size_t i = 0; i < schedulers.size(); ++i) {
      schedulers[i].queues = {queues_.data() + i * issue_ports, issue_ports};
      schedulers[i].last.residents = static_cast<std::int64_t>(layout.warp_slots_per_unit());
    }
    for (std::uint32_t issue_port = 0; issue_port < issue_ports; ++issue_port) {
      const bool private_to_scheduler = is_private(program, issue_port, Scope::Scheduler);
      const bool private_to_unit = is_private(program, issue_port, Scope::ComputeUnit);
      for (std::size_t i = 0; i < schedulers.size(); ++i) {
        set_up_queue(schedulers[i].queues[issue_port], i, program.issue_ports[issue_port]);
        schedulers[i].queues[issue_port].is_private_to_scheduler = private_to_scheduler;
        schedulers[i].queues[issue_port].is_private_to_unit = private_to_unit;
      }
      if (machine.units > 1) set_up_shared_port(issue_port);
    }
  }

  void set_up_shared_port(std::uint32_t number) {
    const IssuePort& issue_port = program.issue_ports[number];
    SharedPort port{number, {}};
    const auto add = [&](std::uint32_t pipeline, std::int64_t slack) {
      if (machine.pipelines[pipeline].scope == Scope::Device)
        port.shared.push_back({&pipeline_free(pipeline, 0), slack});
    };
    add(issue_port.pipeline, 0);
    for (const IssuePort::Backlog& backlog : issue_port.backlogs) add(backlog.pipeline, backlog.slack.count);
    if (port.shared.empty()) return;
    for (Scheduler& scheduler : schedulers) scheduler.queues[number].is_shared = true;
    shared_ports.push_back(std::move(port));
  }

  void set_up_queue(IssueQueue& queue, std::size_t scheduler, const IssuePort& issue_port) {
    queue.pipeline_free = &pipeline_free(issue_port.pipeline, scheduler);
    const std::size_t first = backlogs_.size();
    for (const IssuePort::Backlog& backlog : issue_port.backlogs)
      backlogs_.push_back({&pipeline_free(backlog.pipeline, scheduler), backlog.slack.count});
    queue.backlogs = {backlogs_.data() + first, backlogs_.data() + backlogs_.size()};
  }

  std::vector<IssueQueue> queues_;             ///< by scheduler and issue port
  std::vector<IssueQueue::Backlog> backlogs_;  ///< of the queues
};

}  // namespace warpipe
