#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "warpipe/engine/group_order.hpp"
#include "warpipe/engine/group_sample.hpp"
#include "warpipe/idg/machine.hpp"
#include "warpipe/idg/units.hpp"

/// The engine's input: a kernel bound to a machine, as flat arrays of whole numbers. A program holds no names, no
/// expressions and no files. Loops stay loops, so the size of a program depends neither on trip counts nor on the
/// number of groups.

namespace warpipe {

/// A half-open range of one of a stream's arrays.
struct Range {
  std::uint32_t begin = 0, end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

/// The place of a producer's completion times in a warp's scoreboard: one cell, or a ring of `depth` cells behind a
/// cell with the position in the ring.
struct ScoreboardEntry {
  std::uint32_t cell = 0;   ///< of the warp's scoreboard
  std::uint32_t depth = 0;  ///< latest executions available to consumers; 0: no consumer waits
  friend bool operator==(const ScoreboardEntry&, const ScoreboardEntry&) = default;
};

/// "Waits for the back-th most recent execution of a producer."
struct Wait {
  ScoreboardEntry producer;
  std::uint32_t back = 1;  ///< 1 to producer.depth
  Ticks adjust;            ///< added to the producer's completion: an edge's own latency less the producer's
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// A further pipeline on an instruction's way: an entry of `then`, or a level of the memory hierarchy.
struct Stage {
  std::uint32_t pipeline = 0;
  Ticks issue;            ///< lambda there
  Ticks after;            ///< from the issue to the arrival on an idle machine
  Ticks waits{};          ///< the part of a memory level's latency that the instruction waits for
  Ticks mixed{};          ///< lambda at a memory level while accesses of the other kind are in flight there
  bool is_write = false;  ///< a store
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// The service of a step's executions by one level of the memory hierarchy.
struct Service {
  Ticks completion;         ///< Lambda
  Range stages;             ///< on the way to the level
  std::uint32_t level = 0;  ///< as the device numbers them
  friend bool operator==(const Service&, const Service&) = default;
};

/// Turns after which a rotation begins anew, at most.
inline constexpr std::uint32_t kMostTurns = 64;

/// The services of a step's executions in turn (rule 5). The i-th execution of warp w of a group of age a has turn i +
/// a x warps per group + w, modulo the period.
struct Rotation {
  Range services;            ///< the nearest level first; their stages follow each other
  std::uint32_t cell = 0;    ///< of the warp's scoreboard, for the turn of the next execution
  std::uint32_t period = 1;  ///< a power of 2, at most kMostTurns
  std::array<std::uint8_t, kMostTurns> service_of_turn{};  ///< counted from the first of `services`
  friend bool operator==(const Rotation&, const Rotation&) = default;
};

/// The end of a loop's body: while trips remain, the warp continues at `first`.
struct LoopEnd {
  std::uint32_t counter = 0;  ///< of the warp's loop counters
  std::uint32_t first = 0;    ///< step
  std::int64_t trips = 2;     ///< > 1
  friend bool operator==(const LoopEnd&, const LoopEnd&) = default;
};

/// An instruction as executed by a warp: all data for an issue, in one cache line.
struct alignas(64) Step {
  Ticks issue;           ///< lambda
  Ticks completion;      ///< Lambda
  Ticks scheduler_busy;  ///< interval x issue_slots
  Range waits;
  Range stages;     ///< with services: of InstructionStream::rotations, one
  Range loop_ends;  ///< innermost first
  ScoreboardEntry score;
  std::uint32_t issue_port = 0;  ///< index into Program::issue_ports
  std::uint16_t pipeline = 0;
  std::uint8_t stall = 0;  ///< whole cycles until its warp may issue again, at least
  bool barrier : 1 = false;
  bool retires_at_issue : 1 = false;
  bool has_services : 1 = false;  ///< then `completion` is the nearest level's
  bool has_signals : 1 = false;   ///< arrives at a signal or awaits one: InstructionStream::signals
  friend bool operator==(const Step&, const Step&) = default;
};
static_assert(sizeof(Step) == 64);

inline constexpr std::uint32_t kNoSignal = UINT32_MAX;

/// The signals of a step, by their index in Program::signals.
struct SignalUse {
  std::uint32_t arrives = kNoSignal;  ///< when it is complete
  std::uint32_t awaits = kNoSignal;   ///< before it issues
  friend bool operator==(const SignalUse&, const SignalUse&) = default;
};

/// The instructions of one warp in program order.
struct InstructionStream {
  std::vector<Step> steps;
  std::vector<Wait> waits;
  std::vector<Stage> stages;
  std::vector<Service> services;
  std::vector<Rotation> rotations;
  std::vector<LoopEnd> loop_ends;
  std::vector<SignalUse> signals;           ///< by step; empty if no step has any
  std::uint32_t cells = 0;                  ///< of a warp's scoreboard
  std::vector<std::int64_t> trips;          ///< of each of a warp's loop counters
  std::vector<std::int64_t> runs;           ///< executions of each step by a warp
  std::vector<Ticks> longest_adjusts;       ///< for each step, the largest `adjust` of the waits for it; >= 0
  std::vector<std::uint32_t> producers;     ///< by wait: its step
  std::vector<std::uint32_t> instructions;  ///< for each step an index into Kernel::instructions
  std::int64_t first_kind = 0;              ///< of a group running it, in the kernel's numbering of kinds
  std::int64_t first_warp = 0;              ///< the first such warp of the group
  friend bool operator==(const InstructionStream&, const InstructionStream&) = default;
};

/// The simulated units, and the dispatch of groups to them.
struct Machine {
  struct Pipeline {
    Scope scope = Scope::ComputeUnit;
    std::optional<Ticks> backlog;    ///< work that may wait there if reached through a stage
    std::optional<Ticks> latency{};  ///< of a memory level, which delays by its accesses in flight; none: a queue
    friend bool operator==(const Pipeline&, const Pipeline&) = default;
  };

  std::vector<Pipeline> pipelines;  ///< at most 2^16
  std::int64_t units = 1;           ///< simulated
  std::int64_t schedulers = 0;      ///< per unit; 0: no issue limit
  std::int64_t group_slots = 1;     ///< per unit: groups held at a time
  std::int64_t groups = 1;          ///< handed out to the simulated units
  Policy policy = Policy::FirstReady;
  Ticks warp_interval, group_launch_latency, group_dispatch_interval;
  Ticks launch_begin;  ///< until slots are free at first
  Ticks launch_end;    ///< from the last group's end to the run's end
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// The machine for a group alone, placed at time 0 and ending the run.
Machine machine_of_one_group(Machine machine);

/// Rule 5: the least time from the issue of a step to the next issue of its warp.
inline std::int64_t until_next_issue(const Machine& machine, const Step& step) {
  return std::max(machine.warp_interval.count, step.stall * kTicksPerCycle);
}

/// The resources that hold an instruction back besides its own warp and scheduler: its pipeline, and the backlog of the
/// pipelines behind it. All instructions at the same issue port may issue from the same moment on. Pipelines always
/// free together with their scheduler share one issue port.
struct IssuePort {
  struct Backlog {
    std::uint32_t pipeline = 0;
    Ticks slack;  ///< from the earliest issue until the pipeline is free: backlog + after
    friend auto operator<=>(const Backlog&, const Backlog&) = default;
  };
  std::uint32_t pipeline = 0;
  std::vector<Backlog> backlogs;
  friend auto operator<=>(const IssuePort&, const IssuePort&) = default;
};

/// A signal between a group's warps, phase by phase (rule 7).
struct BoundSignal {
  std::string name;           ///< for messages
  std::int64_t arrivals = 1;  ///< per phase; >= 1
  std::int64_t open = 0;      ///< phases complete when a group is placed; >= 0
  friend bool operator==(const BoundSignal&, const BoundSignal&) = default;
};

/// A kind of group: for each of its warps an index into Program::streams.
using GroupKind = std::vector<std::uint32_t>;

struct Program {
  Machine machine;
  std::vector<InstructionStream> streams;  ///< without duplicates
  std::vector<GroupKind> kinds;            ///< without duplicates, at least one; all with as many warps
  std::vector<IssuePort> issue_ports;      ///< without duplicates
  GroupOrder order;                        ///< of the kinds
  GroupSample sample;
  std::vector<BoundSignal> signals{};  ///< of each group; empty: no waits for signals
  friend bool operator==(const Program&, const Program&) = default;
};

inline std::size_t warps_per_group(const Program& program) { return program.kinds.front().size(); }

/// The schedulers of a unit's warps; a unit without schedulers counts as having one, always free.
inline std::int64_t schedulers_per_unit(const Machine& machine) {
  return machine.schedulers > 0 ? machine.schedulers : 1;
}

/// The services of a step, the nearest level first; empty if its executions are all alike.
std::span<const Service> services_of(const InstructionStream& stream, const Step& step);

/// All stages of a step's executions, of InstructionStream::stages.
Range all_stages(const InstructionStream& stream, const Step& step);

/// The signals of a step.
SignalUse signals_of(const InstructionStream& stream, const Step& step);

/// The shortest completion latency of a step's executions.
Ticks shortest_completion(const InstructionStream& stream, const Step& step);

/// Makes the rotation that spreads each service's share of the turns evenly (rule 5).
/// @param services   as many as there are positions
/// @param positions  of each service, kMostTurns in all
Rotation make_rotation(Range services, const std::vector<std::int64_t>& positions);

/// Counts a warp's executions by service of a rotation.
/// @param first_turn  of the first execution; >= 0
std::vector<std::int64_t> executions_by_service(const Rotation& rotation, std::int64_t first_turn,
                                                std::int64_t executions);

/// The longest period of all rotations; 1 without rotations.
std::int64_t longest_period(const InstructionStream& stream);
std::int64_t longest_period(const Program& program);

/// The number of warps of all simulated groups by stream.
std::vector<std::int64_t> warps_of_streams(const Program& program);

/// Finds the issue ports of a program and gives each step its own.
/// @throws ModelError for a time above 64 bits
void assign_issue_ports(Program& program);

/// @return instances of a pipeline of this scope on the simulated units
std::int64_t instances(const Machine& machine, Scope scope);

}  // namespace warpipe
