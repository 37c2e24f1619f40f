#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/dispatcher.hpp"
#include "warpipe/engine/policy.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/resources.hpp"
#include "warpipe/engine/run.hpp"
#include "warpipe/engine/scoreboard.hpp"
#include "warpipe/engine/waiting_warps.hpp"

namespace warpipe {

/// A place for a warp, and where the warp in it stands in its stream.
struct Warp {
  const Stream* stream = nullptr;
  std::int64_t last_issue = 0;  ///< milli-cycles
  std::uint32_t step = 0;       ///< the next one
  std::uint32_t group = 0;      ///< its place's slot, over all units
  std::uint32_t chooser = 0;    ///< its place's, over all units
  std::uint32_t index = 0;      ///< slot x warps per group + warp

  /// Also where nobody has been placed yet.
  bool has_ended() const { return step >= stream->steps.size(); }
};

/// A slot, and the group in it.
struct Group {
  std::size_t live = 0;                 ///< warps that have not ended
  std::size_t waiting = 0;              ///< of these, at the barrier
  std::int64_t latest_issue = 0;        ///< of the waiting warps' barriers and the ended warps' last instructions
  std::int64_t barrier_completion = 0;  ///< the largest Lambda of the waiting barriers
  std::int64_t end = 0;                 ///< the latest end of its instructions so far
};

/// All that changes while a program is played. Slots, warps and choosers are numbered over all units; a chooser is a
/// scheduler, or a unit where there are no schedulers.
struct EngineState {
  explicit EngineState(const Program& played)
      : program(played),
        machine(played.machine),
        warps_a_group(played.stream_of_warp.size()),
        slots_a_unit(static_cast<std::size_t>(machine.slots)),
        choosers_a_unit(static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1))),
        choosers(static_cast<std::size_t>(machine.units) * choosers_a_unit),
        residents(slots_a_unit * warps_a_group),
        dispatcher(machine),
        resources(played),
        groups(static_cast<std::size_t>(machine.units) * slots_a_unit),
        warps(groups.size() * warps_a_group),
        scoreboard(warps.size(), played.streams),
        waiting(warps.size(), choosers, played.gates.size()),
        last(choosers) {
    for (LastIssued& each : last) each.residents = static_cast<std::int64_t>(residents);
    for (std::size_t i = 0; i < warps.size(); ++i) settle_place(i);
  }

  /// Who is older: the age of the group, then the warp.
  std::int64_t order_of(std::int64_t age, std::size_t warp) const {
    return age * static_cast<std::int64_t>(warps_a_group) + static_cast<std::int64_t>(warp);
  }

  /// Calls visit(counter, trips) for the loop counters of all warps that have not ended.
  template <class Visit>
  void for_each_counter(Visit visit) {
    for (std::size_t index = 0; index < warps.size(); ++index) {
      if (warps[index].has_ended()) continue;
      const std::vector<std::int64_t>& trips = warps[index].stream->trips;
      for (std::size_t i = 0; i < trips.size(); ++i) visit(scoreboard.counter(index, i), trips[i]);
    }
  }

  const Program& program;
  const Machine& machine;
  const std::size_t warps_a_group, slots_a_unit, choosers_a_unit, choosers;
  const std::size_t residents;  ///< places for warps of a unit

  Dispatcher dispatcher;
  Resources resources;
  std::vector<Group> groups;
  std::vector<Warp> warps;
  Scoreboard scoreboard;
  WaitingWarps waiting;
  std::vector<LastIssued> last;  ///< by chooser
  RunResult result;

 private:
  void settle_place(std::size_t place) {
    const std::size_t unit = place / residents;
    const std::size_t index = place % residents;
    Warp& warp = warps[place];
    warp.stream = &program.streams[program.stream_of_warp[place % warps_a_group]];
    warp.group = static_cast<std::uint32_t>(place / warps_a_group);
    warp.chooser = static_cast<std::uint32_t>(unit * choosers_a_unit + index % choosers_a_unit);
    warp.index = static_cast<std::uint32_t>(index);
    warp.step = static_cast<std::uint32_t>(warp.stream->steps.size());
  }
};

}  // namespace warpipe
