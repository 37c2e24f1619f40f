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

/// What a warp did in one iteration of a loop, or on its way through the program.
struct TraceRecord {
  std::uint32_t header = kRoot;  ///< of the loop whose body it was
  /// One a region: of a block 1 or 0, whether it issued; of a loop the index of its trace, or -1 where it was not
  /// entered.
  std::vector<std::int64_t> items;
  /// Accesses to global memory that issued while their predicate held in no lane, in order.
  std::vector<std::uint32_t> idle = {};
  auto operator<=>(const TraceRecord&) const = default;
};

/// What a warp did in one entry of a loop: iterations with the same record in a row, and how many.
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

inline constexpr std::size_t kMostBarriers = 64;  ///< that one instruction comes to

/// The barrier objects that an instruction came to.
struct BarriersSeen {
  std::set<std::uint64_t> places;  ///< addresses, or numbers
  bool is_known = true;            ///< all of them
  std::int64_t order = 0;          ///< of its first execution among those of all such instructions, from 1
  std::optional<std::uint64_t> first_parity;
};

/// What warps did that were executed.
struct Execution {
  TracePool pool;
  std::map<std::uint32_t, BarriersSeen> barriers;  ///< by instruction
  std::int64_t barriers_seen = 0;                  ///< instructions that came to one
  std::int64_t warps = 0;                          ///< that were executed, or are
  std::int64_t executed = 0;                       ///< instructions of the slice, each for a warp
  std::int64_t closed_iterations = 0;              ///< iterations of loops that were closed in form and not executed
  std::int64_t shared_memory = 0;                  ///< bytes of shared memory, the dynamic ones included; where nobody
                                                   ///< says how many, as far as accesses reach
  std::int64_t unsaid_shared_memory = 0;           ///< of these the ones that nobody says
  /// By the instructions that loaded them: fields of structures that nobody gave, by structure and first byte.
  std::map<std::uint32_t, std::set<std::pair<std::size_t, std::int64_t>>> missing_fields;
  /// By the loads of arrays of which the launch gives too few numbers: the last element that one asked for, and how
  /// many are given.
  std::map<std::uint32_t, MemoryLayout::TooFew> too_few;
  std::set<std::uint32_t> shared_out;       ///< branches where the launch's shares decided
  std::optional<Diagnostic> beyond_shared;  ///< the first access that left the shared memory, where that may be assumed
};

/// What is executed.
struct ExecutionInput {
  const Program& program;
  const ControlFlow& flow;
  const ReachingDefinitions& definitions;
  const Slice& slice;
  const std::vector<std::uint32_t>& branch_of;  ///< IssuePlan::branch_of
  const Launch& launch;
  const std::vector<Argument>& arguments;
  const std::vector<std::string>& names;  ///< of the parameters in the source, for messages
  std::vector<std::int64_t> issued;       ///< by block: instructions that a warp issues in it
  std::int64_t lanes = 32;                ///< of a warp, that are executed
  bool may_take_long = true;              ///< else a warp stops before a loop is sampled
  AccessSizes sizes = {};                 ///< that accesses are counted for
};

/// Whether lanes of a branch go both ways, and which is drawn for each thread: then no group is known to be like
/// another.
bool draws_lanes(const Launch& launch);

/// Warps of a group of the launch.
std::int64_t warps_per_group(const ExecutionInput& input);

}  // namespace warpipe::isa
