#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/machine.hpp"
#include "warpipe/idg/units.hpp"

/// A kernel as its author wrote it: the instruction dependence graph of one warp, with loops kept as loops and
/// every number that may depend on parameters still an expression. Immutable after reading.

namespace warpipe {

/// The sizes of a device's memory that counts of accesses depend on.
struct AccessSizes {
  std::int64_t sector_bytes = 32, line_bytes = 128;  ///< of the nearest level: `transactions` and `turns`; `lines`
  std::int64_t banks = 32, bank_bytes = 4;           ///< of shared memory: `conflict_degree`
  friend bool operator==(const AccessSizes&, const AccessSizes&) = default;
};

/// Says that a consumer waits for an execution of a producer (rule 3 of the model).
struct Dependence {
  std::size_t producer = 0;       ///< index into Kernel::instructions
  Expression back{1};             ///< waits for the back-th most recent execution; >= 1
  std::optional<Cycles> latency;  ///< replaces the producer's completion latency for this consumer
  friend bool operator==(const Dependence&, const Dependence&) = default;
};

/// Which addresses the lanes of a warp touch in one execution of a memory instruction.
struct AccessPattern {
  struct Strided {
    Expression stride_bytes;  ///< lane i at i x stride
    friend bool operator==(const Strided&, const Strided&) = default;
  };
  struct Broadcast {  ///< all lanes at one address
    friend bool operator==(const Broadcast&, const Broadcast&) = default;
  };
  struct PerLane {
    std::vector<Expression> offsets_bytes;  ///< one per lane, from base 0
    friend bool operator==(const PerLane&, const PerLane&) = default;
  };

  struct Addressed {        ///< lane i at `address`, in an array of the kernel
    std::size_t array = 0;  ///< index into Kernel::arrays
    /// Bytes from the array's start; a lane that is outside of the array takes no part. Sees the names of the body and
    /// of its place: lane, thread_x, thread_y, thread_z, group, group_x, group_y, group_z, and the counters of the
    /// loops around it, by the loops' names, from 0.
    Expression address;
    friend bool operator==(const Addressed&, const Addressed&) = default;
  };

  struct Sampled {  ///< at addresses that follow no rule, as some warps of the launch had them
    std::size_t array = 0;
    std::int64_t executions_per_warp = 1;  ///< those of one warp stand together; >= 1
    /// Bytes from the array's start, by lane, one list per execution; kNotActive of a lane that takes no part. Warp n
    /// of the launch has those of the n-th warp here, from the first one again where they end, and a warp that executes
    /// more goes through its own again.
    std::vector<std::vector<std::int64_t>> executions;
    /// That all addresses go on by, modulo the array's bytes, each time that warps begin with the first one here again:
    /// so that a few samples stand for all of a large array.
    std::int64_t shift_bytes = 0;
    std::int64_t again_bytes = 0;       ///< likewise those of a warp, each time that it goes through its own again
    std::vector<std::int64_t> fixed{};  ///< executions of a warp whose addresses never go on, ascending
    friend bool operator==(const Sampled&, const Sampled&) = default;
  };
  static constexpr std::int64_t kNotActive = -1;

  Expression width_bytes;  ///< per lane; >= 1
  std::variant<Strided, Broadcast, PerLane, Addressed, Sampled> lanes;
  bool past_unit = false;  ///< a load that the compute unit's own caches neither serve nor keep
  friend bool operator==(const AccessPattern&, const AccessPattern&) = default;
};

/// What a level of the memory hierarchy does for a memory instruction.
struct LevelUse {
  std::string level;                  ///< its name on the device: "l2"
  std::optional<Expression> share;    ///< of the executions, those that it serves: their slowest sector; 0 to 1
  std::optional<Expression> sectors;  ///< that an execution moves to or from it, on average
  friend bool operator==(const LevelUse&, const LevelUse&) = default;
};

/// Beyond what any machine code can say: its stall counts have four bits.
inline constexpr std::int64_t kMostStall = 255;

/// A node of the IDG.
struct Instruction {
  std::string id;
  std::string op;    ///< a name of the vocabulary, found in a device's latency table
  std::string text;  ///< the source line; may be empty
  std::vector<Dependence> after;
  std::optional<Cycles> issue_latency;        ///< overrides the table's lambda
  std::optional<Cycles> completion_latency;   ///< overrides the table's Lambda
  std::optional<Expression> conflict_degree;  ///< >= 1
  std::optional<Expression> transactions;     ///< >= 1
  std::optional<Expression> lines;            ///< of the first-level cache that are looked up; >= 1
  std::optional<Expression> turns;            ///< of an atomic: of each sector, the most lanes on one word; >= 1
  std::int64_t register_reads = 1;            ///< that the busiest bank of registers serves in turn; >= 1
  std::int64_t stall = 0;       ///< cycles until the next instruction of its warp, at least; 0 to kMostStall
  std::int64_t code_bytes = 0;  ///< of machine code from one execution to the next; 0: few
  std::optional<AccessPattern> access;
  std::vector<LevelUse> levels;  ///< which levels serve it, where that is said; empty: found from addresses, or missed
  std::optional<std::size_t> arrives;  ///< at this signal, when it is complete: index into Kernel::signals
  std::optional<std::size_t> awaits;   ///< the next phase of this signal, before it issues
  std::string where;                   ///< JSON path, for messages
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Item;

struct Loop {
  std::string name;
  Expression trip_count;  ///< >= 0
  std::vector<Item> body;
  std::string where;
  friend bool operator==(const Loop&, const Loop&) = default;
};

struct When {
  Expression condition;  ///< the body runs where this is not zero; need not be whole
  std::vector<Item> body;
  std::string where;
  friend bool operator==(const When&, const When&) = default;
};

/// An item of a body: an instruction by its index into Kernel::instructions, a loop or a condition.
struct Item {
  std::variant<std::size_t, Loop, When> node;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Groups that differ: which group of a launch is of which kind, and the numbers that the body sees for each kind.
struct GroupKinds {
  /// Neighbouring groups of one kind.
  struct Run {
    std::int64_t kind = 0;
    std::int64_t groups = 1;  ///< >= 1
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// For each kind a number for all warps of a group, or one per warp.
  using Column = std::vector<std::vector<double>>;

  /// The kind of a group, a whole number >= 0: an expression of the parameters, group_size, warps, groups and `group`,
  /// the group's index; or runs of groups, in the order of their index, which begin anew where the list ends.
  std::variant<Expression, std::vector<Run>> of_group;
  /// By name; all as long as there are kinds. The body also sees `kind`.
  std::map<std::string, Column, std::less<>> values;
  friend bool operator==(const GroupKinds&, const GroupKinds&) = default;
};

/// Memory that a kernel's addresses are in.
struct Array {
  std::string name;
  Expression bytes;             ///< >= 1; of one thread's, where each has its own; sees what `work` sees
  bool thread_private = false;  ///< each thread has its own: spilled registers, arrays that are indexed
  friend bool operator==(const Array&, const Array&) = default;
};

/// What warps of a group tell each other, and asynchronous copies tell warps (rule 7): each group has its own. The
/// field's names are mbarrier and named barrier.
struct Signal {
  std::string name;
  Expression arrivals;     ///< that complete a phase; >= 1; sees the parameters, group_size and warps
  Expression open{0.0};    ///< phases that are complete when a group is placed: free places of a ring; >= 0; likewise
  std::string where = {};  ///< JSON path, for messages
  friend bool operator==(const Signal&, const Signal&) = default;
};

/// An IDG file, read and checked.
struct Kernel {
  std::string name;
  std::string description;
  std::string origin;  ///< where the graph came from
  std::string form;    ///< of the code that it was made of: "PTX 9.0", "machine code by ptxas 13.0"; empty: of none
  /// Which warp issues first (rule 6), where the hardware that the code is for is known; else the device says it.
  std::optional<Policy> policy;
  std::string file;  ///< for messages; empty for a kernel made in memory

  std::map<std::string, double, std::less<>> parameters;  ///< defaults

  struct LaunchDefaults {
    std::optional<Expression> group_size;         ///< threads; sees the parameters
    std::optional<Expression> groups;             ///< also sees group_size and warps
    std::optional<Expression> concurrent_groups;  ///< per unit; sees the same names as groups
    /// Threads of a group along x and y, groups along x and y; the rest is along z. Empty: all are along x.
    std::vector<Expression> block, grid;
    friend bool operator==(const LaunchDefaults&, const LaunchDefaults&) = default;
  } launch;

  struct Resources {
    std::optional<Expression> registers_per_thread;
    std::optional<Expression> shared_memory_per_group;  ///< bytes
    friend bool operator==(const Resources&, const Resources&) = default;
  } resources;

  struct Work {
    std::optional<Expression> flops;  ///< of the whole launch; need not be whole; also sees groups
    std::optional<Expression> bytes;
    /// The part of `bytes` that no cache can save: 32 for each sector of global memory that the launch reads, and for
    /// each that it writes, however often.
    std::optional<Expression> compulsory_bytes;
    friend bool operator==(const Work&, const Work&) = default;
  } work;

  std::vector<Array> arrays;
  std::vector<Signal> signals;
  /// What the counts of accesses hold for that its instructions give. Empty: for any device, or they give none.
  std::optional<AccessSizes> counted_for;
  std::optional<GroupKinds> kinds;  ///< empty where all groups are alike

  std::vector<Instruction> instructions;  ///< in program order; each stands in `body` exactly once
  std::vector<Item> body;                 ///< program order, with loops and conditions
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// What an instruction of a kernel costs on a device; all >= 0.
struct InstructionLatency {
  Cycles issue;                   ///< until its pipeline takes the next instruction
  Cycles completion;              ///< until its result can be used
  bool retires_at_issue = false;  ///< it ends after `issue` cycles: no instruction waits for it (rule 7 of the model)
};

/// The values that the expressions of a kernel's body use.
/// @param of_launch  the parameters, group_size, warps
/// @param kind       of the group; 0 where all groups are alike
/// @param warp       its index in the group
/// @return           these with `warp`, and where groups differ with `kind` and the kind's values
/// @throws ModelError (`where` is the path in the kernel's file) where the kernel has no values for that kind, or not
///                    as many as there are warps
Values body_values(const Kernel& kernel, Values of_launch, std::int64_t kind = 0, std::int64_t warp = 0);

/// The names whose values differ between kinds of groups: `kind` and those of its values; none where all groups are
/// alike.
std::vector<std::string> names_of_kinds(const std::optional<GroupKinds>& kinds);

/// The names that differ from warp to warp and from kind to kind: `warp`, and those of the kinds.
NameSet names_that_vary(const Kernel& kernel);

}  // namespace warpipe
