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

/// Which level of the memory hierarchy serves an access: found by simulating the caches of a device on the addresses of
/// a kernel (docs/caches.md).

namespace warpipe {

/// Whether the addresses of an instruction are known, in memory that caches hold.
bool has_addresses(const Instruction& instruction);

/// What the caches must know of a settled launch.
struct CacheLaunch {
  Values values;                   ///< the parameters, group_size, warps (per group)
  std::int64_t groups = 1;         ///< of the launch
  std::int64_t slots = 1;          ///< resident groups per unit
  std::int64_t shared_memory = 0;  ///< bytes that a group asks for
  double room = 1;                 ///< in caches, as a part of what docs/caches.md gives them
  bool repeated = false;           ///< one of many launches of the same: caches hold what the one before it left
  friend bool operator==(const CacheLaunch&, const CacheLaunch&) = default;
};

/// What a level does for an instruction.
struct LevelTraffic {
  double share = 0;  ///< of the executions: those that wait for it
  double found = 0;  ///< those whose slowest sector was there. Where it was nearer, but under way from here for another
                     ///< warp, an execution waits for this level though it found the sector there
  double sectors = 0;  ///< that an execution moves to or from here on average; of the nearest level: that it touches
  double bytes = 0;    ///< of these sectors, over the whole launch
  friend bool operator==(const LevelTraffic&, const LevelTraffic&) = default;
};

/// Lines that lie multiples of so many bytes apart have the lowest bits of their addresses in common, which choose the
/// set of a cache, the page and the channel of the memory.
inline constexpr std::int64_t kFarApart = std::int64_t{1} << 20;

/// What the levels do for an instruction.
struct AccessLevels {
  std::size_t instruction = 0;         ///< index into Kernel::instructions
  double executions = 0;               ///< by all warps of the launch
  std::vector<LevelTraffic> levels;    ///< as in Memory::levels
  double spread = 0;                   ///< the largest difference between the orders in what is found at a level
  double compulsory_bytes = 0;         ///< of sectors that nobody read before, or wrote; 0 of thread-private memory
  double footprint_bytes = 0;          ///< of these, of sectors that nobody touched before
  double far_apart = 0;                ///< share of the executions whose lines all lie multiples of kFarApart apart
  std::optional<double> transactions;  ///< of an execution on average, where the kernel says them warp by warp
  friend bool operator==(const AccessLevels&, const AccessLevels&) = default;
};

struct LevelsFromAddresses {
  std::vector<AccessLevels> accesses;  ///< of the instructions with addresses that were executed, in program order
  std::int64_t groups = 0;             ///< of the launch
  std::int64_t simulated_groups = 0;   ///< of these
  std::int64_t most_trips = 0;         ///< of a loop that were simulated; 0: all
  double lines = 0;                    ///< that were looked up in both orders: what it costs
  double effort = 0;                   ///< CacheEffort::lines that were enough
  std::vector<std::string> notes;      ///< what a reader should know of these numbers, as whole sentences
  friend bool operator==(const LevelsFromAddresses&, const LevelsFromAddresses&) = default;
};

/// How much is simulated.
struct CacheEffort {
  double lines = 1500000;  ///< that accesses look up, in each of the two orders: a goal, which may be missed
  int quarters = 3;        ///< times that a quarter of it is tried first: enough where more shows nothing new
  friend bool operator==(const CacheEffort&, const CacheEffort&) = default;
};

/// Simulates the caches.
/// @param kernel  with its options applied
/// @param device  likewise; without levels there is no result
/// @throws ModelError (`where` is the path in the kernel's or the device's file) for an expression without a value, and
///                    for levels that no cache has
/// @complexity effort.lines or less, some 0.2 us each; memory for the lines that caches hold, not for those that they
/// could
/// @source docs/caches.md
LevelsFromAddresses levels_from_addresses(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                          const CacheEffort& effort = {});

/// A kernel that says which levels serve it.
struct KernelWithLevels {
  Kernel kernel;
  std::shared_ptr<const LevelsFromAddresses> found;  ///< null where there was nothing to find
  std::vector<AccessLevels> filled;  ///< in program order: of the instructions that did not say their levels themselves
};

/// Fills in Instruction::levels where the kernel does not say them and there are addresses. Where an instruction says
/// its own `transactions`, it moves as many sectors more than its addresses tell, or of each level no more than these.
/// The results of earlier calls are kept: points of a sweep that differ in nothing that a cache sees are simulated
/// once. May be called from several threads at once.
/// @throws as levels_from_addresses
KernelWithLevels with_levels(Kernel kernel, const Device& device, const CacheLaunch& launch);

/// The same where caches have more or less room: at most a 16th of the effort says what that changes, and the change
/// is added to what was found.
/// @param known  what with_levels has found for the launch
/// @param room   in caches, as a part of what the launch gives them
/// @throws as levels_from_addresses
KernelWithLevels with_room(Kernel kernel, const Device& device, const CacheLaunch& launch,
                           const LevelsFromAddresses& known, double room);

}  // namespace warpipe
