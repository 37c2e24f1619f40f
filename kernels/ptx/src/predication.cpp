#include "predication.hpp"

#include <algorithm>
#include <string>

#include "opcode_table.hpp"
#include "opcodes.hpp"

namespace warpipe::ptx {
namespace {

class Finder {
 public:
  Finder(const Routine& routine, const isa::ControlFlow& flow, std::size_t longest)
      : routine_(routine), flow_(flow), longest_(longest), predecessors_(flow.blocks.size(), 0) {
    for (const auto& block : flow.blocks)
      for (const auto successor : block.successors) ++predecessors_[successor];
    result_.branch_of.assign(flow.blocks.size(), isa::kNoBlock);
    result_.removed.assign(routine.instructions.size(), false);
  }

  Predication run() {
    for (std::uint32_t i = 0; i < flow_.blocks.size() && longest_ > 0; ++i) consider(i);
    return std::move(result_);
  }

 private:
  /// The block behind a side; isa::kNoBlock for a block beyond the reach of predicates.
  std::uint32_t end_of_side(std::uint32_t side) const {
    const auto& block = flow_.blocks[side];
    if (predecessors_[side] != 1 || block.leaves || block.successors.size() != 1) return isa::kNoBlock;
    std::size_t length = 0;
    for (auto i = block.first; i < block.last; ++i) {
      const auto& instruction = routine_.instructions[i];
      if (is_access(instruction) || row_of(instruction).has(kStays) || instruction.has("sync") || instruction.guard)
        return isa::kNoBlock;
      length += instruction.opcode() == "bra" ? 0U : issued_by(instruction);
    }
    return length <= longest_ ? block.successors.front() : isa::kNoBlock;
  }

  void consider(std::uint32_t block) {
    const auto last = flow_.blocks[block].last - 1;
    const auto& successors = flow_.blocks[block].successors;
    if (routine_.instructions[last].opcode() != "bra" || successors.size() != 2 || successors[0] == successors[1])
      return;
    const auto first = end_of_side(successors[0]), second = end_of_side(successors[1]);
    std::vector<std::uint32_t> sides;
    if (second == successors[0] && second != isa::kNoBlock)
      sides = {successors[1]};
    else if (first == successors[1] && first != isa::kNoBlock)
      sides = {successors[0]};
    else if (first == second && first != isa::kNoBlock)
      sides = {successors[0], successors[1]};
    // A side with a jump backwards is a loop.
    if (sides.empty() ||
        std::ranges::any_of(sides, [&](std::uint32_t side) { return flow_.blocks[side].successors[0] <= block; }))
      return;
    for (const auto side : sides) {
      result_.branch_of[side] = block;
      const auto end = flow_.blocks[side].last - 1;
      if (routine_.instructions[end].opcode() == "bra") result_.removed[end] = true;
    }
    result_.removed[last] = true;
    ++result_.branches;
  }

  const Routine& routine_;
  const isa::ControlFlow& flow_;
  std::size_t longest_;
  std::vector<std::size_t> predecessors_;
  Predication result_;
};

}  // namespace

Predication find_predication(const Routine& routine, const isa::ControlFlow& flow, std::size_t longest) {
  return Finder(routine, flow, longest).run();
}

}  // namespace warpipe::ptx
