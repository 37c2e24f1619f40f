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

/// The place of a warp, as visible to addresses. Behind these come the counters of a program's loops.
enum Coordinate : std::size_t { kGroup, kGroupX, kGroupY, kGroupZ, kFirstCounter };

/// A memory instruction as executed by the warps of equal index in groups of equal kind.
struct WarpAccess {
  std::size_t number = 0;  ///< of the instruction, among instructions with addresses
  AccessKind kind = AccessKind::Load;
  bool past_unit = false;  ///< a load bypassing the caches of the unit
  ArrayAccess array;
  double transactions = 0;                   ///< given by the kernel, if they vary from warp to warp
  std::vector<std::size_t> loops;            ///< around it, outermost first: indices into WarpProgram::loops
  std::unique_ptr<LaneAddresses> addresses;  ///< null if sampled
  SampledLines* sampled = nullptr;
  std::unique_ptr<Boxes> boxes;  ///< of these addresses
};

/// The program of the warps of equal index in groups of equal kind, as visible to caches.
struct WarpProgram {
  struct Loop {
    std::int64_t trips = 1;  ///< >= 1
    std::size_t begin = 0;   ///< the first node of its body
  };
  /// A result of an access, needed by an instruction before it issues.
  struct Awaited {
    std::size_t number = 0;  ///< of the access, see WarpAccess; one more than the last: any access, before a signal
    std::int64_t back = 1;   ///< counted back from its latest execution
  };
  struct Node {
    enum class Kind { Access, Wait, Barrier, LoopBegin, LoopEnd, End };
    Kind kind = Kind::End;
    std::size_t index = 0;  ///< of the access, the wait or the loop
  };
  std::vector<Node> nodes;  ///< in program order; the last is the end
  std::vector<Loop> loops;  ///< the i-th has the coordinate kFirstCounter + i as counter
  std::vector<WarpAccess> accesses;
  std::vector<std::vector<Awaited>> waits;
  LaneNames names;  ///< visible to the addresses of the accesses
};

/// @return the number of a warp's executions of an access
/// @param most_trips  of each loop
double executions(const WarpProgram& program, const WarpAccess& access, std::int64_t most_trips);

}  // namespace warpipe
