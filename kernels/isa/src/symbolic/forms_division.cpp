// Quotients, remainders, powers of two and bits.
#include <algorithm>
#include <bit>
#include <numeric>

#include "symbolic/forms.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kSmallDivisor = 1 << 16;    // up to it, factors are reduced to the nearest rest
constexpr std::int64_t kLeastReciprocal = 1 << 8;  // a smaller reciprocal is a factor, with a shift below it

std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}
std::int64_t rest_of(std::int64_t number, std::int64_t divisor) { return number - floor_of(number, divisor) * divisor; }
/// The rest nearest to 0, upwards in a tie.
std::int64_t nearest_rest(std::int64_t number, std::int64_t divisor) {
  const auto rest = rest_of(number, divisor);
  return rest > divisor / 2 ? rest - divisor : rest;
}

std::uint64_t ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
int width_of(std::int64_t number) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))); }
int zeros_of(std::int64_t number) { return std::countr_zero(static_cast<std::uint64_t>(number)); }

}  // namespace

/// Splits off terms with factors divisible by a unit, in units; the rest stays, in sum, within a single unit.
std::optional<Forms::Split> Forms::split_by_unit(std::int64_t constant, const Terms& terms,
                                                 std::int64_t divisor) const {
  std::vector<std::int64_t> units;
  for (const auto& term : terms)
    if (const auto unit = std::gcd(term.factor, divisor); unit > 1) units.push_back(unit);
  std::ranges::sort(units, std::greater<>());
  for (const auto unit : units) {
    Split split{unit, 0, {}, {}};
    for (const auto& [form, factor] : terms)
      if (factor % unit == 0)
        split.upper.push_back({form, factor / unit});
      else
        split.lower.push_back({form, factor});
    const auto [least, most] = range_of(constant, split.lower);
    split.constant = floor_of(least, unit);
    if (floor_of(most, unit) == split.constant) return split;
  }
  return std::nullopt;
}

/// A product with about divisor / n is a division by n, as compilers write it: exact for a factor a little above; for a
/// factor a little below, multiples of n give 1 less.
std::optional<Form> Forms::by_reciprocal(Form one, std::int64_t divisor) {
  std::int64_t whole = 0;
  const auto terms = terms_of(one, whole);
  auto reciprocal = whole;
  for (const auto& term : terms) reciprocal = std::gcd(reciprocal, term.factor);
  for (; reciprocal >= kLeastReciprocal; reciprocal /= 2) {
    const auto by = (divisor + reciprocal / 2) / reciprocal;
    const auto less = Wide{divisor} - Wide{reciprocal} * by;
    const auto most = Wide{range(one).most} / reciprocal;
    if (by > 1 && range(one).least >= 0 && (less > 0 ? less * most <= divisor : -less * most < divisor)) {
      Terms factor = terms;
      for (auto& term : factor) term.factor /= reciprocal;
      const auto number = linear(whole / reciprocal, factor);
      const auto quotient = quotient_by(number, by);
      if (less <= 0) return quotient;
      return sum(quotient, all(zero(remainder_by(number, by)), negation(zero(number))), -1);
    }
    if (reciprocal % 2 != 0) break;
  }
  return std::nullopt;
}

/// floor((floor(a / b) + c) / d) is floor((a + b c) / (b d)), possibly a compiler's division in steps, or a division of
/// smaller numbers. Elsewhere the inner quotient stays: its place tells signs (by_digits).
std::optional<Form> Forms::by_reciprocal_in_steps(std::int64_t constant, const Terms& terms, std::int64_t divisor) {
  for (const auto& quotient : terms) {
    const auto view = (*this)[quotient.form];
    const auto by = view.kind == FormKind::Quotient ? number(view.argument(1)) : std::nullopt;
    if (quotient.factor != 1 || !by) continue;
    const auto fits = [&](std::int64_t number) { return -kFar / *by <= number && number <= kFar / *by; };
    Terms numerator{{view.argument(0), 1}};
    for (const auto& [form, factor] : terms)
      if (form != quotient.form && fits(factor)) numerator.push_back({form, factor * *by});
    if (numerator.size() != terms.size() || !fits(constant) || !fits(divisor)) continue;
    if (!range_of(constant * *by, numerator).within(-kFar, kFar)) return std::nullopt;
    const auto whole = linear(constant * *by, numerator);
    std::int64_t added = 0, common = divisor * *by;
    for (const auto& term : terms_of(whole, added)) common = std::gcd(common, term.factor);
    common = std::gcd(common, added);
    return common > 1 ? quotient_by(quotient_by(whole, common), divisor * *by / common)
                      : by_reciprocal(whole, divisor * *by);
  }
  return std::nullopt;
}

Form Forms::quotient_by(Form one, std::int64_t divisor) {
  if (divisor == 1) return one;
  const auto [least, most] = range(one);
  if (floor_of(least, divisor) == floor_of(most, divisor)) return constant(floor_of(least, divisor));
  if (const auto made = by_reciprocal(one, divisor)) return *made;
  std::int64_t whole = 0;
  auto terms = terms_of(one, whole);
  if (const auto made = by_reciprocal_in_steps(whole, terms, divisor)) return *made;
  // Divisible terms stand outside.
  Terms outside;
  for (auto& [form, factor] : terms) {
    auto rest = factor;
    if (divisor <= kSmallDivisor)
      rest = nearest_rest(factor, divisor);
    else if (factor <= -divisor || factor >= divisor)
      rest = factor % divisor;
    if (rest == factor) continue;
    outside.push_back({form, (factor - rest) / divisor});
    factor = rest;
  }
  const auto taken = floor_of(whole, divisor);
  if (!outside.empty() || taken != 0) {
    std::erase_if(terms, [](const Term& term) { return term.factor == 0; });
    const auto inside = quotient_by(linear(whole - taken * divisor, terms), divisor);
    return linear(taken, [&] {
      outside.push_back({inside, 1});
      return outside;
    }());
  }
  if (const auto split = split_by_unit(whole, terms, divisor))
    return quotient_by(linear(split->constant, split->upper), divisor / split->unit);
  if (terms.size() == 1) {
    const auto [form, factor] = terms[0];
    const auto view = (*this)[form];
    if (factor == 1 && view.kind == FormKind::Quotient) {
      const auto inner = number(view.argument(1));
      if (inner && *inner < kFar / divisor && (whole == 0 || *inner < kFar / whole))
        return quotient_by(plus(view.argument(0), whole * *inner), *inner * divisor);
      if (!inner && whole == 0) return quotient(view.argument(0), scaled(view.argument(1), divisor));
    }
  }
  return made_of(FormKind::Quotient, {one, constant(divisor)}, floor_of(least, divisor), floor_of(most, divisor));
}

Form Forms::remainder_by(Form one, std::int64_t modulus) {
  if (modulus == 1) return constant(0);
  const auto fold = [&](Form form) -> std::optional<Form> {
    const auto [least, most] = range(form);
    const auto turns = floor_of(least, modulus);
    if (turns != floor_of(most, modulus)) return std::nullopt;
    return plus(form, -turns * modulus);
  };
  if (const auto folded = fold(one)) return *folded;
  std::int64_t whole = 0;
  auto terms = terms_of(one, whole);
  bool changed = whole != rest_of(whole, modulus);
  Terms reduced;
  for (const auto& [form, factor] : terms) {
    const auto rest = nearest_rest(factor, modulus);
    changed = changed || rest != factor;
    if (rest == 0) continue;
    const auto view = (*this)[form];
    const auto inner = view.kind == FormKind::Remainder ? number(view.argument(1)) : std::nullopt;
    if (inner && Wide{rest} * *inner % modulus == 0) {
      reduced.push_back({view.argument(0), rest});
      changed = true;
    } else {
      reduced.push_back({form, rest});
    }
  }
  if (changed) {
    const auto other = linear(rest_of(whole, modulus), reduced);
    if (other != one) return remainder_by(other, modulus);
  }
  if (const auto split = split_by_unit(whole, terms, modulus)) {
    const auto upper = remainder_by(linear(split->constant, split->upper), modulus / split->unit);
    auto rest = linear(whole - split->constant * split->unit, split->lower);
    return sum(rest, upper, split->unit);
  }
  if (modulus == 2 && whole == 1) return linear(1, Terms{{remainder_by(plus(one, -1), 2), -1}});
  return made_of(FormKind::Remainder, {one, constant(modulus)}, 0, modulus - 1);
}

/// The result of a division by a number that may be 0.
Form Forms::undefined(Form one, Form divisor) {
  const auto why = static_cast<Reasons>(reasons(one) | reasons(divisor) | kNotFollowed);
  return unknown(why, static_cast<std::uint32_t>(size()), {-kFar, kFar});
}

Form Forms::quotient(Form one, Form divisor) {
  if (range(divisor).least < 1) return undefined(one, divisor);
  if (const auto by = number(divisor)) return quotient_by(one, *by);
  if (const auto [least, most] = range(one); least >= 0 && most < range(divisor).least) return constant(0);
  const auto view = (*this)[one];
  if (view.kind == FormKind::Quotient) return quotient(view.argument(0), product(view.argument(1), divisor));
  const auto [least, most] = range(one);
  const auto [small, large] = range(divisor);
  return made_of(FormKind::Quotient, {one, divisor}, floor_of(least, least < 0 ? small : large),
                 floor_of(most, most < 0 ? large : small));
}

Form Forms::remainder(Form one, Form divisor) {
  if (range(divisor).least < 1) return undefined(one, divisor);
  if (const auto by = number(divisor)) return remainder_by(one, *by);
  if (const auto [least, most] = range(one); least >= 0 && most < range(divisor).least) return one;
  return made_of(FormKind::Remainder, {one, divisor}, 0, range(divisor).most - 1);
}

Form Forms::power(Form exponent) {
  if (const auto [least, most] = range(exponent); least == most && 0 <= most && most < 62)
    return constant(std::int64_t{1} << most);
  // Only in a choice not taken.
  if (range(exponent).most < 0) return unknown(kNotFollowed, static_cast<std::uint32_t>(size()), {1, kFar});
  std::int64_t whole = 0;
  const auto terms = terms_of(exponent, whole);
  if (whole > 0 && whole < 62) return scaled(power(plus(exponent, -whole)), std::int64_t{1} << whole);
  const auto [least, most] = range(exponent);
  const auto of = [](std::int64_t place) { return Wide{1} << std::clamp<std::int64_t>(place, 0, 100); };
  return made_of(FormKind::Power, {exponent}, of(least), of(most));
}

/// Possible bits of a number, as far as known; the number is not negative. Each form is looked at once: hashes and
/// random numbers use their parts again and again.
std::uint64_t Forms::possible_bits(Form form) const {
  const auto& node = nodes_[form.id];
  if (!node.possible_bits) node.possible_bits = find_possible_bits(form);
  return *node.possible_bits;
}

std::uint64_t Forms::find_possible_bits(Form form) const {
  const auto& node = nodes_[form.id];
  const auto most = node.most;
  const auto all = ones(width_of(most));
  const auto view = (*this)[form];
  switch (node.kind) {
    case FormKind::Constant:
      return static_cast<std::uint64_t>(node.number);
    case FormKind::Sum: {
      const auto scaled_bits = [&](const Term& term) {
        const auto bits = possible_bits(term.form);
        const auto low = std::countr_zero(bits) + zeros_of(term.factor);
        if (std::has_single_bit(static_cast<std::uint64_t>(term.factor)))
          return low >= 64 ? 0 : bits << zeros_of(term.factor);
        return low >= 64 ? 0 : ones(width_of(nodes_[term.form.id].most * term.factor)) & ~ones(low);
      };
      auto united = static_cast<std::uint64_t>(node.number);
      bool disjoint = node.number >= 0;
      int low = node.number == 0 ? 64 : zeros_of(node.number);
      for (const auto& term : view.terms) {
        const bool rises = nodes_[term.form.id].least >= 0;
        low = std::min(low, zeros_of(term.factor) + (rises ? std::countr_zero(possible_bits(term.form)) : 0));
        if (!disjoint || term.factor <= 0 || !rises) {
          disjoint = false;
          continue;
        }
        const auto bits = scaled_bits(term);
        disjoint = (united & bits) == 0;
        united |= bits;
      }
      return disjoint ? united : low >= 64 ? 0 : all & ~ones(low);
    }
    case FormKind::Choice:
      return nodes_[view.argument(1).id].least >= 0 && nodes_[view.argument(2).id].least >= 0
                 ? possible_bits(view.argument(1)) | possible_bits(view.argument(2))
                 : all;
    case FormKind::Quotient:
    case FormKind::Remainder: {
      const auto by = number(view.argument(1));
      if (!by || !std::has_single_bit(static_cast<std::uint64_t>(*by)) || nodes_[view.argument(0).id].least < 0)
        return all;
      const auto bits = possible_bits(view.argument(0));
      return node.kind == FormKind::Quotient ? bits >> zeros_of(*by) : bits & ones(zeros_of(*by));
    }
    case FormKind::Common:
      return possible_bits(view.argument(0)) & possible_bits(view.argument(1));
    default:
      return all;
  }
}

Form Forms::common_with(Form one, std::uint64_t mask) {
  const auto bits = possible_bits(one);
  if ((bits & mask) == 0) return constant(0);
  if ((bits & ~mask) == 0) return one;
  const int end = width_of(range(one).most);
  Terms terms;
  for (int low = 0; low < end;) {
    if (((mask >> low) & 1) == 0) {
      ++low;
      continue;
    }
    int high = low;
    while (high < end && ((mask >> high) & 1) != 0) ++high;
    auto field = quotient_by(one, std::int64_t{1} << low);
    if (high < end) field = remainder_by(field, std::int64_t{1} << (high - low));
    terms.push_back({field, std::int64_t{1} << low});
    low = high;
  }
  return linear(0, terms);
}

Form Forms::common(Form one, Form other) {
  if (one == other) return one;
  if (const auto mask = number(one)) return common_with(other, static_cast<std::uint64_t>(*mask));
  if (const auto mask = number(other)) return common_with(one, static_cast<std::uint64_t>(*mask));
  if (is_truth(one) && is_truth(other)) return all(one, other);
  if ((possible_bits(one) & possible_bits(other)) == 0) return constant(0);
  // Parts of a sum without shared bits keep their bits apart.
  for (const auto& [number, with] : {std::pair(one, other), std::pair(other, one)}) {
    std::int64_t whole = 0;
    const auto terms = terms_of(number, whole);
    if (nodes_[number.id].kind != FormKind::Sum || terms.size() + (whole != 0 ? 1 : 0) < 2) continue;
    auto united = static_cast<std::uint64_t>(whole);
    bool disjoint = whole >= 0;
    for (const auto& term : terms) {
      if (term.factor <= 0 || nodes_[term.form.id].least < 0) disjoint = false;
      if (!disjoint) break;
      const auto bits = possible_bits(scaled(term.form, term.factor));
      disjoint = (united & bits) == 0;
      united |= bits;
    }
    if (!disjoint) continue;
    auto result = whole == 0 ? constant(0) : common(constant(whole), with);
    for (const auto& term : terms) result = sum(result, common(scaled(term.form, term.factor), with));
    return result;
  }
  return made_of(FormKind::Common, {std::min(one, other), std::max(one, other)}, 0,
                 std::min(range(one).most, range(other).most));
}

Form Forms::least(Form one, Form other) {
  const auto difference = range(sum(one, other, -1));
  if (difference.most <= 0) return one;
  if (difference.least >= 0) return other;
  const auto a = range(one), b = range(other);
  return made_of(FormKind::Least, {std::min(one, other), std::max(one, other)}, std::min(a.least, b.least),
                 std::min(a.most, b.most));
}

Form Forms::greatest(Form one, Form other) {
  const auto difference = range(sum(one, other, -1));
  if (difference.most <= 0) return other;
  if (difference.least >= 0) return one;
  const auto a = range(one), b = range(other);
  return made_of(FormKind::Greatest, {std::min(one, other), std::max(one, other)}, std::max(a.least, b.least),
                 std::max(a.most, b.most));
}

}  // namespace warpipe::isa
