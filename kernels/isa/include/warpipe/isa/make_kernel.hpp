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

/// A program with what a reader knows of it.
struct ReadProgram {
  const Program& program;
  const ControlFlow& flow;
  const ReachingDefinitions& definitions;
  const IssuePlan& plan;
  AccessSizes sizes = {};  ///< sizes_for
};

/// Makes the instruction dependence graph of a program for one launch: finds the slice that control and addresses need,
/// executes it for warps of each kind of groups, and writes down what they did.
///
/// Loops stay loops where every iteration does the same; where iterations differ, runs of equal ones follow one
/// another. Where warps differ, conditions say which; where groups do, values of their kinds.
/// @param names   of the parameters in the source, in order; may be shorter
/// @param report  what the reader did: calls, rules, registers, what was left out
/// @return        the kernel but for its description and origin, and the whole report
///
/// With `launch.assume`, what nobody says of arguments, branches, loops and addresses is assumed and reported. The
/// kernel is then the same as one of a launch that says just that.
/// @throws UnknownData, with the line, for control or an address that depends on data of which nothing is known, or an
///                    argument that is missing, where nothing may be assumed, or where an assumption led to an error;
///         InputError for a division by zero, an access outside the shared memory, an endless
///                    loop or one beyond the budget, a kernel that issues nothing; UsageError for a launch that no
///                    hardware has, an argument or a label that is none
Import make_kernel(const ReadProgram& read, Launch launch, const std::vector<std::string>& names, ImportReport report);

/// Makes an import that may assume what nobody says. Where it may not and something lacks, the import is made with
/// assumptions all the same, to ask for all that lacks at once.
/// @param has_questions  something is known to lack
/// @param import         makes it, with assumptions or without
/// @throws UnknownData with all questions
Import import_or_ask(bool may_assume, bool has_questions, const std::function<Import(bool assume)>& import);

}  // namespace warpipe::isa
