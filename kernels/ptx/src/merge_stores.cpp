#include "merge_stores.hpp"

#include <iterator>
#include <optional>
#include <utility>

namespace warpipe::ptx {
namespace {

/// A side of a branch with stores only: [first, last), and the instruction where it goes on.
struct Side {
  std::uint32_t first = 0, last = 0, next = 0;
  bool jumps = false;  ///< to `next`, by an instruction at `last`
};

bool is_plain_store(const Instruction& instruction) {
  return instruction.opcode() == "st" && is_access(instruction) && !instruction.guard && !instruction.has("volatile") &&
         instruction.operands.size() == 2;
}

bool same_place(const Operand& a, const Operand& b) {
  return a.has_register == b.has_register && a.name == b.name && a.offset == b.offset &&
         (!a.has_register || a.reg == b.reg);
}

class Merger {
 public:
  explicit Merger(Routine& routine) : routine_(routine), jumps_to_(routine.instructions.size() + 1, 0) {
    for (const auto& targets : routine.targets)
      for (const auto target : targets) ++jumps_to_[target];
  }

  std::size_t run() {
    const auto count = static_cast<std::uint32_t>(routine_.instructions.size());
    gone_.assign(count, false);
    added_.resize(count);
    for (std::uint32_t i = 0; i + 1 < count; ++i) consider(i);
    if (merged_ > 0) rewrite();
    return merged_;
  }

 private:
  const Instruction& at(std::uint32_t i) const { return routine_.instructions[i]; }

  std::optional<Side> side_at(std::uint32_t first) const {
    const auto count = routine_.instructions.size();
    Side side{first, first, first, false};
    while (side.last < count && is_plain_store(at(side.last)) && (side.last == first || jumps_to_[side.last] == 0))
      ++side.last;
    if (side.last == first || side.last == count) return std::nullopt;
    side.jumps = jumps_to_[side.last] == 0 && is_plain_jump(at(side.last));
    side.next = side.jumps ? routine_.targets[side.last].front() : side.last;
    return side;
  }

  bool match(const Side& a, const Side& b) const {
    if (a.next != b.next || a.last - a.first != b.last - b.first) return false;
    for (std::uint32_t k = 0; k < a.last - a.first; ++k) {
      const auto &x = at(a.first + k), &y = at(b.first + k);
      if (x.name != y.name || !same_place(x.operands[0], y.operands[0])) return false;
      if (x.operands[1].parts.size() != y.operands[1].parts.size()) return false;
    }
    return true;
  }

  void consider(std::uint32_t branch) {
    const auto& read = at(branch);
    if (read.opcode() != "bra" || !read.guard || routine_.targets[branch].size() != 1 || gone_[branch]) return;
    const auto behind = branch + 1;
    const bool over = is_plain_jump(at(behind)) && jumps_to_[behind] == 0;  // both sides are jumped to
    const auto taken = side_at(routine_.targets[branch].front());
    const auto other = side_at(over ? routine_.targets[behind].front() : behind);
    if (!taken || !other || taken->first <= branch || other->first <= branch || !match(*taken, *other)) return;
    // No other branch leads there.
    if (jumps_to_[taken->first] != 1 || jumps_to_[other->first] != (over ? 1 : 0)) return;
    if (falls_into(taken->first) || (over && falls_into(other->first))) return;
    merge(branch, *taken, *other);
    if (over) gone_[behind] = true;
  }

  bool falls_into(std::uint32_t place) const {
    const auto& before = at(place - 1);
    return !(is_plain_jump(before) || before.opcode() == "ret" || before.opcode() == "exit") || before.guard;
  }

  void merge(std::uint32_t branch, const Side& taken, const Side& other) {
    auto& added = added_[branch];
    for (std::uint32_t k = 0; k < taken.last - taken.first; ++k) {
      auto store = at(taken.first + k);
      store.operands[1] = selected(at(branch), store, store.operands[1], at(other.first + k).operands[1], added);
      added.emplace_back(std::move(store), std::vector<std::uint32_t>());
      ++merged_;
    }
    auto jump = at(branch);
    jump.guard.reset();
    added.emplace_back(std::move(jump), std::vector{taken.next});
    gone_[branch] = true;
    for (const auto& side : {taken, other})
      for (auto i = side.first; i < side.last + (side.jumps ? 1 : 0); ++i) gone_[i] = true;
  }

  using Added = std::vector<std::pair<Instruction, std::vector<std::uint32_t>>>;

  Operand selected(const Instruction& branch, const Instruction& store, const Operand& yes, const Operand& no,
                   Added& added) {
    if (yes.kind == Operand::Kind::Vector) {
      auto vector = yes;
      for (std::size_t i = 0; i < yes.parts.size(); ++i)
        vector.parts[i] = selected(branch, store, yes.parts[i], no.parts[i], added);
      return vector;
    }
    Instruction select;
    const Type type{Type::Kind::Bits, store.type().bits > 32 ? 64 : store.type().bits > 16 ? 32 : 16};
    select.words = {"selp", ptx::to_string(type)};
    select.name = "selp." + ptx::to_string(type);
    select.types = {type};
    select.line = branch.line;
    select.source = branch.source;
    auto truth = *branch.guard;
    const bool turned = std::exchange(truth.negated, false);
    Operand result;
    result.kind = Operand::Kind::Register;
    result.reg = static_cast<std::uint32_t>(routine_.registers.size());
    routine_.registers.push_back({"%selected" + std::to_string(result.reg), type});
    select.operands = {result, turned ? no : yes, turned ? yes : no, truth};
    added.emplace_back(std::move(select), std::vector<std::uint32_t>());
    return result;
  }

  void rewrite() {
    const auto old = std::exchange(routine_.instructions, {});
    auto targets = std::exchange(routine_.targets, {});
    std::vector<std::uint32_t> moved_to;
    const auto end = [&] { return static_cast<std::uint32_t>(routine_.instructions.size()); };
    for (std::size_t i = 0; i < old.size(); ++i) {
      moved_to.push_back(end());
      for (auto& [instruction, to] : added_[i]) {
        routine_.instructions.push_back(std::move(instruction));
        routine_.targets.push_back(std::move(to));
      }
      if (gone_[i]) continue;
      routine_.instructions.push_back(old[i]);
      routine_.targets.push_back(std::move(targets[i]));
    }
    moved_to.push_back(end());
    for (auto place = routine_.labels.begin(); place != routine_.labels.end();)
      place = place->first < old.size() && gone_[place->first] && added_[place->first].empty()
                  ? routine_.labels.erase(place)
                  : std::next(place);
    renumber(routine_, moved_to);
  }

  Routine& routine_;
  std::vector<int> jumps_to_;  ///< by instruction
  std::vector<bool> gone_;
  std::vector<Added> added_;  ///< in front of an instruction
  std::size_t merged_ = 0;
};

}  // namespace

std::size_t merge_stores(Routine& routine) { return Merger(routine).run(); }

}  // namespace warpipe::ptx
