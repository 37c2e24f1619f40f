#include "lane_maker.hpp"

#include <fmt/format.h>

#include <bit>

namespace warpipe::sass {
namespace {

using isa::Input;
using isa::LaneOp;
using Kind = Operand::Kind;

constexpr std::uint32_t kUniforms = 255, kPredicates = kUniforms + 255, kUniformPredicates = kPredicates + 7,
                        kTemporaries = kUniformPredicates + 7;
constexpr std::uint32_t kNarrow = 12, kWide = 6, kTruths = 8;  // temporaries, of lanes and as many uniform ones
constexpr std::uint32_t kOfLanes = kNarrow + kWide + kTruths;

}  // namespace

std::vector<isa::Register> registers_of_programs() {
  using isa::File;
  std::vector<isa::Register> all;
  for (int i = 0; i < 255; ++i) all.push_back({fmt::format("R{}", i), File::Lane, 32});
  for (int i = 0; i < 255; ++i) all.push_back({fmt::format("UR{}", i), File::Uniform, 32});
  for (int i = 0; i < 7; ++i) all.push_back({fmt::format("P{}", i), File::LanePredicate, 1});
  for (int i = 0; i < 7; ++i) all.push_back({fmt::format("UP{}", i), File::UniformPredicate, 1});
  for (const bool uniform : {false, true}) {
    for (std::uint32_t i = 0; i < kNarrow + kWide; ++i)
      all.push_back({fmt::format("t{}", i), uniform ? File::Uniform : File::Lane, i < kNarrow ? 32 : 64, true});
    for (std::uint32_t i = 0; i < kTruths; ++i)
      all.push_back({fmt::format("tp{}", i), uniform ? File::UniformPredicate : File::LanePredicate, 1, true});
  }
  return all;
}

bool is_temporary(std::uint32_t reg) { return reg >= kTemporaries; }

isa::RegisterRange registers_of(const Operand& operand) {
  if (is_nothing(operand)) return {0, 0};
  const auto words = static_cast<std::uint32_t>(operand.words);
  switch (operand.kind) {
    case Kind::Register:
      return {operand.number, std::min(words, 255 - operand.number)};
    case Kind::Uniform:
      return {kUniforms + operand.number, std::min(words, 255 - operand.number)};
    case Kind::IndirectConstant:
      return {kUniforms + operand.number, 2};
    case Kind::Predicate:
      return {kPredicates + operand.number, 1};
    case Kind::UniformPredicate:
      return {kUniformPredicates + operand.number, 1};
    default:
      return {0, 0};
  }
}

Input LaneMaker::number(std::uint64_t bits) {
  Input made;
  made.bits = bits;
  return made;
}

Input LaneMaker::temporary(int bits) {
  Input input;
  input.kind = Input::Kind::Register;
  auto place = kTemporaries + (is_uniform() ? kOfLanes : 0);
  if (bits == 1)
    place += kNarrow + kWide + static_cast<std::uint32_t>(used_truths_++) % kTruths;
  else if (bits == 64)
    place += kNarrow + static_cast<std::uint32_t>(used_wide_++) % kWide;
  else
    place += static_cast<std::uint32_t>(used_narrow_++) % kNarrow;
  input.registers = {place, 1};
  made.writes.push_back(input.registers);
  return input;
}

isa::Assignment& LaneMaker::assign(LaneOp op, Type type, Type result, std::vector<Input> inputs, isa::Output output) {
  auto& assignment = made.assignments.emplace_back();
  assignment.operation.op = op;
  assignment.operation.type = type;
  assignment.operation.result = result;
  assignment.inputs = std::move(inputs);
  assignment.outputs = {output};
  return assignment;
}

Input LaneMaker::make(LaneOp op, Type type, Type result, std::vector<Input> inputs) {
  const auto place = temporary(result.bits);
  assign(op, type, result, std::move(inputs), to(place));
  return place;
}

Input LaneMaker::wide_of(const Input& low, const Input& high) {
  if (low.kind == Input::Kind::Constant && high.kind == Input::Kind::Constant)
    return number((high.bits << 32) | isa::truncated(low.bits, 32));
  // A pack keeps 32 bits of each.
  return make(LaneOp::Move, kU64, kU64, {low, high});
}

Input LaneMaker::raw(const Operand& operand) {
  switch (operand.kind) {
    case Kind::Register:
    case Kind::Uniform: {
      if (is_nothing(operand)) return number(0);
      Input input;
      input.kind = Input::Kind::Register;
      input.registers = registers_of(operand);
      return input;
    }
    case Kind::Predicate:
    case Kind::UniformPredicate:
      return truth(operand);
    case Kind::Immediate:
      return number(operand.bits);
    case Kind::Constant: {
      const auto found = memory.constant(operand.bank, operand.bits, operand.words > 1 ? 8 : 4);
      if (found.input.kind == Input::Kind::Missing && operand.words > 1) {
        const auto low = memory.constant(operand.bank, operand.bits, 4),
                   high = memory.constant(operand.bank, operand.bits + 4, 4);
        if (low.input.kind != Input::Kind::Missing && high.input.kind != Input::Kind::Missing)
          return wide_of(low.high ? high_word(low.input) : low.input, high.high ? high_word(high.input) : high.input);
      }
      return found.high ? high_word(found.input) : found.input;
    }
    default: {
      Input input;
      input.kind = Input::Kind::Missing;
      return input;
    }
  }
}

Input LaneMaker::truth(const Operand& predicate) {
  if (is_nothing(predicate)) return number(predicate.negated ? 0 : 1);
  Input input;
  input.kind = Input::Kind::Register;
  input.registers = registers_of(predicate);
  input.negated = predicate.negated;
  return input;
}

Input LaneMaker::whole(std::size_t index) {
  const auto input = raw(index);
  if (!source(index).negated) return input;
  if (input.kind == Input::Kind::Constant) return number(isa::truncated(0 - input.bits, 32));
  return make(LaneOp::Negate, kU32, kU32, {input});
}

Input LaneMaker::real(std::size_t index, Type type) {
  const auto& operand = source(index);
  auto input = raw(index);
  const std::uint64_t sign = std::uint64_t{1} << (type.bits - 1);
  const Type bits{Type::Kind::Unsigned, type.bits};
  // Of a double, the upper half.
  if (operand.kind == Kind::Immediate && type.bits == 64) input.bits <<= 32;
  if (input.kind == Input::Kind::Constant) {
    if (operand.absolute) input.bits &= sign - 1;
    if (operand.negated) input.bits ^= sign;
    return input;
  }
  if (operand.absolute) input = make(LaneOp::And, bits, bits, {input, number(sign - 1)});
  if (operand.negated) input = make(LaneOp::Xor, bits, bits, {input, number(sign)});
  return input;
}

}  // namespace warpipe::sass
