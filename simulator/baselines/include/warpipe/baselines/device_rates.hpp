#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/baselines/operators.hpp"
#include "warpipe/baselines/roofline.hpp"
#include "warpipe/latency_tables/rates.hpp"

/// The roofs of a device: its rates by op, its peaks by number format, its bandwidth; and an operator below them.

namespace warpipe {

/// An accelerator as its data sheet describes it.
struct Accelerator {
  double clusters = 1, cores = 1;  ///< cores of a cluster
  double macs = 0;                 ///< multiply-accumulates of a core's matrix engine in a clock
  double vector_lanes = 0;         ///< of a core; a multiply-add each in a clock
  double special_lanes = 0;        ///< of a core; a special function each in a clock
  Hertz clock{1};
};

struct FormatPeak {
  NumberFormat format = NumberFormat::Fp32;
  OpsPerSecond peak;
  std::optional<double> ridge;  ///< operations a byte; empty without a bandwidth
};

struct LevelRate {
  std::string name;  ///< of a level of the memory beyond the units
  BytesPerSecond rate;
};

struct DeviceRates {
  std::string name, title;
  Hertz clock{1};
  std::vector<OpRate> ops;
  std::vector<FormatPeak> peaks;  ///< of the formats that it has, in the order of number_formats
  std::optional<BytesPerSecond> bandwidth;
  std::vector<LevelRate> levels;  ///< of its caches, the nearest first
};

/// @param bandwidth  in place of the device's own
DeviceRates rates_of(const Device& device, double matrix_flops, std::optional<BytesPerSecond> bandwidth = {});

/// The same of an accelerator without a latency table: ops "matrix", "vector" and "special".
DeviceRates rates_of(const Accelerator& accelerator, std::optional<BytesPerSecond> bandwidth);

/// An operator below the roofs of a device.
struct OperatorReport {
  std::string name;  ///< "matmul", ...
  OperatorCost cost;
  Roofs roofs;
  RooflineTime time;
  std::optional<Seconds> measured;
  std::optional<Utilization> use;  ///< where a time was measured
};

/// @param measured  > 0
OperatorReport report_of(const std::string& name, const OperatorCost& cost, const Roofs& roofs,
                         std::optional<Seconds> measured);

}  // namespace warpipe
