#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flow/slice.hpp"
#include "lanes/arguments.hpp"
#include "lanes/memory_layout.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/control_flow.hpp"
#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

inline constexpr std::uint32_t kRoot = UINT32_MAX;  ///< the header of no loop: the program as a whole

/// A warp's way through one iteration of a loop, or through the program.
struct TraceRecord {
  std::uint32_t header = kRoot;  ///< of the iteration's loop
  /// One item per region: for a block 1 or 0, whether it issued; for a loop the index of its trace, or -1 where it was
  /// not entered.
  std::vector<std::int64_t> items;
  /// Accesses to global memory issued with a predicate false in all lanes, in order.
  std::vector<std::uint32_t> idle = {};
  auto operator<=>(const TraceRecord&) const = default;
};

/// A warp's way through one entry of a loop: runs of equal records, with their lengths.
using LoopTrace = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Records and traces, each kept once: equal behaviour has equal indices.
class TracePool {
 public:
  std::uint32_t add(TraceRecord record) { return add(record, records_, record_of_); }
  std::uint32_t add(LoopTrace trace) { return add(trace, traces_, trace_of_); }
  const TraceRecord& record(std::uint32_t index) const { return *records_[index]; }
  const LoopTrace& trace(std::int64_t index) const { return *traces_[static_cast<std::size_t>(index)]; }
  std::size_t records() const { return records_.size(); }

 private:
  template <class Value>
  static std::uint32_t add(Value& value, std::vector<const Value*>& all, std::map<Value, std::uint32_t>& index_of) {
    const auto [place, is_new] = index_of.try_emplace(std::move(value), static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(&place->first);
    return place->second;
  }

  std::map<TraceRecord, std::uint32_t> record_of_;
  std::map<LoopTrace, std::uint32_t> trace_of_;
  std::vector<const TraceRecord*> records_;
  std::vector<const LoopTrace*> traces_;
};

inline constexpr std::size_t kMostBarriers = 64;  ///< per instruction

/// The barrier objects reached by an instruction.
struct BarriersSeen {
  std::set<std::uint64_t> places;  ///< addresses, or numbers
  bool is_known = true;            ///< all of them
  std::int64_t order = 0;          ///< of its first execution among all such instructions, from 1
  std::optional<std::uint64_t> first_parity;
};

/// Records and counts of executed warps.
struct Execution {
  TracePool pool;
  std::map<std::uint32_t, BarriersSeen> barriers;  ///< by instruction
  std::int64_t barriers_seen = 0;                  ///< instructions that reached a barrier object
  std::int64_t warps = 0;                          ///< executed, or under way
  std::int64_t executed = 0;                       ///< instructions of the slice, each for a warp
  std::int64_t closed_iterations = 0;              ///< iterations of loops closed in form and not executed
  std::int64_t shared_memory = 0;         ///< bytes, dynamic ones included; of unknown size: as far as accesses reach
  std::int64_t unsaid_shared_memory = 0;  ///< of these the bytes of unknown size
  /// By loading instruction: fields of structures without a given value, by structure and first byte.
  std::map<std::uint32_t, std::set<std::pair<std::size_t, std::int64_t>>> missing_fields;
  /// By load of an array with too few given numbers: the last element asked for, and the number of given elements.
  std::map<std::uint32_t, MemoryLayout::TooFew> too_few;
  std::set<std::uint32_t> shared_out;       ///< branches decided by the launch's shares
  std::set<std::uint32_t> grid_barriers;    ///< loads and atomics with which a group meets all others of the launch
  std::set<std::uint32_t> usual_ways;       ///< branches on unknown numbers, taken not to be extraordinary
  std::optional<Diagnostic> beyond_shared;  ///< the first access beyond shared memory, where assumptions are allowed
};

/// The program, launch and options of an execution.
struct ExecutionInput {
  const Program& program;
  const ControlFlow& flow;
  const ReachingDefinitions& definitions;
  const Slice& slice;
  const std::vector<std::uint32_t>& branch_of;  ///< IssuePlan::branch_of
  const Launch& launch;
  const std::vector<Argument>& arguments;
  const std::vector<std::string>& names;  ///< of the parameters in the source, for messages
  std::vector<std::int64_t> issued;       ///< by block: instructions issued by a warp
  std::int64_t lanes = 32;                ///< executed lanes of a warp
  bool may_take_long = true;              ///< else a warp stops before a loop is sampled
  AccessSizes sizes = {};                 ///< for counting accesses
};

/// Whether lanes of a branch go both ways, drawn for each thread: then no group is known to be like another.
bool draws_lanes(const Launch& launch);

/// Warps of a group of the launch.
std::int64_t warps_per_group(const ExecutionInput& input);

}  // namespace warpipe::isa
