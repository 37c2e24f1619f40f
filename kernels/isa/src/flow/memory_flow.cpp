#include "flow/memory_flow.hpp"

#include <algorithm>

namespace warpipe::isa {
namespace {

bool is_near(Space space) { return space == Space::Shared || space == Space::Local; }

bool makes_generic(const Assignment& assignment) {
  const auto& operation = assignment.operation;
  return operation.op == LaneOp::ToGeneric && (operation.window == kSharedWindow || operation.window == kLocalWindow);
}

}  // namespace

bool writes_near_memory(const Instruction& instruction) {
  if (!instruction.access) return false;
  const auto& access = *instruction.access;
  const bool writes = access.kind == Access::Kind::Store || access.kind == Access::Kind::Atomic;
  return writes && (is_near(access.space) || access.space == Space::Generic);
}

MemoryFlow::MemoryFlow(const Program& program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto& instruction = program.instructions[i];
    generic_ = generic_ || std::ranges::any_of(instruction.assignments, makes_generic);
    if (writes_near_memory(instruction)) writes_.push_back({i, instruction.access->space});
  }
}

std::vector<std::uint32_t> MemoryFlow::writers(const Instruction& load) const {
  std::vector<std::uint32_t> result;
  if (!load.access || load.access->kind != Access::Kind::Load) return result;
  const auto space = load.access->space;
  if (!is_near(space) && !(space == Space::Generic && generic_)) return result;
  for (const auto& [instruction, written] : writes_)
    if (written == space || space == Space::Generic || (written == Space::Generic && generic_))
      result.push_back(instruction);
  return result;
}

}  // namespace warpipe::isa
