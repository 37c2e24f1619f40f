#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"
#include "warpipe/ptx/rules.hpp"

namespace warpipe::ptx {

using isa::AccessReport;
using isa::AddressReport;
using isa::DroppedSide;
using isa::GroupSurvey;
using isa::Import;
using isa::ImportOptions;
using isa::ImportReport;
using isa::KindReport;
using isa::LoopReport;
using isa::Spread;
using isa::to_string;

/// Makes the instruction dependence graph of an entry of a module for one launch.
/// @throws InputError, UsageError as inline_calls, isa::analyse_control_flow, lower_routine and isa::make_kernel;
///         isa::UnknownData that lists all missing data, unless `launch.assume` is set
Import import_ptx(const Module& module, const isa::ImportOptions& options);

}  // namespace warpipe::ptx
