#pragma once

#include <string>

#include "warpipe/baselines/device_rates.hpp"

namespace warpipe {

/// The peak rates of a device.
///
///     v100, NVIDIA Tesla V100 (1.38 GHz)
///
///     bandwidth  900 GB/s
///
///     Format       peak  ridge, flop/byte
///       fp32  14.13 T/s             15.70
///
///     Op    pipeline  instructions a cycle and unit       lanes     flops
///       ffma  fp32                             2.000  7.066 T/s  14.13 T/s
std::string write_text(const DeviceRates& rates);
/// An object of format "warpipe-rates".
std::string write_json(const DeviceRates& rates);

}  // namespace warpipe
