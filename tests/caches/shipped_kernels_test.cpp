#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "caches/comparison.hpp"
#include "caches/reference_caches.hpp"
#include "files.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/caches/with_effort.hpp"
#include "warpipe/predict/launch.hpp"

/// The shipped kernels on a device of each family, cut down for the reference to take a moment for each.

namespace warpipe {
namespace {

constexpr std::int64_t kUnits = 2, kGroups = 6;
constexpr int kTrips = 2;

/// All loops go round a few times.
void cut(std::vector<Item>& items) {
  for (Item& item : items) {
    if (auto* loop = std::get_if<Loop>(&item.node)) {
      const std::string trips = fmt::format("min({}, {})", loop->trip_count.text(), kTrips);
      loop->trip_count = Expression::parse(trips, loop->trip_count.names());
      cut(loop->body);
    } else if (auto* when = std::get_if<When>(&item.node)) {
      cut(when->body);
    }
  }
}

/// A few units on each die, and a nearest level small enough for lines to leave it.
Device cut(Device device) {
  device.compute_units = std::max(kUnits, device.dies);
  MemoryLevel& nearest = device.memory->levels.front();
  nearest.holds_shared_memory = false;
  nearest.bytes = 3 * nearest.line_bytes * nearest.ways;
  return device;
}

std::vector<Device> devices() {
  std::vector<Device> devices;
  std::set<std::string> families;
  for (const std::string& name : validation::shipped_devices()) {
    const Device device = validation::shipped_device(name);
    if (has_levels(device) && families.insert(device.architecture.substr(0, device.architecture.find(' '))).second)
      devices.push_back(cut(device));
  }
  return devices;
}

class ShippedKernels : public testing::TestWithParam<std::string> {};

TEST_P(ShippedKernels, AreServedAsTheReferenceSays) {
  Kernel kernel = validation::shipped_kernel(GetParam());
  cut(kernel.body);
  for (Instruction& instruction : kernel.instructions) instruction.levels.clear();
  for (const Device& device : devices()) {
    LaunchOptions options;
    options.groups = kGroups;
    const Launch launch = resolve_launch(kernel, device, options);
    const CacheLaunch of_caches{launch.values, launch.groups.value, std::min<std::int64_t>(launch.slots, 2)};
    const Comparison comparison(kernel,
                                with_levels(kernel, device, of_caches, {.lines = 1e15, .both_orders = true}).filled,
                                reference_caches(kernel, device, of_caches));
    EXPECT_TRUE(comparison.is_equal) << GetParam() << " on " << device.name << ":\n" << comparison.differences;
  }
}

/// A tenth of the kernels with addresses.
std::vector<std::string> kernels() {
  std::vector<std::string> all = validation::shipped_kernels(), kernels;
  std::erase_if(all, [](const std::string& name) {
    return std::ranges::none_of(validation::shipped_kernel(name).instructions, has_addresses);
  });
  for (const std::size_t i : drawn_cases("shipped kernels", all.size())) kernels.push_back(all[i]);
  return kernels;
}

INSTANTIATE_TEST_SUITE_P(Caches, ShippedKernels, testing::ValuesIn(kernels()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
}  // namespace warpipe
