#pragma once

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

}  // namespace warpipe::isa
