#include "warpipe/caches/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "address_streams.hpp"
#include "choose_sample.hpp"
#include "hierarchy.hpp"
#include "turns.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

constexpr int kFewAccesses = 1, kManyAccesses = 8;  // of a warp per turn: the two orders
constexpr double kWideSpread = 0.1;
constexpr double kVisible = 0.01;  ///< of a memory's traffic
constexpr int kDigits = 12;        ///< of what was counted: further ones are left over from adding up weights

/// The mean of the two orders.
/// @param number  of the access
AccessLevels mean(const Counted& one, const Counted& other, std::size_t number, const Device& device,
                  const AddressStreams& streams) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  const auto mean_of = [&](const auto& amount) {
    return rounded((amount(one) / one.executions[number] + amount(other) / other.executions[number]) / 2, kDigits);
  };
  AccessLevels access;
  access.instruction = streams.instructions()[number];
  access.executions = (one.executions[number] + other.executions[number]) / 2;
  access.far_apart = mean_of([&](const Counted& counted) { return counted.far_apart[number]; });
  access.compulsory_bytes = (one.moved[number].compulsory + other.moved[number].compulsory) / 2;
  access.footprint_bytes = (one.moved[number].footprint + other.moved[number].footprint) / 2;
  if (streams.transactions_vary(number))
    access.transactions = mean_of([&](const Counted& counted) { return counted.transactions[number]; });
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto found = [&](const Counted& counted) { return counted.found[number][k]; };
    LevelTraffic& traffic = access.levels.emplace_back();
    traffic.share = mean_of([&](const Counted& counted) { return counted.served[number][k]; });
    traffic.found = mean_of(found);
    traffic.sectors = mean_of([&](const Counted& counted) { return counted.moved[number].sectors[k]; });
    traffic.bytes = traffic.sectors * access.executions * static_cast<double>(levels[k].sector_bytes);
    access.spread = std::max(access.spread,
                             std::abs(found(one) / one.executions[number] - found(other) / other.executions[number]));
  }
  return access;
}

/// The share of executions with a sector that comes from beyond, of so many sectors on average.
double share_with(double sectors, double of) { return 1 - std::pow(std::max(0.0, 1 - sectors / of), of); }

/// What a sample took for first touches of sectors, and cannot be, is read again: from the nearest level beyond the
/// units that holds the whole array, as far as the last cache holds it where none does.
/// @param again  sectors of an execution
void serve_again(const std::vector<MemoryLevel>& levels, double array_bytes, double again, AccessLevels& access) {
  const auto bytes_of = [&](std::size_t k) {
    return static_cast<double>(levels[k].bytes.value_or(0)) / static_cast<double>(levels[k].parts);
  };
  std::size_t serving = first_shared_level(levels);
  while (serving + 2 < levels.size() && bytes_of(serving) < array_bytes) ++serving;
  if (!levels[serving].bytes) return;
  again *= std::min(1.0, bytes_of(serving) / array_bytes);
  const double touched = access.levels.front().sectors;
  for (std::size_t k = levels.size() - 1; k > serving; --k) {
    LevelTraffic& level = access.levels[k];
    if (level.sectors == 0) continue;
    const double left = std::max(0.0, level.sectors - again);
    const double part = share_with(left, touched) / share_with(level.sectors, touched);
    level.bytes *= left / level.sectors;
    level.sectors = left;
    if (k + 1 < levels.size()) continue;  // who found it nearer still does
    LevelTraffic& nearer = access.levels[serving];
    nearer.share += level.share * (1 - part);
    nearer.found += level.found * (1 - part);
    level.share *= part;
    level.found *= part;
  }
}

/// Groups that stand for others may touch first what others would have touched: an array has no more sectors than it
/// has.
void limit_first_touches(const Kernel& kernel, const AddressStreams& streams, const std::vector<MemoryLevel>& levels,
                         LevelsFromAddresses& found) {
  const std::int64_t sector_bytes = levels.front().sector_bytes;
  const auto key = [&](const AccessLevels& access) {
    const Instruction& instruction = kernel.instructions[access.instruction];
    return std::pair{array_of(*instruction.access), access_kind(instruction.op)};
  };
  std::map<std::pair<std::size_t, AccessKind>, double> sums;
  for (const AccessLevels& access : found.accesses) sums[key(access)] += access.compulsory_bytes;
  for (AccessLevels& access : found.accesses) {
    const auto [array, kind] = key(access);
    const std::int64_t sectors = (streams.shape().arrays[array].bytes - 1) / sector_bytes + 1;
    const double bytes = static_cast<double>(sectors * sector_bytes);
    const double part = bytes * (kind == AccessKind::Atomic ? 2 : 1) / sums[{array, kind}];
    if (part >= 1 || access.compulsory_bytes == 0) continue;
    const double again = (1 - part) * access.compulsory_bytes / static_cast<double>(sector_bytes) / access.executions;
    if (kind == AccessKind::Load) serve_again(levels, bytes, again, access);
    access.compulsory_bytes *= part;
  }
}

/// Which part of the launch was simulated.
void add_note_of_sample(LevelsFromAddresses& found) {
  std::vector<std::string> parts;
  if (found.simulated_groups < found.groups || found.most_trips > 0)
    parts.push_back(fmt::format("on {} of the {} groups", found.simulated_groups, found.groups));
  if (found.most_trips > 0) parts.push_back(fmt::format("on {} trips of each loop that has more", found.most_trips));
  if (found.one_line_in > 1) parts.push_back(fmt::format("on one line in {}", found.one_line_in));
  if (parts.empty()) return;
  const std::string last = std::exchange(parts.back(), "");
  parts.pop_back();
  found.notes.push_back(
      fmt::format("The caches were simulated {}{}{}.", fmt::join(parts, ", "), parts.empty() ? "" : " and ", last));
}

void add_notes(const Kernel& kernel, std::size_t with_addresses, LevelsFromAddresses& found) {
  add_note_of_sample(found);
  const std::size_t never = with_addresses - found.accesses.size();
  if (never > 0)
    found.notes.push_back(
        fmt::format("No group among those whose accesses were simulated executes {} of the {} accesses with addresses.",
                    never, with_addresses));
  for (const AccessLevels& access : found.accesses)
    if (access.spread > kWideSpread)
      found.notes.push_back(
          fmt::format("Which level serves \"{}\" hangs on the order of the warps: two orders differ by {:.0f} points, "
                      "their mean is taken.",
                      kernel.instructions[access.instruction].id, 100 * access.spread));
}

/// Of the last cache: what arrays that are read again and again may fill beside those that only come by.
constexpr double kShareOfLastCache = 0.5;
constexpr double kOnce = 1.1;  ///< times the bytes of an array that nearly all come by once

/// The bytes that one part of the last cache holds.
double last_cache_bytes(const std::vector<MemoryLevel>& levels) {
  double bytes = 0;
  for (const MemoryLevel& level : levels)
    if (level.bytes && level.scope != LevelScope::ComputeUnit)
      bytes = static_cast<double>(*level.bytes) / static_cast<double>(level.parts);
  return bytes;
}

/// Whether more groups would show nothing new: each array comes from beyond the units once, or stays there whole, or is
/// thread-private, so that all waves of groups use the same bytes of it.
bool is_enough(const Kernel& kernel, const Device& device, const AddressStreams& streams,
               const LevelsFromAddresses& found) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  const std::size_t beyond = first_shared_level(levels);
  std::map<std::size_t, double> moved;  // by array, beyond the units
  for (const AccessLevels& access : found.accesses) {
    const Instruction& instruction = kernel.instructions[access.instruction];
    double& most = moved[array_of(*instruction.access)];
    const double bytes = access.levels[beyond].bytes;
    most = access_kind(instruction.op) == AccessKind::Store ? std::max(most, bytes) : most + bytes;
  }
  double staying = 0;
  for (const auto& [array, bytes] : moved) {
    const auto whole = static_cast<double>(streams.shape().arrays[array].bytes);
    if (!kernel.arrays[array].thread_private && bytes > kOnce * whole) staying += whole;
  }
  return staying <= kShareOfLastCache * last_cache_bytes(levels);
}

/// Says how much of its traffic a memory reads only to write the rest of a sector.
void add_note_of_reads_first(const Counted& counted, const MemoryLevel& memory, std::vector<std::string>& notes) {
  double moved = 0, read_first = 0;
  for (const Moved& of_access : counted.moved) {
    moved += of_access.sectors.back();
    read_first += of_access.read_first;
  }
  if (read_first > kVisible * moved)
    notes.push_back(
        fmt::format("{:.0f} % of what {} moves are reads of sectors of which only a part is written; a device with "
                    "masked_writes at that level needs none.",
                    100 * read_first / moved, memory.name));
}

/// The simulations of a launch, each of a part of it.
class Simulations {
 public:
  Simulations(const Kernel& kernel, const Device& device, AddressStreams& streams, const CacheEffort& effort)
      : kernel_(kernel), device_(device), streams_(streams) {
    const std::vector<Sample> samples =
        choose_samples(streams, device, {{effort.lines / 10, effort.one_line_in}, effort});
    less_ = samples.front();
    sample_ = samples.back();
  }

  /// A tenth of the effort is often enough.
  LevelsFromAddresses enough() {
    if (!less_.is_cut && less_.groups < sample_.groups) {
      LevelsFromAddresses found = of_part(less_);
      if (is_enough(kernel_, device_, streams_, found)) return found;
    }
    return of_part(sample_);
  }

 private:
  /// An access of which the chosen lines do not tell the levels.
  struct Untold {
    std::size_t number = 0;  ///< among those found
    bool is_seen = false;    ///< they tell what it moves
  };

  /// Where chosen lines do not tell who serves an access, all lines of the smaller part do.
  LevelsFromAddresses of_part(const Sample& sample) {
    std::vector<Untold> untold;
    LevelsFromAddresses found = simulate(sample, untold);
    if (untold.empty()) return found;
    if (less_.groups == sample.groups && less_.most_trips == sample.most_trips) return all_of_less();
    const std::vector<AccessLevels>& all = all_of_less().accesses;
    for (const auto& [number, is_seen] : untold) {
      AccessLevels& access = found.accesses[number];
      const auto told = std::ranges::find(all, access.instruction, &AccessLevels::instruction);
      if (told == all.end()) return with_all_lines(sample);
      if (!is_seen) replace_traffic(access, *told);
      replace_shares(access, *told);
    }
    return found;
  }

  const LevelsFromAddresses& all_of_less() {
    if (!all_of_less_) all_of_less_ = with_all_lines(less_);
    return *all_of_less_;
  }

  LevelsFromAddresses with_all_lines(Sample sample) const {
    sample.one_in = 1;
    std::vector<Untold> untold;
    return simulate(sample, untold);
  }

  /// @param untold  accesses are added
  LevelsFromAddresses simulate(const Sample& sample, std::vector<Untold>& untold) const {
    LevelsFromAddresses found;
    found.groups = streams_.launch().groups;
    found.simulated_groups = sample.groups * sample.parts();
    found.most_trips = sample.is_cut ? sample.most_trips : 0;
    found.one_line_in = sample.one_in;
    const Counted one = take_turns(streams_, device_, sample, kFewAccesses);
    const Counted other = take_turns(streams_, device_, sample, kManyAccesses);
    found.lines = one.lines + other.lines;
    add_note_of_reads_first(one, device_.memory->levels.back(), found.notes);
    for (std::size_t number = 0; number < streams_.instructions().size(); ++number) {
      if (one.executions[number] == 0) continue;
      if (!one.is_told[number] || !other.is_told[number])
        untold.push_back({found.accesses.size(), one.is_seen[number] && other.is_seen[number]});
      found.accesses.push_back(mean(one, other, number, device_, streams_));
    }
    return found;
  }

  /// @param told  in a smaller part of the launch
  static void replace_traffic(AccessLevels& access, const AccessLevels& told) {
    const double times = access.executions / told.executions;
    for (std::size_t k = 0; k < access.levels.size(); ++k) {
      access.levels[k].sectors = told.levels[k].sectors;
      access.levels[k].bytes = told.levels[k].bytes * times;
    }
    access.compulsory_bytes = told.compulsory_bytes * times;
    access.footprint_bytes = told.footprint_bytes * times;
  }

  static void replace_shares(AccessLevels& access, const AccessLevels& told) {
    for (std::size_t k = 0; k < access.levels.size(); ++k) {
      access.levels[k].share = told.levels[k].share;
      access.levels[k].found = told.levels[k].found;
    }
    access.spread = told.spread;
  }

  const Kernel& kernel_;
  const Device& device_;
  AddressStreams& streams_;
  Sample less_, sample_;
  std::optional<LevelsFromAddresses> all_of_less_;  ///< where it was needed
};

/// The bytes that a launch touches: of an array no more than it has.
double footprint(const Kernel& kernel, const AddressStreams& streams, const LevelsFromAddresses& found) {
  std::map<std::size_t, double> of_arrays;
  for (const AccessLevels& access : found.accesses)
    of_arrays[array_of(*kernel.instructions[access.instruction].access)] += access.footprint_bytes;
  double sum = 0;
  for (const auto& [array, bytes] : of_arrays)
    sum += std::min(bytes, static_cast<double>(streams.shape().arrays[array].bytes));
  return sum;
}

/// Where the launch is repeated, the first level that all units of a die share and that holds all that the launch
/// touches has it from the launch before: what would come from beyond does not. A level that is smaller has seen all
/// the rest since, and is empty of what comes first.
void find_again(const std::vector<MemoryLevel>& levels, double touched, LevelsFromAddresses& found) {
  const auto holds_all = [&](const MemoryLevel& level) {
    return level.bytes && level.scope != LevelScope::ComputeUnit &&
           static_cast<double>(*level.bytes) / static_cast<double>(level.parts) >= touched;
  };
  const auto last = static_cast<std::size_t>(std::ranges::find_if(levels, holds_all) - levels.begin());
  for (AccessLevels& access : found.accesses)
    for (std::size_t beyond = last + 1; beyond < access.levels.size(); ++beyond) {
      const LevelTraffic left = std::exchange(access.levels[beyond], LevelTraffic{});
      access.levels[last].share += left.share;
      access.levels[last].found += left.found;
    }
}

}  // namespace

LevelsFromAddresses levels_from_addresses(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                          const CacheEffort& effort) {
  LevelsFromAddresses found;
  found.groups = launch.groups;
  if (!has_levels(device)) return found;
  AddressStreams streams(kernel, device, launch, Hierarchy::line_bytes(device));
  if (streams.instructions().empty()) return found;
  found = Simulations(kernel, device, streams, effort).enough();
  limit_first_touches(kernel, streams, device.memory->levels, found);
  if (launch.repeated) find_again(device.memory->levels, footprint(kernel, streams, found), found);
  add_notes(kernel, streams.instructions().size(), found);
  return found;
}

}  // namespace warpipe
