#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Finds the level of the memory hierarchy that serves an access, by simulating the caches of a device on the addresses
/// of a kernel (docs/caches.md).

namespace warpipe {

/// @return whether the addresses of an instruction are known, in memory held by caches
bool has_addresses(const Instruction& instruction);

/// The parts of a settled launch that the caches depend on.
struct CacheLaunch {
  Values values;                   ///< the parameters, group_size, warps (per group)
  std::int64_t groups = 1;         ///< of the launch
  std::int64_t slots = 1;          ///< resident groups per unit
  std::int64_t shared_memory = 0;  ///< bytes requested by a group
  double room = 1;                 ///< in caches, as a part of their room by docs/caches.md
  bool repeated = false;           ///< one of many equal launches: caches hold the data left by the launch before
  friend bool operator==(const CacheLaunch&, const CacheLaunch&) = default;
};

/// The traffic of an instruction at a level.
struct LevelTraffic {
  double share = 0;    ///< of the executions: waiting for this level
  double found = 0;    ///< executions with their slowest sector here. If a sector is nearer, but still under way from
                       ///< here for another warp, an execution waits for this level though it found the sector there
  double sectors = 0;  ///< moved to or from here by an execution, on average; at the nearest level: touched
  double bytes = 0;    ///< of these sectors, over the whole launch
  friend bool operator==(const LevelTraffic&, const LevelTraffic&) = default;
};

/// Lines at a distance of a multiple of these bytes have the lowest bits of their addresses in common, which choose the
/// set of a cache, the page and the channel of the memory.
inline constexpr std::int64_t kFarApart = std::int64_t{1} << 20;

/// The traffic of an instruction at all levels.
struct AccessLevels {
  std::size_t instruction = 0;         ///< index into Kernel::instructions
  double executions = 0;               ///< by all warps of the launch
  std::vector<LevelTraffic> levels;    ///< as in Memory::levels
  double spread = 0;                   ///< the largest difference between the orders in `found` of a level
  double compulsory_bytes = 0;         ///< of sectors never read before, or never written; 0 of thread-private memory
  double footprint_bytes = 0;          ///< of these, of sectors never touched before
  double compulsory_memory_bytes = 0;  ///< likewise, of sectors of the memory
  double far_apart = 0;                ///< share of the executions with all lines multiples of kFarApart apart
  std::optional<double> transactions;  ///< of an execution on average, if the kernel gives them per warp
  friend bool operator==(const AccessLevels&, const AccessLevels&) = default;
};

struct LevelsFromAddresses {
  std::vector<AccessLevels> accesses;  ///< of the executed instructions with addresses, in program order
  std::int64_t groups = 0;             ///< of the launch
  std::int64_t simulated_groups = 0;   ///< of these
  std::int64_t most_trips = 0;         ///< simulated of a loop; 0: all
  double lines = 0;                    ///< looked up in all simulations: their cost
  double effort = 0;                   ///< CacheEffort::lines of the accepted sample
  std::vector<std::string> notes;      ///< caveats of these numbers for a reader, as whole sentences
  friend bool operator==(const LevelsFromAddresses&, const LevelsFromAddresses&) = default;
};

/// The size of a simulation.
struct CacheEffort {
  double lines = 1500000;    ///< looked up by accesses, in each order: a goal that may be missed
  int quarters = 3;          ///< how often a quarter is tried first: enough if more shows nothing new
  bool both_orders = false;  ///< also in the order for comparison; without it AccessLevels::spread is 0
  friend bool operator==(const CacheEffort&, const CacheEffort&) = default;
};

/// Simulates the caches.
/// @param kernel  with its options applied
/// @param device  likewise; without levels there is no result
/// @throws ModelError (`where` is the path in the kernel's or the device's file) for an expression without a value, and
///         for levels impossible in a cache
/// @complexity effort.lines or less, some 0.2 us each; memory for the lines held by caches, not for all their room
/// @source docs/caches.md
LevelsFromAddresses levels_from_addresses(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                          const CacheEffort& effort = {});

/// A kernel with the levels of its accesses.
struct KernelWithLevels {
  Kernel kernel;
  std::shared_ptr<const LevelsFromAddresses> found;  ///< null if there was nothing to find
  std::vector<AccessLevels> filled;  ///< in program order: of the instructions without levels of their own
};

/// Fills in Instruction::levels of instructions with addresses and without levels. An instruction with its own
/// `transactions` moves sectors in proportion if `transactions` exceeds the sectors of its addresses, else at most
/// `transactions` sectors at each level. The results of earlier calls are kept: points of a sweep that are equal for
/// the caches are simulated once. May be called from several threads at once.
/// @throws as levels_from_addresses
KernelWithLevels with_levels(Kernel kernel, const Device& device, const CacheLaunch& launch);

/// Fills in the levels for caches with more or less room: at most a 16th of the effort finds the change, and the change
/// is added to the known result.
/// @param known  the result of with_levels for the launch
/// @param room   in caches, as a part of the room in the launch
/// @throws as levels_from_addresses
KernelWithLevels with_room(Kernel kernel, const Device& device, const CacheLaunch& launch,
                           const LevelsFromAddresses& known, double room);

}  // namespace warpipe
