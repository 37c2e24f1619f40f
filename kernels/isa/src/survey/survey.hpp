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

/// Groups of a launch that behave alike.
struct GroupKind {
  Dimensions group{0, 0, 0};         ///< one of them
  double groups = 0;                 ///< how many they are
  GroupBounds box;                   ///< they lie in it
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

/// Which groups of a launch behave alike, and what those did that were looked at. The statistics are of a sample of
/// them.
struct Survey : Execution {
  std::vector<GroupKind> kinds;        ///< those of most groups first
  std::vector<GroupKinds::Run> order;  ///< the kinds of the groups by their index; begins anew where it ends
  GroupSurvey groups;
  ProgramForms forms;                        ///< of registers, conditions and trips, by arithmetic
  std::vector<RecordStatistics> statistics;  ///< by record; none of the ones beyond
  std::int64_t soon_enough = INT64_MAX;      ///< executed instructions that are no reason to look at fewer groups
  std::int64_t spent_on_kinds = 0;           ///< of them, once the kinds of groups are known
  std::int64_t group_cost = 0;               ///< instructions of the slice of one group, for the statistics
  std::size_t few_groups = 0;                ///< that the statistics are of, where more would take too long
  std::int64_t sampled_iterations = 0;       ///< those that were taken to be like the one before them
  double largest_sample = 0;                 ///< of them, as a share of the iterations before
  std::set<std::uint32_t> said_addresses;    ///< instructions whose addresses follow what somebody said of them
  /// By atomic instruction of global memory: MeetingLanes::per_execution.
  std::map<std::uint32_t, double> meeting_lanes;
  std::shared_ptr<TouchedSectors> touched;  ///< of the groups of the statistics
  std::shared_ptr<MeetingLanes> meeting;    ///< while these are gathered
  std::shared_ptr<AddressLog> log;          ///< of these groups and some more
  std::vector<std::string> unused_taken;    ///< names by which the launch says shares that decided nowhere
  /// Of a record, where anything was seen of it.
  const RecordStatistics* seen_of(std::uint32_t record) const {
    return record < statistics.size() && statistics[record].iterations > 0 ? &statistics[record] : nullptr;
  }
};

/// Instructions of the slice that may be executed until it takes too long to look at more groups than it must: to find
/// their kinds, and from then on anew for their statistics and addresses.
std::int64_t left_to_spend(const ExecutionInput& input, const Survey& survey);

/// Finds out which groups behave alike, and executes the slice for all warps of groups of each kind. Along an axis of
/// the grid that control does not depend on, groups are alike; along others all are looked at, or as many as it takes
/// to see where they change or how they repeat, which further ones confirm. Where they do not, each group that was
/// not looked at is taken to be like the one nearest to it, evenly spread. Lanes of a warp that go different ways do
/// so one after the other and meet again at the first block that all of them reach. Iterations of a loop that only
/// move numbers by constant steps are closed in form.
/// @return a stop for control or an address that depends on data of which nothing is known, for an argument that is
///         missing, and where loops take long that may not
/// @throws InputError, with the line, for a division by zero, an access outside the shared memory, an endless loop or
/// one
///         beyond the budget; UsageError for a label that is none
/// @complexity instructions of the slice that are executed, times the lanes
OrStop<Survey> survey_groups(const ExecutionInput& input, Questions& questions);

}  // namespace warpipe::isa
