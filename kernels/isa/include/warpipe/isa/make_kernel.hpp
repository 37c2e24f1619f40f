#pragma once

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
};

/// Makes the instruction dependence graph of a program for one launch: finds the slice that control and addresses need,
/// executes it for warps of each kind of groups, and writes down what they did.
///
/// Loops stay loops where every iteration does the same; where iterations differ, runs of equal ones follow one
/// another. Where warps differ, conditions say which; where groups do, values of their kinds.
/// @param names   of the parameters in the source, in order; may be shorter
/// @param report  what the reader did: calls, rules, registers, what was left out
/// @return        the kernel but for its description and origin, and the whole report
/// @throws InputError, with the line, for control or an address that depends on data of which nothing is known, an
///                    argument that is missing, a division by zero, an access outside the shared memory, an endless
///                    loop or one beyond the budget, a kernel that issues nothing; UsageError for a launch that no
///                    hardware has, an argument or a label that is none
Import make_kernel(const ReadProgram& read, const Launch& launch, const std::vector<std::string>& names,
                   ImportReport report);

}  // namespace warpipe::isa
