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

/// What the engine simulates: a kernel bound to a machine, as flat arrays of whole numbers. A program holds no names,
/// no expressions and no files. Loops stay loops, so the size of a program depends neither on trip counts nor on the
/// number of groups.

namespace warpipe {

/// A half-open range of one of a stream's arrays.
struct Range {
  std::uint32_t begin = 0, end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

/// Where a warp keeps the completion times of one producer: one cell, or a ring of `depth` cells behind a cell that
/// holds the position in the ring.
struct ScoreboardEntry {
  std::uint32_t cell = 0;   ///< of the warp's scoreboard
  std::uint32_t depth = 0;  ///< latest executions that a consumer may wait for; 0: no consumer waits
  friend bool operator==(const ScoreboardEntry&, const ScoreboardEntry&) = default;
};

/// "Waits for the back-th most recent execution of a producer."
struct Wait {
  ScoreboardEntry producer;
  std::uint32_t back = 1;  ///< 1 to producer.depth
  Ticks adjust;            ///< added to the producer's completion: an edge's own latency less the producer's
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// A further pipeline that an instruction goes through: an entry of `then`, or a level of the memory hierarchy.
struct Stage {
  std::uint32_t pipeline = 0;
  Ticks issue;            ///< lambda there
  Ticks after;            ///< from the issue until it arrives on an idle machine
  Ticks waits{};          ///< of the latency of a memory level, what the instruction waits for
  Ticks mixed{};          ///< lambda at a memory level while accesses of the other kind are in flight there
  bool is_write = false;  ///< its kind there
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// What one level of the memory hierarchy does for the executions of a step that it serves.
struct Service {
  Ticks completion;         ///< Lambda
  Range stages;             ///< that lead to the level
  std::uint32_t level = 0;  ///< as the device numbers them
  friend bool operator==(const Service&, const Service&) = default;
};

/// Turns after which a rotation begins anew, at most.
inline constexpr std::uint32_t kMostTurns = 64;

/// Which of a step's services its executions get in turn (rule 5). The i-th execution of warp w of a group of age a has
/// turn i + a x warps per group + w, modulo the period.
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

/// An instruction as one warp executes it: all that the engine touches at an issue, in one cache line.
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
  bool has_services : 1 = false;  ///< then `completion` is that of the nearest level
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
  std::vector<SignalUse> signals;           ///< by step; empty where none has any
  std::uint32_t cells = 0;                  ///< of a warp's scoreboard
  std::vector<std::int64_t> trips;          ///< of each of a warp's loop counters
  std::vector<std::int64_t> runs;           ///< how often a warp executes each step
  std::vector<Ticks> longest_adjusts;       ///< for each step, the largest `adjust` of the waits for it; >= 0
  std::vector<std::uint32_t> producers;     ///< the step that each wait is for
  std::vector<std::uint32_t> instructions;  ///< for each step an index into Kernel::instructions
  std::int64_t first_kind = 0;              ///< of a group with a warp that runs it, as the kernel numbers kinds
  std::int64_t first_warp = 0;              ///< the first such warp of that group
  friend bool operator==(const InstructionStream&, const InstructionStream&) = default;
};

/// The units that are simulated, and how groups reach them.
struct Machine {
  struct Pipeline {
    Scope scope = Scope::ComputeUnit;
    std::optional<Ticks> backlog;    ///< work that may wait there when reached through a stage
    std::optional<Ticks> latency{};  ///< of a memory level, which delays by what is in flight; none: a queue
    friend bool operator==(const Pipeline&, const Pipeline&) = default;
  };

  std::vector<Pipeline> pipelines;  ///< at most 2^16
  std::int64_t units = 1;           ///< simulated
  std::int64_t schedulers = 0;      ///< per unit; 0: no issue limit
  std::int64_t group_slots = 1;     ///< per unit: groups that it holds at a time
  std::int64_t groups = 1;          ///< handed out to the simulated units
  Policy policy = Policy::FirstReady;
  Ticks warp_interval, group_launch_latency, group_dispatch_interval;
  Ticks launch_begin;  ///< when slots are free at first
  Ticks launch_end;    ///< from the last group's end to that of the run
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// The machine for a group alone, which is there at time 0 and ends the run.
Machine machine_of_one_group(Machine machine);

/// Rule 5: the time from the issue of a step to that of its warp's next, at least.
inline std::int64_t until_next_issue(const Machine& machine, const Step& step) {
  return std::max(machine.warp_interval.count, step.stall * kTicksPerCycle);
}

/// What holds an instruction back besides its own warp and scheduler: its pipeline, and the backlog of the pipelines
/// behind it. All instructions at the same issue port may issue from the same moment on. Pipelines that are always free
/// when their scheduler is free share one issue port.
struct IssuePort {
  struct Backlog {
    std::uint32_t pipeline = 0;
    Ticks slack;  ///< may issue that long before the pipeline is free: backlog + after
    friend auto operator<=>(const Backlog&, const Backlog&) = default;
  };
  std::uint32_t pipeline = 0;
  std::vector<Backlog> backlogs;
  friend auto operator<=>(const IssuePort&, const IssuePort&) = default;
};

/// What a group's warps arrive at and wait for, phase by phase (rule 7).
struct BoundSignal {
  std::string name;           ///< for messages
  std::int64_t arrivals = 1;  ///< that complete a phase; >= 1
  std::int64_t open = 0;      ///< phases that are complete when a group is placed; >= 0
  friend bool operator==(const BoundSignal&, const BoundSignal&) = default;
};

/// A kind of group: for each of its warps an index into Program::streams.
using GroupKind = std::vector<std::uint32_t>;

struct Program {
  Machine machine;
  std::vector<InstructionStream> streams;  ///< different ones only
  std::vector<GroupKind> kinds;            ///< different ones only, at least one; all with as many warps
  std::vector<IssuePort> issue_ports;      ///< different ones only
  GroupOrder order;                        ///< of the kinds
  GroupSample sample;
  std::vector<BoundSignal> signals{};  ///< of each group; empty: nothing is waited for
  friend bool operator==(const Program&, const Program&) = default;
};

inline std::size_t warps_per_group(const Program& program) { return program.kinds.front().size(); }

/// The schedulers that a unit's warps belong to; a unit without schedulers counts as one that is always free.
inline std::int64_t schedulers_per_unit(const Machine& machine) {
  return machine.schedulers > 0 ? machine.schedulers : 1;
}

/// The services of a step, the nearest level first; empty where its executions are all alike.
std::span<const Service> services_of(const InstructionStream& stream, const Step& step);

/// All stages that some execution of a step goes through, of InstructionStream::stages.
Range all_stages(const InstructionStream& stream, const Step& step);

/// The signals of a step.
SignalUse signals_of(const InstructionStream& stream, const Step& step);

/// The shortest completion latency of a step's executions.
Ticks shortest_completion(const InstructionStream& stream, const Step& step);

/// The rotation in which each service gets its share of the turns, spread evenly (rule 5).
/// @param services   as many as there are positions
/// @param positions  of each service, of kMostTurns in all
Rotation make_rotation(Range services, const std::vector<std::int64_t>& positions);

/// How many of a warp's executions get each of a rotation's services.
/// @param first_turn  of the first execution; >= 0
std::vector<std::int64_t> executions_by_service(const Rotation& rotation, std::int64_t first_turn,
                                                std::int64_t executions);

/// The longest period of all rotations; 1 where there is none.
std::int64_t longest_period(const InstructionStream& stream);
std::int64_t longest_period(const Program& program);

/// How many warps of all simulated groups run each stream.
std::vector<std::int64_t> warps_of_streams(const Program& program);

/// Finds the issue ports of a program and gives each step its own.
/// @throws ModelError where a time does not fit 64 bits
void assign_issue_ports(Program& program);

/// @return instances of a pipeline of that scope on the simulated units
std::int64_t instances(const Machine& machine, Scope scope);

}  // namespace warpipe
