#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// Rates of a device per second, as users compute them from its data sheet or its table.

namespace warpipe {

/// Operations of any kind per second: FLOP/s for floating-point operations.
struct OpsPerSecond {
  double count = 0;
  friend auto operator<=>(const OpsPerSecond&, const OpsPerSecond&) = default;
};

enum class NumberFormat { Fp64, Fp32, Fp16, Matrix };
/// "fp64", "fp32", "fp16", "matrix".
std::string to_string(NumberFormat format);
/// All of them, in order.
std::vector<NumberFormat> number_formats();

/// The work of a lane in an op of the common vocabulary.
struct LaneWork {
  NumberFormat format = NumberFormat::Fp32;
  double flops = 0;  ///< per lane
};

/// @param matrix_flops  operations of one warp instruction `mma`, not fixed by the vocabulary; 0: unknown
/// @param warp_size     lanes
/// @return nothing for an op without floating-point arithmetic, and for special functions and divisions, which have no
///         agreed count
std::optional<LaneWork> lane_work(const std::string& op, double matrix_flops, std::int64_t warp_size);

/// The rate of one op on a device with all units full.
struct OpRate {
  std::string op, pipeline;
  double warp_instructions_per_cycle = 0;  ///< per unit
  OpsPerSecond lanes;                  ///< lane operations of the device: units x pipelines x lanes x clock / lambda
  std::optional<NumberFormat> format;  ///< of ops counting as FLOP/s
  OpsPerSecond flops;                  ///< 0 for ops without a count
};

/// @return the rates of all ops with a limited rate, in file order; ignores pipelines beyond an op's own (`then`)
std::vector<OpRate> op_rates(const Device& device, double matrix_flops = 0);

/// The fastest op of a format.
std::optional<OpsPerSecond> peak_of(const std::vector<OpRate>& rates, NumberFormat format);

}  // namespace warpipe
