#include "unknown/last_group.hpp"

#include <map>
#include <vector>

#include "lanes/prepared.hpp"
#include "unknown/atomic_names.hpp"

namespace warpipe::isa {
namespace {

constexpr int kDeepest = 16;             // assignments between a counter and a guard
constexpr std::uint64_t kFewGroups = 2;  // below, a counter is a mark: the first to come finds 0

/// A number in the groups before the last.
struct Usual {
  bool counts = false;      ///< a number of groups, but not of all
  bool of_counter = false;  ///< it follows from one
  std::uint64_t bits = 0;   ///< unless it counts
};

class UsualNumbers {
 public:
  explicit UsualNumbers(const ExecutionInput& input) : input_(input) {}

  std::optional<Usual> of(std::uint32_t reader, const Input& input, int deep = 0) {
    if (const auto known = known_number(input)) return Usual{.bits = *known};
    if (input.kind != Input::Kind::Register || deep > kDeepest) return std::nullopt;
    const auto writers = input_.definitions.writers(reader, input.registers.first);
    if (writers.size() != 1) return std::nullopt;
    auto found = written(*writers.begin(), input.registers.first, deep);
    if (found && input.negated) found->bits ^= 1;
    return found;
  }

 private:
  const Instruction& at(std::uint32_t i) const { return input_.program.instructions[i]; }

  /// Of the text or of the launch.
  std::optional<std::uint64_t> known_number(const Input& input) const {
    if (input.kind == Input::Kind::Constant) return input.bits;
    if (input.kind == Input::Kind::Parameter) return input_.arguments[input.index].bits;
    if (input.kind != Input::Kind::Special || input.special.name != Special::Name::GridSize) return std::nullopt;
    return static_cast<std::uint64_t>(input_.launch.grid[input.special.axis]);
  }

  std::optional<Usual> written(std::uint32_t writer, std::uint32_t reg, int deep) {
    if (at(writer).access) {
      const auto [known, is_new] = loaded_.try_emplace(writer);  // nothing, where a number follows from itself
      return is_new ? known->second = loaded(writer, deep) : known->second;
    }
    for (const auto& assignment : at(writer).assignments)
      for (std::size_t i = 0; i < assignment.outputs.size(); ++i) {
        if (assignment.outputs[i].registers.first != reg) continue;
        auto found = result(writer, assignment, deep + 1);
        if (found && i == 1) found->bits ^= 1;  // the negation of a comparison
        return found;
      }
    return std::nullopt;
  }

  std::optional<Usual> result(std::uint32_t i, const Assignment& assignment, int deep) {
    if (const auto comparison = compared(i, assignment, deep)) return comparison;
    std::vector<std::uint64_t> bits;
    bool of_counter = false;
    for (const auto& input : assignment.inputs) {
      const auto usual = of(i, input, deep);
      if (!usual) return std::nullopt;
      if (usual->counts) return assignment.operation.op == LaneOp::Move ? usual : std::nullopt;
      of_counter = of_counter || usual->of_counter;
      bits.push_back(usual->bits);
    }
    if (bits.empty()) return std::nullopt;  // of an instruction that is not known
    const auto made = evaluate(assignment.operation, bits);
    return made ? std::optional(Usual{.of_counter = of_counter, .bits = *made}) : std::nullopt;
  }

  /// The comparison of a counter with a number.
  std::optional<Usual> compared(std::uint32_t i, const Assignment& assignment, int deep) {
    const auto comparison = assignment.operation.comparison;
    const bool equal = comparison == Comparison::Equal, differs = comparison == Comparison::NotEqual;
    if (!compares_alone(assignment) || (!equal && !differs)) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto usual = of(i, assignment.inputs[side], deep);
      const auto& other = assignment.inputs[1 - side];
      const bool is_mark = other.kind == Input::Kind::Constant && other.bits < kFewGroups;
      if (usual && usual->counts && !is_mark) return Usual{.of_counter = true, .bits = differs ? 1U : 0U};
    }
    return std::nullopt;
  }

  std::optional<Usual> loaded(std::uint32_t i, int deep) {
    const auto& access = *at(i).access;
    if (access.kind == Access::Kind::Atomic && access.space != Space::Shared && is_addition(at(i)))
      return Usual{.counts = true};
    if (access.kind != Access::Kind::Load || access.space != Space::Shared) return std::nullopt;
    std::optional<Usual> common;
    for (std::uint32_t store = 0; store < input_.program.instructions.size(); ++store) {
      const auto& to = at(store).access;
      if (!to || to->kind != Access::Kind::Store || to->space != Space::Shared || to->bytes != access.bytes) continue;
      const auto stored = to->stored.size() == 1 ? of(store, to->stored.front(), deep + 1) : std::nullopt;
      if (!stored || (common && common->bits != stored->bits)) return std::nullopt;
      if (!common || stored->of_counter) common = stored;
    }
    return common;
  }

  const ExecutionInput& input_;
  std::map<std::uint32_t, std::optional<Usual>> loaded_;  ///< by load or atomic
};

}  // namespace

std::optional<std::uint64_t> handed_out(const ExecutionInput& input, std::uint32_t jump) {
  const auto found = comparison_of(input, jump);
  if (!found || found->assignment->inputs.size() < 2) return std::nullopt;
  UsualNumbers numbers(input);
  const auto one = numbers.of(found->instruction, found->assignment->inputs[0]);
  const auto other = numbers.of(found->instruction, found->assignment->inputs[1]);
  if (!one || !other || one->counts == other->counts) return std::nullopt;
  return one->counts ? other->bits : one->bits;
}

std::optional<bool> jumps_before_last_group(const ExecutionInput& input, std::uint32_t jump) {
  const auto& guard = input.program.instructions[jump].guard;
  if (!guard) return std::nullopt;
  const auto usual = UsualNumbers(input).of(jump, *guard);
  if (!usual || !usual->of_counter) return std::nullopt;
  return usual->bits != 0;
}

}  // namespace warpipe::isa
