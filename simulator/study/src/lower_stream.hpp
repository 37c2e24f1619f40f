#pragma once

#include <cstdint>

#include "kernel_values.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// Lowers the instructions of one warp.
/// @param expressions     of the kernel
/// @param values          what the body sees, with `warp`
/// @param resident_warps  R of rule 4
/// @param device_share    the factor on the lambda of device pipelines: the units that share one, where one stands
///                        for all, else 1
/// @throws as lower
Stream lower_stream(const KernelValues& expressions, const Device& device, const Values& values,
                    std::int64_t resident_warps, std::int64_t device_share);

}  // namespace warpipe
