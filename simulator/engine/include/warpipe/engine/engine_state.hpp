#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/chooser.hpp"
#include "warpipe/engine/dispatcher.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/resources.hpp"
#include "warpipe/engine/run.hpp"
#include "warpipe/engine/run_ahead.hpp"
#include "warpipe/engine/scoreboard.hpp"
#include "warpipe/engine/warp.hpp"

namespace warpipe {

/// A slot, and the group in it.
struct Group {
  std::size_t live = 0;                 ///< warps that have not ended
  std::size_t waiting = 0;              ///< of these, at the barrier
  std::int64_t latest_issue = 0;        ///< of the waiting warps' barriers and the ended warps' last instructions
  std::int64_t barrier_completion = 0;  ///< the largest Lambda of the waiting barriers
  std::int64_t end = 0;                 ///< the latest end of the warps that have ended
};

/// All that changes while a program is played. Slots, warps and choosers are numbered over all units; a chooser is a
/// scheduler, or a unit where there are no schedulers.
struct EngineState {
  explicit EngineState(const Program& played)
      : program(played),
        machine(played.machine),
        warps_per_group(warpipe::warps_per_group(played)),
        group_slots_per_unit(static_cast<std::size_t>(machine.group_slots)),
        schedulers_per_unit(static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1))),
        residents(group_slots_per_unit * warps_per_group),
        dispatcher(machine),
        resources(played),
        groups(static_cast<std::size_t>(machine.units) * group_slots_per_unit),
        warps(groups.size() * warps_per_group),
        scoreboard(warps.size(), played.streams),
        choosers(static_cast<std::size_t>(machine.units) * schedulers_per_unit) {
    for (std::size_t i = 0; i < warps.size(); ++i) settle_place(i);
    settle_choosers();
  }
  EngineState(const EngineState&) = delete;  // its parts point at each other
  EngineState& operator=(const EngineState&) = delete;

  /// Who is older: the age of the group, then the warp.
  std::int64_t order_of(std::int64_t age, std::size_t warp) const {
    return age * static_cast<std::int64_t>(warps_per_group) + static_cast<std::int64_t>(warp);
  }

  /// Calls visit(counter, trips) for the loop counters of all warps that have not ended.
  template <class Visit>
  void for_each_counter(Visit visit) {
    for (Warp& warp : warps) {
      if (warp.has_ended()) continue;
      const std::vector<std::int64_t>& trips = warp.stream->trips;
      for (std::size_t i = 0; i < trips.size(); ++i) visit(warp.counters[i], trips[i]);
    }
  }

  const Program& program;
  const Machine& machine;
  const std::size_t warps_per_group, group_slots_per_unit, schedulers_per_unit;
  const std::size_t residents;  ///< places for warps of a unit

  Dispatcher dispatcher;
  Resources resources;
  std::vector<Group> groups;
  std::vector<Warp> warps;
  Scoreboard scoreboard;
  std::vector<Chooser> choosers;
  RunResult result;

 private:
  void settle_place(std::size_t warp_slot) {
    const std::size_t unit = warp_slot / residents;
    const std::size_t index = warp_slot % residents;
    Warp& warp = warps[warp_slot];
    warp.run_stream(program.streams[program.kinds.front()[warp_slot % warps_per_group]]);
    warp.cells = scoreboard.cells(warp_slot);
    warp.counters = scoreboard.counters(warp_slot);
    warp.group = static_cast<std::uint32_t>(warp_slot / warps_per_group);
    warp.unit = static_cast<std::uint32_t>(unit);
    warp.chooser_of_unit = static_cast<std::uint32_t>(index % schedulers_per_unit);
    warp.chooser = static_cast<std::uint32_t>(unit * schedulers_per_unit) + warp.chooser_of_unit;
    warp.index = static_cast<std::uint32_t>(index);
  }

  void settle_choosers() {
    const std::size_t issue_ports = program.issue_ports.size();
    std::size_t backlogs_per_scheduler = 0;
    for (const IssuePort& issue_port : program.issue_ports) backlogs_per_scheduler += issue_port.backlogs.size();
    queues_.resize(choosers.size() * issue_ports);
    backlogs_.reserve(choosers.size() * backlogs_per_scheduler);  // so that spans of it stay valid
    for (std::size_t i = 0; i < choosers.size(); ++i) {
      choosers[i].queues = {queues_.data() + i * issue_ports, issue_ports};
      choosers[i].last.residents = static_cast<std::int64_t>(residents);
    }
    for (std::uint32_t issue_port = 0; issue_port < issue_ports; ++issue_port) {
      const bool of_chooser = is_own(program, issue_port, Scope::Scheduler);
      const bool of_unit = is_own(program, issue_port, Scope::ComputeUnit);
      for (std::size_t i = 0; i < choosers.size(); ++i) {
        settle_queue(choosers[i].queues[issue_port], i, program.issue_ports[issue_port]);
        choosers[i].queues[issue_port].is_own_of_chooser = of_chooser;
        choosers[i].queues[issue_port].is_own_of_unit = of_unit;
      }
    }
  }

  void settle_queue(WarpQueue& queue, std::size_t chooser, const IssuePort& issue_port) {
    queue.pipeline_free = &resources.pipeline_free(issue_port.pipeline, chooser);
    const std::size_t first = backlogs_.size();
    for (const IssuePort::Backlog& backlog : issue_port.backlogs)
      backlogs_.push_back({&resources.pipeline_free(backlog.pipeline, chooser), backlog.slack.count});
    queue.backlogs = {backlogs_.data() + first, issue_port.backlogs.size()};
  }

  std::vector<WarpQueue> queues_;             ///< by chooser and issue port
  std::vector<WarpQueue::Backlog> backlogs_;  ///< of the queues
};

}  // namespace warpipe
