#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"
#include "warpipe/ptx/rules.hpp"

namespace warpipe::ptx {

struct ImportOptions {
  std::string entry;  ///< as of find_entry
  PtxLaunch launch;
  std::vector<isa::Assumption> assumed;  ///< of the launch, already put in place: its block, its grid
  std::string block_from;          ///< what the block is guessed from, ".maxntid", for a note; empty where it was given
  std::string shared_memory_from;  ///< likewise of the dynamic shared memory
  std::vector<std::string> parameter_names;  ///< in the source, in order; may be empty
  LoweringOptions lowering;
  std::optional<std::int64_t> registers;  ///< of a thread; nothing: estimated from liveness
  std::string registers_from;             ///< where that number is from, for the kernel's `origin`
};

using isa::AccessReport;
using isa::AddressReport;
using isa::DroppedSide;
using isa::GroupSurvey;
using isa::Import;
using isa::ImportReport;
using isa::KindReport;
using isa::LoopReport;
using isa::Spread;
using isa::to_string;

/// Makes the instruction dependence graph of an entry of a module for one launch.
/// @throws InputError, UsageError as inline_calls, isa::analyse_control_flow, lower_routine and isa::make_kernel;
///         isa::UnknownData with all that it has to be told, where `launch.assume` is not set
Import import_ptx(const Module& module, const ImportOptions& options);

/// Puts another answer in place of what is assumed, or the same one as if the user had given it.
void answer(ImportOptions& options, const isa::Assumption& assumption, const std::string& value);

}  // namespace warpipe::ptx
