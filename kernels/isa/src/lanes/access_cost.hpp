#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

inline constexpr std::int64_t kSectorBytes = 32;  ///< of global memory: what a launch touches is counted in these
inline constexpr std::uint64_t kWordBytes = 4;    ///< as wide as a bank of shared memory

/// What serves the lanes of an access.
enum class Served {
  BySectors,  ///< global and thread-private memory
  InBanks,    ///< shared memory, and what may be that
  WordByWord  ///< constant memory
};

/// The addresses of a warp's lanes in one execution, and how they move from one execution to the next.
struct AddressEvent {
  std::uint32_t instruction = 0;
  std::uint64_t mask = 0;                    ///< active lanes
  std::int64_t width = 4;                    ///< bytes per lane
  bool atomic = false;                       ///< lanes at the same word take turns: Access::Meeting::Turns
  bool combines = false;                     ///< but one lane goes for all
  std::span<const std::uint64_t> addresses;  ///< by lane
  std::span<const std::uint64_t> strides;    ///< by lane; empty: they do not move
  /// Bytes from a word of a lane to its next one: those of thread-private memory have the other lanes' between them.
  std::uint64_t word_pitch = kWordBytes;
  bool retries = false;  ///< of an atomic: Access::Meeting::Retry
  Served served = Served::InBanks;
  bool shares_pairs = false;  ///< Program::shares_pairs holds for it
  AccessSizes sizes{};
};

/// Turns that the lanes of an atomic take at a sector: as many as go to the word that most of them go to.
struct SectorTurns {
  std::uint64_t sector = 0;
  std::int64_t turns = 0;
};

/// @param addresses     by lane
/// @param mask          lanes that go there
/// @param sector_bytes  of a sector
std::vector<SectorTurns> turns_of(std::span<const std::uint64_t> addresses, std::uint64_t mask,
                                  std::int64_t sector_bytes);

/// Of blocks in a row of so many bytes that pieces touch, each once.
/// @param pieces       where they begin, in order
/// @param piece_bytes  of each
std::int64_t blocks_touched(const std::vector<std::uint64_t>& pieces, std::uint64_t piece_bytes, std::int64_t bytes);

/// Adds what `times` executions in each of `groups` groups cost, the k-th at addresses + k x strides.
///
/// Where all lanes move alike, the counts repeat after some bytes / gcd: they are counted exactly. Else at most 1024
/// executions, evenly spread, stand for all.
/// @source formats, "Kernel (an IDG)": transactions and bank conflict degree
void account(AccessStatistics& statistics, const AddressEvent& event, std::int64_t times, double groups);

}  // namespace warpipe::isa
