// Floats and conversions.
#include <array>
#include <bit>
#include <numbers>

#include "lanes.hpp"

namespace warpipe::sass::lanes {
namespace {

using isa::Input;
using isa::LaneOp;
using isa::Rounding;

constexpr std::array kRoundings{Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::Zero};

void float_operation(LaneMaker& m, LaneOp op, std::vector<Input> inputs) {
  auto& made = m.assign(op, kF32, kF32, std::move(inputs), m.result(0));
  made.operation.to_float = kRoundings[m.word.bits(78, 2)];
  made.operation.saturate = m.word.bit(77);
  made.operation.flush = m.word.bit(80);
}

void double_operation(LaneMaker& m, LaneOp op, std::vector<Input> inputs) {
  m.assign(op, kF64, kF64, std::move(inputs), m.result(0)).operation.to_float = kRoundings[m.word.bits(78, 2)];
}

constexpr std::array kWidths{8, 16, 32, 64};

Type float_type(std::uint64_t code) { return {Type::Kind::Float, kWidths[code & 3]}; }
Type whole_type(std::uint64_t code, bool sign) {
  return {sign ? Type::Kind::Signed : Type::Kind::Unsigned, kWidths[code & 3]};
}

/// Of a conversion, as wide as its type says.
Input converted(LaneMaker& m, Type type) {
  Operand operand = m.source(0);
  operand.words = type.bits == 64 ? 2 : 1;
  if (operand.words == 2) m.made.reads.push_back(registers_of(operand));
  operand.negated = operand.absolute = false;
  auto input = m.raw(operand);
  if (operand.kind == Operand::Kind::Immediate && type.bits == 64) input.bits <<= 32;
  const Type bits{Type::Kind::Unsigned, type.bits};
  const auto sign = std::uint64_t{1} << (type.bits - 1);
  if (type.kind != Type::Kind::Float) return input;
  if (m.source(0).absolute) input = m.make(LaneOp::And, bits, bits, {input, LaneMaker::number(sign - 1)});
  if (m.source(0).negated) input = m.make(LaneOp::Xor, bits, bits, {input, LaneMaker::number(sign)});
  return input;
}

isa::Output wide_result(LaneMaker& m, Type type) {
  Operand operand = m.read.results[0];
  operand.words = type.bits == 64 ? 2 : 1;
  m.made.writes.push_back(registers_of(operand));
  return {registers_of(operand)};
}

bool is_plain(Type type) { return type.bits == 32 || type.bits == 64; }

}  // namespace

void add_float(LaneMaker& m) { float_operation(m, LaneOp::Add, {m.real(0, kF32), m.real(1, kF32)}); }
void multiply_float(LaneMaker& m) { float_operation(m, LaneOp::Multiply, {m.real(0, kF32), m.real(1, kF32)}); }
void fused_float(LaneMaker& m) {
  float_operation(m, LaneOp::MultiplyAdd, {m.real(0, kF32), m.real(1, kF32), m.real(2, kF32)});
}

void extreme_float(LaneMaker& m) {
  const std::vector<Input> inputs{m.real(0, kF32), m.real(1, kF32)};
  const auto least = m.truth(m.source(2));
  const auto set = [&](isa::Assignment& made) {
    made.operation.flush = m.word.bit(80);
    made.operation.keep_no_number = m.word.bit(81);
  };
  if (least.kind == Input::Kind::Constant)
    return set(m.assign(least.bits != 0 ? LaneOp::Minimum : LaneOp::Maximum, kF32, kF32, inputs, m.result(0)));
  const auto low = m.temporary(32), up = m.temporary(32);
  set(m.assign(LaneOp::Minimum, kF32, kF32, inputs, LaneMaker::to(low)));
  set(m.assign(LaneOp::Maximum, kF32, kF32, inputs, LaneMaker::to(up)));
  m.assign(LaneOp::Select, kU32, kU32, {low, up, least}, m.result(0));
}

void extreme3_float(LaneMaker& m) {
  const auto least = m.truth(m.source(3));
  if (least.kind != Input::Kind::Constant) return;
  const auto op = least.bits != 0 ? LaneOp::Minimum : LaneOp::Maximum;
  const auto two = m.make(op, kF32, kF32, {m.real(0, kF32), m.real(1, kF32)});
  m.assign(op, kF32, kF32, {two, m.real(2, kF32)}, m.result(0));
}

/// MUFU; sine and cosine take turns of 1, not of 2 pi.
void special_function(LaneMaker& m) {
  static constexpr std::array kFunctions{LaneOp::Cosine,           LaneOp::Sine,           LaneOp::PowerOfTwo,
                                         LaneOp::BinaryLogarithm,  LaneOp::Reciprocal,     LaneOp::ReciprocalRoot,
                                         LaneOp::Reciprocal,       LaneOp::ReciprocalRoot, LaneOp::SquareRoot,
                                         LaneOp::HyperbolicTangent};
  const auto code = m.word.bits(74, 4);
  if (code >= kFunctions.size()) return;
  const auto lane = kFunctions[code];
  if (code == 6 || code == 7) {  // of the upper half of a double
    const auto wide = m.wide_of(LaneMaker::number(0), m.real(0, kF32));
    const auto found = m.temporary(64);
    m.assign(lane, kF64, kF64, {wide}, LaneMaker::to(found)).operation.gross = true;
    m.move(m.high_word(found), m.result(0));
    return;
  }
  auto input = m.real(0, kF32);
  if (code < 2)
    input = m.make(LaneOp::Multiply, kF32, kF32,
                   {input, LaneMaker::number(std::bit_cast<std::uint32_t>(2 * std::numbers::pi_v<float>))});
  m.assign(lane, kF32, kF32, {input}, m.result(0));
}

/// FCHK: whether a division needs its slow path. Its operands are not followed for this: its slow path counts as an
/// error, taken by no lane unless the launch tells how many.
void check_division(LaneMaker& m) { m.not_followed(); }

void add_double(LaneMaker& m) { double_operation(m, LaneOp::Add, {m.real(0, kF64), m.real(1, kF64)}); }
void multiply_double(LaneMaker& m) { double_operation(m, LaneOp::Multiply, {m.real(0, kF64), m.real(1, kF64)}); }
void fused_double(LaneMaker& m) {
  double_operation(m, LaneOp::MultiplyAdd, {m.real(0, kF64), m.real(1, kF64), m.real(2, kF64)});
}

void to_float(LaneMaker& m) {
  const auto from = whole_type(m.word.bits(84, 2), m.word.bit(74));
  const auto to = float_type(m.word.bits(75, 2));
  const auto input = converted(m, from);
  const auto output = wide_result(m, to);
  if (!is_plain(to)) return;
  const auto part = m.word.bits(60, 2) * 8;
  auto of = input;
  if (from.bits < 32 && part != 0) of = m.make(LaneOp::ShiftRight, kU32, kU32, {input, LaneMaker::number(part)});
  m.assign(LaneOp::Convert, from, to, {of}, output).operation.to_float = kRoundings[m.word.bits(78, 2)];
}

void to_float_packed(LaneMaker& m) {
  auto& made = m.assign(LaneOp::Convert, m.word.bit(72) ? kS32 : kU32, kF32, {m.raw(std::size_t{0})}, m.result(0));
  made.operation.to_float = kRoundings[m.word.bits(78, 2)];
}

void to_whole(LaneMaker& m) {
  const auto from = float_type(m.word.bits(84, 2));
  const auto to = whole_type(m.word.bits(75, 2), m.word.bit(72));
  const auto input = converted(m, from);
  const auto output = wide_result(m, to);
  if (!is_plain(from)) return;
  auto& made = m.assign(LaneOp::Convert, from, to, {input}, output);
  made.operation.rounding = kRoundings[m.word.bits(78, 2)];
  made.operation.flush = m.word.bit(80) && from.bits == 32;
}

void float_to_float(LaneMaker& m) {
  const auto from = float_type(m.word.bits(84, 2)), to = float_type(m.word.bits(75, 2));
  const auto input = converted(m, from);
  const auto output = wide_result(m, to);
  if (!is_plain(from) || !is_plain(to)) return;
  m.assign(LaneOp::Convert, from, to, {input}, output).operation.to_float = kRoundings[m.word.bits(78, 2)];
}

void round_float(LaneMaker& m) {
  const auto from = float_type(m.word.bits(84, 2)), to = float_type(m.word.bits(75, 2));
  const auto input = converted(m, from);
  const auto output = wide_result(m, to);
  if (!is_plain(from) || from != to) return;
  m.assign(LaneOp::Convert, from, to, {input}, output).operation.rounding = kRoundings[m.word.bits(78, 2)];
}

}  // namespace warpipe::sass::lanes
