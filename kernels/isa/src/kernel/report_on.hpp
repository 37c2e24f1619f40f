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

/// What a report tells of.
struct ReportInput {
  const Program& program;
  const ControlFlow& flow;
  const Slice& slice;
  const IssuePlan& plan;
  const Survey& survey;
  const std::vector<std::int64_t>& issued;  ///< by block, as ExecutionInput has it
};

/// Counts and lists what was found; what the reader did, registers and notes are the caller's.
/// @param report  gets all else
/// @param all     what all groups of the launch did
void report_on(const ReportInput& stages, const Tally& all, ImportReport& report);

/// What a launch reads and writes of its arrays.
struct ReachOfLaunch {
  std::vector<ArrayReach> arrays;
  double compulsory_bytes = 0;  ///< of the sectors that are read, and of those that are written
};

/// Counts by TouchedSectors, and where not all groups were looked at by forms of the addresses: groups next to each
/// other, which share sectors, are seldom both among a few that were.
/// @param forms  that give all addresses of an instruction, where there is one
ReachOfLaunch reach_of_launch(const Program& program, const Survey& survey, const Tally& all,
                              const AddressReader& reader, const std::map<std::uint32_t, AddressForm>& forms);

}  // namespace warpipe::isa
