#include "predicate_accesses.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "opcodes.hpp"

namespace warpipe::ptx {
namespace {

using Span = std::pair<std::uint32_t, std::uint32_t>;  // instructions [first, last)

/// Whether an instruction brings numbers from memory or from an unknown source.
bool brings_data(const Instruction& instruction) {
  const auto space = instruction.space();
  return is_access(instruction) ? space != StateSpace::Constant : instruction.opcode() == "tex";
}

/// Registers whose numbers depend on data.
std::vector<bool> registers_of_data(const Routine& routine) {
  std::vector<bool> data(routine.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& instruction : routine.instructions) {
      const auto reads = read_registers(instruction);
      if (!brings_data(instruction) && std::ranges::none_of(reads, [&](auto reg) { return data[reg]; })) continue;
      for (const auto reg : written_registers(instruction)) {
        changed = changed || !data[reg];
        data[reg] = true;
      }
    }
  }
  return data;
}

class Predicator {
 public:
  Predicator(Routine& routine, std::size_t longest)
      : routine_(routine),
        longest_(longest),
        data_(registers_of_data(routine)),
        jumps_to_(routine.instructions.size() + 1, 0),
        occurs_(routine.registers.size(), {UINT32_MAX, 0}) {
    for (const auto& targets : routine.targets)
      for (const auto target : targets) ++jumps_to_[target];
    for (std::uint32_t i = 0; i < routine.instructions.size(); ++i) {
      for (const auto reg : read_registers(at(i))) note(reg, i);
      for (const auto reg : written_registers(at(i))) note(reg, i);
    }
  }

  std::size_t run() {
    gone_.assign(routine_.instructions.size(), false);
    for (std::uint32_t i = 0; i + 1 < routine_.instructions.size(); ++i) consider(i);
    if (branches_ > 0) remove_instructions(routine_, gone_);
    return branches_;
  }

 private:
  const Instruction& at(std::uint32_t i) const { return routine_.instructions[i]; }

  void note(std::uint32_t reg, std::uint32_t i) {
    occurs_[reg].first = std::min(occurs_[reg].first, i);
    occurs_[reg].second = i;
  }

  bool may_run_always(const Instruction& instruction) const {
    return !instruction.guard && !orders_memory(instruction) && instruction.opcode() != "div" &&
           instruction.opcode() != "rem" && !reaches_texture(instruction) && !writes_carry(instruction) &&
           !reads_carry(instruction) && !leaves(instruction);
  }

  /// Whether a predicate can take the place of a branch over instructions.
  bool is_side(const Span& side, const Operand& guard) const {
    std::size_t length = 0;
    for (auto i = side.first; i < side.second; ++i) {
      if ((i > side.first && jumps_to_[i] > 0) || !may_run_always(at(i))) return false;
      if (std::ranges::count(written_registers(at(i)), guard.reg) > 0) return false;
      length += issued_by(at(i));
    }
    return length <= longest_;
  }

  bool reaches_memory(const Span& side) const {
    return std::any_of(routine_.instructions.begin() + side.first, routine_.instructions.begin() + side.second,
                       is_access);
  }

  void consider(std::uint32_t branch) {
    const auto& read = at(branch);
    if (read.opcode() != "bra" || !read.guard || routine_.targets[branch].size() != 1) return;
    const auto target = routine_.targets[branch].front();
    if (data_[read.guard->reg] || target <= branch + 1 || target >= routine_.instructions.size()) return;
    auto guard = *read.guard;
    Span other{branch + 1, target}, taken{target, target};
    if (jumps_to_[other.first] > 0) return;
    // Where the other side ends in a jump over the taken side, both are sides.
    const auto last = target - 1;
    const bool both = is_plain_jump(at(last)) && jumps_to_[last] == 0 && jumps_to_[target] == 1 &&
                      routine_.targets[last].front() > target;
    if (both) {
      other.second = last;
      taken.second = routine_.targets[last].front();
    }
    if (taken.second >= routine_.instructions.size() || leaves(at(taken.second))) return;
    if (!is_side(other, guard) || !is_side(taken, guard) || !(reaches_memory(other) || reaches_memory(taken))) return;
    put_under(taken, guard);
    guard.negated = !guard.negated;
    put_under(other, guard);
    gone_[branch] = true;
    --jumps_to_[target];
    if (both) {
      gone_[last] = true;
      --jumps_to_[taken.second];
    }
    ++branches_;
  }

  /// Values read within the side alone may be computed always.
  bool stays_within(const Instruction& instruction, const Span& side) const {
    const auto written = written_registers(instruction);
    return !is_access(instruction) && std::ranges::all_of(written, [&](std::uint32_t reg) {
      return occurs_[reg].first >= side.first && occurs_[reg].second < side.second;
    });
  }

  void put_under(const Span& side, const Operand& guard) {
    for (auto i = side.first; i < side.second; ++i)
      if (!stays_within(at(i), side)) routine_.instructions[i].guard = guard;
  }

  Routine& routine_;
  std::size_t longest_;
  std::vector<bool> data_;     ///< by register
  std::vector<int> jumps_to_;  ///< by instruction
  std::vector<Span> occurs_;   ///< by register: the first and the last instruction with it
  std::vector<bool> gone_;
  std::size_t branches_ = 0;
};

}  // namespace

std::size_t predicate_accesses(Routine& routine, std::size_t longest) { return Predicator(routine, longest).run(); }

}  // namespace warpipe::ptx
