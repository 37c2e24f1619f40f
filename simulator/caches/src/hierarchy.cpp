#include "hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/occupancy.hpp"

namespace warpipe {
namespace {

constexpr int kLevelBits = 3;
constexpr std::uint32_t kLevelMask = (1 << kLevelBits) - 1;

/// The bytes of a level beside shared memory.
std::int64_t bytes_left(const MemoryLevel& level, const Device& device, const CacheLaunch& launch) {
  const std::int64_t shared =
      level.holds_shared_memory ? launch.slots * shared_memory_taken(launch.shared_memory, device.limits) : 0;
  return std::llround(static_cast<double>(*level.bytes - shared) * launch.room);
}

ModelError unusable(const MemoryLevel& level, const char* problem, const std::string& found) {
  return ModelError(Diagnostic{fmt::format("device: /memory/levels, \"{}\"", level.name), problem, found,
                               "change the level, or give the kernel's `levels`"});
}

void require_usable(const MemoryLevel& level, std::int64_t line_bytes) {
  const auto is_power = [](std::int64_t bytes) { return std::has_single_bit(static_cast<std::uint64_t>(bytes)); };
  if (!is_power(level.line_bytes) || !is_power(level.sector_bytes))
    throw unusable(level, "lines and sectors must have a power of two of bytes",
                   fmt::format("found {} and {}", level.line_bytes, level.sector_bytes));
  if (level.sector_bytes > level.line_bytes || level.sector_bytes * kPartsPerLine < line_bytes)
    throw unusable(level, "a sector must be a part of a line, and at least a 32nd of the longest line",
                   fmt::format("found {} of {} bytes", level.sector_bytes, line_bytes));
}

}  // namespace

std::int64_t Hierarchy::line_bytes(const Device& device) {
  std::int64_t longest = kPartsPerLine;
  for (const MemoryLevel& level : device.memory->levels) longest = std::max(longest, level.line_bytes);
  for (const MemoryLevel& level : device.memory->levels) require_usable(level, longest);
  return longest;
}

Hierarchy::Hierarchy(const Device& device, const CacheLaunch& launch, std::vector<std::uint8_t> is_private,
                     std::int64_t under_way, int per_turn)
    : units_(device.compute_units),
      dies_(device.dies),
      line_bytes_(line_bytes(device)),
      is_private_(std::move(is_private)),
      under_way_(static_cast<std::uint32_t>(under_way)),
      per_turn_(static_cast<std::uint32_t>(per_turn)) {
  for (const MemoryLevel& level : device.memory->levels) {
    Level& made = levels_.emplace_back();
    made.scope = level.scope;
    made.is_memory = !level.bytes;
    made.keeps_stores = level.write == WritePolicy::Back;
    made.masks_writes = level.masked_writes;
    made.sectors = Sectors(static_cast<int>(level.sector_bytes * kPartsPerLine / line_bytes_));
    if (made.is_memory) break;
    make_caches(level, bytes_left(level, device, launch), made);
  }
  if (levels() > kLevelMask + 1)
    throw ModelError(Diagnostic{"device: /memory/levels",
                                fmt::format("a device can have at most {} levels", kLevelMask + 1),
                                fmt::format("found {}", levels()), ""});
  if (!levels_.back().is_memory)
    throw ModelError(
        Diagnostic{"device: /memory/levels", "the last level must be the memory, without `bytes`", "", ""});
  sectors_.resize(is_private_.size() * levels());
  moved_.resize(is_private_.size(), {{}, std::vector<double>(levels()), std::vector<double>(levels())});
}

/// @param bytes  of one instance
void Hierarchy::make_caches(const MemoryLevel& level, std::int64_t bytes, Level& made) {
  made.parts = static_cast<std::size_t>(level.parts);
  made.slices = line_bytes_ / level.line_bytes;
  if (level.dirty_bytes) made.dirty_share = static_cast<double>(*level.dirty_bytes) / static_cast<double>(*level.bytes);
  std::size_t instances = 1;
  made.joined = JoinedLoads(static_cast<std::size_t>(units_), static_cast<std::size_t>(level.joined_units), under_way_);
  for (std::int64_t unit = 0; unit < units_; ++unit) {
    const std::int64_t place = unit / level.joined_units;  // joined units share a die
    const std::int64_t instance = level.scope == LevelScope::ComputeUnit ? unit
                                  : level.scope == LevelScope::Die       ? place % dies_
                                                                         : 0;
    const std::int64_t in_instance = level.scope == LevelScope::Die ? place / dies_ : place;
    const auto first = static_cast<std::size_t>(instance) * made.parts;
    made.instances_of_units.push_back(first);
    made.near.push_back(first + static_cast<std::size_t>(in_instance) % made.parts);
    instances = std::max(instances, static_cast<std::size_t>(instance) + 1);
  }
  made.caches.assign(instances * made.parts, Cache(bytes / level.parts, level.line_bytes, level.ways));
  made.has_room = !made.caches.front().keeps_nothing();
}

/// Calls visit(number of the level's line, mask) for the level's lines within a line of the addresses.
template <class Visit>
void Hierarchy::for_each_slice(const Level& level, std::int64_t line, std::uint32_t mask, const Visit& visit) const {
  if (level.slices == 1) return visit(static_cast<std::uint32_t>(line), mask);
  const auto parts = static_cast<int>(kPartsPerLine / level.slices);
  for (int slice = 0; slice < level.slices; ++slice) {
    const auto of_slice = static_cast<std::uint32_t>(((std::uint64_t{1} << parts) - 1) << (slice * parts));
    if ((mask & of_slice) != 0) visit(static_cast<std::uint32_t>(line * level.slices + slice), mask & of_slice);
  }
}

void Hierarchy::touch(TouchedBytes::Kind kind, const Use& use, std::int64_t line, std::uint32_t mask) {
  if (is_private_[use.access] != 0) return;
  const Sectors& sectors = levels_.front().sectors;
  const TouchedBytes::First first = touched_.add(kind, line, sectors.touched(mask));
  if (first.of_kind == 0) return;
  const double bytes = use.weight * static_cast<double>(line_bytes_ / kPartsPerLine * sectors.parts());
  moved_[use.access].compulsory += bytes * sectors.count_first(first.of_kind);
  moved_[use.access].footprint += bytes * sectors.count_first(first.of_all);
  const Sectors& memory = levels_.back().sectors;
  const std::uint32_t of_memory = memory.touched(sectors.whole_of(first.of_kind)) & ~memory.touched(first.before);
  moved_[use.access].first_of_memory += use.weight * memory.count_first(of_memory);
}

Served Hierarchy::load(const Use& use, const TouchedLine& line) {
  std::size_t first = 0;
  while (use.past_unit && !levels_[first].is_memory && levels_[first].scope == LevelScope::ComputeUnit) {
    count(first, use, levels_[first].sectors.count(line.touched));
    ++first;
  }
  if (first > 0 || levels_.front().is_memory) touch(TouchedBytes::Read, use, line.line, line.touched);
  return read(first, use, line.line, line.touched);
}

Served Hierarchy::read(std::size_t k, const Use& use, std::int64_t line, std::uint32_t mask) {
  for (;; ++k) {
    const Level& level = levels_[k];
    const std::uint32_t touched = level.sectors.touched(mask);
    count(k, use, level.sectors.count_first(touched));
    if (level.is_memory) return {k, k};
    const std::uint32_t want = level.sectors.whole_of(touched);
    if (k == 0 || level.slices > 1) return read_slices(k, use, line, want);
    Arrivals ignored;
    mask = ask(k, use, static_cast<std::uint32_t>(line), want, ignored);
    if (mask == 0) return {k, k};
  }
}

Served Hierarchy::read_slices(std::size_t k, const Use& use, std::int64_t line, std::uint32_t want) {
  Served served{k, k};
  for_each_slice(levels_[k], line, want, [&](std::uint32_t number, std::uint32_t of_slice) {
    if (k == 0) return served.add(read_nearest(use, line, number, of_slice));
    Arrivals ignored;
    const std::uint32_t missing = ask(k, use, number, of_slice, ignored);
    if (missing != 0) served.add(read(k + 1, use, line, missing));
  });
  return served;
}

/// Reads from a line of the nearest level, which records arrivals under way.
Served Hierarchy::read_nearest(const Use& use, std::int64_t line, std::uint32_t number, std::uint32_t want) {
  Arrivals arrivals;
  const std::uint32_t missing = ask(0, use, number, want, arrivals);
  touch(TouchedBytes::Read, use, line, levels_.front().keeps_stores ? want : missing);
  Served served{0, arrivals.waits};
  if (missing != 0) served.add(read(1, use, line, missing));
  for (std::uint32_t* fetched : arrivals.fetched)
    if (fetched != nullptr) *fetched = use.time << kLevelBits | static_cast<std::uint32_t>(served.from);
  return served;
}

/// Asks the part of a level next to the unit, then the line's home part.
/// @return  the sectors missing in both; they are valid there from now on
std::uint32_t Hierarchy::ask(std::size_t k, const Use& use, std::uint32_t line, std::uint32_t want,
                             Arrivals& arrivals) {
  Level& level = levels_[k];
  if (level.joined.joins() && !use.is_atomic) {
    const std::uint32_t brought = level.joined.join(use.unit, line, want, use.time);
    if (brought != 0) count(k, use, -level.sectors.count(brought));
    want &= ~brought;
    if (want == 0) return 0;
  }
  if (!level.has_room) return want;
  Cache& nearest = near(level, use);
  want = look_up(nearest, k, use, line, want, arrivals);
  if (want == 0 || level.parts == 1) return want;
  Cache& far = home(level, use, line);
  return &nearest == &far ? want : look_up(far, k, use, line, want, arrivals);
}

/// Asks a cache for sectors of a line, and makes missing sectors valid.
/// @return the missing sectors
inline std::uint32_t Hierarchy::look_up(Cache& cache, std::size_t k, const Use& use, std::uint32_t line,
                                        std::uint32_t want, Arrivals& arrivals) {
  Cache::Place place = find(cache, k, use, line);
  const bool is_there = place != Cache::kNowhere;
  if (!is_there) place = insert(cache, k, use, line);
  std::uint32_t& valid = cache.valid(place);
  const std::uint32_t missing = want & ~valid;
  valid |= want;
  if (k > 0) return missing;
  if (is_there && missing != want) arrivals.waits = std::max(arrivals.waits, waits_for(cache.arrival(place), use.time));
  if (missing != 0) *std::ranges::find(arrivals.fetched, nullptr) = &cache.arrival(place);
  return missing;
}

inline Cache::Place Hierarchy::find(Cache& cache, std::size_t k, const Use& use, std::uint32_t line) {
  cache.age(line, [&](const Cache::Victim& victim) { leave(k, use, victim); });
  return cache.find(line);
}

inline Cache::Place Hierarchy::insert(Cache& cache, std::size_t k, const Use& use, std::uint32_t line) {
  use.taken[k] += 1;
  return cache.insert(line, [&](const Cache::Victim& victim) { leave(k, use, victim); });
}

/// The level awaited by an access to the nearest cache: the line's origin, if another warp has just fetched the line.
std::size_t Hierarchy::waits_for(std::uint32_t arrival, std::uint32_t time) const {
  const std::uint32_t came = arrival >> kLevelBits, now = time & (UINT32_MAX >> kLevelBits);
  const std::uint32_t ago = (now - came) & (UINT32_MAX >> kLevelBits);
  return ago < under_way_ && came / per_turn_ != now / per_turn_ ? arrival & kLevelMask : 0;
}

bool Hierarchy::keeps_stores(std::size_t k, const Use& use) const {
  return levels_[k].has_room && (levels_[k].keeps_stores || (k == 0 && is_private_[use.access] != 0));
}

/// The sectors read by a memory before it writes them, since some of their bytes are unknown.
int Hierarchy::filled(const Level& memory, const TouchedLine& written) {
  if (memory.masks_writes) return 0;
  return memory.sectors.count(memory.sectors.whole(written.touched) & ~memory.sectors.full(written.covered));
}

Served Hierarchy::store(const Use& use, const TouchedLine& line, std::uint32_t before) {
  touch(TouchedBytes::Written, use, line.line, line.touched);
  for (std::size_t k = 0;; ++k) {
    Level& level = levels_[k];
    TouchedLine counted = line;
    if (k > 0) counted.touched &= ~level.sectors.whole(before);
    count(k, use, level.sectors.count(counted.touched));
    if (level.is_memory) {
      const int read_first = filled(level, counted);
      count(k, use, read_first);
      moved_[use.access].read_first += use.weight * read_first;
      return {k, k};
    }
    if (keeps_stores(k, use)) {
      keep(k, use, line);
      return {k, k};
    }
    if (level.has_room)
      for_each_slice(level, line.line, line.touched,
                     [&](std::uint32_t number, std::uint32_t) { find(near(level, use), k, use, number); });
  }
}

Served Hierarchy::atomic(const Use& use, const TouchedLine& line) {
  touch(TouchedBytes::Read, use, line.line, line.touched);
  touch(TouchedBytes::Written, use, line.line, line.touched);
  for (std::size_t k = 0;; ++k) {
    const Level& level = levels_[k];
    if (level.is_memory) {
      count(k, use, 2 * level.sectors.count(line.touched));
      return {k, k};
    }
    if (level.scope != LevelScope::ComputeUnit && keeps_stores(k, use)) {
      const Served served = read(k, use, line.line, line.touched);
      const std::uint32_t whole = level.sectors.whole(line.touched);
      keep(k, use, {line.line, whole, whole});
      return served;
    }
    count(k, use, level.sectors.count(line.touched));
    drop(k, use, line);
  }
}

/// Removes sectors from the readable sectors of a unit's cache.
void Hierarchy::drop(std::size_t k, const Use& use, const TouchedLine& line) {
  Level& level = levels_[k];
  for_each_slice(level, line.line, level.sectors.whole(line.touched), [&](std::uint32_t number, std::uint32_t mask) {
    Cache& cache = near(level, use);
    const Cache::Place place = cache.peek(number);
    if (place != Cache::kNowhere) cache.valid(place) &= ~mask;
  });
}

/// Writes into a cache that keeps stores: sectors become dirty. A completely written sector is readable.
void Hierarchy::keep(std::size_t k, const Use& use, const TouchedLine& written) {
  Level& level = levels_[k];
  const Sectors& next = levels_[k + 1].sectors;
  for_each_slice(level, written.line, written.touched, [&](std::uint32_t number, std::uint32_t touched) {
    Cache& cache = home(level, use, number);
    Cache::Place place = find(cache, k, use, number);
    if (place == Cache::kNowhere) place = insert(cache, k, use, number);
    WrittenLine& line = cache.written(place);
    const std::uint32_t dirty = level.sectors.whole(touched);
    const std::uint32_t first = next.touched(dirty) & ~next.touched(line.dirty);
    moved_[use.access].dirtied[k] += use.weight * next.count_first(first);
    line.dirty |= dirty;
    line.covered |= written.covered & touched;
    line.writer = static_cast<std::uint32_t>(use.access);
    cache.valid(place) |= level.sectors.full(line.covered) & dirty;
    if (level.parts == 1) return;
    const std::size_t instance = level.instances_of_units[use.unit];
    for (std::size_t part = 0; part < level.parts; ++part) {
      Cache& copy = level.caches[instance + part];
      const Cache::Place of_copy = &copy == &cache ? Cache::kNowhere : copy.peek(number);
      if (of_copy != Cache::kNowhere) copy.valid(of_copy) &= ~level.sectors.whole(touched);
    }
  });
}

/// A line leaves a cache: its dirty sectors go to the next level, on account of the access with the last write.
void Hierarchy::leave(std::size_t k, const Use& use, const Cache::Victim& victim) {
  const std::int64_t line = victim.line / static_cast<std::uint32_t>(levels_[k].slices);
  Use writer = use;
  writer.access = victim.written.writer;
  write_back(k + 1, writer, {line, victim.written.dirty, victim.valid | victim.written.covered});
}

void Hierarchy::write_back(std::size_t k, const Use& use, const TouchedLine& line) {
  Level& level = levels_[k];
  if (level.is_memory) {
    moved_[use.access].evicted += level.sectors.count(line.touched);
    moved_[use.access].filled += filled(level, line);
  } else if (keeps_stores(k, use)) {
    moved_[use.access].came[k] += use.weight * Sectors::count_bits(level.sectors.whole(line.touched));
    keep(k, use, line);
  } else {
    write_back(k + 1, use, line);
  }
}

void Hierarchy::add_foreign(std::size_t k, std::size_t unit, double lines) {
  Level& level = levels_[k];
  if (level.is_memory) return;
  const std::size_t first = level.instances_of_units[unit];
  for (std::size_t part = first; part < first + level.parts; ++part)
    level.caches[part].add_foreign(lines / static_cast<double>(level.parts));
}

/// Counts the sectors written by a level to the next level over the launch: the sectors that became dirty there, less
/// the uncounted sectors that stay to the end. All further dirty sectors at the end are written on, as by the next
/// launch, which finds the same number from this launch.
void Hierarchy::finish_level(std::size_t k, bool is_all, std::int64_t parts) {
  Level& level = levels_[k];
  const Sectors& next = levels_[k + 1].sectors;
  struct Sum {
    double dirtied = 0, left = 0;
    double written() const { return dirtied > 0 ? 1 - std::min(1.0, left / dirtied) : 1; }
  } of_threads, of_all;
  const auto sum_of = [&](std::size_t access) -> Sum& { return is_private_[access] != 0 ? of_threads : of_all; };
  for (std::size_t number = 0; number < moved_.size(); ++number) sum_of(number).dirtied += moved_[number].dirtied[k];
  if (of_threads.dirtied + of_all.dirtied == 0) return;
  double held = 0, capacity = 0;
  std::vector<double> nothing(levels());
  for (std::size_t i = 0; i < level.caches.size(); ++i) {
    const auto unit = std::ranges::find(level.instances_of_units, i / level.parts * level.parts);
    const Use use{0, static_cast<std::size_t>(unit - level.instances_of_units.begin()), 0, is_all ? 1.0 : 0,
                  nothing.data()};
    level.caches[i].age_all([&](const Cache::Victim& victim) { leave(k, use, victim); });
    level.caches[i].for_each_dirty([&](const Cache::Victim& victim) {
      sum_of(victim.written.writer).left += next.count(victim.written.dirty);
      if (is_private_[victim.written.writer] == 0) leave(k, use, victim);
    });
    held += static_cast<double>(level.caches[i].held());
    capacity += static_cast<double>(level.caches[i].capacity());
  }
  if (!is_all && held > 0) of_all.left *= capacity / held;  // it would go on to fill
  const double sectors_of_line = static_cast<double>(kPartsPerLine) / static_cast<double>(level.slices * next.parts());
  of_all.left = std::min(of_all.left, level.dirty_share * capacity * sectors_of_line);
  for (Sum* sum : {&of_threads, &of_all}) sum->left /= static_cast<double>(parts);
  for (std::size_t number = 0; number < moved_.size(); ++number) write_on(k, sum_of(number).written(), is_all, number);
}

/// Adds an access's sectors written by a level to the levels behind it, up to the next level to keep them.
/// @param share  of all sectors made dirty
void Hierarchy::write_on(std::size_t k, double share, bool is_all, std::size_t access) {
  Moved& moved = moved_[access];
  const double sectors = share * moved.dirtied[k];
  for (std::size_t to = k + 1;; ++to) {
    const Level& level = levels_[to];
    const double filled = level.is_memory && moved.evicted > 0 ? moved.filled / moved.evicted : 0;
    const double here = sectors * levels_[k + 1].sectors.parts() / level.sectors.parts();
    sectors_[access * levels() + to] += here * (1 + filled);
    moved.read_first += here * filled;
    if (level.is_memory) return;
    if (!level.keeps_stores || !level.has_room) continue;
    const double later = sectors * levels_[k + 1].sectors.parts() - moved.came[to];
    if (!is_all && later > 0) moved.dirtied[to] += later / levels_[to + 1].sectors.parts();
    return;
  }
}

std::vector<Moved> Hierarchy::moved(bool is_all, std::int64_t parts) {
  for (std::size_t k = 0; k + 1 < levels(); ++k) finish_level(k, is_all, parts);
  for (std::size_t number = 0; number < moved_.size(); ++number) {
    const auto first = sectors_.begin() + static_cast<std::ptrdiff_t>(number * levels());
    moved_[number].sectors.assign(first, first + static_cast<std::ptrdiff_t>(levels()));
  }
  return moved_;
}

}  // namespace warpipe
