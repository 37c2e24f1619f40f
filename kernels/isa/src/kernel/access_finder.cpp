#include "kernel/access_finder.hpp"

#include <algorithm>
#include <optional>

namespace warpipe::isa {
namespace {

/// A slot's iterations of each loop around a copy; null where a loop's iterations are not the program's.
using Parts = std::vector<const LoopPart::Iterations*>;

/// @return nothing where the slot has no iteration of a loop
std::optional<Parts> parts_of(const AccessCopy& copy, std::uint32_t slot) {
  Parts parts;
  for (const auto& loop : copy.loops) {
    parts.push_back(nullptr);
    if (!loop->in_order) continue;
    const auto found = std::ranges::lower_bound(loop->slots, slot, {}, &LoopPart::Iterations::slot);
    if (found == loop->slots.end() || found->slot != slot) return std::nullopt;
    parts.back() = &*found;
  }
  return parts;
}

/// Cuts an access down to its executions in a copy.
/// @param iterations  of the loops around its first execution
/// @return whether any are left
bool cut(const Parts& parts, std::span<const std::int64_t> iterations, LoggedAccess& access) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == nullptr) continue;
    const auto first = parts[i]->first - iterations[i], end = first + parts[i]->count;
    const bool moves = i + 1 == parts.size();
    if (!moves && (first > 0 || end <= 0)) return false;
    if (!moves) continue;
    access.from = std::max(access.from, first);
    access.times = std::min(access.times, end);
    if (access.from >= access.times) return false;
  }
  return true;
}

}  // namespace

AccessFinder::AccessFinder(std::uint32_t index, const AddressInput& input, const SlotValues& values)
    : accesses_(input.log.of(index)) {
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    const LoggedAccess& access = accesses_[i];
    if (const auto kind = input.kind_of[access.group])
      placed_.push_back({values.slot(*kind, access.warp), input.log.list(access.iterations), i});
  }
  std::ranges::sort(placed_, [](const Placed& a, const Placed& b) {
    if (a.slot != b.slot) return a.slot < b.slot;
    return std::ranges::lexicographical_compare(a.iterations, b.iterations);
  });
}

/// The innermost loop moves on within an access: only outer loops are looked up.
void AccessFinder::add(const AccessCopy& copy, std::uint32_t slot, std::vector<Found>& found) const {
  const auto parts = parts_of(copy, slot);
  if (!parts) return;
  auto begin = std::ranges::lower_bound(placed_, slot, {}, &Placed::slot);
  auto end = std::ranges::upper_bound(begin, placed_.end(), slot, {}, &Placed::slot);
  for (std::size_t i = 0; i + 1 < parts->size() && (*parts)[i] != nullptr; ++i) {
    const auto [_, first, count] = *(*parts)[i];
    const auto iteration = [i](const Placed& placed) { return placed.iterations[i]; };
    begin = std::ranges::lower_bound(begin, end, first, {}, iteration);
    end = std::ranges::lower_bound(begin, end, first + count, {}, iteration);
    if (count != 1) break;
  }
  for (; begin != end; ++begin)
    if (LoggedAccess access = accesses_[begin->position]; cut(*parts, begin->iterations, access))
      found.push_back({begin->position, access});
}

std::vector<LoggedAccess> AccessFinder::of(const AccessCopy& copy) const {
  std::vector<Found> found;
  for (const auto slot : copy.slots) add(copy, slot, found);
  if (!std::ranges::is_sorted(found, {}, &Found::position)) std::ranges::sort(found, {}, &Found::position);
  std::vector<LoggedAccess> accesses;
  accesses.reserve(found.size());
  for (const auto& [position, access] : found) accesses.push_back(access);
  return accesses;
}

}  // namespace warpipe::isa
