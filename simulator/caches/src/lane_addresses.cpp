#include "lane_addresses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "at_place.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

constexpr double kOutside = -1;  // an address outside of any array
constexpr std::size_t kMostPatterns = 1024;
constexpr std::int64_t kWordBytes = 4;  // of thread-private memory: the lanes' words lie side by side

bool is_nearly_whole(double value) { return std::abs(value - std::round(value)) <= 1e-9; }

std::int64_t to_whole(double value) { return static_cast<std::int64_t>(std::round(value)); }

}  // namespace

void ArrayAccess::ranges(std::span<const double> addresses, std::int64_t origin, std::vector<ByteRange>& ranges) const {
  ranges.clear();
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    const std::int64_t address = to_whole(addresses[lane]);
    if (address < 0 || address >= placement.bytes) continue;
    if (placement.bytes_per_frame == 0) {
      ranges.push_back({address - origin, width});
      continue;
    }
    for (std::int64_t byte = address; byte < address + width;) {
      const std::int64_t word = byte / kWordBytes, end = std::min(address + width, (word + 1) * kWordBytes);
      const std::int64_t place = (word * warp_size + static_cast<std::int64_t>(lane)) * kWordBytes + byte % kWordBytes;
      ranges.push_back({place - origin, end - byte});
      byte = end;
    }
  }
}

LaneAddresses::LaneAddresses(const ArrayAccess& access, const Source& source, const LaneNames& names,
                             std::span<const std::string> coordinates, LaneRoom& room)
    : access_(access),
      source_(source),
      names_(names),
      coordinates_(coordinates.begin(), coordinates.end()),
      values_(source.operations, names, coordinates, room) {}

/// The form if all its numbers are whole, else null.
const LaneForm* LaneAddresses::form(std::span<const Range> ranges) {
  const LaneForm* const form = values_.over(ranges);
  const bool is_good =
      form && std::ranges::all_of(form->at, is_nearly_whole) && std::ranges::all_of(form->steps, is_nearly_whole);
  return is_good ? form : nullptr;
}

std::optional<MovingLines> LaneAddresses::over(std::span<const Range> ranges) {
  const LaneForm* const found = form(ranges);
  obstacle_.assign(values_.obstacle().begin(), values_.obstacle().end());
  cut_ = values_.cut();
  if (!found) return std::nullopt;
  MovingLines lines{access_.placement.origin, {}, nullptr};
  const bool is_shared = access_.placement.bytes_per_frame == 0;
  const std::int64_t scale = is_shared ? 1 : access_.warp_size;
  double corner = 0, least = 0, most = 0;  // changes of an address by the coordinates: at their least, and from there
  for (std::size_t i = 0; i < found->steps.size(); ++i) {
    const std::int64_t step = to_whole(found->steps[i]);
    if (step == 0) continue;
    if (!is_shared && step % kWordBytes != 0) {
      obstacle_[i] = 1;
      return std::nullopt;
    }
    lines.steps.emplace_back(i, step * scale);
    const double span = found->steps[i] * (ranges[i].most - ranges[i].least);
    corner += found->steps[i] * ranges[i].least;
    (span < 0 ? least : most) += span;
  }
  const auto bytes = static_cast<double>(access_.placement.bytes);
  std::optional<std::int64_t> first;  // address of a lane in the array
  std::vector<double> corners = found->at;
  for (std::size_t lane = 0; lane < corners.size(); ++lane) {
    double& at = corners[lane];
    const bool stays = !found->stays.empty() && found->stays[lane];
    if (!stays) at += corner;
    const bool is_out = stays ? at < 0 || at >= bytes : at + most < 0 || at + least >= bytes;
    const bool is_in = !stays && at + least >= 0 && at + most < bytes;
    if (!is_out && !is_in) {
      std::ranges::transform(found->steps, obstacle_.begin(), [](double step) { return std::abs(step); });
      return std::nullopt;
    }
    if (is_in && !first) first = to_whole(at);
    if (is_out) at = kOutside;
  }
  const std::int64_t begin = is_shared ? first.value_or(0) : first.value_or(0) / kWordBytes * kWordBytes * scale;
  lines.origin += begin - to_whole(corner) * scale;
  access_.ranges(corners, begin, ranges_);
  const auto known = patterns_.find(ranges_);
  if (known != patterns_.end()) {
    lines.pattern = &known->second;
  } else {
    if (patterns_.size() == kMostPatterns) return std::nullopt;
    lines.pattern = &patterns_.emplace(ranges_, LinePattern(ranges_, access_.line_bytes)).first->second;
  }
  return lines;
}

void LaneAddresses::fail(std::span<const Range> ranges) const {
  Values values;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) values[coordinates_[i]] = ranges[i].least;
  for (std::size_t lane = 0; lane < names_.lanes; ++lane) {
    for (const auto& [name, numbers] : names_.names) values[name] = numbers[numbers.size() > 1 ? lane : 0];
    at_place(source_.where, [&] { return source_.address.evaluate_whole(values, -kLargestWhole); });
  }
  throw ModelError(Diagnostic{source_.where, "an address has no value", "", "change the expression or its parameters"});
}

void LaneAddresses::at(std::span<const Range> ranges, std::vector<TouchedLine>& lines) {
  const LaneForm* const found = form(ranges);
  if (!found) fail(ranges);
  access_.ranges(found->at, -access_.placement.origin, ranges_);
  add_lines(ranges_, access_.line_bytes, lines);
}

}  // namespace warpipe
