#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flow/slice.hpp"
#include "lanes/arguments.hpp"
#include "lanes/memory_layout.hpp"
#include "lanes/trace.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/control_flow.hpp"
#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

class AddressLog;
class MeetingLanes;
class TouchedSectors;
struct SizeTrial;

/// Groups of a launch that behave alike.
struct GroupKind {
  Dimensions group{0, 0, 0};         ///< one of them
  double groups = 0;                 ///< how many they are
  double work = 0;                   ///< instructions that the warps of one issue
  std::vector<std::uint32_t> warps;  ///< the record of each warp's way through the program
};

/// The lanes of a block's executions, in all groups that those of the sample stand for.
struct BlockStatistics {
  double executions = 0;
  double lanes = 0;  ///< active, summed
};

/// What was seen of a record.
struct RecordStatistics {
  double iterations = 0;                               ///< of it that this is of
  std::map<std::uint32_t, AccessStatistics> accesses;  ///< by instruction
  std::map<std::uint32_t, BlockStatistics> blocks;     ///< by block
};

/// Instructions of the slice that may be executed before questions are asked that they led to.
inline constexpr std::int64_t kSoonAsked = 250'000;

inline constexpr std::size_t kMostBarriers = 64;  ///< that one instruction comes to

/// The barrier objects that an instruction came to.
struct BarriersSeen {
  std::set<std::uint64_t> places;  ///< addresses, or numbers
  bool is_known = true;            ///< all of them
  std::int64_t order = 0;          ///< of its first execution among those of all such instructions, from 1
  std::optional<std::uint64_t> first_parity;
};

/// What the slice did. The statistics are of a sample of the groups.
struct Execution {
  TracePool pool;
  std::vector<GroupKind> kinds;        ///< those of most groups first
  std::vector<GroupKinds::Run> order;  ///< the kinds of the groups by their index; begins anew where it ends
  GroupSurvey survey;
  std::vector<RecordStatistics> statistics;        ///< by record; none of the ones beyond
  std::map<std::uint32_t, BarriersSeen> barriers;  ///< by instruction
  std::int64_t barriers_seen = 0;                  ///< instructions that came to one
  std::int64_t warps = 0;                          ///< that were executed, or are
  std::int64_t executed = 0;                       ///< instructions of the slice, each for a warp
  std::int64_t most_executed = INT64_MAX;          ///< beyond that the group is a costly one
  std::int64_t soon_enough = INT64_MAX;            ///< of them, that are no reason to look at fewer groups
  std::int64_t spent_on_kinds = 0;                 ///< of them, once the kinds of groups are known
  std::int64_t group_cost = 0;                     ///< instructions of the slice of one group, for the statistics
  std::size_t few_groups = 0;                      ///< that the statistics are of, where more would take too long
  std::int64_t closed_iterations = 0;              ///< iterations of loops that were closed in form and not executed
  std::int64_t sampled_iterations = 0;             ///< those that were taken to be like the one before them
  double largest_sample = 0;                       ///< of them, as a share of the iterations before
  std::int64_t shared_memory = 0;                  ///< bytes of shared memory, the dynamic ones included; where nobody
                                                   ///< says how many, as far as accesses reach
  std::int64_t unsaid_shared_memory = 0;           ///< of these the ones that nobody says
  std::set<std::uint32_t> said_addresses;          ///< instructions whose addresses follow what somebody said of them
  /// By atomic instruction of global memory: MeetingLanes::per_execution.
  std::map<std::uint32_t, double> meeting_lanes;
  std::shared_ptr<TouchedSectors> touched;  ///< of the groups of the statistics
  std::shared_ptr<MeetingLanes> meeting;    ///< while these are gathered
  std::shared_ptr<AddressLog> log;          ///< of these groups and some more
  std::vector<Assumption> assumptions;      ///< each once, in the order in which they were met
  /// By the instructions that loaded them: fields of structures that nobody gave, by structure and first byte.
  std::map<std::uint32_t, std::set<std::pair<std::size_t, std::int64_t>>> missing_fields;
  std::set<std::uint32_t> shared_out;     ///< branches where the launch's shares decided
  std::vector<std::string> unused_taken;  ///< names by which the launch says shares that decided nowhere
  /// By the loads of arrays of which the launch gives too few numbers: the last element that one asked for, and how
  /// many are given.
  std::map<std::uint32_t, MemoryLayout::TooFew> too_few;
  std::optional<Diagnostic> beyond_shared;  ///< the first access that left the shared memory, where that may be assumed
  /// Of a record, where anything was seen of it.
  const RecordStatistics* seen_of(std::uint32_t record) const {
    return record < statistics.size() && statistics[record].iterations > 0 ? &statistics[record] : nullptr;
  }
  SizeTrial* trial = nullptr;  ///< what is met of sizes that are tried; then nothing else is gathered
  double stands_for = 0;       ///< groups that the one being executed stands for; 0: nothing is gathered
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
  bool may_take_long = true;              ///< else TakesLong is thrown before a loop is sampled
  AccessSizes sizes = {};                 ///< that accesses are counted for
};

/// Whether lanes of a branch go both ways, and which is drawn for each thread: then no group is known to be like
/// another.
bool draws_lanes(const Launch& launch);

/// Whether what was executed before something had to be assumed would be other with it as an answer. Where lanes reach
/// and how many of them jump matters nowhere before, unless they are the first that are drawn.
bool changes_the_rest(const Assumption& assumption, const Launch& launch);

/// Loops of a warp go round so often that they would have to be sampled.
struct TakesLong {};

/// One group alone takes long.
struct CostlyGroup {};

/// Warps of a group of the launch.
std::int64_t warps_per_group(const ExecutionInput& input);

}  // namespace warpipe::isa
