#include "hoist_loads.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "opcode_table.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kStart = -1;  // in front of a block's first instruction

bool reaches_global(const Instruction& instruction) {
  const auto space = instruction.space();
  return is_access(instruction) && (space == StateSpace::Global || space == StateSpace::Generic);
}

bool is_global_load(const Instruction& instruction) {
  return instruction.opcode() == "ld" && reaches_global(instruction) && !instruction.has("volatile") &&
         !orders_memory(instruction);
}

/// Writes registers, and does nothing else.
bool is_arithmetic(const Instruction& instruction) {
  return row_of(instruction).has(kRises) && !writes_carry(instruction) && !reads_carry(instruction);
}

/// A block of a routine, [first, last).
class Block {
 public:
  Block(Routine& routine, std::size_t first, std::size_t last, std::int64_t most_waiting)
      : routine_(routine), first_(first), size_(last - first), most_waiting_(most_waiting) {}

  std::size_t hoist() {
    find_rising();
    if (std::ranges::none_of(rising_, [](bool rises) { return rises; })) return 0;
    for (std::size_t i = 0; i < size_; ++i) place(i);
    reorder();
    return moved_;
  }

 private:
  const Instruction& at(std::size_t i) const { return routine_.instructions[first_ + i]; }

  /// Marks loads, and the arithmetic of their addresses.
  void find_rising() {
    rising_.assign(size_, false);
    std::set<std::uint32_t> needed;
    for (std::size_t i = size_; i-- > 0;) {
      const auto written = written_registers(at(i));
      const bool makes = std::ranges::any_of(written, [&](auto reg) { return needed.contains(reg); });
      rising_[i] = is_global_load(at(i)) || (makes && is_arithmetic(at(i)));
      for (const auto reg : written) needed.erase(reg);
      if (!rising_[i]) continue;
      for (const auto reg : read_registers(at(i))) needed.insert(reg);
    }
  }

  /// Places an instruction behind the last instruction it must follow.
  void place(std::size_t i) {
    const auto text = static_cast<std::int64_t>(i);
    std::int64_t behind = text;
    if (rising_[i]) {
      behind = kStart;
      for (const auto reg : read_registers(at(i))) behind = std::max(behind, place_of(written_, reg));
      for (const auto reg : written_registers(at(i)))
        behind = std::max({behind, place_of(written_, reg), place_of(read_, reg)});
      if (is_global_load(at(i))) {
        behind = std::max({behind, last_fence_, at(i).has("nc") ? kStart : last_store_});
        behind = wait_for_registers(i, behind);
      }
    }
    places_.push_back({behind, rising_[i], i});
    for (const auto reg : read_registers(at(i))) raise(read_, reg, behind);
    for (const auto reg : written_registers(at(i))) raise(written_, reg, behind);
    if (orders_memory(at(i))) last_fence_ = std::max(last_fence_, behind);
    if (reaches_global(at(i)) && at(i).opcode() != "ld") last_store_ = std::max(last_store_, behind);
  }

  /// Not further up than the registers suffice.
  std::int64_t wait_for_registers(std::size_t i, std::int64_t behind) {
    std::int64_t own = 0;
    for (const auto reg : written_registers(at(i))) own += (routine_.registers[reg].type.bits + 31) / 32;
    for (;;) {
      std::erase_if(ahead_, [&](const Ahead& one) { return one.text <= behind; });
      std::int64_t waiting = own;
      for (const auto& one : ahead_) waiting += one.registers;
      if (waiting <= most_waiting_ || ahead_.empty()) break;
      behind = ahead_.front().text;
    }
    const auto text = static_cast<std::int64_t>(i);
    if (behind + 1 < text) {
      ++moved_;
      ahead_.push_back({text, own});
    }
    return behind;
  }

  static std::int64_t place_of(const std::map<std::uint32_t, std::int64_t>& places, std::uint32_t reg) {
    const auto found = places.find(reg);
    return found == places.end() ? kStart : found->second;
  }

  static void raise(std::map<std::uint32_t, std::int64_t>& places, std::uint32_t reg, std::int64_t place) {
    auto& known = places.emplace(reg, place).first->second;
    known = std::max(known, place);
  }

  void reorder() {
    std::ranges::sort(places_);
    std::vector<Instruction> ordered;
    std::vector<std::vector<std::uint32_t>> targets;
    for (const auto& [behind, rises, i] : places_) {
      ordered.push_back(std::move(routine_.instructions[first_ + i]));
      targets.push_back(std::move(routine_.targets[first_ + i]));
    }
    const auto start = static_cast<std::ptrdiff_t>(first_);
    std::ranges::move(ordered, routine_.instructions.begin() + start);
    std::ranges::move(targets, routine_.targets.begin() + start);
  }

  /// A moved load, by its place in the text.
  struct Ahead {
    std::int64_t text = 0, registers = 0;
  };

  Routine& routine_;
  std::size_t first_, size_;
  std::int64_t most_waiting_;
  std::vector<bool> rising_;
  /// By instruction: the place in the text to go behind, whether it moves there (else it is the place itself), and its
  /// index.
  std::vector<std::tuple<std::int64_t, bool, std::size_t>> places_;
  std::map<std::uint32_t, std::int64_t> written_, read_;  ///< the last place, by register
  std::int64_t last_fence_ = kStart, last_store_ = kStart;
  std::vector<Ahead> ahead_;
  std::size_t moved_ = 0;
};

}  // namespace

std::size_t hoist_loads(Routine& routine, std::int64_t most_waiting) {
  std::set<std::size_t> starts{0, routine.instructions.size()};
  for (std::size_t i = 0; i < routine.instructions.size(); ++i) {
    starts.insert(routine.targets[i].begin(), routine.targets[i].end());
    if (!routine.targets[i].empty() || orders_memory(routine.instructions[i])) starts.insert(i + 1);
  }
  std::size_t moved = 0;
  for (auto start = starts.begin(); *start < routine.instructions.size(); ++start)
    moved += Block(routine, *start, *std::next(start), most_waiting).hoist();
  return moved;
}

}  // namespace warpipe::ptx
