#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "address_streams.hpp"
#include "turns.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The part of an effort that is enough for a difference: between two orders, or between caches with more and with less
/// room. The sample is the same with both, so its own error cancels.
inline constexpr double kPartOfEffort = 1.0 / 16;

/// The caches of a launch, simulated in samples, each once.
class CacheSimulation {
 public:
  /// @param streams  outlive this
  /// @param device   with levels
  /// @param launch   of the streams, perhaps with another `room`
  CacheSimulation(AddressStreams& streams, Device device, CacheLaunch launch);

  /// As levels_from_addresses.
  LevelsFromAddresses levels(const CacheEffort& effort);

 private:
  const LevelsFromAddresses& of(const Sample& sample);
  LevelsFromAddresses simulate(const Device& device, const Sample& sample);
  LevelsFromAddresses simulate_enough(const CacheEffort& effort);
  std::optional<LevelsFromAddresses> simulate_few_units(const CacheEffort& effort);
  void compare_orders(const Device& device, const Sample& sample, const LevelsFromAddresses& of_sample,
                      LevelsFromAddresses& found);

  AddressStreams& streams_;
  Device device_;
  CacheLaunch launch_;
  std::vector<std::pair<Sample, LevelsFromAddresses>> simulated_;
};

}  // namespace warpipe
