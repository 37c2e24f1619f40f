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
/// One object of format "warpipe-rates".
std::string write_json(const DeviceRates& rates);

/// An operator: its cost, the roof that binds it, and the share of both roofs that a measured time used.
///
///     matmul: 2.147 G operations, 12.58 MB, 170.7 operations a byte
///
///       math time     152 us   at 14.13 T/s
///       memory time  13.98 us  at 900 GB/s
///       bound by     math
///       at least     152 us
///       measured     200 us: 76.0 % of the peak, 7.0 % of the bandwidth, 76.0 % of the roofline
std::string write_text(const OperatorReport& report);
/// One object of format "warpipe-operator".
std::string write_json(const OperatorReport& report);

}  // namespace warpipe
