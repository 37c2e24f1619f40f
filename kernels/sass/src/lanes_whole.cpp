// Whole numbers and truths.
#include <array>

#include "lanes.hpp"
#include "rows.hpp"

namespace warpipe::sass::lanes {
namespace {

using isa::Input;
using isa::LaneOp;

bool is_zero(const Input& input) { return input.kind == Input::Kind::Constant && input.bits == 0; }
bool is_one(const Input& input) { return input.kind == Input::Kind::Constant && input.bits == 1; }

void finish(LaneMaker& m, std::size_t result, const Input& truth) {
  if (m.has_result(result)) m.move(truth, m.result(result), kTruth);
}

/// The nonzero terms of a sum.
std::vector<Input> terms_of(std::initializer_list<Input> all) {
  std::vector<Input> terms;
  for (const auto& one : all)
    if (!is_zero(one)) terms.push_back(one);
  return terms;
}

/// The sum of any number of terms.
void add_all(LaneMaker& m, std::vector<Input> terms, isa::Output output, Type type = kU32) {
  if (terms.empty()) return m.move(LaneMaker::number(0), output, type);
  while (terms.size() > 3) {
    const auto part = m.make(LaneOp::Add, type, type, {terms[0], terms[1], terms[2]});
    terms.erase(terms.begin(), terms.begin() + 3);
    terms.insert(terms.begin(), part);
  }
  if (terms.size() == 1) return m.move(terms[0], output, type);
  m.assign(LaneOp::Add, type, type, std::move(terms), output);
}

/// Whether the sum is 2^32 or more, and 2^33 or more.
std::array<Input, 2> carries(LaneMaker& m, const std::vector<Input>& terms) {
  if (terms.size() < 2) return {LaneMaker::number(0), LaneMaker::number(0)};
  if (terms.size() == 2) return {m.make(LaneOp::Carry, kU32, kTruth, terms), LaneMaker::number(0)};
  const auto count = m.make(LaneOp::Carry, kU32, kU32, terms);
  const auto at_least = [&](std::uint64_t least) {
    const auto truth = m.temporary(1);
    m.assign(LaneOp::Compare, kU32, kTruth, {count, LaneMaker::number(least)}, LaneMaker::to(truth))
        .operation.comparison = isa::Comparison::GreaterEqual;
    return truth;
  };
  return {at_least(1), at_least(2)};
}

}  // namespace

void move(LaneMaker& m) {
  auto input = m.raw(std::size_t{0});
  const bool wide = m.read.results[0].words == 2;
  if (wide && m.source(0).kind == Operand::Kind::Immediate)
    input.bits = static_cast<std::uint64_t>(isa::sign_extended(input.bits, 32));
  m.move(input, m.result(0), wide ? kU64 : kU32);
}

void move_constant(LaneMaker& m) { m.move(m.raw(std::size_t{0}), m.result(0), kU64); }

/// R2UR: the number of the first lane, and whether a lane has a different number: loops over lanes go on with the
/// differing lanes.
void from_lane(LaneMaker& m) {
  const auto own = m.raw(std::size_t{0});
  if (!m.has_result(1)) return m.move(own, m.result(0));
  const auto lane = m.make(LaneOp::Elect, kU32, kU32, {});
  const auto first = m.make(LaneOp::FromLane, kU32, kU32, {own, lane});
  if (m.has_result(0)) m.move(first, m.result(0));
  m.assign(LaneOp::Compare, kU32, kTruth, {own, first}, m.result(1)).operation.comparison = isa::Comparison::NotEqual;
}

/// HFMA2 of zeros puts a constant into a register, and computes nothing.
void half_constant(LaneMaker& m) {
  if (!is_nothing(m.source(0)) || !is_nothing(m.source(1))) return;
  m.move(m.raw(std::size_t{2}), m.result(0));
  m.made.flops = 0;
}

void multiply_add(LaneMaker& m) {
  const auto type = m.word.bit(73) ? kS32 : kU32;
  const bool extended = m.word.bit(74);
  // With a carry, a number with a minus is its complement, as of sums.
  const bool turned = extended && m.source(2).negated;
  const auto a = m.raw(std::size_t{0}), b = m.whole(1),
             c = turned ? m.make(LaneOp::Not, kU32, kU32, {m.raw(std::size_t{2})}) : m.whole(2);
  const auto carry = extended ? m.truth(m.source(3)) : LaneMaker::number(0);
  if (is_zero(a) || is_zero(b)) return add_all(m, terms_of({c, carry}), m.result(0));
  if (is_one(b)) return add_all(m, terms_of({a, c, carry}), m.result(0));
  if (is_zero(c) && is_zero(carry)) {
    m.assign(LaneOp::Multiply, type, kU32, {a, b}, m.result(0));
    return;
  }
  if (is_zero(carry)) {
    m.assign(LaneOp::MultiplyAdd, type, kU32, {a, b, c}, m.result(0));
    return;
  }
  add_all(m, terms_of({m.make(LaneOp::Multiply, type, kU32, {a, b}), c, carry}), m.result(0));
}

void multiply_add_wide(LaneMaker& m) {
  const auto type = m.word.bit(73) ? kS32 : kU32;
  const auto wide = m.word.bit(73) ? kS64 : kU64;
  const auto a = m.raw(std::size_t{0}), b = m.whole(1);
  auto c = m.raw(std::size_t{2});
  const bool extended = m.word.bit(74);
  if (m.source(2).negated) c = m.make(extended ? LaneOp::Not : LaneOp::Negate, kU64, kU64, {c});
  if (m.has_result(1) || extended) {
    const auto product = m.make(LaneOp::MultiplyWide, type, wide, {a, b});
    auto terms = terms_of({product, c, extended ? m.truth(m.source(3)) : LaneMaker::number(0)});
    const auto carry = m.has_result(1) ? m.make(LaneOp::Carry, kU64, kTruth, terms) : LaneMaker::number(0);
    add_all(m, terms, m.result(0), kU64);
    return finish(m, 1, carry);
  }
  if (is_zero(c))
    m.assign(LaneOp::MultiplyWide, type, wide, {a, b}, m.result(0));
  else
    m.assign(LaneOp::MultiplyAddWide, type, wide, {a, b, c}, m.result(0));
}

/// The upper half of a product plus a number of 64 bits.
void multiply_add_high(LaneMaker& m) {
  const auto type = m.word.bit(73) ? kS32 : kU32;
  const auto wide = m.word.bit(73) ? kS64 : kU64;
  const auto a = m.raw(std::size_t{0}), b = m.whole(1), c = m.raw(std::size_t{2});
  if (m.word.bit(74) || m.source(2).negated) return;
  if (m.has_result(1)) {
    const auto product = m.make(LaneOp::MultiplyWide, type, wide, {a, b});
    const auto carry = m.make(LaneOp::Carry, kU64, kTruth, {product, c});
    const auto sum = m.make(LaneOp::Add, kU64, kU64, {product, c});
    m.assign(LaneOp::ShiftRight, kU64, kU32, {sum, LaneMaker::number(32)}, m.result(0));
    return finish(m, 1, carry);
  }
  if (is_zero(c)) {
    m.assign(LaneOp::MultiplyHigh, type, kU32, {a, b}, m.result(0));
    return;
  }
  if (type == kU32 && c.kind == Input::Kind::Register && c.registers.count == 2) {
    // By words, since forms have 62 bits and the addend's upper word has a reciprocal in it.
    auto low = c, high = c;
    low.registers.count = high.registers.count = 1;
    ++high.registers.first;
    const auto sum = m.make(LaneOp::MultiplyAddWide, type, wide, {a, b, m.wide_of(low, LaneMaker::number(0))});
    const auto upper = m.make(LaneOp::ShiftRight, kU64, kU32, {sum, LaneMaker::number(32)});
    m.assign(LaneOp::Add, kU32, kU32, {upper, high}, m.result(0));
    return;
  }
  const auto sum = m.make(LaneOp::MultiplyAddWide, type, wide, {a, b, c});
  m.assign(LaneOp::ShiftRight, kU64, kU32, {sum, LaneMaker::number(32)}, m.result(0));
}

/// A sum of three: a negated number is its complement plus 1; with .X, its complement alone, and carries.
void add3(LaneMaker& m) {
  const bool extended = m.word.bit(74), carries_out = m.has_result(1) || m.has_result(2);
  std::vector<Input> terms;
  std::uint64_t ones = 0;
  std::size_t negated = 0;
  for (std::size_t i = 0; i < 3; ++i) negated += m.source(i).negated ? 1U : 0U;
  if (!extended && !carries_out && negated == 1) {
    std::vector<Input> plus;
    Input minus;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto input = m.raw(i);
      if (m.source(i).negated)
        minus = input;
      else if (!is_zero(input))
        plus.push_back(input);
    }
    if (plus.empty()) {
      m.assign(LaneOp::Negate, kU32, kU32, {minus}, m.result(0));
      return;
    }
    const auto sum = plus.size() == 1 ? plus[0] : m.make(LaneOp::Add, kU32, kU32, plus);
    m.assign(LaneOp::Subtract, kU32, kU32, {sum, minus}, m.result(0));
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    auto input = m.raw(i);
    if (m.source(i).negated) {
      input = input.kind == Input::Kind::Constant ? LaneMaker::number(isa::truncated(~input.bits, 32))
                                                  : m.make(LaneOp::Not, kU32, kU32, {input});
      ones += extended ? 0 : 1;
    }
    if (!is_zero(input)) terms.push_back(input);
  }
  if (extended)
    for (const std::size_t i : {3U, 4U}) {
      const auto carry = m.truth(m.source(i));
      if (!is_zero(carry)) terms.push_back(carry);
    }
  if (ones > 0) terms.push_back(LaneMaker::number(ones));
  const auto out = carries_out ? carries(m, terms) : std::array<Input, 2>{};
  add_all(m, terms, m.result(0));
  finish(m, 1, out[0]);
  finish(m, 2, out[1]);
}

void add2(LaneMaker& m) { add_all(m, terms_of({m.whole(0), m.whole(1)}), m.result(0)); }

namespace {

/// The first sources as numbers of 64 bits, with their signs.
std::vector<Input> wide_terms(LaneMaker& m, std::size_t count) {
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    auto input = m.raw(i);
    if (m.source(i).kind == Operand::Kind::Immediate)
      input.bits = static_cast<std::uint64_t>(isa::sign_extended(input.bits, 32));
    if (m.source(i).negated) input = m.make(LaneOp::Negate, kU64, kU64, {input});
    inputs.push_back(input);
  }
  return inputs;
}

}  // namespace

void add_wide(LaneMaker& m) { m.assign(LaneOp::Add, kU64, kU64, wide_terms(m, 2), m.result(0)); }

/// Carries out of it are not followed.
void add3_wide(LaneMaker& m) {
  std::vector<Input> terms;
  for (const auto& one : wide_terms(m, 3))
    if (!is_zero(one)) terms.push_back(one);
  add_all(m, terms, m.result(0), kU64);
  for (const std::size_t carry : {1U, 2U})
    if (m.has_result(carry)) m.assign(LaneOp::Unknown, kTruth, kTruth, {}, m.result(carry));
}

/// LEA: a shifted number, or with .HI its upper half, plus a second number.
void shift_and_add(LaneMaker& m) {
  const auto distance = m.word.bits(75, 5);
  const bool high = m.word.bit(80), sign = m.word.bit(73), extended = m.word.bit(74);
  const auto a = m.raw(std::size_t{0}), b = m.raw(1), c = m.raw(2);
  const auto back = LaneMaker::number(32 - distance);
  Input shifted;
  if (!high)
    shifted = distance == 0 ? a : m.make(LaneOp::ShiftLeft, kU32, kU32, {a, LaneMaker::number(distance)});
  else if (sign)
    shifted = m.make(LaneOp::ShiftRight, kS32, kU32, {a, back});
  else if (is_zero(c))
    shifted = m.make(LaneOp::ShiftRight, kU32, kU32, {a, back});
  else
    shifted = m.make(LaneOp::FunnelLeft, kU32, kU32, {a, c, LaneMaker::number(distance)});
  // With a carry out, a number with a minus is its complement and 1, as of sums: the complement of 0 carries.
  const bool minus = m.source(0).negated, complements = minus && (extended || m.has_result(1));
  if (minus) shifted = m.make(complements ? LaneOp::Not : LaneOp::Negate, kU32, kU32, {shifted});
  auto terms = terms_of({shifted, b});
  if (complements && !extended) terms.push_back(LaneMaker::number(1));
  if (extended)
    if (const auto carry = m.truth(m.source(3)); !is_zero(carry)) terms.push_back(carry);
  const auto out = m.has_result(1) ? carries(m, terms) : std::array<Input, 2>{};
  add_all(m, terms, m.result(0));
  finish(m, 1, out[0]);
}

void absolute(LaneMaker& m) { m.assign(LaneOp::Absolute, kS32, kU32, {m.raw(std::size_t{0})}, m.result(0)); }

void dot_product(LaneMaker& m) {
  const bool pairs = m.word.bit(75) || m.word.bit(76);
  if (pairs) return;  // of two halves
  auto& made = m.assign(LaneOp::DotProduct4, m.word.bit(73) ? kS32 : kU32, kU32,
                        {m.raw(std::size_t{0}), m.raw(1), m.raw(2)}, m.result(0));
  made.operation.other = m.word.bit(74) ? Type::Kind::Signed : Type::Kind::Unsigned;
}

/// Any function of three bits; functions of two become their own operations, so that loops can be closed.
void logic3(LaneMaker& m) {
  const auto table = m.word.bits(72, 8);
  const auto a = m.raw(std::size_t{0}), b = m.raw(1), c = m.raw(2);
  const bool tells = m.has_result(1);
  if (!tells && is_zero(c)) {
    // Places 0, 2, 4 and 6 of the table: neither, b, a, both.
    std::uint64_t of_two = 0;
    for (int i = 0; i < 4; ++i) of_two |= ((table >> (2 * i)) & 1) << i;
    if (of_two == 8) return static_cast<void>(m.assign(LaneOp::And, kU32, kU32, {a, b}, m.result(0)));
    if (of_two == 14) return static_cast<void>(m.assign(LaneOp::Or, kU32, kU32, {a, b}, m.result(0)));
    if (of_two == 6) return static_cast<void>(m.assign(LaneOp::Xor, kU32, kU32, {a, b}, m.result(0)));
    if (of_two == 4) return static_cast<void>(m.assign(LaneOp::AndNot, kU32, kU32, {a, b}, m.result(0)));
    if (of_two == 12) return m.move(a, m.result(0));
    if (of_two == 10) return m.move(b, m.result(0));
    if (of_two == 3) return static_cast<void>(m.assign(LaneOp::Not, kU32, kU32, {a}, m.result(0)));
    if (of_two == 5) return static_cast<void>(m.assign(LaneOp::Not, kU32, kU32, {b}, m.result(0)));
    if (of_two == 0) return m.move(LaneMaker::number(0), m.result(0));
    if (of_two == 15) return m.move(LaneMaker::number(0xffffffff), m.result(0));
  }
  const auto with = m.truth(m.source(3));
  auto inputs = std::vector<Input>{a, b, c, LaneMaker::number(table)};
  if (tells) inputs.push_back(with);
  const auto place = m.temporary(32);
  auto& made = m.assign(LaneOp::Logic3, kU32, kU32, inputs, LaneMaker::to(place));
  made.operation.join = m.word.bit(80) ? isa::Join::And : isa::Join::Or;
  const auto truth = tells ? m.temporary(1) : Input{};
  if (tells) m.made.assignments.back().outputs.push_back(LaneMaker::to(truth));
  m.move(place, m.result(0));
  if (tells) finish(m, 1, truth);
}

/// Two functions of three truths.
void predicates(LaneMaker& m) {
  const std::array tables{m.word.bits(64, 3) | m.word.bits(72, 5) << 3, m.word.bits(16, 8)};
  const std::vector<Input> inputs{m.truth(m.source(0)), m.truth(m.source(1)), m.truth(m.source(2))};
  std::array<Input, 2> made;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!m.has_result(i)) continue;
    auto all = inputs;
    all.push_back(LaneMaker::number(tables[i]));
    made[i] = m.make(LaneOp::Logic3, kU32, kTruth, all);
  }
  for (std::size_t i = 0; i < 2; ++i) finish(m, i, made[i]);
}

/// SHF: a window of two words.
void shift(LaneMaker& m) {
  const auto sort = m.word.bits(73, 2);
  const bool wide = sort < 2, sign = sort == 0 || sort == 2, wrap = m.word.bit(75), right = m.word.bit(76),
             high = m.word.bit(80);
  const auto low = m.raw(std::size_t{0}), upper = m.raw(2);
  auto distance = m.raw(1);
  if (wrap) {
    const std::uint64_t mask = wide ? 63 : 31;
    distance = distance.kind == Input::Kind::Constant
                   ? LaneMaker::number(distance.bits & mask)
                   : m.make(LaneOp::And, kU32, kU32, {distance, LaneMaker::number(mask)});
  }
  const auto to = m.result(0);
  if (!right && !high) return static_cast<void>(m.assign(LaneOp::ShiftLeft, kU32, kU32, {low, distance}, to));
  if (right && high)
    return static_cast<void>(m.assign(LaneOp::ShiftRight, sign ? kS32 : kU32, kU32, {upper, distance}, to));
  if (!wide)
    return static_cast<void>(
        m.assign(right ? LaneOp::FunnelRight : LaneOp::FunnelLeft, kU32, kU32, {low, upper, distance}, to));
  const auto whole = m.wide_of(low, upper);
  if (right) return static_cast<void>(m.assign(LaneOp::ShiftRight, sign ? kS64 : kU64, kU32, {whole, distance}, to));
  const auto moved = m.make(LaneOp::ShiftLeft, kU64, kU64, {whole, distance});
  m.assign(LaneOp::ShiftRight, kU64, kU32, {moved, LaneMaker::number(32)}, to);
}

/// SEL and FSEL.
void select(LaneMaker& m) {
  const auto of = [&](std::size_t i) {
    return m.source(i).negated || m.source(i).absolute ? m.real(i, kF32) : m.raw(i);
  };
  const auto first = of(0), second = of(1), truth = m.truth(m.source(2));
  if (truth.kind == Input::Kind::Constant) return m.move(truth.bits != 0 ? first : second, m.result(0));
  m.assign(LaneOp::Select, kU32, kU32, {first, second, truth}, m.result(0));
}

void select_wide(LaneMaker& m) {
  auto second = m.raw(1);
  if (m.source(1).kind == Operand::Kind::Immediate)
    second.bits = static_cast<std::uint64_t>(isa::sign_extended(second.bits, 32));
  m.assign(LaneOp::Select, kU64, kU64, {m.raw(std::size_t{0}), second, m.truth(m.source(2))}, m.result(0));
}

namespace {

constexpr std::array kJoins{isa::Join::And, isa::Join::Or, isa::Join::Xor, isa::Join::None};
using isa::Comparison;

/// Less, equal, less or equal, greater, not equal, greater or equal.
constexpr std::array kComparisons{Comparison::Equal,        Comparison::Less,    Comparison::Equal,
                                  Comparison::LessEqual,    Comparison::Greater, Comparison::NotEqual,
                                  Comparison::GreaterEqual, Comparison::Equal};

/// A truth joined with a second truth, and its opposite, likewise.
void join_truth(LaneMaker& m, const Input& truth, std::size_t with) {
  const auto other = m.truth(m.source(with));
  const auto join = kJoins[m.word.bits(74, 2)];
  std::array<Input, 2> made;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!m.has_result(i)) continue;
    made[i] = m.temporary(1);
    auto& one = m.assign(LaneOp::Compare, kTruth, kTruth, {truth, LaneMaker::number(0), other}, LaneMaker::to(made[i]));
    one.operation.comparison = i == 0 ? Comparison::NotEqual : Comparison::Equal;
    one.operation.join = join;
  }
  for (std::size_t i = 0; i < 2; ++i) finish(m, i, made[i]);
}

/// A comparison whose lower words were compared before.
void compare_extended(LaneMaker& m, Type type, Comparison comparison, const Input& a, const Input& b) {
  const auto low = m.truth(m.source(3));
  const auto compare_as = [&](Comparison as) {
    const auto truth = m.temporary(1);
    m.assign(LaneOp::Compare, type, kTruth, {a, b}, LaneMaker::to(truth)).operation.comparison = as;
    return truth;
  };
  const bool less = comparison == Comparison::Less || comparison == Comparison::LessEqual;
  const bool greater = comparison == Comparison::Greater || comparison == Comparison::GreaterEqual;
  Input truth;
  if (less || greater) {
    const auto strict = compare_as(less ? Comparison::Less : Comparison::Greater);
    const auto same = m.make(LaneOp::And, kTruth, kTruth, {compare_as(Comparison::Equal), low});
    truth = m.make(LaneOp::Or, kTruth, kTruth, {strict, same});
  } else {
    const bool equal = comparison == Comparison::Equal;
    truth = m.make(equal ? LaneOp::And : LaneOp::Or, kTruth, kTruth, {compare_as(comparison), low});
  }
  join_truth(m, truth, 2);
}

/// Writes the outputs of a comparison; an output that may be among its inputs comes last.
void compare_into(LaneMaker& m, Type type, std::vector<Input> inputs, Comparison comparison, bool unordered,
                  bool constant, bool constant_truth) {
  const auto other = m.truth(m.source(2));
  const auto join = kJoins[m.word.bits(74, 2)];
  inputs.push_back(other);
  if (constant) {
    const auto truth = LaneMaker::number(constant_truth ? 1 : 0);
    return join_truth(m, truth, 2);
  }
  const bool both = m.has_result(1);
  const auto first = both ? m.temporary(1) : Input{};
  auto& made = m.assign(LaneOp::Compare, type, kTruth, inputs, both ? LaneMaker::to(first) : m.result(0));
  made.operation.comparison = comparison;
  made.operation.unordered = unordered;
  made.operation.join = join;
  made.operation.flush = type.kind == Type::Kind::Float && m.word.bit(80) && type.bits == 32;
  if (!both) return;
  const auto second = m.temporary(1);
  m.made.assignments.back().outputs.push_back(LaneMaker::to(second));
  finish(m, 0, first);
  finish(m, 1, second);
}

/// Beyond 7: also true where an operand is no number. 7 and 8: both are numbers, or not. 0 is never true, 15 always.
void compare_reals(LaneMaker& m, Type type) {
  const auto code = m.word.bits(76, 4);
  const auto comparison = code == 7   ? Comparison::BothNumbers
                          : code == 8 ? Comparison::NotBothNumbers
                                      : kComparisons[code & 7];
  compare_into(m, type, {m.real(0, type), m.real(1, type)}, comparison, code >= 8, code == 0 || code == 15, code == 15);
}

}  // namespace

void compare(LaneMaker& m) {
  const bool wide = compares_two(m.read, m.architecture), sign = m.word.bit(73);
  const auto type = wide ? (sign ? kS64 : kU64) : sign ? kS32 : kU32;
  const auto code = m.word.bits(76, 3);
  const auto a = m.raw(std::size_t{0});
  auto b = m.raw(1);
  if (wide && m.source(1).kind == Operand::Kind::Immediate)
    b.bits = static_cast<std::uint64_t>(isa::sign_extended(b.bits, 32));
  if (m.word.bit(72) && code != 0 && code != 7) return compare_extended(m, type, kComparisons[code], a, b);
  compare_into(m, type, {a, b}, kComparisons[code], false, code == 0 || code == 7, code == 7);
}

void compare_float(LaneMaker& m) { compare_reals(m, kF32); }

void compare_double(LaneMaker& m) { compare_reals(m, kF64); }

namespace {

/// The least number or the greatest, chosen by a predicate; variants named V have the sign bit elsewhere, and a bit
/// that makes negative results zero.
void extreme_of(LaneMaker& m, std::vector<Input> inputs, std::size_t which, Type type, bool not_negative) {
  const auto least = m.truth(m.source(which));
  const auto place = not_negative ? m.temporary(32) : Input{};
  const auto output = not_negative ? LaneMaker::to(place) : m.result(0);
  const auto make = [&](LaneOp op, const isa::Output& to) {
    const auto two = inputs.size() > 2 ? m.make(op, type, kU32, {inputs[0], inputs[1]}) : Input{};
    m.assign(op, type, kU32, inputs.size() > 2 ? std::vector<Input>{two, inputs[2]} : inputs, to);
  };
  if (least.kind == Input::Kind::Constant) {
    make(least.bits != 0 ? LaneOp::Minimum : LaneOp::Maximum, output);
  } else {
    const auto low = m.temporary(32), up = m.temporary(32);
    make(LaneOp::Minimum, LaneMaker::to(low));
    make(LaneOp::Maximum, LaneMaker::to(up));
    m.assign(LaneOp::Select, kU32, kU32, {low, up, least}, output);
  }
  if (not_negative) m.assign(LaneOp::Maximum, kS32, kU32, {place, LaneMaker::number(0)}, m.result(0));
}

Type type_of_vector(const LaneMaker& m) { return m.word.bit(72) ? kS32 : kU32; }

}  // namespace

void extreme(LaneMaker& m) {
  const bool vector = m.read.row->opcode != 0x017;
  const auto type = vector ? type_of_vector(m) : m.word.bit(73) ? kS32 : kU32;
  extreme_of(m, {m.raw(std::size_t{0}), m.raw(1)}, 2, type, vector && m.word.bit(76));
}

void extreme_wide(LaneMaker& m) {
  const auto type = m.word.bit(73) ? kS64 : kU64;
  const auto least = m.truth(m.source(2));
  // In uniform registers a bit says that they are of 64 bits; compilers were not seen to leave it out.
  const bool is_wide = m.read.row->layout != Layout::Uniform || m.word.bit(74);
  if (least.kind != Input::Kind::Constant || !is_wide) return;
  m.assign(least.bits != 0 ? LaneOp::Minimum : LaneOp::Maximum, type, kU64, {m.raw(std::size_t{0}), m.raw(1)},
           m.result(0));
}

void extreme3(LaneMaker& m) {
  extreme_of(m, {m.raw(std::size_t{0}), m.raw(1), m.raw(2)}, 3, type_of_vector(m), m.word.bit(76));
}

void add_and_extreme(LaneMaker& m) {
  const auto sum = m.make(LaneOp::Add, kU32, kU32, {m.raw(std::size_t{0}), m.whole(1)});
  extreme_of(m, {sum, m.raw(2)}, 3, type_of_vector(m), m.word.bit(76));
}

void permute(LaneMaker& m) {
  static constexpr std::array kModes{isa::Bytes::Selected,     isa::Bytes::Forwards,     isa::Bytes::Backwards,
                                     isa::Bytes::Repeated,     isa::Bytes::ClampedBelow, isa::Bytes::ClampedAbove,
                                     isa::Bytes::HalfRepeated, isa::Bytes::Selected};
  // The selector stands between the two words.
  auto& made = m.assign(LaneOp::Permute, kU32, kU32, {m.raw(std::size_t{0}), m.raw(2), m.raw(1)}, m.result(0));
  made.operation.bytes = kModes[m.word.bits(72, 3)];
}

void extend(LaneMaker& m) {
  auto& made =
      m.assign(LaneOp::ExtendBits, m.word.bit(73) ? kS32 : kU32, kU32, {m.raw(std::size_t{0}), m.raw(1)}, m.result(0));
  made.operation.wrap = m.word.bit(75);
}

void bit_mask(LaneMaker& m) {
  auto& made = m.assign(LaneOp::MaskBits, kU32, kU32, {m.raw(std::size_t{0}), m.raw(1)}, m.result(0));
  made.operation.wrap = m.word.bit(75);
}

namespace {
Input turned(LaneMaker& m) {
  const auto input = m.raw(std::size_t{0});
  return m.source(0).negated ? m.make(LaneOp::Not, kU32, kU32, {input}) : input;
}
}  // namespace

void population(LaneMaker& m) { m.assign(LaneOp::PopulationCount, kU32, kU32, {turned(m)}, m.result(0)); }

void highest_bit(LaneMaker& m) {
  m.assign(m.word.bit(74) ? LaneOp::HighestBitShift : LaneOp::HighestBit, m.word.bit(73) ? kS32 : kU32, kU32,
           {turned(m)}, m.result(0));
}

void reverse(LaneMaker& m) { m.assign(LaneOp::ReverseBits, kU32, kU32, {m.raw(std::size_t{0})}, m.result(0)); }

namespace {
Operand predicate_number(unsigned number, bool uniform) {
  Operand one;
  one.kind = uniform ? Operand::Kind::UniformPredicate : Operand::Kind::Predicate;
  one.number = number;
  return one;
}
}  // namespace

/// P2R: the predicates chosen by a mask as bits, the rest from a register.
void pack_predicates(LaneMaker& m) {
  const auto mask = m.raw(1);
  if (mask.kind != Input::Kind::Constant || m.word.bits(76, 2) != 0) return;
  auto sum =
      m.make(LaneOp::And, kU32, kU32, {m.raw(std::size_t{0}), LaneMaker::number(isa::truncated(~mask.bits, 32))});
  for (unsigned i = 0; i < 7; ++i) {
    if (((mask.bits >> i) & 1) == 0) continue;
    const auto truth = m.truth(predicate_number(i, m.is_uniform()));
    m.made.reads.push_back(truth.registers);
    const auto bit = m.make(LaneOp::Select, kU32, kU32, {LaneMaker::number(1U << i), LaneMaker::number(0), truth});
    sum = m.make(LaneOp::Or, kU32, kU32, {sum, bit});
  }
  m.move(sum, m.result(0));
}

/// R2P: bits of a register chosen by a mask.
void unpack_predicates(LaneMaker& m) {
  const auto mask = m.raw(1);
  const auto from = m.raw(std::size_t{0});
  const auto first = 8 * m.word.bits(76, 2);
  for (unsigned i = 0; i < 7; ++i) {
    if (mask.kind == Input::Kind::Constant && ((mask.bits >> i) & 1) == 0) continue;
    const auto truth = predicate_number(i, m.is_uniform());
    m.made.writes.push_back(registers_of(truth));
    if (mask.kind != Input::Kind::Constant) continue;  // not followed
    const auto bit = m.make(LaneOp::And, kU32, kU32, {from, LaneMaker::number(std::uint64_t{1} << (i + first))});
    m.assign(LaneOp::Compare, kU32, kTruth, {bit, LaneMaker::number(0)}, {registers_of(truth)}).operation.comparison =
        Comparison::NotEqual;
  }
}

}  // namespace warpipe::sass::lanes
