#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

inline constexpr std::int64_t kSectorBytes = 32;  ///< of global memory: the unit of a launch's touched memory
inline constexpr std::uint64_t kWordBytes = 4;    ///< as wide as a bank of shared memory

/// The service of the lanes of an access.
enum class Served {
  BySectors,  ///< global and thread-private memory
  InBanks,    ///< shared memory, and spaces with possibly shared memory
  WordByWord  ///< constant memory
};

/// The addresses of a warp's lanes in an execution, with their strides from execution to execution.
struct AddressEvent {
  std::uint32_t instruction = 0;
  std::uint64_t mask = 0;                    ///< active lanes
  std::int64_t width = 4;                    ///< bytes per lane
  bool atomic = false;                       ///< lanes at the same word take turns: Access::Meeting::Turns
  bool combines = false;                     ///< but a single lane goes for all
  std::span<const std::uint64_t> addresses;  ///< by lane
  std::span<const std::uint64_t> strides;    ///< by lane; empty: they do not move
  /// Bytes from a word of a lane to its next word: in thread-private memory the words of the other lanes lie between.
  std::uint64_t word_pitch = kWordBytes;
  bool retries = false;  ///< of an atomic: Access::Meeting::Retry
  Served served = Served::InBanks;
  bool shares_pairs = false;  ///< Program::shares_pairs holds for the access
  AccessSizes sizes{};
};

/// Turns of an atomic's lanes at a sector: the number of lanes at the most frequented word.
struct SectorTurns {
  std::uint64_t sector = 0;
  std::int64_t turns = 0;
};

/// @param addresses     by lane
/// @param mask          lanes at these addresses
/// @param sector_bytes  of a sector
std::vector<SectorTurns> turns_of(std::span<const std::uint64_t> addresses, std::uint64_t mask,
                                  std::int64_t sector_bytes);

/// Counts consecutive blocks of so many bytes touched by pieces, each block once.
/// @param pieces       starts of the pieces, in order
/// @param piece_bytes  of each
std::int64_t blocks_touched(const std::vector<std::uint64_t>& pieces, std::uint64_t piece_bytes, std::int64_t bytes);

/// Adds the cost of `times` executions in each of `groups` groups, the k-th at addresses + k x strides.
///
/// Where all lanes move alike, the counts repeat after some bytes / gcd: they are counted exactly. Else at most 1024
/// executions, evenly spread, stand for all.
/// @source formats, "Kernel (an IDG)": transactions and bank conflict degree
void account(AccessStatistics& statistics, const AddressEvent& event, std::int64_t times, double groups);

}  // namespace warpipe::isa
