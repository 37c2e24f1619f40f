#include "warpipe/latency_tables/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

// No sum or product below leaves 64 bits: needs and limits are at most 2^53, and a need is divided into a limit
// before it is multiplied.

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }
std::int64_t round_up(std::int64_t a, std::int64_t granularity) { return divide_up(a, granularity) * granularity; }
std::int64_t round_down(std::int64_t a, std::int64_t granularity) { return a / granularity * granularity; }

/// A missing limit or a limit of 0 does not bind.
bool binds(const std::optional<std::int64_t>& limit) { return limit.value_or(0) > 0; }

/// The sharing of one resource of a unit, for a given group.
struct Share {
  const GroupNeeds& needs;
  const Limits& limits;
  std::int64_t warp_size;

  std::int64_t warps() const { return divide_up(needs.group_size, warp_size); }
  std::int64_t register_part() const { return *limits.registers_per_unit / limits.warp_allocation; }

  /// Parts hold whole warps, and a group takes its number of warps. A unit too small for the group's warps, rounded up
  /// to an equal number per part, gets 0 groups.
  std::int64_t groups_by_registers() const {
    if (needs.registers_per_thread > register_part() / warp_size) return 0;  // not even one warp
    const std::int64_t a_warp = round_up(needs.registers_per_thread * warp_size, limits.register_allocation);
    return limits.warp_allocation * (register_part() / a_warp) / warps();
  }

  std::int64_t groups_by_shared_memory() const {
    return *limits.shared_memory_per_unit / shared_memory_taken(needs.shared_memory_per_group, limits);
  }

  /// Most registers per thread with room for this many groups.
  std::optional<std::int64_t> registers_for(std::int64_t groups) const {
    const std::int64_t warps_in_part = divide_up(groups * warps(), limits.warp_allocation);
    const std::int64_t a_warp = round_down(register_part() / warps_in_part, limits.register_allocation);
    const std::int64_t registers = a_warp / warp_size;
    return registers > 0 ? std::optional{registers} : std::nullopt;
  }

  /// Most bytes with room for this many groups; a group without shared memory is not bound, so 0 always fits.
  std::optional<std::int64_t> shared_memory_for(std::int64_t groups) const {
    const std::int64_t a_group = round_down(*limits.shared_memory_per_unit / groups, limits.shared_memory_allocation);
    return std::max<std::int64_t>(0, a_group - limits.shared_memory_reserved_per_group);
  }

  /// Most threads with room for this many groups by the number of warps.
  std::optional<std::int64_t> group_size_for(std::int64_t groups) const {
    const std::int64_t warps_per_group = *limits.warps_per_unit / groups;
    if (warps_per_group == 0) return std::nullopt;
    return warps_per_group > kLargestWhole / warp_size ? kLargestWhole : warps_per_group * warp_size;
  }
};

std::vector<LimitBound> bounds_of(const Share& share) {
  const auto& [needs, limits, warp_size] = share;
  std::vector<LimitBound> bounds;
  if (binds(limits.groups_per_unit)) bounds.push_back({OccupancyLimit::Groups, *limits.groups_per_unit, {}});
  if (binds(limits.warps_per_unit)) {
    const std::int64_t groups = *limits.warps_per_unit / share.warps();
    bounds.push_back({OccupancyLimit::Warps, groups, share.group_size_for(groups + 1)});
  }
  if (binds(limits.registers_per_unit) && needs.registers_per_thread > 0) {
    const std::int64_t groups = share.groups_by_registers();
    bounds.push_back({OccupancyLimit::Registers, groups, share.registers_for(groups + 1)});
  }
  if (binds(limits.shared_memory_per_unit) && needs.shared_memory_per_group > 0) {
    const std::int64_t groups = share.groups_by_shared_memory();
    bounds.push_back({OccupancyLimit::SharedMemory, groups, share.shared_memory_for(groups + 1)});
  }
  return bounds;
}

/// The words for a resource in a message.
struct Wording {
  OccupancyLimit limit;
  const char* key;  ///< the user's setting
  const char* unit;
  const char* most_key;  ///< the limit on one group or thread
  const char* unit_key;  ///< the limit on a compute unit
};

constexpr Wording kThreads{OccupancyLimit::Warps, "group_size", "threads per group", "threads_per_group",
                           "warps_per_unit"};
constexpr Wording kRegisters{OccupancyLimit::Registers, "registers_per_thread", "registers per thread",
                             "registers_per_thread", "registers_per_unit"};
constexpr Wording kSharedMemory{OccupancyLimit::SharedMemory, "shared_memory_per_group",
                                "bytes of shared memory per group", "shared_memory_per_group",
                                "shared_memory_per_unit"};

/// Diagnoses a group above the limit per group or thread, or above a whole unit's resource.
std::optional<Diagnostic> misfit(const Wording& words, std::int64_t need, const std::optional<std::int64_t>& most,
                                 const std::optional<std::int64_t>& of_unit, const std::vector<LimitBound>& bounds) {
  const auto bound = std::ranges::find(bounds, words.limit, &LimitBound::limit);
  const bool fills_unit = bound != bounds.end() && bound->groups == 0;
  const bool above_most = binds(most) && need > *most;
  if (!fills_unit && !above_most) return std::nullopt;

  auto fits = fills_unit ? bound->next_step : most;
  if (fits && above_most) fits = std::min(*fits, *most);
  const char* key = above_most ? words.most_key : words.unit_key;
  return Diagnostic{
      words.key, fmt::format("a group does not fit a compute unit, limit {} = {}", key, above_most ? *most : *of_unit),
      fmt::format("found {} {}", need, words.unit),
      fits ? fmt::format("use {} or less", *fits) : "no value fits with groups of this size"};
}

void require_fit(const GroupNeeds& needs, const Limits& limits, const std::vector<LimitBound>& bounds) {
  std::vector<Diagnostic> misfits;
  const auto check = [&](auto&&... arguments) {
    if (auto found = misfit(arguments..., bounds)) misfits.push_back(std::move(*found));
  };
  check(kThreads, needs.group_size, limits.threads_per_group, limits.warps_per_unit);
  check(kRegisters, needs.registers_per_thread, limits.registers_per_thread, limits.registers_per_unit);
  check(kSharedMemory, needs.shared_memory_per_group, limits.shared_memory_per_group, limits.shared_memory_per_unit);
  if (!misfits.empty()) throw ModelError(std::move(misfits));
}

}  // namespace

std::string to_string(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::Groups:
      return "groups";
    case OccupancyLimit::Warps:
      return "warps";
    case OccupancyLimit::Registers:
      return "registers";
    case OccupancyLimit::SharedMemory:
      return "shared memory";
  }
  return {};
}

std::int64_t shared_memory_taken(std::int64_t per_group, const Limits& limits) {
  return round_up(per_group + limits.shared_memory_reserved_per_group, limits.shared_memory_allocation);
}

Occupancy occupancy(const GroupNeeds& needs, const Limits& limits, std::int64_t warp_size) {
  assert(needs.group_size >= 1 && warp_size >= 1);
  const Share share{needs, limits, warp_size};
  Occupancy result{share.warps(), std::nullopt, bounds_of(share), {}};
  require_fit(needs, limits, result.bounds);
  if (result.bounds.empty()) return result;

  result.groups = std::ranges::min(result.bounds, {}, &LimitBound::groups).groups;
  for (const LimitBound& bound : result.bounds)
    if (bound.groups == *result.groups) result.limiters.push_back(bound.limit);
  return result;
}

}  // namespace warpipe
