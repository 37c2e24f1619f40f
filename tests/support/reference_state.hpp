#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "support/reference_binding.hpp"
#include "support/reference_engine.hpp"
#include "support/reference_stream.hpp"

/// The state of the reference engine.

namespace warpipe::reference {

struct Execution {
  Ticks completion;
  Ticks latency;  // Lambda, as a consumer with a latency of its own takes it off
};

// An access in flight at a level.
struct InFlight {
  Ticks lambda, release;
  bool is_write;
};

struct Warp {
  std::int64_t index = 0;  // in its group
  std::int64_t kind = 0;   // of its group
  InstructionStream stream;
  std::optional<std::size_t> next;  // next to issue; nothing while it waits at a barrier
  Ticks ready;                      // r of `next`
  Ticks go_on;                      // placement of the group, later the opening of the last barrier passed
  std::optional<Ticks> last_issue;
  Ticks stall;                                            // of the last instruction issued
  std::optional<std::size_t> barrier;                     // at which it waits
  std::map<std::size_t, std::vector<Execution>> history;  // by instruction, all of them, oldest first
  Ticks end;
  std::map<std::size_t, std::int64_t> awaited;  // executions that awaited a signal, by signal

  // Rule 7: "A warp has ended when its last instruction has issued (and, if a barrier, opened)".
  bool ended() const { return !next && !barrier; }
};

struct Group {
  std::int64_t age = 0;  // "the number in which the group was placed on the device"
  std::vector<Warp> warps;
  std::map<std::size_t, std::vector<Ticks>> arrivals;      // by signal: completions, in the order of issue
  std::map<std::size_t, std::int64_t> executions_to_come;  // by signal: arrivals of all warps, from the start
};

struct Slot {
  Ticks free;  // where no group is in it
  std::optional<Group> group;
};

// The last warp issued by a scheduler (rule 6).
struct Last {
  std::int64_t index = -1;  // "before the first issue the last index is -1"
  std::int64_t age = -1;
  std::int64_t warp = -1;
};

struct Scheduler {
  Ticks free;
  Last last;
};

struct Unit {
  std::vector<Slot> slots;
  std::vector<Scheduler> schedulers;  // a single scheduler without an issue limit where the device has none
};

struct Instance {
  Ticks free;
  // Of a level:
  std::vector<InFlight> in_flight;
  std::optional<Ticks> latest_arrival;  // *latest*
  Ticks load;                           // u
  InstanceUse use;
};

struct Place {
  std::size_t unit = 0, slot = 0, warp = 0;
};

struct Placement {
  Ticks time;
  Place place;
};

struct Issue {
  Ticks time;  // e
  Place place;
};

}  // namespace warpipe::reference
