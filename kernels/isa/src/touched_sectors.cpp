#include "touched_sectors.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "memory_layout.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostSectors = std::size_t{1} << 15;  // that are kept of an array
constexpr std::int64_t kMostIterations = 8;                 // of a lane, once the budget is used up
constexpr double kNearlyAll = 0.999;

std::uint64_t hashed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

bool is_kept(std::uint64_t sector, int level) { return (hashed(sector) & ((std::uint64_t{1} << level) - 1)) == 0; }

/// How many of `all` are reached in `times` draws of `each`.
double reached(double all, double each, double times) {
  return each >= all ? all : -all * std::expm1(times * std::log1p(-each / all));
}

/// Of how many the draws are, where `times` of `each` reach `found` different ones.
double drawn_from(double each, double times, double found) {
  double low = found, high = 2 * found;
  while (reached(high, each, times) < found) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const auto middle = (low + high) / 2;
    (reached(middle, each, times) < found ? low : high) = middle;
  }
  return high;
}

}  // namespace

TouchedSectors::TouchedSectors(std::vector<AddressOrigin> origins, const Dimensions& grid)
    : grid_(grid), origins_(std::move(origins)) {}

void TouchedSectors::begin(const Dimensions& group, double stands_for) { groups_.emplace_back(group, stands_for); }

void TouchedSectors::add(const AddressEvent& event, std::int64_t times, bool reads, bool writes) {
  const auto& axes = origins_[event.instruction].axes;
  const auto& [group, stands_for] = groups_.back();
  const auto tuple = place_along(axes, grid_, group) + 1;  // 0 is none
  // Lanes next to each other often reach the same sector, which counts once.
  std::optional<std::pair<std::uint64_t, double>> before;
  std::optional<std::uint64_t> of;
  Array *read = nullptr, *written = nullptr;
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane) {
    if (((event.mask >> lane) & 1) == 0) continue;
    const auto stride = event.strides.empty() ? 0 : event.strides[lane];
    // Iterations that go on by less than a sector reach a new one only now and then.
    const auto step = std::abs(static_cast<std::int64_t>(stride));
    const auto apart = stride == 0 ? times : step >= kSectorBytes ? 1 : kSectorBytes / step;
    const auto new_ones = stride == 0 ? 1 : (times + apart - 1) / apart;
    const auto iterations = new_ones <= budget_ ? new_ones : std::min(new_ones, kMostIterations);
    if (new_ones <= budget_) budget_ -= new_ones;
    const auto weight = static_cast<double>(new_ones) / static_cast<double>(iterations);
    // Neighbouring iterations: what one lane reaches another one may reach in the next iteration.
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
      const auto first = event.addresses[lane] + static_cast<std::uint64_t>(iteration * apart) * stride;
      const auto last = first + static_cast<std::uint64_t>(event.width) - 1;
      for (auto sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) {
        if (before == std::pair(sector, weight)) continue;
        before.emplace(sector, weight);
        if (const auto array = first >> kArrayShift; array != of) {
          of = array;
          read = reads ? array_of(array, false, axes) : nullptr;
          written = writes ? array_of(array, true, axes) : nullptr;
        }
        for (auto* array : {read, written})
          if (array != nullptr) array->add(sector, weight, groups_.size(), tuple, stands_for);
      }
    }
  }
}

TouchedSectors::Array* TouchedSectors::array_of(std::uint64_t number, bool written, const std::array<bool, 3>& axes) {
  auto& array = arrays_[{number, written}];
  for (std::size_t axis = 0; axis < 3; ++axis) array.axes[axis] = array.axes[axis] || axes[axis];
  return &array;
}

void TouchedSectors::Array::add(std::uint64_t sector, double weight, std::uint64_t group, std::uint64_t tuple,
                                double stands_for) {
  if (!is_kept(sector, level)) return;
  auto& kept = sectors[sector];
  // One that was reached alone may stand for others when it is reached again, and does so for all groups.
  const auto stands_now = std::max(kept.weight, weight), more = stands_now - kept.weight;
  of_groups += (kept.group == group ? more : stands_now) * sectors_each() * stands_for;
  of_tuples += (kept.tuple == tuple ? more : stands_now) * sectors_each();
  kept = {stands_now, group, tuple};
  if (sectors.size() <= kMostSectors) return;
  ++level;
  std::erase_if(sectors, [&](const auto& entry) { return !is_kept(entry.first, level); });
}

double TouchedSectors::Array::size() const {
  double sum = 0;
  for (const auto& [sector, kept] : sectors) sum += kept.weight;
  return sum * sectors_each();
}

double TouchedSectors::Array::sectors_each() const { return static_cast<double>(std::uint64_t{1} << level); }

double TouchedSectors::estimate(const Array& array) const {
  std::set<std::uint64_t> tuples;
  double standing_for = 0, places = 1;
  for (const auto& [group, stands_for] : groups_) {
    tuples.insert(place_along(array.axes, grid_, group));
    standing_for += stands_for;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (array.axes[axis]) places *= static_cast<double>(grid_[axis]);
  const auto found = array.size(), looked_at = static_cast<double>(tuples.size());
  if (looked_at >= places) return found;
  const auto each = array.of_groups / standing_for;
  if (found >= kNearlyAll * array.of_tuples) return each * places;
  const auto all = drawn_from(array.of_tuples / looked_at, looked_at, found);
  return std::max(found, reached(all, each, places));
}

double TouchedSectors::bytes() const {
  double sectors = 0;
  for (const auto& [key, array] : arrays_) sectors += estimate(array);
  return std::round(sectors) * static_cast<double>(kSectorBytes);
}

}  // namespace warpipe::isa
