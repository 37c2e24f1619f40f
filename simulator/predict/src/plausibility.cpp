#include "warpipe/predict/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "warpipe/latency_tables/rates.hpp"

namespace warpipe {
namespace {

constexpr double kFewDigits = 1.01;  ///< peaks and work are given with few digits

/// How many operations a matrix unit does in an instruction is not known: "mma.f16.f32", "wgmma.s8".
bool is_of_matrix_unit(const Op& op) { return op.name.starts_with("mma") || op.name.starts_with("wgmma"); }

/// The sum of the peaks of all number formats of the ops, as if all could be reached at once; nothing where a peak is
/// not known.
std::optional<OpsPerSecond> peak_for(const std::vector<const Op*>& ops, const Device& device) {
  std::set<NumberFormat> formats;
  for (const Op* op : ops) {
    if (is_of_matrix_unit(*op)) return std::nullopt;
    if (const auto work = lane_work(op->name, 0, device.warp_size)) formats.insert(work->format);
  }
  const auto rates = op_rates(device);
  OpsPerSecond sum;
  for (const NumberFormat format : formats) {
    const auto peak = peak_of(rates, format);
    if (!peak) return std::nullopt;
    sum.count += peak->count;
  }
  return sum.count > 0 ? std::optional(sum) : std::nullopt;
}

/// The highest rate of the memory: the rate of its pins, where the device states it.
std::optional<BytesPerSecond> most_bandwidth(const Device& device) {
  if (has_levels(device) && device.memory->levels.back().pin_rate) return device.memory->levels.back().pin_rate;
  return bandwidth_of(device);
}

/// Whether the traffic of some access through the caches is known: then the memory moves only the rest.
bool caches_are_known(const MemoryTraffic& traffic) {
  return std::ranges::any_of(traffic.accesses,
                             [](const AccessTraffic& access) { return access.known != LevelsKnown::Assumed; });
}

}  // namespace

bool is_cached(const Instruction& instruction) {
  const auto names = [&](const std::string& level) {
    return instruction.op.ends_with(level) || instruction.op.find(level + ".") < instruction.op.size();
  };
  return !instruction.levels.empty() || names(".l1") || names(".l2");
}

namespace {

bool is_possible(Hertz clock) { return clock >= kLowestClock && clock <= kHighestClock; }

}  // namespace

std::optional<Diagnostic> refusal_of_clock(const std::string& where, Hertz clock, const std::string& advice) {
  if (is_possible(clock)) return std::nullopt;
  return Diagnostic{where, fmt::format("no device has a clock of {:g} Hz", clock.count),
                    "a clock must be from 1 MHz to 20 GHz", advice};
}

std::vector<std::string> implausibilities(const Prediction& prediction, const std::vector<const Op*>& ops, bool cached,
                                          const Device& device) {
  std::vector<std::string> all;
  const Launch& launch = prediction.launch;
  if (!is_possible(device.clock))
    all.push_back(fmt::format("no device has a clock of {:g} Hz: the times mean nothing", device.clock.count));
  if (!launch.work_of_others.empty())
    all.push_back(
        fmt::format("the kernel file gives the work of its own {}, but others ran: no rates are shown; give "
                    "parameters of the kernel in place of groups",
                    launch.work_of_others));
  const double seconds = prediction.time.count;
  if (!(seconds > 0)) return all;
  const auto peak = peak_for(ops, device);
  if (peak && launch.flops && *launch.flops / seconds > peak->count * kFewDigits)
    all.push_back(
        fmt::format("{:.4g} GFLOP/s are above the peak of {}, {:.4g} GFLOP/s: what was simulated does less "
                    "than the work that the kernel file gives",
                    *launch.flops / seconds / 1e9, device.name, peak->count / 1e9));
  const auto most = most_bandwidth(device);
  if (!most) return all;
  const double bandwidth = most->count;
  const auto too_fast = [&](const std::optional<double>& bytes) {
    return bytes && *bytes / seconds > bandwidth * kFewDigits;
  };
  auto compulsory = launch.compulsory_bytes;
  if (compulsory) *compulsory -= bytes_kept(prediction.memory);
  if (too_fast(compulsory))
    all.push_back(fmt::format("the compulsory traffic alone takes {:.4g} us on {}, more than was predicted",
                              *compulsory / bandwidth * 1e6, device.name));
  else if (!cached && !caches_are_known(prediction.memory) && too_fast(launch.bytes))
    all.push_back(
        fmt::format("{:.4g} GB/s are above the memory bandwidth of {}, {:.4g} GB/s: what was simulated does "
                    "less than the work that the kernel file gives",
                    *launch.bytes / seconds / 1e9, device.name, bandwidth / 1e9));
  return all;
}

}  // namespace warpipe
