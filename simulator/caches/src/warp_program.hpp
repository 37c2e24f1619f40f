#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "lane_addresses.hpp"
#include "sampled_lines.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {

/// Where warps are, as addresses see it. Behind these come the counters of a program's loops.
enum Coordinate : std::size_t { kGroup, kGroupX, kGroupY, kGroupZ, kFirstCounter };

/// A memory instruction as the warps of one index in groups of one kind execute it.
struct WarpAccess {
  std::size_t number = 0;  ///< of the instruction, among those that have addresses
  AccessKind kind = AccessKind::Load;
  bool past_unit = false;  ///< a load that asks no cache of the unit
  ArrayAccess array;
  double transactions = 0;                   ///< that the kernel says it makes, where that varies from warp to warp
  std::vector<std::size_t> loops;            ///< around it, outermost first: indices into WarpProgram::loops
  std::unique_ptr<LaneAddresses> addresses;  ///< null where they are sampled
  SampledLines* sampled = nullptr;
  std::unique_ptr<Boxes> boxes;  ///< of these addresses
};

/// What the warps of one index in groups of one kind execute, as far as caches see it.
struct WarpProgram {
  struct Loop {
    std::int64_t trips = 1;  ///< >= 1
    std::size_t begin = 0;   ///< the first node of its body
  };
  /// What an instruction needs before it issues: the result of an access.
  struct Awaited {
    std::size_t number = 0;  ///< of the access, see WarpAccess
    std::int64_t back = 1;   ///< how many executions of it ago
  };
  struct Node {
    enum class Kind { Access, Wait, Barrier, LoopBegin, LoopEnd, End };
    Kind kind = Kind::End;
    std::size_t index = 0;  ///< of the access, the wait or the loop
  };
  std::vector<Node> nodes;  ///< in program order; the last one is the end
  std::vector<Loop> loops;  ///< the counter of the i-th one is coordinate kFirstCounter + i
  std::vector<WarpAccess> accesses;
  std::vector<std::vector<Awaited>> waits;
  LaneNames names;  ///< that the addresses of the accesses see
};

/// How often a warp executes an access.
/// @param most_trips  of each loop
double executions(const WarpProgram& program, const WarpAccess& access, std::int64_t most_trips);

}  // namespace warpipe
