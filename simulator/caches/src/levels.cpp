#include "warpipe/caches/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "address_streams.hpp"
#include "cache_simulation.hpp"
#include "choose_sample.hpp"
#include "hierarchy.hpp"
#include "turns.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

constexpr Turn kUntilWait{64, 2};  ///< the order of the results
constexpr Turn kOneAccess{1, 1};   ///< the order for comparison
constexpr double kWideSpread = 0.1;
constexpr double kVisible = 0.01;  ///< of a memory's traffic
constexpr int kDigits = 12;        ///< of counts: further digits are rounding errors of summed weights

/// The traffic of an access.
/// @param number  of the access
AccessLevels levels_of(const Counted& counted, std::size_t number, const Device& device,
                       const AddressStreams& streams) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  const auto part = [&](double amount) { return rounded(amount / counted.executions[number], kDigits); };
  AccessLevels access;
  access.instruction = streams.instructions()[number];
  access.executions = counted.executions[number];
  access.far_apart = part(counted.far_apart[number]);
  access.compulsory_bytes = counted.moved[number].compulsory;
  access.footprint_bytes = counted.moved[number].footprint;
  access.compulsory_memory_bytes =
      counted.moved[number].first_of_memory * static_cast<double>(levels.back().sector_bytes);
  if (streams.transactions_vary(number)) access.transactions = part(counted.transactions[number]);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    LevelTraffic& traffic = access.levels.emplace_back();
    traffic.share = part(counted.served[number][k]);
    traffic.found = part(counted.found[number][k]);
    traffic.sectors = part(counted.moved[number].sectors[k]);
    traffic.bytes = traffic.sectors * access.executions * static_cast<double>(levels[k].sector_bytes);
  }
  return access;
}

/// The share of executions with a sector from beyond, with `sectors` of `of` sectors from there on average.
double share_with(double sectors, double of) { return 1 - std::pow(std::max(0.0, 1 - sectors / of), of); }

/// Corrects impossible first touches of a sample: these sectors are read again, from the nearest level beyond the units
/// that holds the whole array, or without such a level from the last cache, as far as it holds the array.
/// @param again  by level: sectors of an execution
void serve_again(const std::vector<MemoryLevel>& levels, double array_bytes, const std::vector<double>& again,
                 AccessLevels& access) {
  const auto bytes_of = [&](std::size_t k) {
    return static_cast<double>(levels[k].bytes.value_or(0)) / static_cast<double>(levels[k].parts);
  };
  std::size_t serving = first_shared_level(levels);
  while (serving + 2 < levels.size() && bytes_of(serving) < array_bytes) ++serving;
  if (!levels[serving].bytes) return;
  const double held = std::min(1.0, bytes_of(serving) / array_bytes);
  const double touched = access.levels.front().sectors;
  for (std::size_t k = levels.size() - 1; k > serving; --k) {
    LevelTraffic& level = access.levels[k];
    if (level.sectors == 0) continue;
    const double left = std::max(0.0, level.sectors - held * again[k]);
    const double part = share_with(left, touched) / share_with(level.sectors, touched);
    level.bytes *= left / level.sectors;
    level.sectors = left;
    if (k + 1 < levels.size()) continue;  // executions served nearer stay there
    LevelTraffic& nearer = access.levels[serving];
    nearer.share += level.share * (1 - part);
    nearer.found += level.found * (1 - part);
    level.share *= part;
    level.found *= part;
  }
}

/// Sectors of an array can be touched for the first time once each: limits the first touches of its loads, stores and
/// atomics.
class FirstTouches {
 public:
  /// @param sector_bytes  of the touched sectors
  /// @param bytes         of sectors touched first by an access
  FirstTouches(const AddressStreams& streams, std::int64_t sector_bytes, double AccessLevels::*bytes,
               const std::vector<AccessLevels>& accesses)
      : streams_(streams), sector_bytes_(sector_bytes), bytes_(bytes) {
    for (const AccessLevels& access : accesses) sums_[key(access)] += access.*bytes;
  }

  /// The bytes of an access that are too many.
  double again(const AccessLevels& access) const {
    const auto [array, kind] = key(access);
    const double most = array_bytes(access) * (kind == AccessKind::Atomic ? 2 : 1), sum = sums_.at({array, kind});
    return sum > most ? (1 - most / sum) * access.*bytes_ : 0;
  }

  /// The bytes of all sectors of an access's array.
  double array_bytes(const AccessLevels& access) const {
    const std::int64_t bytes = streams_.shape().arrays[key(access).first].bytes;
    return static_cast<double>(((bytes - 1) / sector_bytes_ + 1) * sector_bytes_);
  }

 private:
  using Key = std::pair<std::size_t, AccessKind>;
  Key key(const AccessLevels& access) const {
    const Instruction& instruction = streams_.kernel().instructions[access.instruction];
    return {array_of(*instruction.access), access_kind(instruction.op)};
  }

  const AddressStreams& streams_;
  std::int64_t sector_bytes_;
  double AccessLevels::*bytes_;
  std::map<Key, double> sums_;
};

/// Groups with a weight may touch more sectors first than the array has.
void limit_first_touches(const AddressStreams& streams, const std::vector<MemoryLevel>& levels,
                         LevelsFromAddresses& found) {
  const std::int64_t nearest = levels.front().sector_bytes, farthest = levels.back().sector_bytes;
  const FirstTouches near(streams, nearest, &AccessLevels::compulsory_bytes, found.accesses);
  const FirstTouches far(streams, farthest, &AccessLevels::compulsory_memory_bytes, found.accesses);
  for (AccessLevels& access : found.accesses) {
    const double bytes = near.again(access), memory_bytes = far.again(access);
    const Instruction& instruction = streams.kernel().instructions[access.instruction];
    if (bytes + memory_bytes > 0 && access_kind(instruction.op) == AccessKind::Load) {
      std::vector<double> again;
      for (const MemoryLevel& level : levels)
        again.push_back((level.sector_bytes < farthest ? bytes : memory_bytes) /
                        static_cast<double>(level.sector_bytes) / access.executions);
      serve_again(levels, near.array_bytes(access), again, access);
    }
    access.compulsory_bytes -= bytes;
    access.compulsory_memory_bytes -= memory_bytes;
  }
}

void add_notes(const Kernel& kernel, std::size_t with_addresses, LevelsFromAddresses& found) {
  if (found.most_trips > 0)
    found.notes.push_back(
        fmt::format("The caches were simulated on {} of the {} groups and on {} trips of each loop that has more.",
                    found.simulated_groups, found.groups, found.most_trips));
  else if (found.simulated_groups < found.groups)
    found.notes.push_back(
        fmt::format("The caches were simulated on {} of the {} groups.", found.simulated_groups, found.groups));
  const std::size_t never = with_addresses - found.accesses.size();
  if (never > 0)
    found.notes.push_back(
        fmt::format("No group among those whose accesses were simulated executes {} of the {} accesses with addresses.",
                    never, with_addresses));
  for (const AccessLevels& access : found.accesses)
    if (access.spread > kWideSpread)
      found.notes.push_back(fmt::format(
          "Which level serves \"{}\" hangs on the order of the warps: where they make one access each in turn it "
          "differs by {:.0f} points from where each goes on until it waits, which is taken.",
          kernel.instructions[access.instruction].id, 100 * access.spread));
}

/// The part of the last cache available to arrays read again and again, beside arrays that only come by.
constexpr double kShareOfLastCache = 0.5;
constexpr double kOnce = 1.1;  ///< times the bytes of an array: nearly all of it comes by once

/// The bytes of a part of the last cache.
double last_cache_bytes(const std::vector<MemoryLevel>& levels) {
  double bytes = 0;
  for (const MemoryLevel& level : levels)
    if (level.bytes && level.scope != LevelScope::ComputeUnit)
      bytes = static_cast<double>(*level.bytes) / static_cast<double>(level.parts);
  return bytes;
}

/// The bytes moved to a level, by array: loaded bytes, or stored bytes if there are more.
std::map<std::size_t, double> moved_of_arrays(const Kernel& kernel, const LevelsFromAddresses& found,
                                              std::size_t level) {
  std::map<std::size_t, double> moved;
  for (const AccessLevels& access : found.accesses) {
    const Instruction& instruction = kernel.instructions[access.instruction];
    double& most = moved[array_of(*instruction.access)];
    const double bytes = access.levels[level].bytes;
    most = access_kind(instruction.op) == AccessKind::Store ? std::max(most, bytes) : most + bytes;
  }
  return moved;
}

bool comes_once(double bytes, std::size_t array, const AddressStreams& streams) {
  return bytes <= kOnce * static_cast<double>(streams.shape().arrays[array].bytes);
}

/// Whether more groups would show nothing new: each array comes from beyond the units once, or stays there whole, or is
/// thread-private, with the same bytes for all waves of groups.
bool is_enough(const Device& device, const AddressStreams& streams, const LevelsFromAddresses& found) {
  const Kernel& kernel = streams.kernel();
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  double staying = 0;
  for (const auto& [array, bytes] : moved_of_arrays(kernel, found, first_shared_level(levels)))
    if (!kernel.arrays[array].thread_private && !comes_once(bytes, array, streams))
      staying += static_cast<double>(streams.shape().arrays[array].bytes);
  return staying <= kShareOfLastCache * last_cache_bytes(levels);
}

/// Notes the share of a memory's traffic due to reads for partly written sectors.
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

/// Tolerance for the shares and bytes of a level in two simulations with the same result.
constexpr double kSame = 0.005;
constexpr double kSlowest = 0.05;  ///< rate of the farthest level at least, as a part of the nearest level's

/// Whether two parts of a launch have the same result: differences in bytes are compared with the level's traffic.
bool tell_the_same(const LevelsFromAddresses& one, const LevelsFromAddresses& other) {
  if (one.accesses.empty() || one.accesses.size() != other.accesses.size()) return false;
  const std::size_t levels = one.accesses.front().levels.size();
  std::vector<double> bytes(levels), difference(levels);
  for (std::size_t i = 0; i < one.accesses.size(); ++i) {
    const AccessLevels &a = one.accesses[i], &b = other.accesses[i];
    if (a.instruction != b.instruction) return false;
    for (std::size_t k = 0; k < levels; ++k) {
      if (std::abs(a.levels[k].share - b.levels[k].share) > kSame) return false;
      bytes[k] += b.levels[k].bytes;
      difference[k] += std::abs(a.levels[k].bytes - b.levels[k].bytes);
    }
  }
  for (std::size_t k = 0; k < levels; ++k)
    if (difference[k] > kSame * std::max(bytes[k], kSlowest * bytes[0])) return false;
  return true;
}

/// This many units, or a few more, represent all units if no sector is touched twice.
constexpr std::int64_t kFewUnits = 8;

/// The device with few of its units: an equal number on each die and at each part.
Device with_few_units(Device device) {
  std::int64_t alike = device.dies;
  for (const MemoryLevel& level : device.memory->levels)
    alike = std::lcm(alike, device.dies * level.parts * level.joined_units);
  device.compute_units = std::min(device.compute_units, (kFewUnits - 1) / alike * alike + alike);
  return device;
}

/// Whether no instruction comes to a sector twice, and all instructions on an array together come to it once.
bool is_without_reuse(const AddressStreams& streams, const LevelsFromAddresses& found) {
  const auto is_new = [](const AccessLevels& access) {
    return access.compulsory_bytes >= (1 - kVisible) * access.levels.front().bytes;
  };
  const auto once = [&](const auto& moved) { return comes_once(moved.second, moved.first, streams); };
  return std::ranges::all_of(found.accesses, is_new) &&
         std::ranges::all_of(moved_of_arrays(streams.kernel(), found, 0), once);
}

/// The bytes touched by a launch, of each array at most its size.
double footprint(const AddressStreams& streams, const LevelsFromAddresses& found) {
  const std::vector<Instruction>& instructions = streams.kernel().instructions;
  std::map<std::size_t, double> of_arrays;
  for (const AccessLevels& access : found.accesses)
    of_arrays[array_of(*instructions[access.instruction].access)] += access.footprint_bytes;
  double sum = 0;
  for (const auto& [array, bytes] : of_arrays)
    sum += std::min(bytes, static_cast<double>(streams.shape().arrays[array].bytes));
  return sum;
}

/// Serves a repeated launch from the data of the launch before: the first level beyond the units with room for all
/// touched bytes has them, and serves all accesses to levels behind it. A smaller level has seen all later data since,
/// and holds none of the first.
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

CacheSimulation::CacheSimulation(AddressStreams& streams, Device device, CacheLaunch launch)
    : streams_(streams), device_(std::move(device)), launch_(std::move(launch)) {}

const LevelsFromAddresses& CacheSimulation::of(const Sample& sample) {
  const auto known =
      std::ranges::find(simulated_, sample, [](const auto& each) -> const Sample& { return each.first; });
  if (known != simulated_.end()) return known->second;
  return simulated_.emplace_back(sample, simulate(device_, sample)).second;
}

LevelsFromAddresses CacheSimulation::simulate(const Device& device, const Sample& sample) {
  LevelsFromAddresses found;
  found.groups = launch_.groups;
  found.simulated_groups = sample.groups * sample.parts();
  found.most_trips = sample.is_cut ? sample.most_trips : 0;
  const Counted counted = take_turns(streams_, device, launch_, sample, kUntilWait);
  found.lines = counted.lines;
  add_note_of_reads_first(counted, device.memory->levels.back(), found.notes);
  for (std::size_t number = 0; number < streams_.instructions().size(); ++number) {
    if (counted.executions[number] > 0) found.accesses.push_back(levels_of(counted, number, device, streams_));
  }
  return found;
}

/// Simulates a sample in the order for comparison, too.
/// @param of_sample  its levels
/// @param found      gets the differences
void CacheSimulation::compare_orders(const Device& device, const Sample& sample, const LevelsFromAddresses& of_sample,
                                     LevelsFromAddresses& found) {
  const Counted other = take_turns(streams_, device, launch_, sample, kOneAccess);
  found.lines += other.lines;
  for (AccessLevels& access : found.accesses) {
    const auto one = std::ranges::find(of_sample.accesses, access.instruction, &AccessLevels::instruction);
    if (one == of_sample.accesses.end()) continue;
    const std::vector<std::size_t>& all = streams_.instructions();
    const auto number = static_cast<std::size_t>(std::ranges::lower_bound(all, access.instruction) - all.begin());
    for (std::size_t k = 0; k < access.levels.size(); ++k) {
      const double found_by_other = other.found[number][k] / other.executions[number];
      access.spread = std::max(access.spread, std::abs(one->levels[k].found - found_by_other));
    }
  }
}

/// Simulates two waves of groups on few units.
/// @return nothing if these units do not represent all units
std::optional<LevelsFromAddresses> CacheSimulation::simulate_few_units(const CacheEffort& effort) {
  const Device few = with_few_units(device_);
  if (2 * few.compute_units > device_.compute_units) return std::nullopt;
  const Sample sample = choose_samples(streams_, few, {{effort.lines / 4, 0}}).front();
  if (sample.is_cut || sample.is_all()) return std::nullopt;
  LevelsFromAddresses found = simulate(few, sample);
  if (!is_without_reuse(streams_, found)) return std::nullopt;
  if (effort.both_orders) compare_orders(few, sample, LevelsFromAddresses(found), found);
  found.effort = effort.lines;
  return found;
}

/// Simulates larger and larger parts of a launch, until a larger part would show nothing new: of trips, if four times
/// as many have shown nothing. A part that cannot end the search is skipped, unless the next part is compared with it.
LevelsFromAddresses CacheSimulation::simulate_enough(const CacheEffort& effort) {
  std::vector<CacheEffort> efforts{effort};
  for (int quarter = 0; quarter < effort.quarters; ++quarter)
    efforts.insert(efforts.begin(), {efforts.front().lines / 4, 0, effort.both_orders});
  if (const auto found = simulate_few_units(efforts.front())) return *found;
  const std::vector<Sample> samples = choose_samples(streams_, device_, efforts);
  LevelsFromAddresses found;
  const Sample* accepted = nullptr;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const Sample* const next = i + 1 < samples.size() ? &samples[i + 1] : nullptr;
    const bool is_held_against = i + 2 < samples.size() && next->is_even;
    if (next != nullptr && (sample == *next || (sample.is_cut && !sample.is_even && !is_held_against))) continue;
    accepted = &sample;
    const LevelsFromAddresses before = std::exchange(found, of(sample));
    found.effort = efforts[i].lines;
    found.lines += before.lines;
    if (sample.is_cut ? sample.is_even && tell_the_same(before, found) : is_enough(device_, streams_, found)) break;
  }
  if (effort.both_orders) {
    const CacheEffort part{effort.lines * kPartOfEffort, 0};
    const Sample compared = found.effort <= part.lines ? *accepted : choose_samples(streams_, device_, {part}).front();
    compare_orders(device_, compared, of(compared), found);
  }
  return found;
}

LevelsFromAddresses CacheSimulation::levels(const CacheEffort& effort) {
  LevelsFromAddresses found;
  found.groups = launch_.groups;
  if (streams_.instructions().empty()) return found;
  found = simulate_enough(effort);
  if (found.simulated_groups < found.groups || found.most_trips > 0)
    limit_first_touches(streams_, device_.memory->levels, found);
  if (launch_.repeated) find_again(device_.memory->levels, footprint(streams_, found), found);
  add_notes(streams_.kernel(), streams_.instructions().size(), found);
  return found;
}

LevelsFromAddresses levels_from_addresses(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                          const CacheEffort& effort) {
  LevelsFromAddresses found;
  found.groups = launch.groups;
  if (!has_levels(device)) return found;
  AddressStreams streams(kernel, device, launch, Hierarchy::line_bytes(device));
  return CacheSimulation(streams, device, launch).levels(effort);
}

}  // namespace warpipe
