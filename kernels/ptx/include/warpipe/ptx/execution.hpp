#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/ptx/control_flow.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/predication.hpp"
#include "warpipe/ptx/slice.hpp"
#include "warpipe/ptx/trace.hpp"

namespace warpipe::ptx {

/// Groups of a launch that behave alike.
struct GroupClass {
  Dimensions group{0, 0, 0};         ///< the one that was executed
  double groups = 0;                 ///< how many it stands for
  std::vector<std::uint32_t> warps;  ///< the record of each warp's pass through the routine
};

/// The lanes of a block's executions, in all groups that those of the sample stand for.
struct BlockStatistics {
  double executions = 0;
  double lanes = 0;  ///< active, summed
};

/// What the slice did for a sample of the groups: stage 4 of the import.
struct Execution {
  TracePool pool;
  std::vector<GroupClass> classes;  ///< those that stand for most groups first
  std::map<std::pair<std::uint32_t, std::uint32_t>, AccessStatistics> accesses;  ///< by record and instruction
  std::map<std::pair<std::uint32_t, std::uint32_t>, BlockStatistics> blocks;     ///< by record and block
  std::int64_t executed = 0;       ///< instructions of the slice, each for a warp
  std::int64_t closed_passes = 0;  ///< passes of loops that were closed in form and not executed
  std::int64_t local_memory = 0;   ///< bytes of shared memory, the dynamic ones included
  std::size_t sampled_groups = 0;
  double stands_for = 0;  ///< groups that the one being executed stands for; 0: nothing is gathered
};

/// What is executed.
struct ExecutionInput {
  const Routine& routine;
  const ControlFlow& flow;
  const Slice& slice;
  const Predication& predication;
  const PtxLaunch& launch;
  const std::vector<Argument>& arguments;
  const std::vector<std::string>& names;  ///< of the parameters in the source, for messages
};

/// Executes the slice for all warps of a sample of the groups: the first, middle and last along each dimension, and
/// those between which the behaviour changes. Lanes of a warp that go different ways do so one after the other and meet
/// again at the first block that all of them reach. Passes of a loop that only move numbers by constant steps are
/// closed in form.
/// @throws InputError, with the line, for control or an address that depends on data of which nothing is known, an
/// argument
///                    that is missing, a division by zero, an access outside the shared memory, an endless loop or one
///                    beyond the budget; UsageError for a label that is none
/// @complexity instructions of the slice that are executed, times the lanes
Execution execute(const ExecutionInput& input);

}  // namespace warpipe::ptx
