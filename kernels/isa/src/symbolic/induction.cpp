#include "symbolic/induction.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "symbolic/lane_forms.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostTrials = 4096;  // trips tried of a condition of the trip alone

/// A form as factor x variable + rest.
struct Line {
  std::int64_t factor = 0;
  Form rest;
};

/// @return nothing where the rest depends on the variable, too
std::optional<Line> line_in(Forms& forms, Form form, Form variable) {
  const auto of = forms.variable_of(variable);
  const auto view = forms[form];
  std::int64_t factor = form == variable ? 1 : 0;
  if (view.kind == FormKind::Sum)
    for (const auto& term : view.terms)
      if (term.form == variable) factor = term.factor;
  const Line line{factor, forms.sum(form, variable, -factor)};
  if (forms.depends_on(line.rest, of)) return std::nullopt;
  return line;
}

/// Sum of a line over the earlier trips.
std::optional<Form> summed(Forms& forms, Form step, Form trip) {
  const auto line = line_in(forms, step, trip);
  if (!line) return std::nullopt;
  const auto pairs = forms.quotient(forms.product(trip, forms.plus(trip, -1)), 2);
  return forms.sum(forms.product(line->rest, trip), pairs, line->factor);
}

/// To and fro between two numbers.
Form in_turns(Forms& forms, Form start, Form other, Form trip) {
  return forms.choice(forms.remainder(trip, 2), other, start);
}

/// A place in a ring that goes on by a constant step, in one or several moves of a trip, each brought back into the
/// ring by a comparison: held + step - size x (truths of held).
std::optional<Form> around_ring(Forms& forms, Form start, Form held, Form after, Form trip) {
  const auto of = forms.variable_of(held);
  std::int64_t step = 0, size = 0;
  for (const auto& term : forms.terms_of(forms.sum(after, held, -1), step)) {
    if (forms[term.form].kind != FormKind::NotNegative || !forms.depends_on(term.form, of)) return std::nullopt;
    if (size != 0 && term.factor != size) return std::nullopt;
    size = term.factor;
  }
  size = std::abs(size);
  if (size < 2 || !forms.range(start).within(0, size - 1)) return std::nullopt;
  const auto ahead = (step % size + size) % size;
  return forms.remainder(forms.sum(start, trip, ahead), size);
}

}  // namespace

std::optional<Form> carried_form(Forms& forms, Form start, Form held, Form after, Form trip) {
  const auto of = forms.variable_of(held);
  const auto is_free = [&](Form form) { return !forms.depends_on(form, of); };
  const auto is_within = [&](Form form, std::int64_t end) { return forms.range(form).within(0, end - 1); };
  if (after == held || forms.substitute(after, of, start) == start) return start;
  if (const auto step = forms.sum(after, held, -1); is_free(step)) {
    const auto moved = summed(forms, step, trip);
    return moved ? std::optional(forms.sum(start, *moved)) : std::nullopt;
  }
  if (const auto sum = forms.sum(after, held); is_free(sum)) {
    if (forms.depends_on(sum, forms.variable_of(trip))) return std::nullopt;
    return in_turns(forms, start, forms.sum(sum, start, -1), trip);
  }
  if (const auto ring = around_ring(forms, start, held, after, trip)) return ring;
  const auto view = forms[after];
  if (view.kind == FormKind::Sum && view.number == 0 && view.terms.size() == 1 && view.argument(0) == held) {
    const auto factor = view.terms[0].factor;
    if (factor <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(factor))) return std::nullopt;
    const auto places = std::countr_zero(static_cast<std::uint64_t>(factor));
    return forms.product(start, forms.power(forms.scaled(trip, places)));
  }
  if (view.kind == FormKind::Quotient && view.argument(0) == held) {
    const auto by = forms.number(view.argument(1));
    if (!by || !std::has_single_bit(static_cast<std::uint64_t>(*by))) return std::nullopt;
    const auto places = std::countr_zero(static_cast<std::uint64_t>(*by));
    return forms.quotient(start, forms.power(forms.scaled(trip, places)));
  }
  if (view.kind == FormKind::Remainder) {
    const auto size = forms.number(view.argument(1));
    const auto step = forms.sum(view.argument(0), held, -1);
    if (!size || !is_free(step) || forms.depends_on(step, forms.variable_of(trip)) || !is_within(start, *size))
      return std::nullopt;
    return forms.remainder(forms.sum(start, forms.product(step, trip)), *size);
  }
  if (view.kind == FormKind::Choice && forms.number(view.argument(1)) == 0 && view.argument(2) == forms.plus(held, 1)) {
    const auto truth = forms[view.argument(0)];
    if (truth.kind != FormKind::Zero && truth.kind != FormKind::NotNegative) return std::nullopt;
    const auto last = forms.number(forms.sum(held, truth.argument(0), -1));
    if (!last || !is_within(start, *last + 1)) return std::nullopt;
    return forms.remainder(forms.sum(start, trip), *last + 1);
  }
  if (view.kind == FormKind::Sum && view.number > 0) {
    LaneForms lanes(forms, 0);
    const auto mask = forms.constant(view.number);
    const Type word{Type::Kind::Unsigned, 32};
    const auto turned = [&](Form form) { return lanes.logic(0x3c, form, mask, forms.constant(0), word); };
    if (turned(held) == after) return in_turns(forms, start, turned(start), trip);
  }
  return std::nullopt;
}

namespace {

std::optional<Form> by_trial(Forms& forms, Form truth, Form trip) {
  if (!forms.is_known(truth) || forms.variables(truth) != std::vector<Variable>{forms.variable_of(trip)})
    return std::nullopt;
  for (std::int64_t k = 0; k < kMostTrials && k <= forms.range(trip).most; ++k)
    if (forms.evaluate(truth, [&](Variable) { return k; }) != 0) return forms.constant(k);
  return std::nullopt;
}

/// factor x trip + rest >= 0
Form first_not_negative(Forms& forms, const Line& line) {
  if (line.factor > 0)
    return forms.greatest(forms.constant(0), forms.scaled(forms.quotient(line.rest, line.factor), -1));
  return forms.choice(forms.not_negative(line.rest), forms.constant(0), forms.constant(kNever));
}

/// factor x trip + rest = 0
Form first_zero(Forms& forms, Line line) {
  if (line.factor < 0) line = {-line.factor, forms.scaled(line.rest, -1)};
  const auto divides = forms.zero(forms.remainder(line.rest, line.factor));
  const auto truth = forms.all(divides, forms.not_negative(forms.scaled(line.rest, -1)));
  return forms.choice(truth, forms.scaled(forms.quotient(line.rest, line.factor), -1), forms.constant(kNever));
}

/// Of a comparison or its opposite.
std::optional<Form> first_of_comparison(Forms& forms, Form truth, Form trip) {
  auto view = forms[truth];
  bool holds = true;
  if (view.kind == FormKind::Sum && view.number == 1 && view.terms.size() == 1 && view.terms[0].factor == -1) {
    holds = false;
    view = forms[view.argument(0)];
  }
  if (view.kind != FormKind::NotNegative && view.kind != FormKind::Zero) return std::nullopt;
  const auto kind = view.kind;
  const auto line = line_in(forms, view.argument(0), trip);
  if (!line) return std::nullopt;
  if (kind == FormKind::Zero && holds) return first_zero(forms, *line);
  if (kind == FormKind::Zero)  // a different number in the first trip or in the second
    return line->factor == 0 ? forms.choice(truth, forms.constant(0), forms.constant(kNever)) : forms.zero(line->rest);
  return first_not_negative(forms, holds ? *line : Line{-line->factor, forms.linear(-1, Terms{{line->rest, -1}})});
}

}  // namespace

std::optional<Form> first_trip(Forms& forms, Form truth, Form trip) {
  const auto of = forms.variable_of(trip);
  if (!forms.depends_on(truth, of)) return forms.choice(truth, forms.constant(0), forms.constant(kNever));
  if (auto found = first_of_comparison(forms, truth, trip)) return found;
  if (auto found = by_trial(forms, truth, trip)) return found;
  // The opposite of a conjunction holds as soon as the opposite of any part does.
  if (const auto whole = forms.negation(truth); forms[whole].kind == FormKind::All) {
    auto result = forms.constant(kNever);
    for (const auto& factor : forms.factors(whole)) {
      const auto first = first_trip(forms, forms.negation(factor.form), trip);
      if (!first) return std::nullopt;
      result = forms.least(result, *first);
    }
    return result;
  }
  if (forms[truth].kind != FormKind::All) return std::nullopt;
  auto fixed = forms.constant(1);
  auto latest = forms.constant(0);
  std::size_t moving = 0;
  bool rising = true;  // each part stays true from its first trip on
  for (const auto& [factor, unused] : forms.factors(truth)) {
    if (!forms.depends_on(factor, of)) {
      fixed = forms.all(fixed, factor);
      continue;
    }
    ++moving;
    const auto first = first_trip(forms, factor, trip);
    if (!first) return std::nullopt;
    latest = forms.greatest(latest, *first);
    const auto next = forms.substitute(factor, of, forms.plus(trip, 1));
    rising = rising && forms.any(forms.negation(factor), next) == forms.constant(1);
  }
  if (moving > 1 && !rising) return std::nullopt;
  return forms.choice(fixed, latest, forms.constant(kNever));
}

}  // namespace warpipe::isa
