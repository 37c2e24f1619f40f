#pragma once

#include <functional>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/import_report.hpp"
#include "warpipe/isa/issue_plan.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

struct Import {
  Kernel kernel;
  ImportReport report;
};

/// A program with its reader's analyses.
struct ReadProgram {
  const Program& program;
  const ControlFlow& flow;
  const ReachingDefinitions& definitions;
  const IssuePlan& plan;
  AccessSizes sizes = {};  ///< sizes_for
};

/// Makes the instruction dependence graph of a program for one launch: finds the slice needed by control and addresses,
/// executes the slice for warps of each kind of groups, and writes down their instructions.
///
/// Loops stay loops where every iteration does the same; where iterations differ, runs of equal iterations follow one
/// another. Differences between warps become conditions; differences between groups become values of their kinds.
/// @param names   of the parameters in the source, in order; may be shorter
/// @param report  the reader's part: calls, rules, registers, omissions
/// @return        the kernel without its description and origin, and the whole report
///
/// With `launch.assume`, unknown arguments, branches, loops and addresses are assumed and reported. The kernel is then
/// the same as for a launch with the assumed values given.
/// @throws UnknownData, with the line, for control or an address that depends on unknown data, or a missing argument,
///                    where nothing may be assumed, or where an assumption led to an error;
///         InputError for a division by zero, an access outside the shared memory, an endless loop or a loop beyond the
///                    budget, a kernel that issues nothing;
///         UsageError for a launch beyond any hardware, an invalid argument or an unknown label
Import make_kernel(const ReadProgram& read, Launch launch, const std::vector<std::string>& names, ImportReport report);

/// Makes an import, with assumptions for unknown data where allowed. Where assumptions are not allowed and data lack,
/// the import is made with assumptions all the same, to ask all questions at once.
/// @param has_questions  some data are known to lack
/// @param import         makes the import, with assumptions or without
/// @throws UnknownData with all questions
Import import_or_ask(bool may_assume, bool has_questions, const std::function<Import(bool assume)>& import);

}  // namespace warpipe::isa
