#pragma once

#include "tally.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/schedule.hpp"

namespace warpipe::ptx {

/// The stages of an import that its report tells of.
struct ImportStages {
  const Routine& routine;
  const ControlFlow& flow;
  const Slice& slice;
  const Lowered& lowered;
  const Schedule& schedule;
  const Execution& execution;
};

/// Counts and lists what an import found; registers and notes are the caller's.
/// @param all  what all groups of the launch did
ImportReport report_on(const ImportStages& stages, const Tally& all);

}  // namespace warpipe::ptx
