#include "argument_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::amdgcn {
namespace {

using isa::Assignment;
using isa::Input;
using isa::LaneOp;
using Words = std::set<std::int64_t>;

constexpr std::int64_t kWordBytes = 4, kPairBytes = 8;

class UseFinder {
 public:
  UseFinder(const isa::Program& program, const isa::ControlFlow& flow,
            const std::map<std::uint32_t, std::int64_t>& loads)
      : program_(program), definitions_(program, flow) {
    for (const auto& [load, offset] : loads) {
      const auto to = program.instructions[load].writes.front();
      for (std::uint32_t k = 0; k < to.count; ++k)
        held_[{load, to.first + k}] = {offset + kWordBytes * static_cast<std::int64_t>(k)};
    }
    follow_copies();
  }

  ArgumentUses run() {
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) note(i);
    for (const auto low : lower_sums_)
      if (upper_sums_.contains(low + kWordBytes)) uses_.wide.insert(low);
    return std::move(uses_);
  }

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // an instruction, and a register written by it

  static bool is_copy(const Assignment& assignment) {
    return assignment.operation.op == LaneOp::Move || assignment.operation.op == LaneOp::Select;
  }

  /// The registers a copy may take its result from, by input, each time as many as the result has.
  static std::vector<std::vector<std::uint32_t>> copied(const Assignment& assignment) {
    std::vector<std::vector<std::uint32_t>> all;
    const auto add = [](std::vector<std::uint32_t>& to, const Input& input) {
      const auto count = input.kind == Input::Kind::Register ? input.registers.count : 0;
      for (std::uint32_t k = 0; k < count; ++k) to.push_back(input.registers.first + k);
    };
    if (assignment.operation.op == LaneOp::Move) {
      all.emplace_back();
      for (const auto& input : assignment.inputs) add(all.back(), input);
      return all;
    }
    for (std::size_t side = 0; side < 2; ++side) add(all.emplace_back(), assignment.inputs[side]);
    return all;
  }

  void follow_copies() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < program_.instructions.size(); ++i)
        for_each_assignment(i, [&](const Assignment& assignment) {
          if (is_copy(assignment)) changed |= pass_on(i, assignment);
        });
    }
  }

  /// Visits the assignments in order: each finds in registers the results of earlier assignments.
  template <class Visit>
  void for_each_assignment(std::uint32_t i, const Visit& visit) {
    for (const auto& assignment : program_.instructions[i].assignments) {
      visit(assignment);
      for (const auto& output : assignment.outputs)
        for (std::uint32_t k = 0; k < output.registers.count; ++k) own_.insert(output.registers.first + k);
    }
    own_.clear();
  }

  bool pass_on(std::uint32_t i, const Assignment& assignment) {
    std::vector<std::uint32_t> to;
    for (const auto& output : assignment.outputs)
      for (std::uint32_t k = 0; k < output.registers.count; ++k) to.push_back(output.registers.first + k);
    bool changed = false;
    for (const auto& from : copied(assignment))
      for (std::size_t k = 0; k < to.size() && from.size() == to.size(); ++k) {
        const auto words = words_of(i, from[k]);
        if (words.empty()) continue;
        auto& held = held_[{i, to[k]}];
        const auto before = held.size();
        held.insert(words.begin(), words.end());
        changed |= held.size() != before;
      }
    return changed;
  }

  /// The words possibly in a register before an instruction.
  Words words_of(std::uint32_t i, std::uint32_t reg) const {
    if (own_.contains(reg)) {
      const auto found = held_.find({i, reg});
      return found == held_.end() ? Words{} : found->second;
    }
    Words words;
    for (const auto writer : definitions_.writers(i, reg))
      if (const auto found = held_.find({writer, reg}); found != held_.end())
        words.insert(found->second.begin(), found->second.end());
    return words;
  }

  Words words_of(std::uint32_t i, const Input& input, std::uint32_t k = 0) const {
    return input.kind == Input::Kind::Register && k < input.registers.count ? words_of(i, input.registers.first + k)
                                                                            : Words{};
  }

  void note(std::uint32_t i) {
    const auto& instruction = program_.instructions[i];
    std::set<std::uint32_t> copied_registers;
    for_each_assignment(i, [&](const Assignment& assignment) {
      if (is_copy(assignment)) {
        for (const auto& side : copied(assignment)) copied_registers.insert(side.begin(), side.end());
        return;
      }
      for (const auto& input : assignment.inputs) note_pair(i, input);
      note_halves(i, assignment);
      note_sums(i, assignment);
    });
    if (const auto& access = instruction.access) {
      note_pair(i, access->base);
      if (access->uniform_base) note_pair(i, *access->uniform_base);
    }
    for (const auto& range : instruction.reads)
      for (std::uint32_t k = 0; k < range.count; ++k)
        if (!copied_registers.contains(range.first + k) || instruction.access)
          for (const auto word : words_of(i, range.first + k)) uses_.read.insert(word);
  }

  void note_pair(std::uint32_t i, const Input& input) {
    const auto upper = words_of(i, input, 1);
    for (const auto low : words_of(i, input))
      if (low % kPairBytes == 0 && upper.contains(low + kWordBytes)) uses_.wide.insert(low);
  }

  /// Notes the use of a half of a word: `and` with sixteen ones, or a shift by sixteen.
  void note_halves(std::uint32_t i, const Assignment& assignment) {
    const auto& inputs = assignment.inputs;
    const auto is_number = [&](std::size_t at, std::uint64_t number) {
      return at < inputs.size() && inputs[at].kind == Input::Kind::Constant && inputs[at].bits == number;
    };
    const auto op = assignment.operation.op;
    for (std::size_t at = 0; at < inputs.size(); ++at) {
      const bool half = (op == LaneOp::And && is_number(1 - at, 0xffff)) ||
                        (at == 0 && op == LaneOp::ShiftRight && is_number(1, 16)) ||
                        (at == 0 && op == LaneOp::ExtractBits && is_number(2, 16));
      if (!half || inputs[at].kind != Input::Kind::Register) continue;
      const auto words = words_of(i, inputs[at]);
      uses_.halved.insert(words.begin(), words.end());
    }
  }

  /// Notes the halves of a sum of 64 bits: the lower half gives a carry, the upper half takes it.
  void note_sums(std::uint32_t i, const Assignment& assignment) {
    const auto op = assignment.operation.op;
    const bool carries = op == LaneOp::Carry || op == LaneOp::Borrow;
    if (!carries && op != LaneOp::Add && op != LaneOp::Subtract) return;
    auto& sums = assignment.inputs.size() > 2 ? upper_sums_ : lower_sums_;
    for (const auto& input : assignment.inputs) {
      const auto words = words_of(i, input);
      if (carries || assignment.inputs.size() > 2) sums.insert(words.begin(), words.end());
    }
  }

  const isa::Program& program_;
  isa::ReachingDefinitions definitions_;
  std::map<Place, Words> held_;
  std::set<std::uint32_t> own_;  ///< registers written by earlier assignments of the same instruction
  Words lower_sums_, upper_sums_;
  ArgumentUses uses_;
};

/// The layout of the hidden arguments.
struct HiddenPlace {
  std::int64_t offset, bytes;
  const char* kind;
};
constexpr std::array<HiddenPlace, 13> kHidden{{{0, 4, "hidden_block_count_x"},
                                               {4, 4, "hidden_block_count_y"},
                                               {8, 4, "hidden_block_count_z"},
                                               {12, 2, "hidden_group_size_x"},
                                               {14, 2, "hidden_group_size_y"},
                                               {16, 2, "hidden_group_size_z"},
                                               {18, 2, "hidden_remainder_x"},
                                               {20, 2, "hidden_remainder_y"},
                                               {22, 2, "hidden_remainder_z"},
                                               {40, 8, "hidden_global_offset_x"},
                                               {48, 8, "hidden_global_offset_y"},
                                               {56, 8, "hidden_global_offset_z"},
                                               {120, 4, "hidden_dynamic_lds_size"}}};
constexpr std::int64_t kBlockSize = 12;  // in kHidden

bool is_hidden_place(std::int64_t offset) {
  return std::ranges::any_of(
      kHidden, [&](const HiddenPlace& one) { return one.offset <= offset && offset < one.offset + one.bytes; });
}

/// The start of the hidden arguments. The last word with a half read alone is the block's size, unless reads behind it
/// lead to places without a hidden argument.
std::optional<std::int64_t> find_hidden(const ArgumentUses& uses) {
  for (auto word = uses.halved.rbegin(); word != uses.halved.rend(); ++word) {
    const auto begin = *word - kBlockSize;
    if (begin < 0 || begin % kPairBytes != 0) continue;
    const bool fits = std::ranges::all_of(
        uses.read, [&](std::int64_t read) { return read < begin || is_hidden_place(read - begin); });
    const bool split =
        std::ranges::any_of(uses.wide, [&](std::int64_t wide) { return wide >= begin && wide < begin + kBlockSize; });
    if (fits && !split) return begin;
  }
  return std::nullopt;
}

}  // namespace

ArgumentUses find_argument_uses(const isa::Program& program, const isa::ControlFlow& flow,
                                const std::map<std::uint32_t, std::int64_t>& loads) {
  return UseFinder(program, flow, loads).run();
}

std::vector<KernelArgument> guess_arguments(const ArgumentUses& uses) {
  std::vector<KernelArgument> made;
  const auto hidden = find_hidden(uses);
  for (const auto word : uses.read) {
    if (hidden && word >= *hidden) break;
    if (!made.empty() && word < made.back().offset + made.back().bytes) continue;  // the upper half of a pair
    const bool upper = uses.wide.contains(word - kWordBytes);
    const auto offset = upper ? word - kWordBytes : word;
    const bool wide = upper || uses.wide.contains(word);
    made.push_back({fmt::format("arg_{}", offset), "", "by_value", offset, wide ? kPairBytes : kWordBytes});
  }
  if (hidden)
    for (const auto& one : kHidden) made.push_back({"", "", one.kind, *hidden + one.offset, one.bytes});
  return made;
}

}  // namespace warpipe::amdgcn
