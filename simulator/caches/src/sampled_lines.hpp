#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lane_addresses.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// The lines of an instruction whose addresses are sampled.
class SampledLines {
 public:
  /// @param sampled  outlives this
  SampledLines(const AccessPattern::Sampled& sampled, const ArrayAccess& access);

  /// @param warp       its index in the launch
  /// @param execution  of that warp, from 0
  std::span<const TouchedLine> at(std::int64_t warp, std::int64_t execution);

 private:
  const AccessPattern::Sampled& sampled_;
  ArrayAccess access_;
  std::vector<std::vector<TouchedLine>> lines_;  ///< by execution of the sample; found when asked for
};

}  // namespace warpipe
