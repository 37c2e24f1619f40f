#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

inline constexpr std::uint32_t kNoBlock = UINT32_MAX;

/// Consecutive instructions, executed in the same lanes: [first, last) of the program.
struct Block {
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> successors;  ///< blocks; of a guarded branch: [taken..., not taken]
  bool leaves = false;                    ///< some lane may end here (ret, exit)
  std::uint32_t dominator = kNoBlock;     ///< the immediate one; none for the entry
};

struct Region;

/// A loop: its header is the first item of its body.
struct NaturalLoop {
  std::uint32_t header = 0;
  std::string label;  ///< of the header; "line 12" without a label there
  std::vector<Region> body;
};

/// A block or a loop. In a list of regions, every jump but the jumps back to the enclosing loop's header goes forward,
/// so diverged lanes meet again as early as they can.
struct Region {
  std::variant<std::uint32_t, NaturalLoop> node;
};

/// The control flow of a program, as loops in loops.
struct ControlFlow {
  std::vector<Block> blocks;            ///< in the order of the text; unreachable blocks have no successors
  std::vector<std::uint32_t> block_of;  ///< by instruction
  std::vector<Region> regions;
  std::size_t loops = 0;
};

/// Finds blocks, dominators and natural loops.
/// @throws InputError for a loop with several entries (irreducible control flow), a program that runs over its end,
///                    loops nested deeper than 32
/// @complexity        E log V for the dominators; blocks x depth of the loop nest
/// @source dominators: T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a flowgraph", ACM TOPLAS
/// 1(1), 1979
ControlFlow analyse_control_flow(const Program& program);

}  // namespace warpipe::isa
