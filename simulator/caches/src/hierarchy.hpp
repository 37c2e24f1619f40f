#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cache.hpp"
#include "joined_loads.hpp"
#include "line_pattern.hpp"
#include "sectors.hpp"
#include "touched_bytes.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The traffic of one access. Counts are of executions of the launch, each simulated execution with its weight.
struct Moved {
  std::vector<double> sectors;     ///< by level: of requests to it
  std::vector<double> dirtied;     ///< by level: sectors of the next level kept here, to be written there later
  std::vector<double> came;        ///< by level: written there by another level, in parts of a line
  double compulsory = 0;           ///< bytes never read before, or never written
  double footprint = 0;            ///< of these, bytes never touched before
  double first_of_memory = 0;      ///< sectors of the memory never read before, or never written
  double evicted = 0, filled = 0;  ///< sectors sent to the memory by its last cache; sectors read for it first
  double read_first = 0;           ///< sectors read by the memory to complete partly written sectors
};

/// The levels that serve an access, by its slowest sector.
struct Served {
  std::size_t from = 0;   ///< the place of the sector
  std::size_t waits = 0;  ///< the level awaited by the access: the origin of the sector, if it is still under way

  void add(const Served& other) {
    from = std::max(from, other.from);
    waits = std::max(waits, other.waits);
  }
};

/// The caches of a device and the memory behind them.
class Hierarchy {
 public:
  /// The execution that moves lines.
  struct Use {
    std::size_t access = 0;  ///< its number
    std::size_t unit = 0;
    std::uint32_t time = 0;  ///< in accesses of a unit; begins anew after 2^32
    double weight = 1;       ///< executions represented
    double* taken{};         ///< by level: adds the lines inserted into caches
    bool past_unit = false;  ///< a load bypassing the caches of the unit
    bool is_atomic = false;  ///< never joined with another unit's load
  };

  /// @param launch      for the shared memory within the first level
  /// @param is_private  by access: whether to thread-private memory; the nearest level keeps stores to it
  /// @param under_way   number of a unit's accesses during which a line is still under way to another warp
  /// @param per_turn    accesses in a row by one warp
  Hierarchy(const Device& device, const CacheLaunch& launch, std::vector<std::uint8_t> is_private,
            std::int64_t under_way, int per_turn);

  /// The bytes of a line in the numbering of addresses: the longest line of a level.
  static std::int64_t line_bytes(const Device& device);

  std::size_t levels() const { return levels_.size(); }

  const Sectors& nearest_sectors() const { return levels_.front().sectors; }

  Served load(const Use& use, const TouchedLine& line);
  /// @param before  parts of the line that leave level 1 with joined stores: not counted again behind it
  Served store(const Use& use, const TouchedLine& line, std::uint32_t before);
  Served atomic(const Use& use, const TouchedLine& line);

  /// Adds foreign lines to a level's caches of a unit.
  void add_foreign(std::size_t level, std::size_t unit, double lines);

  /// Returns the traffic of all accesses.
  /// @param is_all  whether all of the launch was simulated
  /// @param parts   number of independently simulated parts of the launch: lines left at the end count for a single
  ///                part
  std::vector<Moved> moved(bool is_all, std::int64_t parts);

 private:
  struct Level {
    LevelScope scope = LevelScope::Device;
    bool is_memory = false, keeps_stores = false;
    bool has_room = false;      ///< for at least one line
    std::size_t parts = 1;      ///< of each instance
    std::int64_t slices = 1;    ///< lines of this level in a line of the addresses
    double dirty_share = 0;     ///< part of its capacity at most unwritten at the end
    bool masks_writes = false;  ///< a memory that writes parts of sectors without reading the rest
    Sectors sectors;
    std::vector<Cache> caches;                    ///< by instance, part
    std::vector<std::size_t> instances_of_units;  ///< by unit: the first part of its instance
    std::vector<std::size_t> near;                ///< by unit: the part next to it
    JoinedLoads joined{0, 1, 0};
  };

  /// The wait of an access at the lines of the nearest level, and the lines it fetches.
  struct Arrivals {
    std::size_t waits = 0;                    ///< for this level
    std::array<std::uint32_t*, 2> fetched{};  ///< arrivals of fetched lines; null: none
  };

  Served read(std::size_t k, const Use& use, std::int64_t line, std::uint32_t mask);
  Served read_slices(std::size_t k, const Use& use, std::int64_t line, std::uint32_t want);
  Served read_nearest(const Use& use, std::int64_t line, std::uint32_t number, std::uint32_t want);
  std::uint32_t ask(std::size_t k, const Use& use, std::uint32_t line, std::uint32_t want, Arrivals& arrivals);
  std::uint32_t look_up(Cache& cache, std::size_t k, const Use& use, std::uint32_t line, std::uint32_t want,
                        Arrivals& arrivals);
  Cache::Place find(Cache& cache, std::size_t k, const Use& use, std::uint32_t line);
  Cache::Place insert(Cache& cache, std::size_t k, const Use& use, std::uint32_t line);
  void keep(std::size_t k, const Use& use, const TouchedLine& line);
  void leave(std::size_t k, const Use& use, const Cache::Victim& victim);
  void write_back(std::size_t k, const Use& use, const TouchedLine& line);
  void drop(std::size_t k, const Use& use, const TouchedLine& line);
  void finish_level(std::size_t k, bool is_all, std::int64_t parts);
  void write_on(std::size_t k, double share, bool is_all, std::size_t access);

  Cache& near(Level& level, const Use& use) { return level.caches[level.near[use.unit]]; }
  Cache& home(Level& level, const Use& use, std::uint32_t line) {
    return level.caches[level.instances_of_units[use.unit] + part_of(line, level.parts)];
  }
  void make_caches(const MemoryLevel& level, std::int64_t bytes, Level& made);
  std::size_t waits_for(std::uint32_t arrival, std::uint32_t time) const;
  bool keeps_stores(std::size_t k, const Use& use) const;
  static int filled(const Level& memory, const TouchedLine& written);
  void touch(TouchedBytes::Kind kind, const Use& use, std::int64_t line, std::uint32_t mask);
  void count(std::size_t k, const Use& use, int sectors) {
    sectors_[use.access * levels_.size() + k] += use.weight * sectors;
  }
  template <class Visit>
  void for_each_slice(const Level& level, std::int64_t line, std::uint32_t mask, const Visit& visit) const;

  std::int64_t units_, dies_, line_bytes_;
  std::vector<std::uint8_t> is_private_;  ///< by access; bytes, since every access reads it
  std::uint32_t under_way_, per_turn_;
  std::vector<Level> levels_;
  std::vector<double> sectors_;  ///< by access, level: of requests
  std::vector<Moved> moved_;
  TouchedBytes touched_;
};

}  // namespace warpipe
