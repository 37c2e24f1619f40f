#include "warpipe/isa/dataflow.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flow/block_walk.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostBits = 1'000'000'000;

void set(std::vector<std::uint64_t>& bits, std::size_t index) { bits[index / 64] |= std::uint64_t{1} << (index % 64); }
void clear(std::vector<std::uint64_t>& bits, std::size_t index) {
  bits[index / 64] &= ~(std::uint64_t{1} << (index % 64));
}
bool test(const std::vector<std::uint64_t>& bits, std::size_t index) {
  return ((bits[index / 64] >> (index % 64)) & 1) != 0;
}

void require_size(const Program& program, std::size_t rows, std::size_t columns) {
  if (rows == 0 || columns <= kMostBits / rows) return;
  throw InputError(Diagnostic{program.file, "a kernel's basic blocks times its registers are at most 10^9",
                              fmt::format("found {} x {}", rows, columns), "import a smaller kernel"});
}

}  // namespace

ReachingDefinitions::ReachingDefinitions(const Program& program, const ControlFlow& flow)
    : program_(program), flow_(flow), of_register_(program.registers.size()) {
  for (const auto& block : flow.blocks) {
    first_of_block_.push_back(static_cast<std::uint32_t>(writes_.size()));
    for (auto i = block.first; i < block.last; ++i)
      for (const auto reg : written_registers(program.instructions[i])) {
        of_register_[reg].push_back(static_cast<std::uint32_t>(writes_.size()));
        writes_.push_back(i);
        written_.push_back(reg);
      }
  }
  first_of_block_.push_back(static_cast<std::uint32_t>(writes_.size()));
  require_size(program, flow.blocks.size(), writes_.size());
  solve();
}

void ReachingDefinitions::write(State& state, std::uint32_t index) const {
  const auto reg = written_[index];
  const bool hides = program_.mask && is_per_lane(program_.registers[reg].file);
  if (!program_.instructions[writes_[index]].guard)
    for (const auto other : of_register_[reg]) {
      if (!test(state.visible, other)) continue;
      clear(state.visible, other);
      if (hides) set(state.hidden, other);
    }
  set(state.visible, index);
}

bool ReachingDefinitions::join(State& into, const State& from) const {
  bool changed = false;
  const auto merge = [&](Bits& all, const Bits& more) {
    for (std::size_t word = 0; word < all.size(); ++word) {
      const auto joined = all[word] | more[word];
      changed |= joined != all[word];
      all[word] = joined;
    }
  };
  merge(into.visible, from.visible);
  merge(into.hidden, from.hidden);
  return changed;
}

void ReachingDefinitions::solve() {
  const auto words = writes_.size() / 64 + 1;
  entering_.assign(flow_.blocks.size(), {Bits(words, 0), Bits(program_.mask ? words : 0, 0)});
  const auto run_block = [&](std::uint32_t block, State& leaving) {
    for (auto index = first_of_block_[block]; index < first_of_block_[block + 1]; ++index) write(leaving, index);
    // The execution mask is written by the last instruction of a block only.
    const auto& last = program_.instructions[flow_.blocks[block].last - 1];
    if (!writes_mask(program_, last) || narrows_mask(program_, last)) return;
    for (std::size_t word = 0; word < words; ++word) leaving.visible[word] |= leaving.hidden[word];
    leaving.hidden.assign(words, 0);
  };
  walk_blocks(flow_, entering_, run_block, [this](State& into, const State& from) { return join(into, from); });
}

std::vector<std::uint32_t> ReachingDefinitions::writers(std::uint32_t instruction, std::uint32_t reg) const {
  std::vector<std::uint32_t> result;
  const auto block = flow_.block_of[instruction];
  const auto first = flow_.blocks[block].first;
  const auto& all = of_register_[reg];
  const auto in_block = [&](std::uint32_t index) { return writes_[index] >= first && writes_[index] < instruction; };
  for (auto index = all.rbegin(); index != all.rend(); ++index) {
    if (!in_block(*index)) continue;
    result.push_back(writes_[*index]);
    if (!program_.instructions[writes_[*index]].guard) {
      std::ranges::reverse(result);
      return result;
    }
  }
  for (const auto index : all)
    if (test(entering_[block].visible, index)) result.push_back(writes_[index]);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::uint32_t> ReachingDefinitions::sources(std::uint32_t instruction) const {
  std::vector<std::uint32_t> result;
  for (const auto reg : read_registers(program_, program_.instructions[instruction])) {
    const auto found = writers(instruction, reg);
    result.insert(result.end(), found.begin(), found.end());
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace warpipe::isa
