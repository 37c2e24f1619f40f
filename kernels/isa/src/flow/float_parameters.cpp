#include "warpipe/isa/float_parameters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {
namespace {

/// The parameters that a word of 32 bits may hold; kNoParameter stands for any other content.
using Content = std::set<std::uint32_t>;
using Words = std::vector<Content>;  ///< the lowest word first

const Content kAnything{kNoParameter};
constexpr int kWordBits = 32;

const Content& word_of(const Words& words, std::size_t place) {
  return place < words.size() ? words[place] : kAnything;
}

std::size_t words_in(int bits) { return static_cast<std::size_t>((bits + kWordBits - 1) / kWordBits); }

bool is_constant(const Input& input) { return input.kind == Input::Kind::Constant; }

/// The registers that a result goes to, its lowest words first.
std::vector<std::uint32_t> results_of(const Assignment& assignment) {
  std::vector<std::uint32_t> registers;
  for (const auto& output : assignment.outputs)
    for (std::uint32_t k = 0; k < output.registers.count; ++k) registers.push_back(output.registers.first + k);
  return registers;
}

/// The inputs an operation passes on unchanged, or with another sign.
std::vector<std::size_t> passed_on(const Assignment& assignment) {
  const auto& inputs = assignment.inputs;
  std::vector<std::size_t> places;
  switch (assignment.operation.op) {
    case LaneOp::Move:
      for (std::size_t i = 0; i < inputs.size(); ++i) places.push_back(i);
      break;
    case LaneOp::Select:
    case LaneOp::SelectBySign:
      return {0, 1};
    case LaneOp::And:
    case LaneOp::Or:
    case LaneOp::Xor:
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!is_constant(inputs[i])) places.push_back(i);
      if (places.size() != 1) places.clear();
      break;
    case LaneOp::ShiftRight:  // the upper word of two
      if (inputs.size() > 1 && is_constant(inputs[1]) && inputs[1].bits == kWordBits) places = {0};
      break;
    default:
      break;
  }
  return places;
}

/// Whether an operation takes its inputs as patterns of bits, without a hint at their type.
bool takes_patterns(const LaneOperation& operation) {
  switch (operation.op) {
    case LaneOp::AndNot:
    case LaneOp::And:
    case LaneOp::Or:
    case LaneOp::Xor:
    case LaneOp::Not:
    case LaneOp::Logic3:
    case LaneOp::Permute:
    case LaneOp::Load:
    case LaneOp::Unknown:
      return true;
    default:
      return is_across_lanes(operation.op);
  }
}

/// The uses of a program's parameters by instructions.
class Uses {
 public:
  Uses(const Program& program, const ReachingDefinitions& definitions)
      : program_(program),
        definitions_(definitions),
        may_hold_(program.registers.size(), false),
        written_(program.instructions.size()) {
    std::vector<std::uint32_t> copies;
    const auto passes_on = [](const Assignment& one) { return !passed_on(one).empty(); };
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
      if (std::ranges::any_of(program.instructions[i].assignments, passes_on)) copies.push_back(i);
    const auto until_none_changes = [&](const auto& step) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const auto i : copies) changed |= step(i);
      }
    };
    until_none_changes([this](std::uint32_t i) { return find_holders(i); });
    for (const auto i : copies)  // with no known content at first
      for (const auto& assignment : program.instructions[i].assignments)
        for (const auto reg : results_of(assignment)) written_[i][reg].resize(words_in(program.registers[reg].bits));
    until_none_changes([this](std::uint32_t i) { return follow(i); });
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) note(i);
  }

  /// A float instruction with the parameter as its only possible input is sure. Where another number may get there as
  /// well, as behind a write under a predicate, an instruction on whole numbers tells more.
  bool is_float(std::uint32_t parameter) const {
    return floats_.contains(parameter) || (perhaps_floats_.contains(parameter) && !wholes_.contains(parameter));
  }

 private:
  using Written = std::map<std::uint32_t, Words>;  ///< by register

  Words words_of(const Input& input, std::uint32_t instruction, const Written& before) const {
    if (input.kind == Input::Kind::Parameter && input.index != kNoParameter && !input.part)
      return Words(words_in(program_.parameters[input.index].type.bits), Content{input.index});
    if (input.kind != Input::Kind::Register) return {};
    Words words;
    for (std::uint32_t k = 0; k < input.registers.count; ++k) {
      const auto found = register_words(input.registers.first + k, instruction, before);
      words.insert(words.end(), found.begin(), found.end());
    }
    return words;
  }

  /// @param before  the results of the instruction's earlier assignments
  Words register_words(std::uint32_t reg, std::uint32_t instruction, const Written& before) const {
    if (const auto own = before.find(reg); own != before.end()) return own->second;
    Words words(words_in(program_.registers[reg].bits));
    const auto writers = may_hold_[reg] ? definitions_.writers(instruction, reg) : std::vector<std::uint32_t>();
    for (std::size_t place = 0; place < words.size(); ++place) {
      if (writers.empty()) words[place] = kAnything;
      for (const auto writer : writers) {
        const auto found = written_[writer].find(reg);
        const auto& more = found == written_[writer].end() ? kAnything : word_of(found->second, place);
        words[place].insert(more.begin(), more.end());
      }
    }
    return words;
  }

  /// Of a result as a whole.
  Words result_words(const Assignment& assignment, const std::vector<Words>& inputs) const {
    const auto places = passed_on(assignment);
    const auto& operation = assignment.operation;
    if (places.empty()) return {};
    if (operation.op == LaneOp::ShiftRight) return {word_of(inputs[0], 1), kAnything};
    Words words;
    if (operation.op == LaneOp::Move && inputs.size() > 1) {  // packed
      const auto each = operation.type.bits / static_cast<int>(inputs.size()) / kWordBits;
      for (const auto& input : inputs)
        for (int k = 0; k < each; ++k) words.push_back(word_of(input, static_cast<std::size_t>(k)));
      return words;
    }
    for (const auto place : places) words.resize(std::max(words.size(), inputs[place].size()));
    for (std::size_t k = 0; k < words.size(); ++k)
      for (const auto place : places) {
        const auto& more = word_of(inputs[place], k);
        words[k].insert(more.begin(), more.end());
      }
    return words;
  }

  /// Calls `visit` with each assignment and the contents of its inputs.
  /// @return the contents written by the instruction
  template <class Visit>
  Written go_through(std::uint32_t instruction, const Visit& visit) const {
    Written written;
    for (const auto& assignment : program_.instructions[instruction].assignments) {
      std::vector<Words> inputs;
      for (const auto& input : assignment.inputs) inputs.push_back(words_of(input, instruction, written));
      visit(assignment, inputs);
      const auto result = result_words(assignment, inputs);
      std::size_t place = 0;
      for (const auto reg : results_of(assignment)) {
        auto& words = written[reg];
        words.clear();
        for (auto left = words_in(program_.registers[reg].bits); left > 0; --left)
          words.push_back(word_of(result, place++));
      }
    }
    return written;
  }

  /// Notes the registers into which an instruction may copy a parameter, wherever it stands.
  bool find_holders(std::uint32_t instruction) {
    bool changed = false;
    for (const auto& assignment : program_.instructions[instruction].assignments) {
      const auto places = passed_on(assignment);
      const bool holds = std::ranges::any_of(places, [&](std::size_t place) {
        const auto& [kind, from] = std::tie(assignment.inputs[place].kind, assignment.inputs[place].registers);
        if (kind == Input::Kind::Parameter) return true;
        for (std::uint32_t k = 0; kind == Input::Kind::Register && k < from.count; ++k)
          if (may_hold_[from.first + k]) return true;
        return false;
      });
      for (const auto reg : results_of(assignment)) {
        changed |= holds && !may_hold_[reg];
        may_hold_[reg] = may_hold_[reg] || holds;
      }
    }
    return changed;
  }

  /// @return whether an instruction may write more than known before
  bool follow(std::uint32_t instruction) {
    auto found = go_through(instruction, [](const Assignment&, const std::vector<Words>&) {});
    const bool changed = found != written_[instruction];
    written_[instruction] = std::move(found);
    return changed;
  }

  void note(std::uint32_t instruction) {
    go_through(instruction, [&](const Assignment& assignment, const std::vector<Words>& inputs) {
      if (takes_patterns(assignment.operation)) return;
      const auto passed = passed_on(assignment);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (std::ranges::find(passed, i) == passed.end())
          for (const auto& word : inputs[i]) note(word, assignment.operation.type);
    });
    const auto& access = program_.instructions[instruction].access;
    if (!access) return;
    for (const auto& word : words_of(access->base, instruction, {})) note(word, {Type::Kind::Unsigned, 64});
    if (!access->uniform_base) return;
    for (const auto& word : words_of(*access->uniform_base, instruction, {})) note(word, {Type::Kind::Unsigned, 64});
  }

  void note(const Content& word, Type type) {
    const bool sure = word.size() == 1;
    for (const auto parameter : word) {
      if (parameter == kNoParameter) continue;
      if (type.kind != Type::Kind::Float)
        wholes_.insert(parameter);
      else if (program_.parameters[parameter].type.bits == type.bits)
        (sure ? floats_ : perhaps_floats_).insert(parameter);
    }
  }

  const Program& program_;
  const ReachingDefinitions& definitions_;
  std::vector<bool> may_hold_;    ///< by register: a parameter, somewhere
  std::vector<Written> written_;  ///< by instruction
  std::set<std::uint32_t> floats_, perhaps_floats_, wholes_;
};

}  // namespace

void mark_float_parameters(Program& program, const ReachingDefinitions& definitions) {
  const auto is_open = [](const Parameter& one) {
    return one.type.kind == Type::Kind::Bits && one.elements == 1 && (one.type.bits == 32 || one.type.bits == 64);
  };
  if (std::ranges::none_of(program.parameters, is_open)) return;
  const Uses uses(program, definitions);
  for (std::uint32_t i = 0; i < program.parameters.size(); ++i)
    if (auto& parameter = program.parameters[i]; is_open(parameter) && uses.is_float(i))
      parameter.type.kind = Type::Kind::Float;
}

}  // namespace warpipe::isa
