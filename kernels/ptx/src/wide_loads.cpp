#include "wide_loads.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kWidest = 16;         // bytes of a load, and the most followed for an alignment
constexpr std::int64_t kWidestConstant = 8;  // of constant memory

std::int64_t lowest_bit(std::uint64_t value) {
  return value == 0 ? kWidest : std::min<std::int64_t>(kWidest, std::int64_t{1} << std::countr_zero(value));
}

/// Powers of two that divide the values of registers, whichever way control goes.
class Alignments {
 public:
  explicit Alignments(const Routine& routine) : routine_(routine), known_(routine.registers.size(), kWidest) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& instruction : routine.instructions)
        for (const auto reg : written_registers(instruction)) {
          const auto now = std::min(known_[reg], result(instruction));
          changed = changed || now != known_[reg];
          known_[reg] = now;
        }
    }
  }

  /// Of an address: base and offset.
  std::int64_t of_address(const Operand& address) const {
    const auto base = address.has_register ? known_[address.reg] : address.name.empty() ? kWidest : of(address.name);
    return std::min(base, lowest_bit(static_cast<std::uint64_t>(address.offset)));
  }

 private:
  std::int64_t of(const std::string& variable) const {
    const auto* found = routine_.find_variable(variable);
    if (found == nullptr || (found->space != StateSpace::Shared && found->space != StateSpace::Constant)) return 1;
    if (std::ranges::find(routine_.parameters, variable, &Variable::name) != routine_.parameters.end())
      return std::min(kWidest, found->alignment);
    return found->bytes() >= kWidest ? kWidest : std::min(kWidest, found->alignment);
  }

  std::int64_t of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Register:
        return known_[operand.reg];
      case Operand::Kind::Immediate:
        return lowest_bit(operand.bits);
      case Operand::Kind::Symbol:
        return of(operand.name);
      default:
        return 1;
    }
  }

  static std::int64_t product(std::int64_t a, std::int64_t b) { return std::min(kWidest, a * b); }

  std::int64_t result(const Instruction& instruction) const {
    const auto& opcode = instruction.opcode();
    const auto& operands = instruction.operands;
    const auto at = [&](std::size_t i) { return i < operands.size() ? of(operands[i]) : 1; };
    if (instruction.type().kind == Type::Kind::Float || instruction.has("hi")) return 1;
    if (opcode == "mov" || opcode == "cvta" || opcode == "cvt") return at(1);
    if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor" || opcode == "min" || opcode == "max" ||
        opcode == "selp")
      return std::min(at(1), at(2));
    if (opcode == "and") return std::max(at(1), at(2));
    if (opcode == "mul") return product(at(1), at(2));
    if (opcode == "mad") return std::min(product(at(1), at(2)), at(3));
    if (opcode == "shl" && operands.size() > 2 && operands[2].kind == Operand::Kind::Immediate)
      return product(at(1), std::int64_t{1} << std::min<std::uint64_t>(operands[2].bits, 4));
    return 1;
  }

  const Routine& routine_;
  std::vector<std::int64_t> known_;
};

/// A load to merge with another.
struct Candidate {
  std::uint32_t index = 0;
  std::int64_t offset = 0;
};

/// Loads from places beside each other: the same base, bytes per element and guard.
struct Family {
  Operand base;  ///< an address
  int bits = 0;
  StateSpace space = StateSpace::Shared;
  std::vector<Candidate> loads;  ///< in the order of the text
};

class Widening {
 public:
  explicit Widening(Routine& routine)
      : routine_(routine), alignments_(routine), gone_(routine.instructions.size(), false) {
    for (const auto& places : routine.targets) targets_.insert(places.begin(), places.end());
  }

  std::size_t run() {
    for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) {
      if (targets_.contains(i)) close_all();
      visit(i);
      if (!routine_.targets[i].empty()) close_all();
    }
    close_all();
    return remove();
  }

 private:
  /// A load from a fixed place of constant memory is an operand.
  static bool may_be_wide(const Instruction& instruction) {
    return instruction.space() == StateSpace::Shared ||
           (instruction.space() == StateSpace::Constant && instruction.type().bits == 32 &&
            instruction.operands.back().has_register);
  }

  static bool fits(const Instruction& instruction) {
    return instruction.opcode() == "ld" && !instruction.has("volatile") && !instruction.guard &&
           instruction.vector_length() == 1 && instruction.operands.size() == 2 &&
           instruction.operands[0].kind == Operand::Kind::Register &&
           instruction.operands[1].kind == Operand::Kind::Address &&
           (instruction.type().bits == 32 || instruction.type().bits == 64) && may_be_wide(instruction);
  }

  void visit(std::uint32_t i) {
    const auto& instruction = routine_.instructions[i];
    if (orders_memory(instruction)) close_all();
    if (is_access(instruction) && instruction.opcode() != "ld" &&
        (instruction.space() == StateSpace::Shared || instruction.space() == StateSpace::Generic))
      close_all();
    const bool candidate = fits(instruction);
    // A later load must not pass an earlier use of its register, nor a change of its base.
    const auto written = written_registers(instruction);
    if (candidate && !touched_.contains(instruction.operands[0].reg)) join(i);
    std::erase_if(families_, [&](Family& family) {
      const bool ends = family.base.has_register && std::ranges::find(written, family.base.reg) != written.end();
      if (ends) close(family);
      return ends;
    });
    for (const auto reg : written) touched_.insert(reg);
    for (const auto reg : read_registers(instruction)) touched_.insert(reg);
  }

  void join(std::uint32_t i) {
    const auto& address = routine_.instructions[i].operands[1];
    const auto bits = routine_.instructions[i].type().bits;
    const auto space = routine_.instructions[i].space();
    const auto same = std::ranges::find_if(families_, [&](const Family& family) {
      return family.bits == bits && family.space == space && family.base.has_register == address.has_register &&
             (address.has_register ? family.base.reg == address.reg : family.base.name == address.name);
    });
    auto& family = same == families_.end() ? families_.emplace_back(Family{address, bits, space, {}}) : *same;
    if (std::ranges::find(family.loads, address.offset, &Candidate::offset) == family.loads.end())
      family.loads.push_back({i, address.offset});
  }

  /// Merges the widest first: 16 bytes, then 8, the only width of constant memory.
  void close(Family& family) {
    auto& loads = family.loads;
    std::ranges::sort(loads, {}, &Candidate::offset);
    const std::int64_t bytes = family.bits / 8;
    const auto widest = family.space == StateSpace::Constant ? kWidestConstant : kWidest;
    for (const auto wide : {kWidest, kWidest / 2})
      for (std::size_t first = 0; wide > bytes && wide <= widest && first < loads.size();) {
        const auto count = static_cast<std::size_t>(wide / bytes);
        if (!neighbours(family, first, count) || alignments_.of_address(place(loads[first])) < wide) {
          ++first;
          continue;
        }
        merge({loads.begin() + static_cast<std::ptrdiff_t>(first),
               loads.begin() + static_cast<std::ptrdiff_t>(first + count)});
        loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(first),
                    loads.begin() + static_cast<std::ptrdiff_t>(first + count));
      }
  }

  const Operand& place(const Candidate& load) const { return routine_.instructions[load.index].operands[1]; }

  static bool neighbours(const Family& family, std::size_t first, std::size_t count) {
    if (first + count > family.loads.size()) return false;
    for (std::size_t i = 1; i < count; ++i)
      if (family.loads[first + i].offset - family.loads[first].offset !=
          static_cast<std::int64_t>(i) * (family.bits / 8))
        return false;
    return true;
  }

  /// @param loads  by offset
  void merge(const std::vector<Candidate>& loads) {
    const auto first = std::ranges::min_element(loads, {}, &Candidate::index)->index;
    auto made = routine_.instructions[first];
    Operand values;
    values.kind = Operand::Kind::Vector;
    for (const auto& load : loads) {
      values.parts.push_back(routine_.instructions[load.index].operands[0]);
      gone_[load.index] = load.index != first;
    }
    made.operands = {std::move(values), place(loads.front())};
    made.words.insert(made.words.end() - 1, loads.size() == 4 ? "v4" : "v2");
    made.name = made.words.front();
    for (std::size_t i = 1; i < made.words.size(); ++i) made.name += "." + made.words[i];
    routine_.instructions[first] = std::move(made);
  }

  void close_all() {
    for (auto& family : families_) close(family);
    families_.clear();
    touched_.clear();
  }

  std::size_t remove() {
    std::vector<std::uint32_t> moved_to;
    std::vector<Instruction> kept;
    std::vector<std::vector<std::uint32_t>> targets;
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      moved_to.push_back(static_cast<std::uint32_t>(kept.size()));
      if (gone_[i]) continue;
      kept.push_back(std::move(routine_.instructions[i]));
      targets.push_back(std::move(routine_.targets[i]));
    }
    moved_to.push_back(static_cast<std::uint32_t>(kept.size()));
    const auto removed = gone_.size() - kept.size();
    routine_.instructions = std::move(kept);
    routine_.targets = std::move(targets);
    renumber(routine_, moved_to);
    return removed;
  }

  Routine& routine_;
  const Alignments alignments_;
  std::vector<bool> gone_;
  std::set<std::uint32_t> targets_;  ///< instructions that branches go to
  std::vector<Family> families_;     ///< currently open
  std::set<std::uint32_t> touched_;  ///< registers, since all were closed last
};

}  // namespace

std::size_t widen_loads(Routine& routine) { return Widening(routine).run(); }

}  // namespace warpipe::ptx
