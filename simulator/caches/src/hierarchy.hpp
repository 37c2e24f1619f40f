#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cache.hpp"
#include "line_pattern.hpp"
#include "sectors.hpp"
#include "touched_bytes.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// What one access moves. Counts are of executions of the launch: each one that is simulated stands for some.
struct Moved {
  std::vector<double> sectors;      ///< by level: of requests that come to it
  std::vector<double> dirtied;      ///< by level: sectors of the next level that it keeps, to be written there later
  double compulsory = 0;            ///< bytes
  double evicted = 0, partial = 0;  ///< sectors that came to the memory from its last cache; those that were not whole
};

/// The caches of a device and the memory behind them.
class Hierarchy {
 public:
  /// The execution for which lines are moved.
  struct Use {
    std::size_t access = 0;  ///< its number
    std::int64_t unit = 0;
    std::int64_t time = 0;         ///< in accesses of a unit
    double weight = 1;             ///< executions for which it stands
    bool is_private = false;       ///< of the thread-private memory
    std::vector<double>* taken{};  ///< by level: lines that caches took in are added
  };

  /// @param launch    for the shared memory that takes of the first level
  /// @param accesses  how many there are
  /// @param window    accesses of a unit for which a line is still under way
  Hierarchy(const Device& device, const CacheLaunch& launch, std::size_t accesses, std::int64_t window);

  /// The bytes of a line as addresses are divided: the longest line of a level.
  static std::int64_t line_bytes(const Device& device);

  std::size_t levels() const { return levels_.size(); }

  // Each returns the level that serves the line.
  std::size_t load(const Use& use, const TouchedLine& line);
  std::size_t store(const Use& use, const TouchedLine& line);
  std::size_t atomic(const Use& use, const TouchedLine& line);

  /// Foreign lines come to a level's caches that a unit uses.
  void add_foreign(std::size_t level, std::int64_t unit, double lines);

  /// What was moved in all.
  /// @param is_all  whether all of the launch was simulated
  std::vector<Moved> moved(bool is_all);

 private:
  struct Level {
    LevelScope scope = LevelScope::Device;
    bool is_memory = false, keeps_stores = false;
    std::int64_t instances = 1, parts = 1;  ///< each instance has so many parts
    std::int64_t slices = 1;                ///< lines of this level in one line of the addresses
    Sectors sectors;
    std::vector<Cache> caches;  ///< by instance, part
  };

  std::size_t read(std::size_t k, const Use& use, std::int64_t line, std::uint32_t mask);
  std::size_t read_line(std::size_t k, const Use& use, std::int64_t line, std::int64_t slice, std::uint32_t want);
  template <class Fetch>
  std::size_t look_up(Cache& cache, std::size_t k, const Use& use, std::uint32_t line, std::uint32_t want,
                      const Fetch& fetch);
  CachedLine* find(Cache& cache, std::size_t k, const Use& use, std::uint32_t line);
  CachedLine& insert(Cache& cache, std::size_t k, const Use& use, std::uint32_t line);
  void keep(std::size_t k, const Use& use, const TouchedLine& line);
  void leave(std::size_t k, const Use& use, const Cache::Victim& victim);
  void write_back(std::size_t k, const Use& use, const TouchedLine& line);
  void drop(std::size_t k, const Use& use, const TouchedLine& line);
  void finish_level(std::size_t k, bool is_all);

  std::int64_t instance_of(const Level& level, std::int64_t unit) const;
  Cache& own(Level& level, std::int64_t unit);
  Cache& home(Level& level, std::int64_t unit, std::uint32_t line);
  bool keeps_stores(std::size_t k, const Use& use) const;
  void touch(TouchedBytes& touched, const Use& use, std::int64_t line, std::uint32_t mask);
  void count(std::size_t k, const Use& use, double sectors) { moved_[use.access].sectors[k] += use.weight * sectors; }
  template <class Visit>
  void for_each_slice(const Level& level, std::int64_t line, std::uint32_t mask, const Visit& visit) const;

  std::int64_t units_, dies_, window_, line_bytes_;
  std::vector<Level> levels_;
  std::vector<Moved> moved_;
  TouchedBytes read_, written_;
};

}  // namespace warpipe
