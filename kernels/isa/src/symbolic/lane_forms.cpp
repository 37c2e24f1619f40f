#include "symbolic/lane_forms.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace warpipe::isa {
namespace {

using Kind = Type::Kind;

constexpr std::int64_t kWide = std::int64_t{1} << 45;  // beyond, numbers of narrow registers are taken back into range
constexpr std::uint64_t kMostMask = std::uint64_t{1} << 61;

bool is_signed(Type type) { return type.kind == Kind::Signed; }
bool is_truth(Type type) { return type.kind == Kind::Predicate || type.bits == 1; }
/// A power for a register's bits, possibly 0 in text that is no program.
std::int64_t power_of(std::int64_t exponent) { return std::int64_t{1} << std::clamp<std::int64_t>(exponent, 0, 62); }

/// Whether an operation takes or makes floats, and not whole numbers or plain bits.
bool takes_floats(const LaneOperation& operation) {
  switch (operation.op) {
    case LaneOp::Move:
    case LaneOp::Select:
    case LaneOp::And:
    case LaneOp::Or:
    case LaneOp::Xor:
    case LaneOp::AndNot:
    case LaneOp::Not:
    case LaneOp::Logic3:
      return false;
    default:
      return operation.type.kind == Kind::Float || operation.result.kind == Kind::Float;
  }
}

}  // namespace

Form LaneForms::unknown(Type type, Operands inputs, Reasons reason) {
  Reasons reasons = 0;
  for (const auto& input : inputs) reasons = static_cast<Reasons>(reasons | forms_.reasons(input.form));
  if (reasons == 0) reasons = reason;
  if (is_truth(type)) return forms_.unknown(reasons, place_, {0, 1});
  const auto half = power_of(std::min(type.bits, 61) - 1);
  return forms_.unknown(reasons, place_, is_signed(type) ? Range{-half, half - 1} : Range{0, 2 * half - 1});
}

Form LaneForms::within(Form number, Type type) {
  if (is_truth(type)) return forms_.is_truth(number) ? number : forms_.remainder(number, 2);
  if (forms_.is_guessing) return number;
  const auto range = forms_.range(number);
  if (type.bits >= 62) {
    if (is_signed(type) || range.least >= 0) return number;
    const Operand one{number, 64};
    return unknown(type, {&one, 1}, kTooLarge);
  }
  const auto size = power_of(type.bits);
  if (!is_signed(type)) return range.within(0, size - 1) ? number : forms_.remainder(number, size);
  if (range.within(-size / 2, size / 2 - 1)) return number;
  return forms_.plus(forms_.remainder(forms_.plus(number, size / 2), size), -size / 2);
}

Form LaneForms::lowest(Form one, int bits) {
  const auto view = forms_[one];
  if (bits >= 62 || view.kind != FormKind::Sum) return one;
  const auto size = power_of(bits);
  const auto rest = [&](std::int64_t factor) {
    const auto low = ((factor % size) + size) % size;
    return low > size / 2 ? low - size : low;
  };
  Terms terms;
  const auto constant = rest(view.number);
  for (const auto& [form, factor] : view.terms) terms.push_back({form, rest(factor)});
  return forms_.linear(constant, terms);
}

/// Another number of the same class, in place of a large number.
Form LaneForms::narrowed(Form number, int bits) {
  if (bits > 32 || forms_.range(number).within(-kWide, kWide)) return number;
  return within(number, Type{Kind::Signed, bits});
}

Form LaneForms::from_constants(const LaneOperation& operation, Operands inputs) {
  std::vector<std::uint64_t> bits;
  for (const auto& input : inputs) bits.push_back(truncated(static_cast<std::uint64_t>(*constant(input)), input.bits));
  const auto value = evaluate(operation, bits);
  if (!value) return unknown(operation.result, inputs, kNotFollowed);
  if (is_truth(operation.result)) return number(static_cast<std::int64_t>(*value & 1));
  const auto number = sign_extended(*value, operation.result.bits);
  if (number > Forms::kFar || number < -Forms::kFar) return unknown(operation.result, inputs, kTooLarge);
  return forms_.constant(number);
}

Form LaneForms::result(const LaneOperation& operation, Operands inputs) {
  if (inputs.size() < inputs_of(operation.op) || operation.op == LaneOp::Unknown || operation.parts > 1)
    return unknown(operation.result, inputs, kNotFollowed);
  const bool is_packing = operation.op == LaneOp::Move;
  if (!is_packing && std::ranges::all_of(inputs, [&](Operand one) { return constant(one).has_value(); }))
    return from_constants(operation, inputs);
  if (takes_floats(operation)) return unknown(operation.result, inputs, kNotFollowed);
  const auto made = whole(operation, inputs);
  return is_truth(operation.result) ? made : narrowed(made, operation.result.bits);
}

Form LaneForms::whole(const LaneOperation& operation, Operands inputs) {
  const auto type = operation.type;
  const auto in = [&](std::size_t i) { return inputs[i].form; };
  const auto typed = [&](std::size_t i) { return within(in(i), type); };
  switch (operation.op) {
    case LaneOp::Move:
      return in(0);
    case LaneOp::Add:
    case LaneOp::Subtract: {
      if (operation.saturate) break;
      if (is_truth(type)) break;
      auto result = in(0);
      for (std::size_t i = 1; i < inputs.size(); ++i)
        result = forms_.sum(result, in(i), operation.op == LaneOp::Add ? 1 : -1);
      return result;
    }
    case LaneOp::Negate:
      return forms_.scaled(in(0), -1);
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
    case LaneOp::MultiplyHigh:
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
    case LaneOp::MultiplyAddHigh:
      return multiplied(operation, inputs);
    case LaneOp::Divide:
    case LaneOp::Remainder:
      return divided(operation, inputs);
    case LaneOp::Minimum:
    case LaneOp::Maximum: {
      auto result = typed(0);
      for (std::size_t i = 1; i < inputs.size(); ++i)
        result = operation.op == LaneOp::Minimum ? forms_.least(result, typed(i)) : forms_.greatest(result, typed(i));
      return result;
    }
    case LaneOp::Absolute: {
      const auto one = typed(0);
      return forms_.greatest(one, forms_.scaled(one, -1));
    }
    case LaneOp::AbsoluteDifference: {
      const auto one = forms_.sum(typed(0), typed(1), -1);
      return forms_.sum(forms_.greatest(one, forms_.scaled(one, -1)), in(2));
    }
    case LaneOp::And:
      return logic(0xc0, in(0), in(1), number(0), type);
    case LaneOp::AndNot:
      return logic(0x30, in(0), in(1), number(0), type);
    case LaneOp::Or:
      return logic(0xfc, in(0), in(1), number(0), type);
    case LaneOp::Xor:
      return logic(0x3c, in(0), in(1), number(0), type);
    case LaneOp::Not:
      return is_truth(type) ? forms_.negation(typed(0)) : forms_.linear(-1, Terms{{in(0), -1}});
    case LaneOp::Logic3:
      if (const auto table = constant(inputs[3]))
        return logic(static_cast<std::uint64_t>(*table) & 255, in(0), in(1), in(2), type);
      break;
    case LaneOp::IsZero:
      return forms_.zero(within(in(0), type.bits));
    case LaneOp::ShiftLeft:
      return shifted_left(in(0), within(in(1), 32), type.bits);
    case LaneOp::ShiftRight:
      return shifted_right(operation, inputs);
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
      return funnel(operation, inputs);
    case LaneOp::Compare:
      return compared(operation, inputs);
    case LaneOp::Select: {
      const auto truth = inputs[2].bits == 1 ? within(in(2), 1) : forms_.truth(within(in(2), inputs[2].bits));
      return forms_.choice(truth, in(0), in(1));
    }
    case LaneOp::SelectBySign:
      return forms_.choice(forms_.not_negative(typed(2)), in(0), in(1));
    case LaneOp::Convert:
      return converted(operation, inputs);
    case LaneOp::ExtractBits:
      if (const auto from = constant(inputs[1]), bits = constant(inputs[2]); from && bits) {
        const auto first = *from & 255, count = *bits & 255;
        if (count == 0) return number(0);
        if (first >= type.bits || type.bits > 32) break;
        const auto part = field(typed(0), first, std::min<std::int64_t>(count, 62));
        const auto left = static_cast<int>(std::min<std::int64_t>(count, type.bits));
        return is_signed(type) ? within(part, Type{Kind::Signed, left}) : part;
      }
      break;
    case LaneOp::InsertBits:
      if (const auto at = constant(inputs[2]), bits = constant(inputs[3]); at && bits) {
        const auto first = *at & 255, count = std::min<std::int64_t>(*bits & 255, type.bits - (*at & 255));
        if (first >= type.bits || count <= 0) return in(1);
        if (type.bits > 32) break;
        const auto old = within(in(1), type.bits);
        const auto part = forms_.sum(forms_.remainder(in(0), power_of(count)), field(old, first, count), -1);
        return forms_.sum(old, part, power_of(first));
      }
      break;
    case LaneOp::Permute:
      return permuted(operation, inputs);
    case LaneOp::ToGeneric:
      return forms_.plus(in(0), static_cast<std::int64_t>(operation.window));
    case LaneOp::FromGeneric:
      return forms_.remainder(in(0), power_of(60));
    case LaneOp::IsInWindow:
      return forms_.zero(
          forms_.plus(forms_.quotient(in(0), power_of(60)), -static_cast<std::int64_t>(operation.window >> 60)));
    case LaneOp::Carry: {
      auto sum = number(0);
      if (forms_.is_guessing) return sum;
      for (const auto& input : inputs) sum = forms_.sum(sum, within(input.form, type.bits));
      if (type.bits < 62) return forms_.quotient(sum, power_of(type.bits));
      if (forms_.is_known(sum)) return number(0);  // in 62 bits it fits
      break;
    }
    case LaneOp::Borrow: {
      if (forms_.is_guessing) return number(0);
      auto less = within(in(1), type.bits);
      if (inputs.size() > 2) less = forms_.sum(less, in(2));
      return forms_.not_negative(forms_.linear(-1, Terms{{less, 1}, {within(in(0), type.bits), -1}}));
    }
    default:
      break;
  }
  return unknown(operation.result, inputs, kNotFollowed);
}

Form LaneForms::second_result(const LaneOperation& operation, Operands inputs, Form first) {
  if (operation.op == LaneOp::Logic3) {
    const auto truth = forms_.truth(within(first, operation.result.bits));
    const auto other = inputs.size() > 4 ? within(inputs[4].form, 1) : number(0);
    if (operation.join == Join::None) return truth;
    if (operation.join == Join::And) return forms_.all(truth, other);
    if (operation.join == Join::Or) return forms_.any(truth, other);
    return forms_.choice(truth, forms_.negation(other), other);
  }
  if (operation.op != LaneOp::Compare) return first;
  auto opposite = operation;
  opposite.opposite = !operation.opposite;
  return result(opposite, inputs);
}

Form LaneForms::compared(const LaneOperation& operation, Operands inputs) {
  const auto type = operation.type;
  auto a = inputs[0].form, b = inputs[1].form;
  const bool equality = operation.comparison == Comparison::Equal || operation.comparison == Comparison::NotEqual;
  const auto apart = forms_.range(forms_.sum(a, b, -1));
  const auto turn = power_of(std::min(type.bits, 61));
  // Numbers less than a turn apart are equal where their numbers within the type are.
  if (!equality || !apart.within(1 - turn, turn - 1)) {
    a = within(a, type);
    b = within(b, type);
  }
  const auto below = [&](Form x, Form y) { return forms_.not_negative(forms_.linear(-1, Terms{{y, 1}, {x, -1}})); };
  Form truth;
  switch (operation.comparison) {
    case Comparison::Equal:
      truth = forms_.zero(forms_.sum(a, b, -1));
      break;
    case Comparison::NotEqual:
      truth = forms_.negation(forms_.zero(forms_.sum(a, b, -1)));
      break;
    case Comparison::Less:
      truth = below(a, b);
      break;
    case Comparison::LessEqual:
      truth = forms_.negation(below(b, a));
      break;
    case Comparison::Greater:
      truth = below(b, a);
      break;
    case Comparison::GreaterEqual:
      truth = forms_.negation(below(a, b));
      break;
    default:
      return unknown(operation.result, inputs, kNotFollowed);
  }
  if (operation.opposite) truth = forms_.negation(truth);
  if (inputs.size() > 2 && operation.join != Join::None) {
    const auto other = inputs[2].bits == 1 ? within(inputs[2].form, 1) : forms_.truth(within(inputs[2].form, 32));
    if (operation.join == Join::And)
      truth = forms_.all(truth, other);
    else if (operation.join == Join::Or)
      truth = forms_.any(truth, other);
    else
      truth = forms_.choice(truth, forms_.negation(other), other);
  }
  return is_truth(operation.result) ? truth : forms_.scaled(truth, -1);
}

Form LaneForms::multiplied(const LaneOperation& operation, Operands inputs) {
  const auto type = operation.type;
  using enum LaneOp;
  const bool high = operation.op == MultiplyHigh || operation.op == MultiplyAddHigh;
  const bool exact = high || operation.result.bits > type.bits || operation.saturate;
  auto a = inputs[0].form, b = inputs[1].form;
  if (exact) {
    a = within(a, type);
    b = within(b, type);
  }
  auto product = forms_.product(a, b);
  const bool overflows = (forms_.reasons(product) & kTooLarge) != 0;
  if (!exact && overflows && type.bits <= 32) {
    const Type narrow{Kind::Signed, type.bits};
    product = forms_.product(within(a, narrow), within(b, narrow));
  }
  if (high) {
    const int half = 2 * type.bits - operation.result.bits;
    if (half >= 62 && forms_.is_known(product) && forms_.range(product).least >= 0)
      product = number(0);
    else if (half >= 62)
      return unknown(operation.result, inputs, kTooLarge);
    else
      product = forms_.quotient(product, power_of(half));
  }
  if (operation.op == MultiplyHigh || inputs.size() < 3) return product;
  if (operation.saturate) return unknown(operation.result, inputs, kNotFollowed);
  return forms_.sum(product, inputs[2].form);
}

/// Towards zero.
Form LaneForms::divided(const LaneOperation& operation, Operands inputs) {
  const auto a = within(inputs[0].form, operation.type), b = within(inputs[1].form, operation.type);
  if (forms_.range(b).least < 1) return unknown(operation.result, inputs, kNotFollowed);
  auto quotient = forms_.quotient(a, b);
  if (forms_.range(a).least < 0) {
    const auto opposite = forms_.quotient(forms_.scaled(a, -1), b);
    quotient = forms_.choice(forms_.not_negative(a), quotient, forms_.scaled(opposite, -1));
  }
  if (operation.op == LaneOp::Divide) return quotient;
  if (forms_.range(a).least >= 0) return forms_.remainder(a, b);
  return forms_.sum(a, forms_.product(quotient, b), -1);
}

/// By a constant with its ones together at either end of the word, of a number of any sign; else of a number within the
/// type.
Form LaneForms::masked(Form one, Form mask, Type type) {
  const auto bits = truncated(static_cast<std::uint64_t>(*forms_.number(mask)), type.bits);
  const auto rest = truncated(~bits, type.bits);
  if (std::has_single_bit(bits + 1) && bits < kMostMask)
    return forms_.remainder(one, static_cast<std::int64_t>(bits) + 1);
  if (std::has_single_bit(rest + 1) && rest < kMostMask)
    return forms_.sum(one, forms_.remainder(one, static_cast<std::int64_t>(rest) + 1), -1);
  return forms_.common(within(one, type.bits), number(static_cast<std::int64_t>(bits)));
}

Form LaneForms::logic(std::uint64_t table, Form a, Form b, Form c, Type type) {
  if (is_truth(type)) {
    const auto of_c = [&](std::uint64_t two) {
      return two == 0 ? number(0) : two == 3 ? number(1) : two == 2 ? within(c, 1) : forms_.negation(within(c, 1));
    };
    const auto of_b = [&](std::uint64_t four) { return forms_.choice(within(b, 1), of_c(four >> 2), of_c(four & 3)); };
    return forms_.choice(within(a, 1), of_b(table >> 4), of_b(table & 15));
  }
  // Bit by bit, the result is a sum of products of its inputs, by inclusion and exclusion.
  const Form inputs[] = {c, b, a};
  std::int64_t factors[8];
  for (std::uint64_t i = 0; i < 8; ++i) factors[i] = static_cast<std::int64_t>((table >> i) & 1);
  for (unsigned input = 0; input < 3; ++input)
    for (unsigned i = 0; i < 8; ++i)
      if (((i >> input) & 1) != 0) factors[i] -= factors[i ^ (1U << input)];
  auto result = number(-factors[0]);
  for (unsigned i = 1; i < 8; ++i) {
    if (factors[i] == 0) continue;
    std::optional<Form> product;
    for (unsigned input = 0; input < 3; ++input) {
      if (((i >> input) & 1) == 0) continue;
      if (!product) {
        product = inputs[input];
      } else if (forms_.number(*product)) {
        product = masked(inputs[input], *product, type);
      } else if (forms_.number(inputs[input])) {
        product = masked(*product, inputs[input], type);
      } else {
        const auto x = within(*product, type.bits), y = within(inputs[input], type.bits);
        const bool fits = forms_.range(x).least >= 0 && forms_.range(y).least >= 0;
        const Operand both[] = {{x, type.bits}, {y, type.bits}};
        if (fits || (!forms_.is_truth(x) && !forms_.is_truth(y)))
          product = fits ? forms_.common(x, y) : unknown(type, both, kTooLarge);
        else  // the lowest bit of a number of any sign
          product = forms_.all(forms_.remainder(x, 2), forms_.remainder(y, 2));
      }
    }
    result = forms_.sum(result, *product, factors[i]);
  }
  return result;
}

Form LaneForms::shifted_left(Form one, Form distance, int bits) {
  if (const auto by = forms_.number(distance)) {
    if (*by >= bits) return number(0);
    const auto range = forms_.range(one);
    const auto most = (bits <= 32 ? kWide : Forms::kFar) >> *by;
    if (!range.within(-most, most)) one = forms_.remainder(one, power_of(std::min<std::int64_t>(bits - *by, 61)));
    return forms_.scaled(one, power_of(*by));
  }
  const Operand both[] = {{one, bits}, {distance, 32}};
  if (!forms_.range(distance).within(0, bits - 1)) return unknown(Type{Kind::Bits, bits}, both, kNotFollowed);
  return forms_.product(one, forms_.power(distance));
}

Form LaneForms::shifted_right(const LaneOperation& operation, Operands inputs) {
  const auto one = within(inputs[0].form, operation.type), distance = within(inputs[1].form, 32);
  const auto most = operation.type.bits - (is_signed(operation.type) ? 1 : 0);
  if (const auto by = forms_.number(distance)) {
    if (*by >= operation.type.bits && !is_signed(operation.type)) return number(0);
    return forms_.quotient(one, power_of(std::min<std::int64_t>({*by, most, 61})));
  }
  if (!forms_.range(distance).within(0, std::min(most, 61))) return unknown(operation.result, inputs, kNotFollowed);
  return forms_.quotient(one, forms_.power(distance));
}

Form LaneForms::funnel(const LaneOperation& operation, Operands inputs) {
  const auto low = within(inputs[0].form, 32), high = inputs[1].form;
  auto by = constant({within(inputs[2].form, 32), 32});
  if (!by || operation.type.bits != 32) return unknown(operation.result, inputs, kNotFollowed);
  by = operation.wrap ? *by & 31 : std::min<std::int64_t>(*by, 32);
  const auto right = operation.op == LaneOp::FunnelRight;
  const auto upper = right ? 32 - *by : *by;  // leftward shift of the upper word
  const auto lower = forms_.quotient(low, power_of(32 - upper));
  return forms_.sum(shifted_left(high, number(upper), 32), lower);
}

Form LaneForms::converted(const LaneOperation& operation, Operands inputs) {
  const auto one = within(inputs[0].form, operation.type);
  const auto to = operation.result;
  if (operation.saturate) {
    if (to.bits >= 62) return unknown(to, inputs, kTooLarge);
    const auto most = power_of(to.bits - (is_signed(to) ? 1 : 0));
    return forms_.greatest(number(is_signed(to) ? -most : 0), forms_.least(one, number(most - 1)));
  }
  // The register may be wider than the result.
  return to.bits < 32 ? within(one, to) : one;
}

Form LaneForms::field(Form one, std::int64_t from, std::int64_t bits) {
  return forms_.remainder(forms_.quotient(one, power_of(from)), power_of(bits));
}

Form LaneForms::permuted(const LaneOperation& operation, Operands inputs) {
  const auto given = constant(inputs[2]);
  if (!given || operation.bytes != Bytes::Selected) return unknown(operation.result, inputs, kNotFollowed);
  auto result = number(0);
  for (std::int64_t i = 0; i < 4;) {
    const auto selector = (*given >> (4 * i)) & 15, byte = selector % 4;
    const bool is_sign = selector >= 8;
    const auto word = within(inputs[selector % 8 < 4 ? 0 : 1].form, 32);
    // Neighbouring bytes go together.
    std::int64_t count = 1;
    while (i + count < 4 && ((*given >> (4 * (i + count))) & 15) == selector + (is_sign ? 0 : count) &&
           (is_sign || byte + count < 4))
      ++count;
    const auto part = is_sign ? forms_.scaled(field(word, 8 * byte + 7, 1), power_of(8 * count) - 1)
                              : field(word, 8 * byte, 8 * count);
    result = forms_.sum(result, part, power_of(8 * i));
    i += count;
  }
  return result;
}

}  // namespace warpipe::isa
