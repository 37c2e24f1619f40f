#pragma once

#include <cstdint>

#include "support/reference_binding.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Rule 4 of the model: accesses on a device with levels; and the parts of rule 5 about them.

namespace warpipe::reference {

bool is_access(const Instruction& instruction, const Device& device);

/// The row of an instruction's op; for an access the row of the name without a width.
const Op& op_of(const Instruction& instruction, const Device& device);

/// The issue, the completion, the stages and the services of an access, as in bind_instruction().
Bound bind_by_levels(const Instruction& instruction, const Op& op, const Device& device, const Values& values,
                     std::int64_t resident_warps, Share share);

/// Rule 5: the position of an execution.
/// @param i  number of the execution
/// @param n  number of the warp
std::int64_t position_of(std::int64_t i, std::int64_t n);

}  // namespace warpipe::reference
