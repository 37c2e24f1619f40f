#include "warpipe/predict/without_effect.hpp"

#include <algorithm>

#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

bool is_same(const LoweredLaunch& launch, const SettledLaunch& other) {
  const bool same_clock = other.device.clock.count == launch.device.clock.count &&
                          other.device.launch_overhead.count == launch.device.launch_overhead.count;
  return same_clock && lower(other) == launch.program;
}

}  // namespace

std::vector<std::string> numbers_without_effect(const LoweredLaunch& launch, const Kernel& kernel, const Device& device,
                                                const LaunchOptions& options) {
  std::vector<std::string> names;
  for (const LaunchOptions::SetNumber& number : options.set) {
    if (std::ranges::find(names, number.name) != names.end()) continue;
    LaunchOptions without = options;
    std::erase_if(without.set, [&](const LaunchOptions::SetNumber& each) { return each.name == number.name; });
    if (is_same(launch, settle_launch(kernel, device, without))) names.push_back(number.name);
  }
  return names;
}

}  // namespace warpipe
