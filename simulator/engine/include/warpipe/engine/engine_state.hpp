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
        warps_a_group(warps_per_group(played)),
        slots_a_unit(static_cast<std::size_t>(machine.slots)),
        choosers_a_unit(static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1))),
        residents(slots_a_unit * warps_a_group),
        dispatcher(machine),
        resources(played),
        groups(static_cast<std::size_t>(machine.units) * slots_a_unit),
        warps(groups.size() * warps_a_group),
        scoreboard(warps.size(), played.streams),
        choosers(static_cast<std::size_t>(machine.units) * choosers_a_unit) {
    for (std::size_t i = 0; i < warps.size(); ++i) settle_place(i);
    settle_choosers();
  }
  EngineState(const EngineState&) = delete;  // its parts point at each other
  EngineState& operator=(const EngineState&) = delete;

  /// Who is older: the age of the group, then the warp.
  std::int64_t order_of(std::int64_t age, std::size_t warp) const {
    return age * static_cast<std::int64_t>(warps_a_group) + static_cast<std::int64_t>(warp);
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
  const std::size_t warps_a_group, slots_a_unit, choosers_a_unit;
  const std::size_t residents;  ///< places for warps of a unit

  Dispatcher dispatcher;
  Resources resources;
  std::vector<Group> groups;
  std::vector<Warp> warps;
  Scoreboard scoreboard;
  std::vector<Chooser> choosers;
  RunResult result;

 private:
  void settle_place(std::size_t place) {
    const std::size_t unit = place / residents;
    const std::size_t index = place % residents;
    Warp& warp = warps[place];
    warp.run_stream(program.streams[program.kinds.front()[place % warps_a_group]]);
    warp.cells = scoreboard.cells(place);
    warp.counters = scoreboard.counters(place);
    warp.group = static_cast<std::uint32_t>(place / warps_a_group);
    warp.unit = static_cast<std::uint32_t>(unit);
    warp.chooser_of_unit = static_cast<std::uint32_t>(index % choosers_a_unit);
    warp.chooser = static_cast<std::uint32_t>(unit * choosers_a_unit) + warp.chooser_of_unit;
    warp.index = static_cast<std::uint32_t>(index);
  }

  void settle_choosers() {
    const std::size_t gates = program.gates.size();
    std::size_t backlogs_a_chooser = 0;
    for (const Gate& gate : program.gates) backlogs_a_chooser += gate.backlogs.size();
    queues_.resize(choosers.size() * gates);
    backlogs_.reserve(choosers.size() * backlogs_a_chooser);  // so that spans of it stay valid
    for (std::size_t i = 0; i < choosers.size(); ++i) {
      choosers[i].queues = {queues_.data() + i * gates, gates};
      choosers[i].last.residents = static_cast<std::int64_t>(residents);
    }
    for (std::uint32_t gate = 0; gate < gates; ++gate) {
      const bool of_chooser = is_own(program, gate, Scope::Scheduler);
      const bool of_unit = is_own(program, gate, Scope::ComputeUnit);
      for (std::size_t i = 0; i < choosers.size(); ++i) {
        settle_queue(choosers[i].queues[gate], i, program.gates[gate]);
        choosers[i].queues[gate].is_own_of_chooser = of_chooser;
        choosers[i].queues[gate].is_own_of_unit = of_unit;
      }
    }
  }

  void settle_queue(WarpQueue& queue, std::size_t chooser, const Gate& gate) {
    queue.pipeline_free = &resources.pipeline_free(gate.pipeline, chooser);
    const std::size_t first = backlogs_.size();
    for (const Gate::Backlog& backlog : gate.backlogs)
      backlogs_.push_back({&resources.pipeline_free(backlog.pipeline, chooser), backlog.slack.count});
    queue.backlogs = {backlogs_.data() + first, gate.backlogs.size()};
  }

  std::vector<WarpQueue> queues_;             ///< by chooser and gate
  std::vector<WarpQueue::Backlog> backlogs_;  ///< of the queues
};

}  // namespace warpipe
