#include "hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::uint32_t kSpreadOverParts = 0x85ebca6b;  // odd, and unlike that of the sets

std::int64_t round_up(std::int64_t a, std::int64_t granularity) {
  return (a + granularity - 1) / granularity * granularity;
}

/// What shared memory leaves of a level.
std::int64_t bytes_left(const MemoryLevel& level, const Device& device, const CacheLaunch& launch) {
  if (!level.holds_shared_memory) return *level.bytes;
  const Limits& limits = device.limits;
  return *level.bytes - launch.slots * round_up(launch.shared_memory + limits.shared_memory_reserved_per_group,
                                                limits.shared_memory_allocation);
}

ModelError unusable(const MemoryLevel& level, const char* problem, const std::string& found) {
  return ModelError(Diagnostic{fmt::format("/memory/levels/{}", level.name), problem, found,
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

Hierarchy::Hierarchy(const Device& device, const CacheLaunch& launch, std::size_t accesses, std::int64_t window)
    : units_(device.compute_units), dies_(device.dies), window_(window), line_bytes_(line_bytes(device)) {
  for (const MemoryLevel& level : device.memory->levels) {
    Level& made = levels_.emplace_back();
    made.scope = level.scope;
    made.is_memory = !level.bytes;
    made.keeps_stores = level.write == WritePolicy::Back;
    made.sectors = Sectors(static_cast<int>(level.sector_bytes * kPartsPerLine / line_bytes_));
    if (made.is_memory) break;
    made.instances = level.scope == LevelScope::ComputeUnit ? units_ : level.scope == LevelScope::Die ? dies_ : 1;
    made.parts = level.parts;
    made.slices = line_bytes_ / level.line_bytes;
    const Cache cache(bytes_left(level, device, launch) / level.parts, level.line_bytes, level.ways);
    made.caches.assign(static_cast<std::size_t>(made.instances * made.parts), cache);
  }
  if (!levels_.back().is_memory)
    throw ModelError(Diagnostic{"/memory/levels", "the last level must be the memory, without `bytes`", "", ""});
  moved_.resize(accesses, {std::vector<double>(levels()), std::vector<double>(levels())});
}

std::int64_t Hierarchy::instance_of(const Level& level, std::int64_t unit) const {
  return level.scope == LevelScope::ComputeUnit ? unit : level.scope == LevelScope::Die ? unit % dies_ : 0;
}

/// The part of a level that is next to a unit.
Cache& Hierarchy::own(Level& level, std::int64_t unit) {
  const std::int64_t part = level.scope == LevelScope::Die ? unit / dies_ % level.parts : unit % level.parts;
  return level.caches[static_cast<std::size_t>(instance_of(level, unit) * level.parts + part)];
}

/// The part of a level that a line belongs to.
Cache& Hierarchy::home(Level& level, std::int64_t unit, std::uint32_t line) {
  const auto part =
      static_cast<std::int64_t>(std::uint64_t{line * kSpreadOverParts} * static_cast<std::uint64_t>(level.parts) >> 32);
  return level.caches[static_cast<std::size_t>(instance_of(level, unit) * level.parts + part)];
}

/// Calls visit(number of the level's line, mask) for the lines of a level that a line of the addresses consists of.
template <class Visit>
void Hierarchy::for_each_slice(const Level& level, std::int64_t line, std::uint32_t mask, const Visit& visit) const {
  if (level.slices == 1) return visit(static_cast<std::uint32_t>(line), mask);
  const auto parts = static_cast<int>(kPartsPerLine / level.slices);
  for (int slice = 0; slice < level.slices; ++slice) {
    const auto of_slice = static_cast<std::uint32_t>(((std::uint64_t{1} << parts) - 1) << (slice * parts));
    if ((mask & of_slice) != 0) visit(static_cast<std::uint32_t>(line * level.slices + slice), mask & of_slice);
  }
}

void Hierarchy::touch(TouchedBytes& touched, const Use& use, std::int64_t line, std::uint32_t mask) {
  if (use.is_private) return;
  const int parts = std::popcount(touched.add(line, levels_.front().sectors.whole(mask)));
  moved_[use.access].compulsory += use.weight * static_cast<double>(parts * line_bytes_ / kPartsPerLine);
}

std::size_t Hierarchy::load(const Use& use, const TouchedLine& line) {
  if (levels_.front().is_memory) touch(read_, use, line.line, line.touched);
  return read(0, use, line.line, line.touched);
}

std::size_t Hierarchy::read(std::size_t k, const Use& use, std::int64_t line, std::uint32_t mask) {
  Level& level = levels_[k];
  count(k, use, level.sectors.count(mask));
  if (level.is_memory) return k;
  std::size_t served = k;
  const auto below = [&](std::uint32_t missing) {
    if (k == 0) touch(read_, use, line, missing);
    return read(k + 1, use, line, missing);
  };
  for_each_slice(level, line, level.sectors.whole(mask), [&](std::uint32_t number, std::uint32_t want) {
    Cache &near = own(level, use.unit), &far = home(level, use.unit, number);
    const auto far_or_below = [&](std::uint32_t missing) {
      return &near == &far ? below(missing) : look_up(far, k, use, number, missing, below);
    };
    served = std::max(served, look_up(near, k, use, number, want, far_or_below));
  });
  return served;
}

CachedLine* Hierarchy::find(Cache& cache, std::size_t k, const Use& use, std::uint32_t line) {
  if (cache.keeps_nothing()) return nullptr;
  cache.age(line, [&](const Cache::Victim& victim) { leave(k, use, victim); });
  return cache.find(line);
}

CachedLine& Hierarchy::insert(Cache& cache, std::size_t k, const Use& use, std::uint32_t line) {
  Cache::Victim victim;
  CachedLine& inserted = cache.insert(line, victim);
  if (victim.content.dirty != 0) leave(k, use, victim);
  (*use.taken)[k] += 1;
  return inserted;
}

/// Reads sectors of a line from a cache.
/// @param fetch  of those that it does not have; returns the level that serves them
/// @return       the level that serves the slowest
template <class Fetch>
std::size_t Hierarchy::look_up(Cache& cache, std::size_t k, const Use& use, std::uint32_t line, std::uint32_t want,
                               const Fetch& fetch) {
  if (cache.keeps_nothing()) return fetch(want);
  CachedLine* found = find(cache, k, use, line);
  const std::uint32_t missing = found ? want & ~found->valid : want;
  std::size_t served = k;
  if (missing != want && use.time - found->time < window_) served = found->level;
  if (missing == 0) return served;
  if (!found) found = &insert(cache, k, use, line);
  const std::size_t from = fetch(missing);
  found->valid |= missing;
  found->level = static_cast<std::uint8_t>(from);
  found->time = use.time;
  return std::max(served, from);
}

bool Hierarchy::keeps_stores(std::size_t k, const Use& use) const {
  return !levels_[k].caches.front().keeps_nothing() && (levels_[k].keeps_stores || (k == 0 && use.is_private));
}

std::size_t Hierarchy::store(const Use& use, const TouchedLine& line) {
  touch(written_, use, line.line, line.touched);
  for (std::size_t k = 0;; ++k) {
    Level& level = levels_[k];
    count(k, use, level.sectors.count(line.touched));
    if (level.is_memory) {
      const std::uint32_t partial = level.sectors.whole(line.touched) & ~level.sectors.full(line.covered);
      count(k, use, level.sectors.count(partial));
      return k;
    }
    if (keeps_stores(k, use)) {
      keep(k, use, line);
      return k;
    }
    for_each_slice(level, line.line, line.touched,
                   [&](std::uint32_t number, std::uint32_t) { find(own(level, use.unit), k, use, number); });
  }
}

std::size_t Hierarchy::atomic(const Use& use, const TouchedLine& line) {
  touch(read_, use, line.line, line.touched);
  touch(written_, use, line.line, line.touched);
  for (std::size_t k = 0;; ++k) {
    const Level& level = levels_[k];
    if (level.is_memory) {
      count(k, use, 2 * level.sectors.count(line.touched));
      return k;
    }
    if (level.scope != LevelScope::ComputeUnit && keeps_stores(k, use)) {
      const std::size_t served = read(k, use, line.line, line.touched);
      const std::uint32_t whole = level.sectors.whole(line.touched);
      keep(k, use, {line.line, whole, whole});
      return served;
    }
    count(k, use, level.sectors.count(line.touched));
    drop(k, use, line);
  }
}

/// Removes sectors from what a unit's cache can read.
void Hierarchy::drop(std::size_t k, const Use& use, const TouchedLine& line) {
  Level& level = levels_[k];
  for_each_slice(level, line.line, level.sectors.whole(line.touched), [&](std::uint32_t number, std::uint32_t mask) {
    if (CachedLine* const found = own(level, use.unit).peek(number)) found->valid &= ~mask;
  });
}

/// Writes into a cache that keeps stores: sectors are dirty from now on. One of which all is written can be read.
void Hierarchy::keep(std::size_t k, const Use& use, const TouchedLine& written) {
  Level& level = levels_[k];
  const Sectors& next = levels_[k + 1].sectors;
  for_each_slice(level, written.line, written.touched, [&](std::uint32_t number, std::uint32_t touched) {
    Cache& cache = home(level, use.unit, number);
    CachedLine* line = find(cache, k, use, number);
    if (!line) line = &insert(cache, k, use, number);
    const std::uint32_t first = next.touched(touched) & ~next.touched(line->dirty);
    moved_[use.access].dirtied[k] += use.weight * std::popcount(first);
    line->dirty |= level.sectors.whole(touched);
    line->covered |= written.covered & touched;
    line->valid |= level.sectors.full(line->covered);
    line->writer = static_cast<std::uint16_t>(use.access);
    if (level.parts == 1) return;
    const std::size_t instance = static_cast<std::size_t>(instance_of(level, use.unit) * level.parts);
    for (std::size_t part = 0; part < static_cast<std::size_t>(level.parts); ++part)
      if (Cache& copy = level.caches[instance + part]; &copy != &cache)
        if (CachedLine* const found = copy.peek(number)) found->valid &= ~level.sectors.whole(touched);
  });
}

/// A line leaves a cache: what is dirty goes to the next level, on account of the access that wrote it.
void Hierarchy::leave(std::size_t k, const Use& use, const Cache::Victim& victim) {
  const std::int64_t line = victim.line / static_cast<std::uint32_t>(levels_[k].slices);
  const CachedLine& content = victim.content;
  Use writer = use;
  writer.access = content.writer;
  write_back(k + 1, writer, {line, content.dirty, content.valid | content.covered});
}

void Hierarchy::write_back(std::size_t k, const Use& use, const TouchedLine& line) {
  Level& level = levels_[k];
  if (level.is_memory) {
    const std::uint32_t partial = level.sectors.whole(line.touched) & ~level.sectors.full(line.covered);
    moved_[use.access].evicted += level.sectors.count(line.touched);
    moved_[use.access].partial += level.sectors.count(partial);
  } else if (keeps_stores(k, use)) {
    keep(k, use, line);
  } else {
    write_back(k + 1, use, line);
  }
}

void Hierarchy::add_foreign(std::size_t k, std::int64_t unit, double lines) {
  Level& level = levels_[k];
  if (level.is_memory) return;
  const std::int64_t first = instance_of(level, unit) * level.parts;
  for (std::int64_t part = first; part < first + level.parts; ++part)
    level.caches[static_cast<std::size_t>(part)].add_foreign(lines / static_cast<double>(level.parts));
}

/// Counts what a level writes to the next one over the launch: the sectors that became dirty there, less those that
/// stay to the end.
void Hierarchy::finish_level(std::size_t k, bool is_all) {
  Level& level = levels_[k];
  const Sectors& next = levels_[k + 1].sectors;
  double dirtied = 0, left = 0, held = 0, capacity = 0;
  std::vector<double> nothing(levels());
  for (const Moved& moved : moved_) dirtied += moved.dirtied[k];
  if (dirtied == 0) return;
  for (std::size_t i = 0; i < level.caches.size(); ++i) {
    const std::int64_t unit = static_cast<std::int64_t>(i) / level.parts;
    const Use use{0, unit, 0, 0, k == 0, &nothing};
    level.caches[i].age_all([&](const Cache::Victim& victim) { leave(k, use, victim); });
    for (const CachedLine& line : level.caches[i].contents()) {
      left += next.count(line.dirty);
      if (!levels_[k + 1].is_memory || line.dirty == 0) continue;
      const std::uint32_t partial = next.whole(line.dirty) & ~next.full(line.valid | line.covered);
      moved_[line.writer].evicted += next.count(line.dirty);
      moved_[line.writer].partial += next.count(partial);
    }
    held += static_cast<double>(level.caches[i].held());
    capacity += static_cast<double>(level.caches[i].capacity());
  }
  if (!is_all && held > 0) left *= capacity / held;  // it goes on to fill
  const double written = 1 - std::min(1.0, left / dirtied);
  for (Moved& moved : moved_) {
    for (std::size_t to = k + 1;; ++to) {
      const double partial = levels_[to].is_memory && moved.evicted > 0 ? moved.partial / moved.evicted : 0;
      moved.sectors[to] += written * moved.dirtied[k] * (1 + partial);
      if (levels_[to].is_memory || levels_[to].keeps_stores) break;
    }
  }
}

std::vector<Moved> Hierarchy::moved(bool is_all) {
  for (std::size_t k = 0; k + 1 < levels(); ++k) finish_level(k, is_all);
  return moved_;
}

}  // namespace warpipe
