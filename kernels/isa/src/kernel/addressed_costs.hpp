#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Sectors and lines of a kernel's access by its address, as a device finds them: in the first execution by the first
/// warp of the first group.
/// @source formats, "Access"
class AddressedCosts {
 public:
  struct Cost {
    std::int64_t sectors = 0, lines = 0;
  };

  /// @param kernel  with its arrays
  /// @param lanes   of a warp
  AddressedCosts(const Kernel& kernel, const Launch& launch, std::int64_t lanes, const AccessSizes& sizes);

  /// @param is_of_kinds  whether a name is a value of the kinds of groups
  /// @return nothing for an access without an address, or with different addresses in different kinds of groups
  std::optional<Cost> of(const warpipe::Instruction& instruction,
                         const std::function<bool(const std::string&)>& is_of_kinds);

 private:
  Cost cost_of(const AccessPattern::Addressed& pattern, std::int64_t width) const;
  Cost cost_of(const std::vector<std::int64_t>& addresses, std::size_t array, std::int64_t width) const;

  LaunchShape shape_;
  std::int64_t threads_, lanes_;
  AccessSizes sizes_;
  std::map<std::tuple<std::string, std::size_t, std::int64_t>, Cost> known_;  ///< by address, array and width
};

}  // namespace warpipe::isa
