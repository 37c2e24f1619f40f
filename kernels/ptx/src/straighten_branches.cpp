#include "straighten_branches.hpp"

namespace warpipe::ptx {

void straighten_branches(Routine& routine) {
  const auto count = static_cast<std::uint32_t>(routine.instructions.size());
  std::vector<int> jumps_to(count + 1, 0);
  for (const auto& targets : routine.targets)
    for (const auto target : targets) ++jumps_to[target];
  std::vector<bool> gone(count, false);
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    auto& branch = routine.instructions[i];
    const bool conditional = branch.opcode() == "bra" && branch.guard && routine.targets[i].size() == 1;
    if (!conditional || routine.targets[i].front() != i + 2 || jumps_to[i + 1] > 0 ||
        !is_plain_jump(routine.instructions[i + 1]))
      continue;
    branch.guard->negated = !branch.guard->negated;
    routine.targets[i] = routine.targets[i + 1];
    gone[i + 1] = true;
  }
  remove_instructions(routine, gone);
}

}  // namespace warpipe::ptx
