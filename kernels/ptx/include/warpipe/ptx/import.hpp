#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/ptx/execution.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"
#include "warpipe/ptx/simplify.hpp"

namespace warpipe::ptx {

struct ImportOptions {
  std::string entry;  ///< empty: the only one
  PtxLaunch launch;
  std::vector<std::string> parameter_names;  ///< in the source, in order; may be empty
  LoweringOptions lowering;
  std::optional<std::int64_t> registers;  ///< of a thread; nothing: estimated from liveness
  std::string registers_from;             ///< where that number is from, for the kernel's `origin`
};

/// What a memory instruction's executions reached.
struct AccessReport {
  std::uint32_t line = 0;  ///< in the PTX
  std::string source;      ///< "saxpy.cu:9"
  std::string name;        ///< "ld.global.f32"
  std::string op;
  StateSpace space = StateSpace::Global;
  AccessStatistics statistics;  ///< of the whole launch
};

/// How often a loop went round.
struct LoopReport {
  std::string label;       ///< of its header; "line 12" where it has none
  std::uint32_t line = 0;  ///< in the PTX
  std::string source;      ///< "saxpy.cu:9"
  double entries = 0;      ///< by a warp, in the whole launch
  Spread passes;           ///< of an entry, over the entries
};

/// Instructions that no warp of the launch executes.
struct DroppedSide {
  std::uint32_t line = 0;  ///< in the PTX, of the first one
  std::string source;      ///< "saxpy.cu:9"
  std::size_t instructions = 0;
};

/// Groups that behave alike.
struct KindReport {
  Dimensions group{0, 0, 0};  ///< one of them
  double groups = 0;
  double issued = 0;  ///< instructions that the warps of one issue
};

/// What a kernel's import found and did.
struct ImportReport {
  std::string entry;
  std::size_t instructions = 0, calls = 0, slice = 0, loops = 0;
  std::int64_t executed = 0, closed_passes = 0;
  std::map<std::string, std::size_t> removed;  ///< by rule
  std::size_t moved_loads = 0;                 ///< by the rule early-loads
  std::vector<std::string> skipped;            ///< unknown opcodes that were left out, with their lines
  /// Instructions of the text that the warps of the launch execute, by class of op: those that the rules leave, what
  /// becomes several counted once, and conditional branches as they were before they became predicates.
  std::map<std::string, double> executions;
  std::map<std::string, double> issued;  ///< instructions that the warps of all groups issue, by op
  std::vector<AccessReport> accesses;
  std::vector<LoopReport> passes;    ///< of the loops that are entered, in the order of the text
  std::vector<DroppedSide> dropped;  ///< sides of branches that no lane takes
  std::vector<KindReport> kinds;     ///< of groups, those of most groups first
  GroupSurvey survey;                ///< how they were found
  std::int64_t registers = 0;
  bool registers_estimated = false;
  std::vector<std::string> notes;  ///< what was averaged, sampled or left out
};

struct Import {
  Kernel kernel;
  ImportReport report;
};

/// Makes the instruction dependence graph of an entry of a module for one launch.
///
/// Loops stay loops where every pass does the same; where passes differ, runs of equal ones follow one another. Where
/// warps differ, conditions say which; where groups do, values of their kinds.
/// @throws InputError, UsageError as inline_calls, analyse_control_flow, bind_arguments, execute and lower_routine
Import import_ptx(const Module& module, const ImportOptions& options);

}  // namespace warpipe::ptx
