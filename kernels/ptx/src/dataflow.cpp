#include "warpipe/ptx/dataflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostBits = 1'000'000'000;

void set(std::vector<std::uint64_t>& bits, std::size_t index) { bits[index / 64] |= std::uint64_t{1} << (index % 64); }
void clear(std::vector<std::uint64_t>& bits, std::size_t index) {
  bits[index / 64] &= ~(std::uint64_t{1} << (index % 64));
}
bool test(const std::vector<std::uint64_t>& bits, std::size_t index) {
  return ((bits[index / 64] >> (index % 64)) & 1) != 0;
}

void require_size(const Routine& routine, std::size_t rows, std::size_t columns) {
  if (rows == 0 || columns <= kMostBits / rows) return;
  throw InputError(Diagnostic{routine.file, "a kernel's basic blocks times its registers are at most 10^9",
                              fmt::format("found {} x {}", rows, columns), "import a smaller kernel"});
}

}  // namespace

ReachingDefinitions::ReachingDefinitions(const Routine& routine, const ControlFlow& flow)
    : routine_(routine), flow_(flow), of_register_(routine.registers.size()) {
  for (const auto& block : flow.blocks) {
    first_of_block_.push_back(static_cast<std::uint32_t>(writes_.size()));
    for (auto i = block.first; i < block.last; ++i)
      for (const auto reg : written_registers(routine.instructions[i])) {
        of_register_[reg].push_back(static_cast<std::uint32_t>(writes_.size()));
        writes_.push_back(i);
        written_.push_back(reg);
      }
  }
  first_of_block_.push_back(static_cast<std::uint32_t>(writes_.size()));
  require_size(routine, flow.blocks.size(), writes_.size());
  solve();
}

void ReachingDefinitions::solve() {
  const auto words = writes_.size() / 64 + 1;
  entering_.assign(flow_.blocks.size(), Bits(words, 0));
  std::set<std::uint32_t> waiting;
  for (std::uint32_t block = 0; block < flow_.blocks.size(); ++block) waiting.insert(block);
  while (!waiting.empty()) {
    const auto block = *waiting.begin();
    waiting.erase(waiting.begin());
    Bits leaving = entering_[block];
    for (auto write = first_of_block_[block]; write < first_of_block_[block + 1]; ++write) {
      // What is written under a guard may also stay.
      if (!routine_.instructions[writes_[write]].guard)
        for (const auto other : of_register_[written_[write]]) clear(leaving, other);
      set(leaving, write);
    }
    for (const auto successor : flow_.blocks[block].successors) {
      bool changed = false;
      for (std::size_t word = 0; word < words; ++word) {
        const auto joined = entering_[successor][word] | leaving[word];
        changed |= joined != entering_[successor][word];
        entering_[successor][word] = joined;
      }
      if (changed) waiting.insert(successor);
    }
  }
}

std::vector<std::uint32_t> ReachingDefinitions::writers(std::uint32_t instruction, std::uint32_t reg) const {
  std::vector<std::uint32_t> result;
  const auto block = flow_.block_of[instruction];
  const auto first = flow_.blocks[block].first;
  const auto& all = of_register_[reg];
  const auto in_block = [&](std::uint32_t write) { return writes_[write] >= first && writes_[write] < instruction; };
  for (auto write = all.rbegin(); write != all.rend(); ++write) {
    if (!in_block(*write)) continue;
    result.push_back(writes_[*write]);
    if (!routine_.instructions[writes_[*write]].guard) {
      std::ranges::reverse(result);
      return result;
    }
  }
  for (const auto write : all)
    if (test(entering_[block], write)) result.push_back(writes_[write]);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::int64_t most_live_registers(const Routine& routine, const ControlFlow& flow, const Schedule& schedule,
                                 const std::vector<bool>& free) {
  const auto registers = routine.registers.size();
  require_size(routine, flow.blocks.size(), registers);
  const auto words = registers / 64 + 1;
  std::vector<std::vector<std::uint64_t>> entering(flow.blocks.size(), std::vector<std::uint64_t>(words, 0));
  const auto size = [&](std::uint32_t reg) -> std::int64_t {
    const auto& type = routine.registers[reg].type;
    return type.kind == Type::Kind::Predicate || free[reg] ? 0 : (type.bits + 31) / 32;
  };
  std::int64_t most = 0;
  bool changed = true;
  for (int round = 0; changed && round < 256; ++round) {
    changed = false;
    for (auto block = static_cast<std::uint32_t>(flow.blocks.size()); block-- > 0;) {
      std::vector<std::uint64_t> live(words, 0);
      for (const auto successor : flow.blocks[block].successors)
        for (std::size_t word = 0; word < words; ++word) live[word] |= entering[successor][word];
      std::int64_t count = 0;
      for (std::uint32_t reg = 0; reg < registers; ++reg)
        if (test(live, reg)) count += size(reg);
      most = std::max(most, count);
      const auto& order = schedule.blocks[block];
      for (auto place = order.size(); place-- > 0;) {
        const auto i = order[place];
        for (const auto reg : written_registers(routine.instructions[i]))
          if (test(live, reg) && !routine.instructions[i].guard) {
            clear(live, reg);
            count -= size(reg);
          }
        for (const auto reg : read_registers(routine.instructions[i]))
          if (!test(live, reg)) {
            set(live, reg);
            count += size(reg);
          }
        most = std::max(most, count);
      }
      if (live != entering[block]) {
        entering[block] = live;
        changed = true;
      }
    }
  }
  return most;
}

}  // namespace warpipe::ptx
