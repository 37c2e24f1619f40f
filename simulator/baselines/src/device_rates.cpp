#include "warpipe/baselines/device_rates.hpp"

namespace warpipe {
namespace {

std::vector<FormatPeak> peaks_of(const DeviceRates& rates) {
  std::vector<FormatPeak> peaks;
  for (const NumberFormat format : number_formats())
    if (const auto peak = peak_of(rates.ops, format)) {
      FormatPeak entry{format, *peak, {}};
      if (rates.bandwidth) entry.ridge = ridge_point({*peak, *rates.bandwidth});
      peaks.push_back(entry);
    }
  return peaks;
}

}  // namespace

DeviceRates rates_of(const Device& device, double matrix_flops, std::optional<BytesPerSecond> bandwidth) {
  DeviceRates rates{device.name, device.title, device.clock, op_rates(device, matrix_flops), {}, bandwidth, {}};
  if (!bandwidth) rates.bandwidth = bandwidth_of(device);
  rates.peaks = peaks_of(rates);
  if (!device.memory) return rates;
  for (const MemoryLevel& level : device.memory->levels)
    if (level.bytes && level.read_rate) rates.levels.push_back({level.name, *level.read_rate});
  return rates;
}

DeviceRates rates_of(const Accelerator& of, std::optional<BytesPerSecond> bandwidth) {
  DeviceRates rates{"accelerator", {}, of.clock, {}, {}, bandwidth, {}};
  const double cores = of.clusters * of.cores;
  if (of.macs > 0)
    rates.ops.push_back({"matrix", "matrix", 0, lane_rate(cores * of.macs, 1, of.clock), NumberFormat::Matrix,
                         matrix_rate(of.clusters, of.cores, of.macs, of.clock)});
  if (of.vector_lanes > 0)
    rates.ops.push_back({"vector", "vector", 0, lane_rate(cores * of.vector_lanes, 1, of.clock), NumberFormat::Fp32,
                         lane_rate(cores * of.vector_lanes, 2, of.clock)});
  if (of.special_lanes > 0)
    rates.ops.push_back({"special", "special", 0, lane_rate(cores * of.special_lanes, 1, of.clock), {}, {}});
  rates.peaks = peaks_of(rates);
  return rates;
}

OperatorReport report_of(const std::string& name, const OperatorCost& cost, const Roofs& roofs,
                         std::optional<Seconds> measured) {
  OperatorReport report{name, cost, roofs, roofline_time(roofs, cost.operations, cost.bytes), measured, {}};
  if (measured) report.use = utilization(roofs, cost.operations, cost.bytes, *measured);
  return report;
}

}  // namespace warpipe
