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

/// A kernel as its author wrote it: the instruction dependence graph of one warp. Loops stay loops, and numbers that
/// may depend on parameters stay expressions. Immutable after reading.

namespace warpipe {

/// Memory sizes of a device, used to count sectors, lines and bank conflicts of an access.
struct AccessSizes {
  std::int64_t sector_bytes = 32, line_bytes = 128;  ///< of the nearest level: `transactions` and `turns`; `lines`
  std::int64_t banks = 32, bank_bytes = 4;           ///< of shared memory: `conflict_degree`
  friend bool operator==(const AccessSizes&, const AccessSizes&) = default;
};

/// A consumer's wait for an execution of a producer (rule 3 of the model).
struct Dependence {
  std::size_t producer = 0;       ///< index into Kernel::instructions
  Expression back{1};             ///< waits for the back-th most recent execution; >= 1
  std::optional<Cycles> latency;  ///< replaces the producer's completion latency for this consumer
  friend bool operator==(const Dependence&, const Dependence&) = default;
};

/// The addresses of a warp's lanes in one execution of a memory instruction.
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
    /// Bytes from the array's start; a lane with an address outside of the array is not active. Sees the names of the
    /// body and of the thread's place: lane, thread_x, thread_y, thread_z, group, group_x, group_y, group_z, and the
    /// counters of the loops around the instruction, by the loops' names, from 0.
    Expression address;
    friend bool operator==(const Addressed&, const Addressed&) = default;
  };

  struct Sampled {  ///< at addresses without a rule, as recorded of some warps of the launch
    std::size_t array = 0;
    std::int64_t executions_per_warp = 1;  ///< executions of one warp are neighbours in the list; >= 1
    /// Bytes from the array's start, by lane, one list per execution; kNotActive for an inactive lane. Warp n of the
    /// launch has the addresses of the n-th warp here, starting again at the first warp after the last; a warp with
    /// more executions starts its own list again.
    std::vector<std::vector<std::int64_t>> executions;
    /// Added to all addresses, modulo the array's bytes, each time that warps start again at the first one here, so
    /// that a few samples cover all of a large array.
    std::int64_t shift_bytes = 0;
    std::int64_t again_bytes = 0;       ///< added likewise each time that a warp starts its own list again
    std::vector<std::int64_t> fixed{};  ///< executions of a warp with addresses that never shift, ascending
    friend bool operator==(const Sampled&, const Sampled&) = default;
  };
  static constexpr std::int64_t kNotActive = -1;

  Expression width_bytes;  ///< per lane; >= 1
  std::variant<Strided, Broadcast, PerLane, Addressed, Sampled> lanes;
  bool past_unit = false;  ///< a load that bypasses the compute unit's own caches
  friend bool operator==(const AccessPattern&, const AccessPattern&) = default;
};

/// The share and traffic of one level of the memory hierarchy in serving a memory instruction.
struct LevelUse {
  std::string level;                  ///< its name on the device: "l2"
  std::optional<Expression> share;    ///< of executions with their slowest sector here; 0 to 1
  std::optional<Expression> sectors;  ///< moved to or from the level by an execution, on average
  friend bool operator==(const LevelUse&, const LevelUse&) = default;
};

/// Above the largest stall count of any machine code, which has four bits.
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
  std::optional<Expression> lines;            ///< of the first-level cache, looked up by an execution; >= 1
  std::optional<Expression> turns;            ///< of an atomic, summed over its sectors: most lanes on a word; >= 1
  std::int64_t register_reads = 1;            ///< served in turn by the busiest bank of registers; >= 1
  std::int64_t stall = 0;       ///< cycles until the next instruction of its warp, at least; 0 to kMostStall
  std::int64_t code_bytes = 0;  ///< of machine code between two executions; 0: few
  std::optional<AccessPattern> access;
  std::vector<LevelUse> levels;  ///< the levels serving the access, if known; empty: found from addresses, or missed
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
  Expression condition;  ///< the body runs unless this is zero; need not be whole
  std::vector<Item> body;
  std::string where;
  friend bool operator==(const When&, const When&) = default;
};

/// An item of a body: an instruction by its index into Kernel::instructions, a loop or a condition.
struct Item {
  std::variant<std::size_t, Loop, When> node;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Groups that differ: the kind of each group of a launch, and for each kind the numbers visible to the body.
struct GroupKinds {
  /// Neighbouring groups of one kind.
  struct Run {
    std::int64_t kind = 0;
    std::int64_t groups = 1;  ///< >= 1
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// For each kind, a number for all warps of a group, or a number per warp.
  using Column = std::vector<std::vector<double>>;

  /// The kind of a group, a whole number >= 0: an expression of the parameters, group_size, warps, groups and `group`,
  /// the group's index; or runs of groups in the order of their index, repeated after the end of the list.
  std::variant<Expression, std::vector<Run>> of_group;
  /// By name; each has an entry for every kind. The body also sees `kind`.
  std::map<std::string, Column, std::less<>> values;
  /// The instructions issued by all groups are known to within this share, two standard deviations: where only some
  /// groups were looked at. It widens the range of a time.
  double uncertain = 0;
  friend bool operator==(const GroupKinds&, const GroupKinds&) = default;
};

/// Memory addressed by a kernel.
struct Array {
  std::string name;
  Expression bytes;             ///< >= 1; of each thread's own where private; sees the names that `work` sees
  bool thread_private = false;  ///< each thread has its own: spilled registers, indexed arrays
  friend bool operator==(const Array&, const Array&) = default;
};

/// A signal between the warps of a group, or from asynchronous copies to warps (rule 7): each group has its own. The
/// field's names are mbarrier and named barrier.
struct Signal {
  std::string name;
  Expression arrivals;     ///< per phase; >= 1; sees the parameters, group_size and warps
  Expression open{0.0};    ///< phases complete when a group is placed: free places of a ring; >= 0; sees the same names
  std::string where = {};  ///< JSON path, for messages
  friend bool operator==(const Signal&, const Signal&) = default;
};

/// An IDG file, read and checked.
struct Kernel {
  std::string name;
  std::string description;
  std::string origin;  ///< where the graph came from
  std::string form;    ///< of the code it was made from: "PTX 9.0", "machine code by ptxas 13.0"; empty: made from none
  /// The scheduling policy (rule 6) of the hardware that the code is for, where known; otherwise the device's policy
  /// counts.
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
    /// The part of `bytes` that no cache can save: 32 for each sector of global memory read by the launch, and for each
    /// sector written, however often.
    std::optional<Expression> compulsory_bytes;
    friend bool operator==(const Work&, const Work&) = default;
  } work;

  std::vector<Array> arrays;
  std::vector<Signal> signals;
  /// The memory sizes behind the instructions' counts of accesses. Empty: the counts hold for any device, or there are
  /// none.
  std::optional<AccessSizes> counted_for;
  std::optional<GroupKinds> kinds;  ///< empty where all groups are alike

  std::vector<Instruction> instructions;  ///< in program order; each stands in `body` exactly once
  std::vector<Item> body;                 ///< program order, with loops and conditions
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// The latencies of a kernel's instruction on a device; all >= 0.
struct InstructionLatency {
  Cycles issue;                   ///< until its pipeline takes the next instruction
  Cycles completion;              ///< until its result can be used
  bool retires_at_issue = false;  ///< it ends after `issue` cycles: no instruction waits for it (rule 7 of the model)
};

/// Collects the values for the expressions of a kernel's body.
/// @param of_launch  the parameters, group_size, warps
/// @param kind       of the group; 0 where all groups are alike
/// @param warp       its index in the group
/// @return           `of_launch` with `warp`, and where groups differ with `kind` and the kind's values
/// @throws ModelError (`where` is the path in the kernel's file) where the kernel has no values for the kind, or fewer
///         than the group has warps
Values body_values(const Kernel& kernel, Values of_launch, std::int64_t kind = 0, std::int64_t warp = 0);

/// @return the names with values that differ between kinds of groups: `kind` and the kinds' values; empty where all
///         groups are alike
std::vector<std::string> names_of_kinds(const std::optional<GroupKinds>& kinds);

/// @return the names with values that differ between warps or kinds: `warp`, `kind` and the kinds' values
NameSet names_that_vary(const Kernel& kernel);

}  // namespace warpipe
