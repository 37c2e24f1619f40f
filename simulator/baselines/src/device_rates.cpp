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

DeviceRates rates_of(const Device& device, double matrix_flops) {
  DeviceRates rates{device.name, device.title, device.clock, op_rates(device, matrix_flops), {}, bandwidth_of(device),
                    {}};
  rates.peaks = peaks_of(rates);
  if (!device.memory) return rates;
  for (const MemoryLevel& level : device.memory->levels)
    if (level.bytes && level.read_rate) rates.levels.push_back({level.name, *level.read_rate});
  return rates;
}

}  // namespace warpipe
