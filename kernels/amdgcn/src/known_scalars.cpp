#include "known_scalars.hpp"

#include <set>

namespace warpipe::amdgcn {
namespace {

void apply(const isa::Instruction& instruction, const ScalarEffect& effect, KnownScalars& known) {
  KnownScalars copied;
  for (std::uint32_t i = 0; i < effect.count; ++i)
    if (const auto found = known.find(effect.from + i); found != known.end()) copied[effect.to + i] = found->second;
  for (const auto& range : instruction.writes)
    for (std::uint32_t i = 0; i < range.count; ++i) known.erase(range.first + i);
  for (auto& [reg, pointer] : copied) {
    if (!pointer.high) pointer.offset += effect.add;
    known[reg] = pointer;
  }
  if (!effect.sets) return;
  for (std::uint32_t i = 0; i < 2; ++i) {
    known[effect.to + i] = *effect.sets;
    known[effect.to + i].high = i == 1;
  }
}

}  // namespace

std::vector<KnownScalars> known_scalars(const isa::Program& program, const isa::ControlFlow& flow,
                                        const std::vector<ScalarEffect>& effects, const KnownScalars& begin) {
  std::vector<std::optional<KnownScalars>> entering(flow.blocks.size());
  std::vector<KnownScalars> before(program.instructions.size());
  if (entering.empty()) return before;
  entering[0] = begin;
  std::set<std::uint32_t> waiting{0};
  while (!waiting.empty()) {
    const auto block = *waiting.begin();
    waiting.erase(waiting.begin());
    auto known = *entering[block];
    for (auto i = flow.blocks[block].first; i < flow.blocks[block].last; ++i) {
      before[i] = known;
      apply(program.instructions[i], effects[i], known);
    }
    for (const auto next : flow.blocks[block].successors) {
      auto& joined = entering[next];
      if (!joined) {
        joined = known;
        waiting.insert(next);
        continue;
      }
      if (std::erase_if(*joined, [&](const auto& entry) {
            const auto found = known.find(entry.first);
            return found == known.end() || !(found->second == entry.second);
          }) > 0)
        waiting.insert(next);
    }
  }
  return before;
}

}  // namespace warpipe::amdgcn
