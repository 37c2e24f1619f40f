#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "survey/address_form.hpp"
#include "survey/survey.hpp"
#include "survey/tally.hpp"
#include "warpipe/isa/import_report.hpp"
#include "warpipe/isa/issue_plan.hpp"

namespace warpipe::isa {

/// The input of a report.
struct ReportInput {
  const Program& program;
  const ControlFlow& flow;
  const Slice& slice;
  const IssuePlan& plan;
  const Survey& survey;
  const std::vector<std::int64_t>& issued;  ///< by block, as ExecutionInput has it
};

/// Counts and lists the findings of an import; the reader's work, registers and notes are left to the caller.
/// @param report  gets all else
/// @param all     totals of all groups of the launch
void report_on(const ReportInput& stages, const Tally& all, ImportReport& report);

/// Reads and writes of a launch in its arrays.
struct ReachOfLaunch {
  std::vector<ArrayReach> arrays;
  double compulsory_bytes = 0;  ///< of the sectors read, and of the sectors written
};

/// Counts by TouchedSectors, and by forms of the addresses where not all groups were looked at: neighbouring groups
/// share sectors, and a few groups seldom hold two neighbours.
/// @param forms  by instruction, the form of all its addresses, if there is one
ReachOfLaunch reach_of_launch(const Program& program, const Survey& survey, const Tally& all,
                              const AddressReader& reader, const std::map<std::uint32_t, AddressForm>& forms);

}  // namespace warpipe::isa
