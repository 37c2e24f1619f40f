#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/baselines/roofline.hpp"
#include "warpipe/latency_tables/rates.hpp"

/// The roofs of a device: its rates by op, its peaks by number format, its bandwidth.

namespace warpipe {

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
  std::vector<FormatPeak> peaks;  ///< of its formats, in the order of number_formats
  std::optional<BytesPerSecond> bandwidth;
  std::vector<LevelRate> levels;  ///< of its caches, the nearest first
};

DeviceRates rates_of(const Device& device, double matrix_flops);

}  // namespace warpipe
