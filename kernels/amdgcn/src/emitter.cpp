#include "emitter.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "lines.hpp"

namespace warpipe::amdgcn {
namespace {

using isa::Input;
using isa::LaneOp;
using isa::Type;

constexpr Type kLaneWord{Type::Kind::Unsigned, 32}, kLaneTruth{Type::Kind::Predicate, 1};

isa::LaneOperation simple(LaneOp op, Type type) {
  isa::LaneOperation made;
  made.op = op;
  made.type = made.result = type;
  return made;
}

/// First bit and length of "BYTE_1", "WORD_0".
std::pair<int, int> bits_of_section(const std::string& section) {
  const int number = section.back() - '0';
  return section.starts_with("BYTE") ? std::pair{8 * number, 8} : std::pair{16 * number, 16};
}

/// The result of an operation on numbers in the text.
std::optional<std::uint64_t> constant_result(const isa::LaneOperation& operation, const std::vector<Input>& inputs) {
  std::vector<std::uint64_t> numbers;
  for (const auto& input : inputs) {
    if (input.kind != Input::Kind::Constant) return std::nullopt;
    numbers.push_back(input.bits);
  }
  if (is_across_lanes(operation.op)) return std::nullopt;
  return isa::evaluate(operation, numbers);
}

std::uint64_t bits_of_real(double real, Type type) {
  if (type.bits == 64) return std::bit_cast<std::uint64_t>(real);
  return std::bit_cast<std::uint32_t>(static_cast<float>(real));
}

}  // namespace

isa::Input Emitter::constant(std::uint64_t bits) const {
  Input made;
  made.bits = bits;
  return made;
}

isa::RegisterRange Emitter::own(Type type) {
  const std::size_t width = type.bits == 1 ? 0 : type.bits <= 32 ? 1 : 2;
  if (owned_[width] == kOwnOfAWidth)
    throw Problem{"an instruction with its pattern of lanes is made of a few steps",
                  fmt::format("found \"{}\" of more than {}", made_.name, kOwnOfAWidth), ""};
  const auto file = made_.per_lane ? 0 : 3 * kOwnOfAWidth;
  return {kOwn + file + static_cast<std::uint32_t>(width) * kOwnOfAWidth + owned_[width]++, 1};
}

isa::RegisterRange Emitter::range_of(const BoundOperand& operand, std::uint32_t words) const {
  return registers_.range_of(operand.operand, words);
}

isa::Input Emitter::read(const BoundOperand& bound, Type type) {
  const auto& operand = bound.operand;
  if (operand.kind == Operand::Kind::Number) {
    const bool upper = type.kind == Type::Kind::Float && type.bits == 64 && operand.hex;
    return constant(isa::truncated(upper ? operand.bits << 32 : operand.bits, type.bits));
  }
  if (operand.kind == Operand::Kind::Real) return constant(bits_of_real(operand.real, type));
  if (!operand.is_register()) return constant(0);
  Input made;
  made.kind = Input::Kind::Register;
  const bool truth = operand.kind == Operand::Kind::Scalar && operand.first == kScc;
  const std::uint32_t words = truth ? 1 : bound.mask ? wave_mask(0).count : type.bits > 32 ? 2 : 1;
  made.registers = registers_.range_of(operand, words);
  made.bit_of_lane = bound.mask;
  made_.reads.push_back(made.registers);
  if (bound.mask || truth) return made;
  return changed(made, bound, type);
}

/// Sections, signs and magnitudes of a source.
isa::Input Emitter::changed(Input input, const BoundOperand& bound, Type type) {
  if (!bound.section.empty() && bound.section != "DWORD") {
    const auto [first, bits] = bits_of_section(bound.section);
    input = apply(simple(LaneOp::ExtractBits, {bound.operand.widened ? Type::Kind::Signed : Type::Kind::Unsigned, 32}),
                  {input, constant(static_cast<std::uint64_t>(first)), constant(static_cast<std::uint64_t>(bits))});
  }
  const auto sign = std::uint64_t{1} << (std::max(type.bits, 16) - 1);
  const Type bits{Type::Kind::Unsigned, type.bits};
  if (bound.operand.absolute) input = apply(simple(LaneOp::And, bits), {input, constant(sign - 1)});
  if (bound.operand.negated) input = apply(simple(LaneOp::Xor, bits), {input, constant(sign)});
  return input;
}

isa::Input Emitter::apply(const isa::LaneOperation& operation, std::vector<Input> inputs, const isa::Output* to) {
  isa::Assignment made;
  made.operation = operation;
  made.inputs = std::move(inputs);
  made.outputs = {to != nullptr ? *to : isa::Output{own(operation.result), false}};
  Input result;
  result.kind = Input::Kind::Register;
  result.registers = made.outputs.front().registers;
  made_.assignments.push_back(std::move(made));
  return result;
}

isa::Input Emitter::leaf(const std::string& name, Type type) {
  if (const auto given = names.find(name); given != names.end()) {
    const auto expression = given->second;
    names.erase(name);  // it may read the operand of the same name
    const auto result = value_of(expression, type);
    names.emplace(name, expression);
    return result;
  }
  if (const auto found = own_names_.find(name); found != own_names_.end()) {
    Input made;
    made.kind = Input::Kind::Register;
    made.registers = found->second;
    return made;
  }
  Input made;
  if (name == "scc" || name == "exec" || name == "vcc") {
    made.kind = Input::Kind::Register;
    made.registers = name == "scc" ? isa::RegisterRange{kScc, 1} : wave_mask(name == "exec" ? kExec : kVcc);
    made_.reads.push_back(made.registers);
    return made;
  }
  if (name == "lane" || name == "below_lo" || name == "below_hi") {
    made.kind = Input::Kind::Special;
    made.special.name = name == "lane" ? isa::Special::Name::LaneIndex : isa::Special::Name::LanesBelow;
    if (name != "below_hi") return made;
    auto upper = simple(LaneOp::ShiftRight, {Type::Kind::Unsigned, 64});
    upper.result = kLaneWord;
    return apply(upper, {made, constant(32)});
  }
  if (name == "lanes_less_1") return constant(static_cast<std::uint64_t>(lanes_ - 1));
  const auto found = operands_.find(name);
  if (found == operands_.end()) throw std::logic_error("the opcode table reads \"" + name + "\"");
  return read(found->second, type);
}

isa::Input Emitter::value_of(const Expression& expression, Type type) {
  if (!expression.name.empty()) return leaf(expression.name, type);
  if (expression.inputs.empty() && expression.operation.op == LaneOp::Move)
    return constant(isa::truncated(expression.number, type.bits));
  return operation(expression, nullptr);
}

isa::Input Emitter::operation(const Expression& expression, const isa::Output* to) {
  const auto& operation = expression.operation;
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < expression.inputs.size(); ++i) {
    auto type = operation.type;
    // Distances, places, lanes and chosen truths have types of their own.
    const bool shift = operation.op == LaneOp::ShiftLeft || operation.op == LaneOp::ShiftRight;
    if ((shift && i == 1) || (operation.op == LaneOp::ExtractBits && i > 0) ||
        (operation.op == LaneOp::InsertBits && i > 1) || (operation.op == LaneOp::FromLane && i == 1))
      type = kLaneWord;
    if (operation.op == LaneOp::Select && i == 2) type = kLaneTruth;
    if ((operation.op == LaneOp::Add || operation.op == LaneOp::Subtract || operation.op == LaneOp::Carry ||
         operation.op == LaneOp::Borrow) &&
        i == 2)
      type = kLaneTruth;
    if (operation.op == LaneOp::MultiplyAddWide && i == 2) type = operation.result;
    inputs.push_back(value_of(expression.inputs[i], type));
  }
  if (to == nullptr)
    if (const auto known = constant_result(operation, inputs)) return constant(*known);
  return apply(operation, std::move(inputs), to);
}

isa::Output Emitter::write(const std::string& name, Type type) {
  isa::Output made;
  if (name == "t" || name == "u") {
    made.registers = own_names_[name] = own(type);
    return made;
  }
  if (name == "scc") {
    made.registers = {kScc, 1};
  } else if (name == "exec" || name == "cmpx") {
    made.registers = wave_mask(kExec);
    made.bit_of_lane = name == "cmpx";
  } else {
    const auto& bound = operands_.at(name);
    if (!bound.operand.is_register()) return {{0, 0}, false};
    made.registers = registers_.range_of(bound.operand, bound.mask ? wave_mask(0).count : bound.words);
    made.bit_of_lane = bound.mask && made_.per_lane;
  }
  made_.writes.push_back(made.registers);
  return made;
}

void Emitter::unknown(const isa::Output& to) {
  for (std::uint32_t i = 0; i < to.registers.count;) {
    // A number has at most 64 bits.
    const auto words = to.bit_of_lane ? to.registers.count : std::min<std::uint32_t>(2, to.registers.count - i);
    isa::Assignment made;
    made.outputs = {{{to.registers.first + i, words}, to.bit_of_lane}};
    made_.assignments.push_back(std::move(made));
    i += words;
  }
}

void Emitter::assign(const Statement& statement) {
  const auto& value = statement.value;
  const bool simple_leaf =
      !value.name.empty() || (value.inputs.empty() && !value.is_unknown && value.operation.op == LaneOp::Move);
  auto type = value.operation.result;
  if (simple_leaf) type = kLaneWord;
  if (value.is_unknown) return unknown(write(statement.to, kLaneWord));
  const bool result = statement.to == "d" && type.kind == Type::Kind::Float;
  const bool section = statement.to == "d" && !result_section.empty() && result_section != "DWORD";
  auto changed_value = value;
  if (result && saturate && factor == 1) changed_value.operation.saturate = true;
  if ((result && factor != 1) || section) {
    auto number = simple_leaf ? value_of(value, type) : operation(changed_value, nullptr);
    if (result && factor != 1) {
      auto product = simple(LaneOp::Multiply, type);
      product.saturate = saturate;
      number = apply(product, {number, constant(bits_of_real(factor, type))});
    }
    if (section) {
      const auto [first, bits] = bits_of_section(result_section);
      const bool keeps = unused == "UNUSED_PRESERVE";
      auto old = constant(0);
      if (keeps) old = read(operands_.at("d"), kLaneWord);
      number = apply(simple(LaneOp::InsertBits, kLaneWord), {number, old, constant(static_cast<std::uint64_t>(first)),
                                                             constant(static_cast<std::uint64_t>(bits))});
    }
    const auto to = write(statement.to, type);
    apply(simple(LaneOp::Move, type), {number}, &to);
    return;
  }
  if (simple_leaf) {
    const auto number = value_of(value, type);
    const auto to = write(statement.to, type);
    apply(simple(LaneOp::Move, type), {number}, &to);
    return;
  }
  // Reads are noted before writes.
  const auto to = write(statement.to, type);
  if (to.registers.count == 0 || !(statement.to == "t" || statement.to == "u")) {
    if (to.registers.count > 0) operation(changed_value, &to);
    return;
  }
  operation(changed_value, &to);
}

void Emitter::run(const std::vector<Statement>& statements) {
  for (const auto& statement : statements) assign(statement);
}

void Emitter::run_packed(const std::string& name, const TextInstruction& text) {
  const auto selected = [&](const char* modifier, std::size_t source, int otherwise) {
    const auto list = text.modifier(modifier);
    std::size_t at = 0;
    if (list)
      for (const char c : *list)
        if (c == '0' || c == '1') {
          if (at++ == source) return c - '0';
        }
    return otherwise;
  };
  const Type type{Type::Kind::Float, 32};
  const auto word_of = [&](std::size_t source, int word) {
    const auto& bound = operands_.at(std::string(1, static_cast<char>('a' + source)));
    if (!bound.operand.is_register()) return read(bound, type);
    auto part = bound;
    part.operand.first += static_cast<std::uint32_t>(word);
    part.operand.count = 1;
    return read(part, type);
  };
  std::vector<Input> words;
  if (name.empty()) {
    for (std::size_t half = 0; half < 2; ++half) words.push_back(word_of(half, selected("op_sel", half, 0)));
  } else {
    auto operation = parse_semantics("d=" + name + "(a,b)").front().value.operation;
    operation.saturate = saturate;
    for (const int half : {0, 1}) {
      std::vector<Input> inputs;
      for (std::size_t source = 0; operands_.contains(std::string(1, static_cast<char>('a' + source))); ++source) {
        auto input = word_of(source, half == 0 ? selected("op_sel", source, 0) : selected("op_sel_hi", source, 1));
        if (selected(half == 0 ? "neg_lo" : "neg_hi", source, 0) != 0)
          input = apply(simple(LaneOp::Xor, kLaneWord), {input, constant(0x80000000)});
        inputs.push_back(input);
      }
      words.push_back(apply(operation, std::move(inputs)));
    }
  }
  const auto to = write("d", {Type::Kind::Unsigned, 64});
  apply(simple(LaneOp::Move, {Type::Kind::Bits, 64}), words, &to);
}

}  // namespace warpipe::amdgcn
