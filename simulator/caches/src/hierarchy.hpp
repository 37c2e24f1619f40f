#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cache.hpp"
#include "chosen_lines.hpp"
#include "joined_loads.hpp"
#include "line_pattern.hpp"
#include "sectors.hpp"
#include "touched_bytes.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// What one access moves. Counts are of executions of the launch: each one that is simulated stands for some.
struct Moved {
  std::vector<double> sectors;     ///< by level: of requests that come to it
  std::vector<double> dirtied;     ///< by level: sectors of the next level that it keeps, to be written there later
  std::vector<double> came;        ///< by level: what another level wrote there, in parts of a line
  double compulsory = 0;           ///< bytes that were not read before, or not written
  double footprint = 0;            ///< of these, bytes that were not touched at all
  double evicted = 0, filled = 0;  ///< sectors that came to the memory from its last cache; those read for it first
  double read_first = 0;           ///< sectors that the memory reads since others of their bytes are written
};

/// The levels that serve an access, by its slowest sector.
struct Served {
  std::size_t from = 0;   ///< where the sector was
  std::size_t waits = 0;  ///< for which level the access waits: that from which the sector is still under way, if it is

  void add(const Served& other) {
    from = std::max(from, other.from);
    waits = std::max(waits, other.waits);
  }
};

/// The caches of a device and the memory behind them.
class Hierarchy {
 public:
  /// The execution for which lines are moved.
  struct Use {
    std::size_t access = 0;  ///< its number
    std::size_t unit = 0;
    std::uint32_t time = 0;  ///< in accesses of a unit; begins anew after 2^32
    double weight = 1;       ///< executions for which it stands
    double* taken{};         ///< by level: lines that caches took in are added
    bool past_unit = false;  ///< a load that asks no cache of the unit
    bool is_atomic = false;  ///< which no other unit's load brings
  };

  /// @param launch      for the shared memory that takes of the first level
  /// @param is_private  by access: whether it is to thread-private memory, the stores to which the nearest level keeps
  /// @param under_way   accesses of a unit for which a line is still under way to another warp
  /// @param per_turn    accesses in a row by one warp
  /// @param chosen      the lines of the launch that come here, by their numbers there: all caches are smaller by as
  /// much
  Hierarchy(const Device& device, const CacheLaunch& launch, std::vector<std::uint8_t> is_private,
            std::int64_t under_way, int per_turn, const ChosenLines& chosen);

  /// The bytes of a line as addresses are divided: the longest line of a level.
  static std::int64_t line_bytes(const Device& device);

  /// The lines of the smallest cache that has any.
  static std::int64_t least_lines(const Device& device, const CacheLaunch& launch);

  std::size_t levels() const { return levels_.size(); }

  /// Whether two executions touch a sector of the nearest level in common.
  bool share_sectors(std::span<const TouchedLine> one, const Lines& other) const;

  /// Sectors of the nearest level that an execution touches in a line.
  int sectors(const TouchedLine& line) const { return levels_.front().sectors.count(line.touched); }

  Served load(const Use& use, const TouchedLine& line);
  Served store(const Use& use, const TouchedLine& line);
  Served atomic(const Use& use, const TouchedLine& line);

  /// Foreign lines come to a level's caches that a unit uses.
  void add_foreign(std::size_t level, std::size_t unit, double lines);

  /// What was moved in all.
  /// @param is_all  whether all of the launch was simulated
  /// @param parts   of the launch that are simulated, each for itself: what stays to the end does so in one of them
  std::vector<Moved> moved(bool is_all, std::int64_t parts);

 private:
  struct Level {
    LevelScope scope = LevelScope::Device;
    bool is_memory = false, keeps_stores = false;
    bool has_room = false;      ///< for a line at least
    std::size_t parts = 1;      ///< of each instance
    std::int64_t slices = 1;    ///< lines of this level in one line of the addresses
    double dirty_share = 0;     ///< of what it holds, the most that it has still to write at the end
    bool masks_writes = false;  ///< a memory that writes parts of sectors without reading the rest
    Sectors sectors;
    std::vector<Cache> caches;                    ///< by instance, part
    std::vector<std::size_t> instances_of_units;  ///< by unit: the first part of its instance
    std::vector<std::size_t> near;                ///< by unit: the part next to it
    JoinedLoads joined{0, 1, 0, 1};
  };

  /// What an access does to the lines of the nearest level: where it finds them under way, and which it fetches.
  struct Arrivals {
    std::size_t waits = 0;                    ///< for that level
    std::array<std::uint32_t*, 2> fetched{};  ///< arrivals of lines that come; null: none
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
  std::uint32_t number_among_all(const Level& level, std::uint32_t line) const;
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
  std::vector<std::uint8_t> is_private_;  ///< by access; bytes, since every access asks
  std::uint32_t under_way_, per_turn_;
  ChosenLines chosen_;
  std::vector<Level> levels_;
  std::vector<double> sectors_;  ///< by access, level: of requests
  std::vector<Moved> moved_;
  TouchedBytes touched_;
};

}  // namespace warpipe
