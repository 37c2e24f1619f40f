#include "joined_loads.hpp"

#include <algorithm>

#include "cache.hpp"

namespace warpipe {
namespace {

/// Times begin anew after 2^32.
std::uint32_t between(std::uint32_t a, std::uint32_t b) { return std::min(a - b, b - a); }

}  // namespace

JoinedLoads::JoinedLoads(std::size_t units, std::size_t together, std::uint32_t window, std::size_t one_in)
    : together_(together),
      places_(kPlaces / one_in),
      window_(window),
      requests_(together > 1 ? (units + together - 1) / together * places_ : 0) {}

std::uint32_t JoinedLoads::join(std::size_t unit, std::uint32_t line, std::uint32_t spread, std::uint32_t sectors,
                                std::uint32_t time) {
  auto& request = requests_[unit / together_ * places_ + part_of(spread, places_)];
  const auto own = std::uint32_t{1} << (unit % together_);
  const bool is_joined =
      request.units != 0 && request.line == line && between(time, request.time) < window_ && (request.units & own) == 0;
  if (!is_joined) {
    request = {line, time, sectors, own};
    return 0;
  }
  const auto brought = request.sectors & sectors;
  request.units |= own;
  request.sectors |= sectors;
  return brought;
}

}  // namespace warpipe
