#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {
namespace {

/// The ops of every shipped device.
constexpr const char* kCommonOps[] = {
    "iadd",         "imul",          "imad",          "shift",         "logic",        "compare",
    "select",       "convert",       "index",         "fadd",          "fmul",         "ffma",
    "fdiv",         "dadd",          "dmul",          "dfma",          "ddiv",         "dsqrt",
    "rcp",          "rsqrt",         "sqrt",          "sin",           "cos",          "exp2",
    "log2",         "shuffle",       "vote",          "shared.load",   "shared.store", "global.load",
    "global.store", "shared.atomic", "global.atomic", "constant.load", "branch",       "barrier"};

std::vector<Device> shipped_devices() {
  std::vector<Device> devices;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("latency_tables/data")))
    if (entry.path().extension() == ".json")
      devices.push_back(read_device_json(read_text_file(entry.path().string()), entry.path().stem().string()));
  return devices;
}

TEST(ShippedDevices, AreThere) { EXPECT_FALSE(shipped_devices().empty()); }

TEST(ShippedDevices, AreNamedAsTheirFiles) {
  for (const Device& device : shipped_devices()) EXPECT_EQ(device.name, device.file);
}

TEST(ShippedDevices, HaveASourceForEveryOp) {
  for (const Device& device : shipped_devices())
    for (const Op& op : device.ops) {
      ASSERT_TRUE(op.source.has_value()) << device.name << ' ' << op.name;
      EXPECT_FALSE(op.source->reference.empty()) << device.name << ' ' << op.name;
    }
}

TEST(ShippedDevices, HaveTheCommonOps) {
  for (const Device& device : shipped_devices())
    for (const char* op : kCommonOps) EXPECT_NE(device.find_op(op), nullptr) << device.name << " lacks " << op;
}

TEST(ShippedDevices, HaveALevelOfTheUnitOneOfTheDeviceAndTheMemory) {
  int checked = 0;
  for (const Device& device : shipped_devices()) {
    if (!has_levels(device)) continue;
    const std::vector<MemoryLevel>& levels = device.memory->levels;
    ASSERT_GE(levels.size(), 3U) << device.name;
    EXPECT_EQ(levels.front().scope, LevelScope::ComputeUnit) << device.name;
    EXPECT_NE(std::ranges::find(levels, "l2", &MemoryLevel::name), levels.end()) << device.name;
    EXPECT_EQ(levels.back().name, "dram") << device.name;
    ++checked;
  }
  EXPECT_GE(checked, 16) << "all but the accelerator without caches";
}

TEST(ShippedDevices, HaveASourceForEveryLevel) {
  for (const Device& device : shipped_devices())
    if (has_levels(device))
      for (const MemoryLevel& level : device.memory->levels) {
        ASSERT_TRUE(level.source.has_value()) << device.name << ' ' << level.name;
        EXPECT_FALSE(level.source->reference.empty()) << device.name << ' ' << level.name;
      }
}

TEST(ShippedDevices, TakeLongerAndHoldMoreFartherAway) {
  for (const Device& device : shipped_devices()) {
    if (!has_levels(device)) continue;
    const std::vector<MemoryLevel>& levels = device.memory->levels;
    for (std::size_t i = 1; i < levels.size(); ++i) {
      EXPECT_GT(latency_of(levels[i], device.clock), latency_of(levels[i - 1], device.clock)) << device.name;
      EXPECT_GT(levels[i].bytes.value_or(kLargestWhole), *levels[i - 1].bytes) << device.name;
    }
    EXPECT_LT(levels.back().read_rate, levels.back().pin_rate) << device.name;
    EXPECT_LT(levels.back().read_rate, std::ranges::find(levels, "l2", &MemoryLevel::name)->read_rate) << device.name;
  }
}

TEST(ShippedDevices, MultiplyMatricesFromAmpereOn) {
  int checked = 0;
  for (const Device& device : shipped_devices())
    for (const char* architecture : {"compute capability 8.", "compute capability 9."})
      if (device.architecture.find(architecture) != std::string::npos) {
        EXPECT_NE(device.find_op("mma"), nullptr) << device.name;
        ++checked;
      }
  EXPECT_GE(checked, 5);
}

TEST(ShippedDevices, FromDataSheetsSayWhereEachNumberBesideTheRowsComesFrom) {
  int checked = 0;
  for (const Device& device : shipped_devices()) {
    const auto sheet = in_sources("latency_tables/data_sheets/" + device.file + ".json");
    if (!std::filesystem::exists(sheet)) continue;
    for (const char* key : {"compute_units", "clock_hz", "group_launch_latency", "group_dispatch_interval",
                            "launch_overhead_s", "memory.store_latency_s"})
      EXPECT_TRUE(device.sources.contains(key)) << device.name << ' ' << key;
    EXPECT_FALSE(device.sources.at("launch_overhead_s").intervals.empty()) << device.name << ": it differs by host";
    ++checked;
  }
  EXPECT_GE(checked, 37);
}

TEST(ShippedDevices, ReadBackTheSameAfterWriting) {
  for (const Device& device : shipped_devices())
    EXPECT_EQ(read_device_json(write_device_json(device), device.file), device) << device.name;
}

/// The compute capability named by an architecture, "8.6"; empty where it names none.
std::string compute_capability(const Device& device) {
  const std::string words = "compute capability ";
  const auto at = device.architecture.find(words);
  return at == std::string::npos ? "" : device.architecture.substr(at + words.size());
}

/// Results per clock and unit where all lanes of a warp have a result.
double results_per_clock(const Device& device, const Op& op) {
  const bool of_scheduler = device.pipelines[op.pipeline].scope == Scope::Scheduler;
  const double instances = of_scheduler ? static_cast<double>(device.schedulers.value_or(1)) : 1;
  return instances * static_cast<double>(device.warp_size) / latency_at(op.issue, 1).count;
}

TEST(ShippedDevices, ConvertToAndFromNumbersOf64BitsAtTheDocumentedRates) {
  // CUDA programming guide, throughput of native arithmetic instructions; of 8.x and later second-hand
  const std::map<std::string, double> rates{{"5.2", 4}, {"6.1", 4}, {"7.0", 16}, {"7.5", 2},   {"8.0", 16},
                                            {"8.6", 2}, {"8.9", 2}, {"9.0", 16}, {"10.0", 16}, {"12.0", 2}};
  std::set<std::string> checked;
  for (const Device& device : shipped_devices())
    if (const auto rate = rates.find(compute_capability(device)); rate != rates.end()) {
      EXPECT_DOUBLE_EQ(results_per_clock(device, *device.find_op("convert.64")), rate->second) << device.name;
      checked.insert(rate->first);
    }
  EXPECT_EQ(checked.size(), rates.size());
}

TEST(ShippedDevices, LoadAWordOfSharedMemoryWithTheLoadStoreLanesOfAUnit) {
  // 32 lanes on the large chips, 16 on all smaller; a convolution on an A100 (8.0) reaches half of its 32
  const std::map<std::string, double> lanes{{"7.0", 32}, {"7.5", 16}, {"8.0", 16}, {"8.6", 16},
                                            {"8.9", 16}, {"9.0", 32}, {"12.0", 16}};
  for (const Device& device : shipped_devices())
    if (const auto own = lanes.find(compute_capability(device)); own != lanes.end()) {
      EXPECT_DOUBLE_EQ(results_per_clock(device, *device.find_op("shared.load")), own->second) << device.name;
    }
}

/// DRAM of a device, with the share of the rate of its pins that it reaches.
const MemoryLevel& dram_of(const Device& device) { return device.memory->levels.back(); }
double of_pins(const Device& device, const std::optional<BytesPerSecond>& rate) {
  return rate.value().count / dram_of(device).pin_rate.value().count;
}

// Timed streams: an RTX 3090 reads 894.5 GB/s of 936.2 at its pins; an RTX 4090 reads 921.3 of 1008 and copies 918 to
// 924, with 921 in the middle. Their generations reach the same parts; an A40 reads 680 of 696.
TEST(ShippedDevices, OfGeForceReadAndCopyTheShareOfTheirPinsThatTimedStreamsReached) {
  const std::map<std::string, std::pair<double, double>> reached{{"rtx30", {894.5 / 936.2, 921. / 1008}},
                                                                 {"rtx40", {921.3 / 1008, 921. / 1008}}};
  constexpr double kRounded = 0.0005;  // rates have four digits
  int checked = 0;
  for (const Device& device : shipped_devices()) {
    const auto share = reached.find(device.name.substr(0, 5));
    if (share == reached.end()) continue;
    EXPECT_NEAR(of_pins(device, dram_of(device).read_rate), share->second.first, kRounded) << device.name;
    EXPECT_NEAR(of_pins(device, dram_of(device).mixed_rate), share->second.second, kRounded) << device.name;
    ++checked;
  }
  EXPECT_GE(checked, 9);
}

// Two sources time an MI300A: the first reads 2750 GB/s, the second adds arrays at 3530 to 3570. Their middle is below
// two thirds of the 5300 at the pins, and below the read rate of the Infinity Cache in front of it.
TEST(ShippedDevices, OfMi300aReadsTheMiddleOfWhatTwoSourcesReached) {
  const Device device = read_device_json(read_text_file(in_sources("latency_tables/data/mi300a.json")), "mi300a");
  EXPECT_DOUBLE_EQ(dram_of(device).read_rate->count, (2750e9 + (3530e9 + 3570e9) / 2) / 2);
  EXPECT_LT(of_pins(device, dram_of(device).mixed_rate), 2. / 3);
  const auto& levels = device.memory->levels;
  const auto cache = std::ranges::find(levels, "l3", &MemoryLevel::name);
  ASSERT_NE(cache, levels.end());
  EXPECT_GT(*cache->read_rate, *dram_of(device).read_rate);
}

}  // namespace
}  // namespace warpipe
