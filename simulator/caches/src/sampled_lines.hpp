#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lane_addresses.hpp"
#include "line_pattern.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// The lines of an instruction with sampled addresses.
class SampledLines {
 public:
  /// @param sampled  outlives this
  /// @param lanes    of the warp: a group's last warp may have fewer than the sample
  SampledLines(const AccessPattern::Sampled& sampled, const ArrayAccess& access, std::size_t lanes);

  /// Valid until the next call.
  /// @param warp       its index in the launch
  /// @param execution  of that warp, from 0
  Lines at(std::int64_t warp, std::int64_t execution);

 private:
  /// An execution of the sample.
  struct Execution {
    std::int64_t least = 0, most = 0;    ///< addresses
    std::optional<LinePattern> pattern;  ///< found on demand
  };

  Execution& known(const std::vector<std::int64_t>& addresses);
  std::span<const std::int64_t> of_lanes(const std::vector<std::int64_t>& addresses) const;
  Lines lane_by_lane(const std::vector<std::int64_t>& addresses, std::int64_t shift);

  const AccessPattern::Sampled& sampled_;
  ArrayAccess access_;
  std::size_t lanes_;
  std::vector<Execution> executions_;
  std::vector<TouchedLine> lines_;
};

}  // namespace warpipe
