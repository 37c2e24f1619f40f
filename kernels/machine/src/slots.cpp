#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "prepared.hpp"

namespace warpipe::machine {
namespace {

using Bits = std::vector<std::uint64_t>;
constexpr std::size_t kMostBits = std::size_t{1} << 31;

std::size_t bytes_of(const isa::Program& program, std::uint32_t reg) {
  return static_cast<std::size_t>(program.lanes) * (is_wide(program.registers[reg].bits) ? 8 : 4);
}

template <class Each>
void for_each(const std::vector<isa::RegisterRange>& ranges, const Each& each) {
  for (const auto& range : ranges)
    for (std::uint32_t i = 0; i < range.count; ++i) each(range.first + i);
}

/// Whether no step writes a result before the last step has read all operands, so that a result may take the place of
/// an operand.
bool writes_last(const isa::Instruction& instruction) {
  return !instruction.access && instruction.assignments.size() == 1 &&
         instruction.assignments.front().outputs.size() == 1 &&
         !isa::is_across_lanes(instruction.assignments.front().operation.op) &&
         instruction.assignments.front().operation.op < isa::LaneOp::Exchange;
}

/// From where to where in the order a register is needed.
class Lives {
 public:
  Lives(const isa::Program& program, const std::vector<BlockOfSlots>& order) : program_(program), order_(order) {
    const auto words = (program.registers.size() + 63) / 64;
    entering_.assign(order.size(), Bits(words));
    used_.assign(order.size(), Bits(words));
    killed_.assign(order.size(), Bits(words));
    for (std::size_t b = 0; b < order.size(); ++b)
      for (auto i = order[b].first; i < order[b].last; ++i) note(b, program.instructions[i]);
    solve();
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> intervals() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lives(program_.registers.size(), {UINT32_MAX, 0});
    const auto extend = [&](std::uint32_t reg, std::uint32_t at) {
      lives[reg].first = std::min(lives[reg].first, at);
      lives[reg].second = std::max(lives[reg].second, at);
    };
    std::uint32_t at = 0;
    for (std::size_t b = 0; b < order_.size(); ++b) {
      each_of(entering_[b], [&](std::uint32_t reg) { extend(reg, at); });
      for (auto i = order_[b].first; i < order_[b].last; ++i, at += 2) {
        const auto& instruction = program_.instructions[i];
        for_each(instruction.reads, [&](std::uint32_t reg) { extend(reg, at); });
        for_each(instruction.writes, [&](std::uint32_t reg) {
          if (!writes_last(instruction)) extend(reg, at);
          extend(reg, at + 1);
        });
        // Assignments may keep numbers for later assignments, as a carry.
        for (const auto& assignment : instruction.assignments)
          for (const auto& output : assignment.outputs)
            for_each({output.registers}, [&](std::uint32_t reg) {
              if (!writes_last(instruction)) extend(reg, at);
              extend(reg, at + 1);
            });
      }
      for (const auto next : order_[b].successors)
        each_of(entering_[next], [&](std::uint32_t reg) { extend(reg, at); });
      at += 2;
    }
    return lives;
  }

  /// Registers that may be read before they are written, by their lanes.
  std::vector<std::uint32_t> unset() const {
    std::vector<std::uint32_t> found;
    if (!order_.empty()) each_of(entering_.front(), [&](std::uint32_t reg) { found.push_back(reg); });
    return found;
  }

 private:
  template <class Each>
  static void each_of(const Bits& bits, const Each& each) {
    for (std::size_t word = 0; word < bits.size(); ++word)
      for (auto rest = bits[word]; rest != 0; rest &= rest - 1)
        each(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
  }

  void note(std::size_t block, const isa::Instruction& instruction) {
    const auto set = [](Bits& bits, std::uint32_t reg) { bits[reg / 64] |= std::uint64_t{1} << (reg % 64); };
    const auto is_set = [](const Bits& bits, std::uint32_t reg) { return ((bits[reg / 64] >> (reg % 64)) & 1) != 0; };
    for_each(instruction.reads, [&](std::uint32_t reg) {
      if (!is_set(killed_[block], reg)) set(used_[block], reg);
    });
    // Under a guard, lanes may keep old values.
    for_each(instruction.writes, [&](std::uint32_t reg) {
      if (instruction.guard && !is_set(killed_[block], reg)) set(used_[block], reg);
      if (!instruction.guard) set(killed_[block], reg);
    });
  }

  void solve() {
    for (bool changes = true; changes;) {
      changes = false;
      for (auto b = order_.size(); b-- > 0;) {
        auto& entering = entering_[b];
        for (std::size_t word = 0; word < entering.size(); ++word) {
          std::uint64_t leaving = 0;
          for (const auto next : order_[b].successors) leaving |= entering_[next][word];
          const auto now = used_[b][word] | (leaving & ~killed_[b][word]);
          changes = changes || now != entering[word];
          entering[word] = now;
        }
      }
    }
  }

  const isa::Program& program_;
  const std::vector<BlockOfSlots>& order_;
  std::vector<Bits> entering_, used_, killed_;
};

}  // namespace

Slots place_registers(const isa::Program& program, const std::vector<BlockOfSlots>& order) {
  Slots slots;
  slots.offset.assign(program.registers.size(), 0);
  const auto take = [&](std::uint32_t reg) {
    slots.offset[reg] = static_cast<std::uint32_t>(slots.bytes);
    slots.bytes += bytes_of(program, reg);
  };
  const bool fits = program.registers.size() * order.size() <= kMostBits;
  std::vector<std::uint32_t> shared;
  for (std::uint32_t reg = 0; reg < program.registers.size(); ++reg) {
    // A write of all lanes at a time would change registers of lanes at other places.
    if (fits && isa::is_per_lane(program.registers[reg].file))
      shared.push_back(reg);
    else
      take(reg);
  }
  slots.unset = {{0, static_cast<std::uint32_t>(slots.bytes)}};
  if (!fits) return slots;
  const Lives of_registers(program, order);
  const auto lives = of_registers.intervals();
  std::ranges::stable_sort(shared, {}, [&](std::uint32_t reg) { return lives[reg].first; });
  std::array<std::vector<std::uint32_t>, 2> free;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // a heap: the first end at its front
  const auto later = [](const auto& a, const auto& b) { return a.first > b.first; };
  for (const auto reg : shared) {
    const auto [first, last] = lives[reg];
    if (first == UINT32_MAX) continue;  // nothing reads or writes it
    while (!ends.empty() && ends.front().first < first) {
      const auto gone = ends.front().second;
      free[is_wide(program.registers[gone].bits) ? 1 : 0].push_back(slots.offset[gone]);
      std::ranges::pop_heap(ends, later);
      ends.pop_back();
    }
    auto& alike = free[is_wide(program.registers[reg].bits) ? 1 : 0];
    if (alike.empty()) {
      take(reg);
    } else {
      slots.offset[reg] = alike.back();
      alike.pop_back();
    }
    ends.emplace_back(last, reg);
    std::ranges::push_heap(ends, later);
  }
  slots.unset.clear();
  for (const auto reg : of_registers.unset())
    slots.unset.push_back({slots.offset[reg], static_cast<std::uint32_t>(bytes_of(program, reg))});
  // An execution mask leaves lanes as they are.
  if (program.mask) slots.unset = {{0, static_cast<std::uint32_t>(slots.bytes)}};
  return slots;
}

}  // namespace warpipe::machine
