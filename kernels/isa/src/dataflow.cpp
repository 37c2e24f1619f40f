#include "warpipe/isa/dataflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "block_walk.hpp"
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

RegisterPeak most_live_registers(const Program& program, const ControlFlow& flow,
                                 const std::vector<std::vector<std::uint32_t>>& order, const std::vector<bool>& free) {
  const auto registers = program.registers.size();
  require_size(program, flow.blocks.size(), registers);
  const auto words = registers / 64 + 1;
  std::vector<std::vector<std::uint64_t>> entering(flow.blocks.size(), std::vector<std::uint64_t>(words, 0));
  const auto size = [&](std::uint32_t reg) -> std::int64_t {
    const auto& is = program.registers[reg];
    return is.file != File::Lane || free[reg] ? 0 : (is.bits + 31) / 32;
  };
  RegisterPeak peak;
  const auto note = [&](std::int64_t held, const std::vector<std::uint64_t>& live) {
    if (held <= peak.words) return;
    peak = {held, {}};
    for (std::uint32_t reg = 0; reg < registers; ++reg)
      if (test(live, reg) && size(reg) > 0) peak.registers.push_back(reg);
  };
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
      note(count, live);
      for (auto place = order[block].size(); place-- > 0;) {
        const auto i = order[block][place];
        for (const auto reg : written_registers(program.instructions[i]))
          if (test(live, reg) && !program.instructions[i].guard) {
            clear(live, reg);
            count -= size(reg);
          }
        for (const auto reg : read_registers(program, program.instructions[i]))
          if (!test(live, reg)) {
            set(live, reg);
            count += size(reg);
          }
        note(count, live);
      }
      if (live != entering[block]) {
        entering[block] = live;
        changed = true;
      }
    }
  }
  return peak;
}

}  // namespace warpipe::isa
