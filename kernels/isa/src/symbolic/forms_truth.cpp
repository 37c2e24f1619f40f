// Truths: comparisons, conjunctions, choices.
#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "symbolic/forms.hpp"

namespace warpipe::isa {

namespace {

constexpr auto kWord = std::int64_t{1} << 32;

std::optional<bool> sign_of(Range range) {
  if (range.least >= 0) return true;
  return range.most < 0 ? std::optional(false) : std::nullopt;
}

}  // namespace

/// Whether a sum of a number and digits of it, as flipped bits leave it, is not negative.
std::optional<bool> Forms::by_digits(std::int64_t constant, const Terms& terms) {
  Terms lowered;
  for (const auto& term : terms) {
    const auto view = (*this)[term.form];
    if ((view.kind != FormKind::Quotient && view.kind != FormKind::Remainder) || !number(view.argument(1))) continue;
    if (const auto known = by_digits(constant, terms, {term})) return known;
    if (term.factor < 0) lowered.push_back(term);
  }
  return lowered.size() > 1 ? by_digits(constant, terms, lowered) : std::nullopt;
}

/// The begin and end of a digit of a number: the digit is floor(number / begin) mod (end / begin). It may be a digit of
/// a term of the number; an uppermost digit is a quotient.
std::optional<std::pair<std::int64_t, std::int64_t>> Forms::place_of_digit(Form number, Form digit) {
  const auto view = (*this)[digit];
  const auto divisor = this->number(view.argument(1)).value_or(1);
  const bool is_upper = view.kind == FormKind::Quotient;
  const auto by = is_upper ? range(digit).most + 1 : divisor;
  auto part = view.argument(0);
  std::int64_t unit = is_upper ? divisor : 1, added = 0;
  for (const auto& term : is_upper ? Terms{} : terms_of(part, added))
    if (const auto inner = (*this)[term.form]; inner.kind == FormKind::Quotient) {
      unit = this->number(inner.argument(1)).value_or(unit);
      part = inner.argument(0);
    }
  const auto terms = terms_of(number, added);
  const auto found = std::ranges::find(terms, part, &Term::form);
  const auto times = found == terms.end() ? 1 : found->factor;
  if (by < 1 || times < 1 || times > kFar / by / unit) return std::nullopt;
  const auto begin = unit * times;
  if (remainder(quotient(number, begin), by) != digit) return std::nullopt;
  return std::pair(begin, begin * by);
}

/// Judges by the parts of a number above, at and below its digits; the number is the sum of all further terms with
/// positive factors.
std::optional<bool> Forms::by_digits(std::int64_t constant, const Terms& terms, const Terms& digits) {
  Terms added, taken;
  for (const auto& term : terms)
    if (std::ranges::find(digits, term) == digits.end()) (term.factor > 0 ? added : taken).push_back(term);
  const auto whole = linear(0, added);
  const auto [first, last] = range(whole);
  if (first < 0) return std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;  // begin and end of each
  Wide least = range_of(constant, taken).least, most = range_of(constant, taken).most;
  for (const auto& [form, factor] : digits) {
    const auto place = place_of_digit(whole, form);
    if (!place) return std::nullopt;
    const auto [unit, end] = *place;
    places.push_back(*place);
    const auto by = end / unit;
    const auto turned = (Wide{factor} + unit) * (by - 1);
    least += std::min<Wide>(0, turned);
    most += std::max<Wide>(0, turned) - Wide{unit} * (by - 1);
  }
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].first % places[i - 1].second != 0) return std::nullopt;
  const auto above = places.back().second;
  if (first / above * above + least >= 0) return true;
  if (last / above * above + above - 1 + most < 0) return false;
  return std::nullopt;
}

/// The bits of two numbers together, x + y - (x and y), are not negative where neither number is, nor is the word with
/// these bits. The shared bits of a negative number are those of its remainder by the size of a word.
std::optional<Form> Forms::sign_of_united(Form one) {
  std::int64_t whole = 0;
  auto terms = terms_of(one, whole);
  const auto word = (*this)[terms[0].form];
  if (terms.size() == 1 && terms[0].factor == 1 && word.kind == FormKind::Remainder &&
      number(word.argument(1)) == -2 * whole) {
    one = plus(word.argument(0), whole);
    terms = terms_of(one, whole);
  }
  struct Number {
    Form form;
    std::int64_t size = 0;  ///< of the word; 0: not negative
  };
  const auto numbers_of = [&](Form bits) {
    std::vector<Number> numbers{{bits}};
    const auto view = (*this)[bits];
    const auto size = view.kind == FormKind::Remainder ? number(view.argument(1)) : std::nullopt;
    if (!size || !std::has_single_bit(static_cast<std::uint64_t>(*size))) return numbers;
    const auto turns = range(view.argument(0)).most / *size;
    const auto number = plus(view.argument(0), -turns * *size);
    if (range(number).within(-*size, *size - 1)) numbers.push_back({number, *size});
    return numbers;
  };
  for (const auto& term : terms) {
    const auto view = (*this)[term.form];
    if (term.factor != -1 || view.kind != FormKind::Common) continue;
    const auto united = sum(one, term.form);
    for (const auto& x : numbers_of(view.argument(0)))
      for (const auto& y : numbers_of(view.argument(1))) {
        const auto size = std::max(x.size, y.size);
        const bool are_words =
            (x.size == size || range(x.form).most < size) && (y.size == size || range(y.form).most < size);
        if (size > 0 && are_words && sum(united, sum(x.form, y.form), -1) == constant(0))
          return all(not_negative(x.form), not_negative(y.form));
      }
  }
  return std::nullopt;
}

/// x >= 0. Of a form and its opposite only the form with a positive first factor is written down.
Form Forms::not_negative(Form one) {
  const auto [least, most] = range(one);
  if (least >= 0) return constant(1);
  if (most < 0) return constant(0);
  if (least == -1 && most == 0) return plus(one, 1);
  std::int64_t whole = 0;
  auto terms = terms_of(one, whole);
  std::int64_t unit = 0;
  for (const auto& term : terms) unit = std::gcd(unit, term.factor);
  if (unit > 1) {
    for (auto& term : terms) term.factor /= unit;
    return not_negative(linear(whole / unit - (whole % unit < 0 ? 1 : 0), terms));
  }
  if (terms.size() == 1) {
    const auto factor = terms[0].factor;
    const auto view = (*this)[terms[0].form];
    const bool rises = factor > 0;
    const auto side = [&](Form argument) { return not_negative(linear(whole, Terms{{argument, factor}})); };
    if (view.kind == FormKind::Quotient) {
      const auto number = view.argument(0), divisor = view.argument(1);
      if (rises) return not_negative(sum(number, divisor, whole));
      return not_negative(linear(-1, Terms{{scaled(divisor, whole + 1), 1}, {number, -1}}));
    }
    // Of a word, an upper end below all numbers that wrap is two ends.
    if (view.kind == FormKind::Remainder && factor == -1 && number(view.argument(1)) == kWord) {
      const auto inside = plus(view.argument(0), -(range(view.argument(0)).most / kWord) * kWord);
      if (range(inside).within(whole + 1 - kWord, kWord - 1))
        return all(not_negative(inside), not_negative(linear(whole, Terms{{inside, -1}})));
    }
    if (view.kind == FormKind::Least || view.kind == FormKind::Greatest) {
      const auto first = view.argument(0), second = view.argument(1);
      return (view.kind == FormKind::Least) == rises ? all(side(first), side(second)) : any(side(first), side(second));
    }
    if (view.kind == FormKind::Choice) {
      const auto truth = view.argument(0), second = view.argument(1), third = view.argument(2);
      const auto a = side(second), b = side(third);
      if (number(a) || number(b)) return choice(truth, a, b);
    }
  }
  if (const auto sign = by_digits(whole, terms)) return constant(*sign ? 1 : 0);
  Terms opposite = terms;
  for (auto& term : opposite) term.factor = -term.factor;
  if (const auto sign = by_digits(-1 - whole, opposite)) return constant(*sign ? 0 : 1);
  if (const auto signs = sign_of_united(one)) return *signs;
  // A truth among the terms may decide alone.
  for (const auto& [form, factor] : terms) {
    if (terms.size() == 1 || !is_truth(form)) continue;
    const auto without = range(sum(one, form, -factor));
    const auto with = sign_of({without.least + factor, without.most + factor}), without_it = sign_of(without);
    if (with && without_it && *with != *without_it) return *with ? form : negation(form);
  }
  if (terms[0].factor < 0) return negation(not_negative(linear(-1, Terms{{one, -1}})));
  return made_of(FormKind::NotNegative, {one}, 0, 1);
}

Form Forms::zero(Form one) {
  const auto [least, most] = range(one);
  if (least > 0 || most < 0) return constant(0);
  if (least == 0) return not_negative(scaled(one, -1));
  if (most == 0) return not_negative(one);
  std::int64_t whole = 0;
  auto terms = terms_of(one, whole);
  std::int64_t unit = 0;
  for (const auto& term : terms) unit = std::gcd(unit, term.factor);
  if (whole % unit != 0) return constant(0);
  if (unit > 1 || terms[0].factor < 0) {
    if (terms[0].factor < 0) unit = -unit;
    for (auto& term : terms) term.factor /= unit;
    return zero(linear(whole / unit, terms));
  }
  if (terms.size() == 1) {
    const auto view = (*this)[terms[0].form];
    // The number is a value of a quotient: it lies between two bounds.
    if (view.kind == FormKind::Quotient) return all(not_negative(one), not_negative(scaled(one, -1)));
    if (view.kind == FormKind::Choice) {
      const auto truth = view.argument(0), second = view.argument(1), third = view.argument(2);
      const auto a = zero(plus(second, whole)), b = zero(plus(third, whole));
      if (number(a) || number(b)) return choice(truth, a, b);
    }
  }
  return made_of(FormKind::Zero, {one}, 0, 1);
}

Form Forms::truth(Form number) {
  if (is_truth(number)) return number;
  return negation(zero(number));
}

Terms Forms::factors(Form truth) const {
  const auto view = (*this)[truth];
  if (view.kind == FormKind::All) return {view.terms.begin(), view.terms.end()};
  return {{truth, 1}};
}

std::optional<Form> Forms::kept_by(Form truth) {
  const auto view = (*this)[truth];
  if (view.kind == FormKind::NotNegative) return view.argument(0);
  if (view.kind != FormKind::Sum || view.number != 1 || view.terms.size() != 1 || view.terms[0].factor != -1)
    return std::nullopt;
  const auto opposite = (*this)[view.argument(0)];
  if (opposite.kind != FormKind::NotNegative) return std::nullopt;
  return linear(-1, Terms{{opposite.argument(0), -1}});
}

/// The implication between two truths: 1 the first by the second, 2 the second by the first; 3: not both hold; 0: not
/// known.
int Forms::implied(Form one, Form other) {
  const auto a = kept_by(one), b = kept_by(other);
  if (!a || !b) return 0;
  const auto [least, most] = range(sum(*a, *b, -1));
  if (least >= 0) return 1;
  if (most <= 0) return 2;
  return range(sum(*a, *b)).most < 0 ? 3 : 0;
}

Form Forms::all(Form one, Form other) {
  if (const auto known = number(one)) return *known != 0 ? other : one;
  if (const auto known = number(other)) return *known != 0 ? one : other;
  if (one == other) return one;
  auto result = factors(one);
  for (const auto& added : factors(other)) {
    bool keep = true;
    const auto opposite = negation(added.form);
    for (auto known = result.begin(); known != result.end() && keep;) {
      if (known->form == opposite) return constant(0);
      const auto which = known->form == added.form ? 1 : implied(added.form, known->form);
      if (which == 3) return constant(0);
      if (which == 1) keep = false;
      known = which == 2 ? result.erase(known) : known + 1;
    }
    if (keep) result.push_back(added);
  }
  std::ranges::sort(result);
  if (result.size() == 1) return result[0].form;
  return make(FormKind::All, 0, result, 0, 1);
}

/// Parted ways meet again: the shared factors of two conjunctions stay, and the rest unless it is an opposite.
Form Forms::any(Form one, Form other) {
  if (const auto known = number(one)) return *known != 0 ? one : other;
  if (const auto known = number(other)) return *known != 0 ? other : one;
  if (one == other) return one;
  const auto a = factors(one), b = factors(other);
  auto shared = constant(1), first = constant(1), second = constant(1);
  for (const auto& factor : a) {
    auto& side = std::ranges::find(b, factor) != b.end() ? shared : first;
    side = all(side, factor.form);
  }
  for (const auto& factor : b)
    if (std::ranges::find(a, factor) == a.end()) second = all(second, factor.form);
  if (number(first) || number(second)) return shared;  // one is a case of the other
  if (first == negation(second)) return shared;
  // In a + (not a and b) the second part needs no `not a`.
  const auto without = [&](Form from, Form truth) {
    auto rest = constant(1);
    for (const auto& factor : factors(from))
      if (factor.form != truth) rest = all(rest, factor.form);
    return rest;
  };
  if (const auto rest = without(second, negation(first)); rest != second) return all(shared, any(first, rest));
  if (const auto rest = without(first, negation(second)); rest != first) return all(shared, any(rest, second));
  switch (implied(first, second)) {
    case 1:
      return all(shared, first);
    case 2:
      return all(shared, second);
    default:
      break;
  }
  if (implied(negation(first), negation(second)) == 3) return shared;
  return all(shared, negation(all(negation(first), negation(second))));
}

Form Forms::choice(Form truth, Form one, Form other) {
  if (one == other) return one;
  if (const auto known = number(truth)) return *known != 0 ? one : other;
  if (const auto view = (*this)[truth];
      view.kind == FormKind::Sum && view.number == 1 && view.terms.size() == 1 && view.terms[0].factor == -1)
    return choice(view.argument(0), other, one);
  if (is_truth(one) && is_truth(other)) {
    const auto a = number(one), b = number(other);
    if (a) return *a != 0 ? any(truth, other) : all(negation(truth), other);
    if (b) return *b != 0 ? any(negation(truth), one) : all(truth, one);
  }
  if (const auto view = (*this)[one]; view.kind == FormKind::Choice && view.argument(0) == truth)
    return choice(truth, view.argument(1), other);
  if (const auto view = (*this)[other]; view.kind == FormKind::Choice && view.argument(0) == truth)
    return choice(truth, one, view.argument(2));
  const auto difference = sum(one, other, -1);
  if (const auto step = number(difference)) return sum(other, truth, *step);
  // A ring: the last place is followed by the first.
  if (const auto view = (*this)[truth]; view.kind == FormKind::NotNegative && number(one) == 0) {
    const auto before = plus(other, -1);
    const auto last = number(sum(before, view.argument(0), -1));
    const auto ring = (*this)[before];
    if (last && ring.kind == FormKind::Remainder && ring.argument(1) == constant(*last + 1))
      return remainder(plus(ring.argument(0), 1), ring.argument(1));
  }
  // Shared terms stand outside.
  std::int64_t first = 0, second = 0;
  const auto a = terms_of(one, first), b = terms_of(other, second);
  Terms shared;
  for (const auto& term : a)
    if (std::ranges::find(b, term) != b.end()) shared.push_back(term);
  if (!shared.empty()) {
    const auto outside = linear(0, shared);
    return sum(outside, choice(truth, sum(one, outside, -1), sum(other, outside, -1)));
  }
  const auto x = range(one), y = range(other);
  return made_of(FormKind::Choice, {truth, one, other}, std::min(x.least, y.least), std::max(x.most, y.most));
}

}  // namespace warpipe::isa
