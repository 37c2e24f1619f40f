#include "joined_loads.hpp"

#include <algorithm>

namespace warpipe {
namespace {

/// Times begin anew after 2^32.
std::uint32_t between(std::uint32_t a, std::uint32_t b) { return std::min(a - b, b - a); }

}  // namespace

JoinedLoads::JoinedLoads(std::size_t units, std::size_t together, std::uint32_t window, std::uint32_t behind)
    : together_(together),
      window_(window),
      behind_(behind),
      neighbours_(together > 1 ? (units + together - 1) / together : 0) {}

std::uint32_t JoinedLoads::join(std::size_t unit, std::uint32_t line, std::uint32_t sectors, std::uint32_t time) {
  if (together_ == 1) return 0;
  auto& [requests, lines_at] = neighbours_[unit / together_];
  for (; !lines_at.empty() && between(time, lines_at.front().second) >= window_ + behind_; lines_at.pop_front()) {
    const auto old = requests.find(lines_at.front().first);
    if (old != requests.end() && old->second.time == lines_at.front().second) requests.erase(old);
  }
  const auto place = unit % together_;
  auto& request = requests[line];
  const bool is_joined = !request.units.empty() && between(time, request.time) < window_ && !request.units[place];
  if (!is_joined) {
    request = {time, sectors, std::vector<bool>(together_, false)};
    lines_at.emplace_back(line, time);
  }
  request.units[place] = true;
  if (!is_joined) return 0;
  const auto brought = request.sectors & sectors;
  request.sectors |= sectors;
  return brought;
}

}  // namespace warpipe
