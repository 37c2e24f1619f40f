#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lanes/companions.hpp"
#include "lanes/execution.hpp"
#include "symbolic/program_forms.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

class AddressLog;
class MeetingLanes;
class TouchedSectors;

/// Groups between two places along each axis.
struct GroupBounds {
  Dimensions first{0, 0, 0}, last{0, 0, 0};
};

/// Groups of a launch with the same behaviour.
struct GroupKind {
  Dimensions group{0, 0, 0};         ///< an example
  double groups = 0;                 ///< number of groups
  GroupBounds box;                   ///< bounds of the groups
  double work = 0;                   ///< issued instructions of a group's warps
  std::vector<std::uint32_t> warps;  ///< the record of each warp's way through the program
};

/// Executions of a block and their lanes, in all groups that the sample stands for.
struct BlockStatistics {
  double executions = 0;
  double lanes = 0;  ///< active, summed
};

/// Statistics of a record.
struct RecordStatistics {
  double iterations = 0;                               ///< of the record, in these statistics
  std::map<std::uint32_t, AccessStatistics> accesses;  ///< by instruction
  std::map<std::uint32_t, BlockStatistics> blocks;     ///< by block
};

/// Survey of a launch: the kinds of its groups, and the statistics of a sample of them.
struct Survey : Execution {
  std::vector<GroupKind> kinds;        ///< most groups first
  std::vector<GroupKinds::Run> order;  ///< the kinds of the groups by their index; begins anew where it ends
  GroupSurvey groups;
  ProgramForms forms;                        ///< of registers, conditions and trips, by arithmetic
  std::vector<RecordStatistics> statistics;  ///< by record; further records have none
  std::int64_t soon_enough = INT64_MAX;      ///< executed instructions from which on fewer groups are looked at
  std::int64_t spent_on_kinds = 0;           ///< instructions executed before the kinds were known
  std::int64_t group_cost = 0;               ///< instructions of the slice per group, for the statistics
  std::size_t few_groups = 0;                ///< groups of the statistics, where more would take too long
  std::int64_t sampled_iterations = 0;       ///< iterations taken to be like the iteration before them
  double largest_sample = 0;                 ///< iterations passed over at once / iterations before, at most
  std::set<std::uint32_t> said_addresses;    ///< instructions with addresses by a stated pattern
  /// By atomic instruction of global memory: MeetingLanes::per_execution.
  std::map<std::uint32_t, double> meeting_lanes;
  std::shared_ptr<TouchedSectors> touched;  ///< of the groups of the statistics
  std::shared_ptr<MeetingLanes> meeting;    ///< while it counts
  std::shared_ptr<AddressLog> log;          ///< of the same groups and some more
  std::vector<std::string> unused_taken;    ///< names in the launch's `taken` without any effect
  /// Statistics of a record, if there are any.
  const RecordStatistics* seen_of(std::uint32_t record) const {
    return record < statistics.size() && statistics[record].iterations > 0 ? &statistics[record] : nullptr;
  }
};

/// Instructions of the slice left to execute before no more groups are looked at than necessary: first for their kinds,
/// then anew for statistics and addresses.
std::int64_t left_to_spend(const ExecutionInput& input, const Survey& survey);

/// Finds the kinds of groups in a launch, and executes the slice for all warps of some groups of each kind.
///
/// Groups are alike along an axis of the grid without influence on control. Along other axes arithmetic, a look at all
/// groups or a look at evenly spread groups shows their kinds. Where none of them does, evenly spread groups are
/// executed, and each further group is taken to be like the nearest executed group. Lanes of a warp with different ways
/// go one after the other and meet again at the first block that all of them reach. Iterations of a loop are closed in
/// form where they only move numbers by constant steps.
/// @return a stop for control or an address that depends on unknown data, for a missing argument, and for loops that
///         take long where `may_take_long` is false
/// @throws InputError, with the line, for a division by zero, an access outside the shared memory, an endless loop or a
///         loop beyond the budget; UsageError for an unknown label
/// @complexity executed instructions of the slice, times the lanes
OrStop<Survey> survey_groups(const ExecutionInput& input, Questions& questions);

}  // namespace warpipe::isa
