#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// What a device can do in a second, as users compute it from its data sheet or its table.

namespace warpipe {

/// Operations of any kind in a second: FLOP/s where they are floating-point.
struct OpsPerSecond {
  double count = 0;
  friend auto operator<=>(const OpsPerSecond&, const OpsPerSecond&) = default;
};

enum class NumberFormat { Fp64, Fp32, Fp16, Matrix };
/// "fp64", "fp32", "fp16", "matrix".
std::string to_string(NumberFormat format);
/// All of them, in order.
std::vector<NumberFormat> number_formats();

/// What a lane does in an op of the common vocabulary.
struct LaneWork {
  NumberFormat format = NumberFormat::Fp32;
  double flops = 0;  ///< per lane
};

/// @param matrix_flops  operations of one warp instruction `mma`, which the vocabulary does not fix; 0: unknown
/// @param warp_size     lanes
/// @return nothing for an op that is no floating-point arithmetic, or special functions and divisions, which have no
///         agreed count
std::optional<LaneWork> lane_work(const std::string& op, double matrix_flops, std::int64_t warp_size);

/// How fast a device runs one op, with all its units full.
struct OpRate {
  std::string op, pipeline;
  double warp_instructions_per_cycle = 0;  ///< per unit
  OpsPerSecond lanes;                  ///< lane operations of the device: units x pipelines x lanes x clock / lambda
  std::optional<NumberFormat> format;  ///< of those that count as FLOP/s
  OpsPerSecond flops;                  ///< 0 where they do not count
};

/// @return one an op whose rate is limited at all, in file order; a pipeline beyond its own (`then`) is not looked at
std::vector<OpRate> op_rates(const Device& device, double matrix_flops = 0);

/// The fastest op of a format.
std::optional<OpsPerSecond> peak_of(const std::vector<OpRate>& rates, NumberFormat format);

}  // namespace warpipe
