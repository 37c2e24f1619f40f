#include "survey/touched_sectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

constexpr double kNearlyAll = 0.999;

bool is_kept(std::uint64_t sector, int level) { return (hashed(sector) & ((std::uint64_t{1} << level) - 1)) == 0; }

/// Distinct items reached of `all` in `times` draws of `each`.
double reached(double all, double each, double times) {
  return each >= all ? all : -all * std::expm1(times * std::log1p(-each / all));
}

/// Size of a set from which `times` draws of `each` give `found` distinct items.
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

void TouchedSectors::begin(const Dimensions& group, double alike_groups) { groups_.emplace_back(group, alike_groups); }

/// Visits a lane's executions with a new sector, or all executions within a sector at once: bytes between two of them
/// are reached as well where the step is no wider than the access.
template <class Visit>
void TouchedSectors::for_each_piece(const AddressEvent& event, std::int64_t times, const Visit& visit) {
  Piece piece;
  const auto reach = [&](std::uint64_t first, std::uint64_t bytes, double weight) {
    for (const auto end = first + bytes; first < end;) {
      const auto sector = first / kSectorBytes, at = first % kSectorBytes;
      const auto length = std::min(end - first, kSectorBytes - at);
      if (piece.bytes != 0 && (piece.sector != sector || piece.weight != weight)) visit(std::exchange(piece, {}));
      piece = {sector, piece.bytes | static_cast<std::uint32_t>(((std::uint64_t{1} << length) - 1) << at), weight};
      first += length;
    }
  };
  const auto width = static_cast<std::uint64_t>(event.width);
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane) {
    if (((event.mask >> lane) & 1) == 0) continue;
    const auto stride = event.strides.empty() ? 0 : event.strides[lane];
    const auto step = std::abs(static_cast<std::int64_t>(stride));
    const auto apart = stride == 0 ? times : step >= kSectorBytes ? 1 : kSectorBytes / step;
    const auto new_ones = stride == 0 ? 1 : (times + apart - 1) / apart;
    const auto iterations = new_ones <= budget_ ? new_ones : std::min(new_ones, kEffort.sectors_of_lane);
    if (new_ones <= budget_) budget_ -= new_ones;
    const auto weight = static_cast<double>(new_ones) / static_cast<double>(iterations);
    // Neighbouring iterations: a lane may reach the sectors of another lane's next iteration.
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
      const auto first = event.addresses[lane] + static_cast<std::uint64_t>(iteration * apart) * stride;
      const auto others = stride == 0 ? 0 : static_cast<std::uint64_t>(std::min(apart, times - iteration * apart) - 1);
      if (step <= event.width) {
        const auto further = others * static_cast<std::uint64_t>(step);
        reach(static_cast<std::int64_t>(stride) < 0 ? first - further : first, further + width, weight);
      } else {
        for (std::uint64_t next = 0; next <= others; ++next) reach(first + next * stride, width, weight);
      }
    }
  }
  if (piece.bytes != 0) visit(piece);
}

void TouchedSectors::add(const AddressEvent& event, std::uint32_t array, std::int64_t times, bool is_part, bool reads,
                         bool writes) {
  const auto& axes = origins_[event.instruction].axes;
  const auto& [group, alike_groups] = groups_.back();
  const auto tuple = place_along(axes, grid_, group) + 1;  // 0 is none
  const auto touched = [&](bool written) {
    auto& one = arrays_[{array, written}];
    for (std::size_t axis = 0; axis < 3; ++axis) one.axes[axis] = one.axes[axis] || axes[axis];
    one.instructions.insert(event.instruction);
    one.is_part = one.is_part || is_part;
    return &one;
  };
  auto* const read = reads ? touched(false) : nullptr;
  auto* const written = writes ? touched(true) : nullptr;
  for_each_piece(event, times, [&, weight = alike_groups](const Piece& piece) {
    for (auto* one : {read, written})
      if (one != nullptr) one->add(piece, groups_.size(), tuple, weight);
  });
}

void TouchedSectors::Array::add(const Piece& piece, std::uint64_t by_group, std::uint64_t tuple, double alike_groups) {
  if (!is_kept(piece.sector, level)) return;
  auto& kept = sectors[piece.sector];
  if (std::exchange(group, by_group) != by_group) bytes_of_group = 0;
  const auto known = kept.group == by_group ? kept.of_group : 0;
  bytes_of_group += piece.weight * sectors_each() * std::popcount(piece.bytes & ~known);
  most_of_groups = std::max(most_of_groups, bytes_of_group);
  is_thinned = is_thinned || piece.weight > 1;
  // A sector reached alone may stand for others when it is reached again, and then does so for all groups.
  const auto stands_now = std::max(kept.weight, piece.weight), more = stands_now - kept.weight;
  of_groups += (kept.group == by_group ? more : stands_now) * sectors_each() * alike_groups;
  of_tuples += (kept.tuple == tuple ? more : stands_now) * sectors_each();
  kept = {stands_now, by_group, tuple, kept.bytes | piece.bytes, known | piece.bytes};
  if (sectors.size() <= kEffort.kept_sectors) return;
  ++level;
  std::erase_if(sectors, [&](const auto& entry) { return !is_kept(entry.first, level); });
}

Reach TouchedSectors::Array::found() const {
  Reach sum;
  for (const auto& [sector, kept] : sectors) {
    sum.sectors += kept.weight * sectors_each();
    sum.bytes += kept.weight * sectors_each() * std::popcount(kept.bytes);
  }
  return sum;
}

double TouchedSectors::Array::sectors_each() const { return static_cast<double>(std::uint64_t{1} << level); }

TouchedSectors::Touched TouchedSectors::touched(const Key& key, const Array& array) const {
  std::set<std::uint64_t> tuples;
  double all_groups = 0, places = 1;
  for (const auto& [group, alike_groups] : groups_) {
    tuples.insert(place_along(array.axes, grid_, group));
    all_groups += alike_groups;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (array.axes[axis]) places *= static_cast<double>(grid_[axis]);
  const auto looked_at = static_cast<double>(tuples.size());
  const auto each = array.of_groups / all_groups;
  Touched all{.array = key.first, .written = key.second, .reach = array.found(), .instructions = array.instructions};
  all.is_exact = looked_at >= places && !array.is_thinned && !array.is_part;
  all.is_part = array.is_part;
  all.most = std::max(each, array.of_tuples / looked_at) * places;
  all.most_of_groups = array.most_of_groups;
  if (looked_at >= places) return all;
  const auto found = all.reach.sectors;
  auto sectors = each * places;
  if (found < kNearlyAll * array.of_tuples)
    sectors = std::max(found, reached(drawn_from(array.of_tuples / looked_at, looked_at, found), each, places));
  all.reach.bytes *= sectors / found;
  all.reach.sectors = sectors;
  return all;
}

std::vector<TouchedSectors::Touched> TouchedSectors::arrays() const {
  std::vector<Touched> all;
  for (const auto& [key, array] : arrays_)
    if (!array.sectors.empty()) all.push_back(touched(key, array));
  return all;
}

}  // namespace warpipe::isa
