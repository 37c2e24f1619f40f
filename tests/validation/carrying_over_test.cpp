#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "measurements.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/accuracy/calibrate.hpp"

/// Carrying over: each device with measured streams or mixbench in turn as if nothing had been measured on it. Rates
/// and latencies reached by the memory come from the other calibrated devices; numbers of a data sheet or a guide stay.
/// Then the same with a few of its rows as probes.

namespace warpipe::validation {
namespace {

constexpr std::size_t kEvery = 7;  ///< scored rows; all rows gave the numbers of docs/accuracy.md

const std::vector<std::string> kCalibrated{"v100", "a100", "a40", "mi210", "rx6900xt"};

/// A calibrated device of the same maker and the same kind of memory: it lends its numbers. Devices without a sibling
/// get the geometric means of all other calibrated devices.
const std::map<std::string, std::string> kSibling{{"v100", "a100"}, {"a100", "v100"}};

std::vector<Device> lenders(const std::string& name) {
  if (const auto sibling = kSibling.find(name); sibling != kSibling.end()) return {shipped_device(sibling->second)};
  std::vector<Device> others;
  for (const std::string& other : kCalibrated)
    if (other != name) others.push_back(shipped_device(other));
  return others;
}

template <class Number>
double geometric_mean(const std::vector<Device>& devices, const Number& number) {
  double sum = 0;
  for (const Device& device : devices) sum += std::log(number(device));
  return std::exp(sum / static_cast<double>(devices.size()));
}

const MemoryLevel& dram_of(const Device& device) { return device.memory->levels.back(); }

MemoryLevel* level_named(Device& device, const std::string& name) {
  const auto found = std::ranges::find(device.memory->levels, name, &MemoryLevel::name);
  return found == device.memory->levels.end() ? nullptr : &*found;
}

/// A device without measurements.
Device unmeasured(const std::string& name) {
  Device device = shipped_device(name);
  const auto from = lenders(name);
  const auto reached = [&](auto rate_of) {
    return BytesPerSecond{dram_of(device).pin_rate->count * geometric_mean(from, [&](const Device& other) {
                            const MemoryLevel& dram = dram_of(other);
                            return rate_of(dram).value_or(*dram.read_rate).count / dram.pin_rate->count;
                          })};
  };
  MemoryLevel dram = dram_of(device);
  dram.read_rate = reached([](const MemoryLevel& level) { return level.read_rate; });
  dram.write_rate = reached([](const MemoryLevel& level) { return level.write_rate; });
  dram.mixed_rate = reached([](const MemoryLevel& level) { return level.mixed_rate; });
  // All in cycles: with a faster clock, the way from a unit to the memory is faster too.
  const auto in_cycles = [&](auto seconds_of) {
    return geometric_mean(from, [&](const Device& other) { return seconds_of(other).count * other.clock.count; });
  };
  dram.latency_s = {in_cycles([](const Device& other) { return dram_of(other).latency_s; }) / device.clock.count};
  device.memory->levels.back() = dram;
  device.memory->store_latency = {in_cycles([](const Device& other) { return *other.memory->store_latency; }) /
                                  device.clock.count};
  device.group_launch_latency = {
      geometric_mean(from, [](const Device& other) { return other.group_launch_latency.count; })};
  for (const char* cache : {"l1", "l2"}) {
    Device lender = from.front();
    const MemoryLevel* lent = level_named(lender, cache);
    MemoryLevel* own = level_named(device, cache);
    if (lent == nullptr || own == nullptr || lent->scope != own->scope) continue;
    own->latency = lent->latency;
    own->latency_s = lent->latency_s;
    own->cycles_per_line = lent->cycles_per_line;
  }
  return device;
}

std::int64_t threads(const Measurement& row) { return *row.options.group_size * *row.options.concurrent_groups; }

/// Of each kernel the fullest row and the row of a lone group of 32 threads.
std::vector<Measurement> stream_probes(const std::vector<Measurement>& rows) {
  const std::map<std::string, std::pair<std::string, std::string>> numbers{
      {"stream_init", {"dram.write_bytes_per_s", "group_launch_latency"}},
      {"stream_read", {"dram.read_bytes_per_s", "dram.latency_s"}},
      {"stream_scale", {"dram.mixed_bytes_per_s", "memory.store_latency_s"}}};
  std::vector<Measurement> probes;
  for (const auto& [kernel, fits] : numbers) {
    std::vector<Measurement> own;
    std::ranges::copy_if(rows, std::back_inserter(own),
                         [&name = kernel](const Measurement& row) { return row.kernel == name; });
    probes.push_back(*std::ranges::max_element(own, {}, threads));
    probes.back().fits = {fits.first};
    probes.push_back(*std::ranges::find_if(own, [](const Measurement& row) {
      return row.options.group_size == 32 && row.options.concurrent_groups == 1;
    }));
    probes.back().fits = {fits.second};
  }
  return probes;
}

/// The rows with the least and the most arithmetic.
std::vector<Measurement> mixbench_probes(const std::vector<Measurement>& rows) {
  std::vector<Measurement> probes{rows.front(), rows.back()};
  probes.front().fits = {"dram.read_bytes_per_s"};
  probes.back().fits = {"clock_hz"};
  return probes;
}

struct Sum {
  double absolute_percent = 0;
  std::size_t rows = 0;
  void add(const Accuracy& accuracy) {
    for (const Comparison& row : accuracy.rows) {
      EXPECT_EQ(row.error, "");
      absolute_percent += std::abs(error_percent(row.measurement.quantity, *row.predicted, row.measurement.value));
      ++rows;
    }
  }
  double mean() const { return absolute_percent / static_cast<double>(rows); }
};

TEST(CarryingOver, TellsADeviceFromItsSiblingsAndWithProbesBetter) {
  if (drawn_cases("carrying over", 10).front() != 0) GTEST_SKIP() << "a minute, at one commit in ten";
  Sum derived, probed;
  const auto take = [&](const std::string& device, const std::string& csv, const auto& probes_of) {
    const Device start = unmeasured(device);
    const auto all = read_measurements(csv);
    std::vector<Measurement> rows;
    for (std::size_t i = 0; i < all.size(); i += kEvery) rows.push_back(all[i]);
    const auto probes = probes_of(all);
    const Device fitted = fit_probes(probes, shipped_kernel, start, {}).device;
    const auto score_on = [&](const Device& table) {
      return score(
          rows, shipped_kernel, [&](const std::string&) { return table; }, {}, 0);
    };
    Sum of_device, of_device_probed;
    of_device.add(score_on(start));
    of_device_probed.add(score_on(fitted));
    for (auto [sum, own] : {std::pair{&derived, of_device}, {&probed, of_device_probed}}) {
      sum->absolute_percent += own.absolute_percent;
      sum->rows += own.rows;
    }
    printf("%s: derived %.1f, probed %.1f of %zu rows\n", device.c_str(), of_device.mean(), of_device_probed.mean(),
           of_device.rows);
  };
  for (const std::string& device : kCalibrated) take(device, "stream_" + device + ".csv", stream_probes);
  for (const char* device : {"gtx1060", "gtx480", "rtx2070"})
    take(device, std::string("mixbench_") + device + ".csv", mixbench_probes);
  printf("derived %.1f, probed %.1f\n", derived.mean(), probed.mean());
  EXPECT_LE(derived.mean(), 13);
  EXPECT_LE(probed.mean(), 7);
}

}  // namespace
}  // namespace warpipe::validation
