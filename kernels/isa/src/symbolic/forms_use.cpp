// Uses of forms: substitution of variables, values, text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "symbolic/forms.hpp"

namespace warpipe::isa {

bool Forms::depends_on(Form form, Variable variable) const {
  std::unordered_set<std::uint32_t> seen;
  std::vector<Form> waiting{form};
  const auto mask = variable.bit();
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    const auto& node = nodes_[next.id];
    if ((node.variables & mask) == 0 || !seen.insert(next.id).second) continue;
    if (node.kind == FormKind::Variable && variable_of(next) == variable) return true;
    for (const auto& term : (*this)[next].terms) waiting.push_back(term.form);
  }
  return false;
}

std::vector<Variable> Forms::variables(Form form) const {
  std::unordered_set<std::uint32_t> seen;
  std::vector<Form> waiting{form};
  std::vector<Variable> found;
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    if (nodes_[next.id].variables == 0 || !seen.insert(next.id).second) continue;
    if (nodes_[next.id].kind == FormKind::Variable) found.push_back(variable_of(next));
    for (const auto& term : (*this)[next].terms) waiting.push_back(term.form);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Form Forms::rebuilt(FormKind kind, std::span<const Form> arguments) {
  switch (kind) {
    case FormKind::Quotient:
      return quotient(arguments[0], arguments[1]);
    case FormKind::Remainder:
      return remainder(arguments[0], arguments[1]);
    case FormKind::Power:
      return power(arguments[0]);
    case FormKind::Common:
      return common(arguments[0], arguments[1]);
    case FormKind::Least:
      return least(arguments[0], arguments[1]);
    case FormKind::Greatest:
      return greatest(arguments[0], arguments[1]);
    case FormKind::NotNegative:
      return not_negative(arguments[0]);
    case FormKind::Zero:
      return zero(arguments[0]);
    case FormKind::Choice:
      return choice(arguments[0], arguments[1], arguments[2]);
    default: {
      auto result = arguments[0];
      for (std::size_t i = 1; i < arguments.size(); ++i)
        result = kind == FormKind::All ? all(result, arguments[i]) : product(result, arguments[i]);
      return result;
    }
  }
}

template <class ReplaceForm>
Form Forms::with_arguments(Form form, const ReplaceForm& replace) {
  const auto view = (*this)[form];
  const auto kind = view.kind;
  const auto number = view.number;
  Terms terms(view.terms.begin(), view.terms.end());
  bool changed = false;
  for (auto& term : terms) {
    const auto other = replace(term.form);
    changed = changed || other != term.form;
    term.form = other;
  }
  if (!changed) return form;
  if (kind == FormKind::Sum) return linear(number, terms);
  std::vector<Form> arguments;
  for (const auto& term : terms) arguments.push_back(term.form);
  return rebuilt(kind, arguments);
}

Form Forms::substitute(Form form, const Replace& replace, std::uint64_t mask,
                       std::unordered_map<std::uint32_t, Form>& done) {
  if ((nodes_[form.id].variables & mask) == 0) return form;
  if (const auto known = done.find(form.id); known != done.end()) return known->second;
  const auto result =
      nodes_[form.id].kind == FormKind::Variable
          ? replace(variable_of(form)).value_or(form)
          : with_arguments(form, [&](Form argument) { return substitute(argument, replace, mask, done); });
  done.emplace(form.id, result);
  return result;
}

/// The terms of a sum with a - m floor(a / m) in place of a mod m.
/// @param constant  as of terms_of
Terms Forms::without_remainders(Form form, std::int64_t& constant) {
  Terms terms;
  for (const auto& term : terms_of(form, constant)) {
    const auto view = (*this)[term.form];
    const auto modulus = view.kind == FormKind::Remainder ? number(view.argument(1)) : std::nullopt;
    if (!modulus || std::abs(term.factor) > kFar / *modulus) {
      terms.push_back(term);
      continue;
    }
    terms.push_back({view.argument(0), term.factor});
    terms.push_back({quotient_by(view.argument(0), *modulus), -term.factor * *modulus});
  }
  return terms;
}

/// Numbers below a sum, with a mod m - a in place of - m floor(a / m), and a mod m left out, where that raises the
/// least.
Form Forms::without_lowering_quotients(Form form) {
  std::int64_t whole = 0;
  for (const auto& [quotient, factor] : terms_of(form, whole)) {
    const auto view = (*this)[quotient];
    const auto by = view.kind == FormKind::Quotient && factor < 0 ? number(view.argument(1)) : std::nullopt;
    if (!by || factor % *by != 0) continue;
    const auto left = linear(0, Terms{{form, 1}, {quotient, -factor}, {view.argument(0), factor / *by}});
    if (range(left).least > range(form).least) form = left;
  }
  return form;
}

/// Takes a number that is not negative from a sum, as often as a part of its first term is in it.
/// @return the rest, if its least is above the sum's
std::optional<Form> Forms::less(Form from, std::int64_t constant, const Terms& kept) {
  std::int64_t added = 0;
  const auto terms = terms_of(from, added);
  for (const auto& part : terms_of(kept.front().form, added)) {
    const auto same = std::ranges::find(terms, part.form, &Term::form);
    const auto factor = part.factor * kept.front().factor;
    if (same == terms.end() || same->factor % factor != 0 || same->factor / factor < 0) continue;
    const auto times = same->factor / factor;
    Terms rest{{from, 1}};
    for (const auto& term : kept)
      if (std::abs(term.factor) <= kFar / times) rest.push_back({term.form, -times * term.factor});
    if (rest.size() <= kept.size()) continue;
    const auto left = without_lowering_quotients(linear(-times * constant, rest));
    if (range(left).least > range(from).least) return left;
  }
  return std::nullopt;
}

/// The least of a number where facts hold: of a sum with x in it, x >= 0 leaves the least to the rest of the sum, of
/// which another fact may tell more. So it is with the numerators of quotients, but not of quotients within these.
std::int64_t Forms::least_where(Form number, const Terms& facts, bool is_numerator) {
  for (bool is_less = true; is_less;) {
    is_less = false;
    for (const auto& fact : facts) {
      const auto kept = kept_by(fact.form);
      if (!kept) continue;
      for (const bool is_expanded : {false, true}) {
        std::int64_t constant = 0;
        const auto terms = is_expanded ? without_remainders(*kept, constant) : terms_of(*kept, constant);
        const auto rest = less(number, constant, terms);
        is_less = is_less || rest;
        number = rest.value_or(number);
      }
    }
  }
  auto least = range(number).least;
  if (is_numerator) return least;
  std::int64_t constant = 0;
  for (const auto& [form, factor] : terms_of(number, constant)) {
    const auto view = (*this)[form];
    const auto by = view.kind == FormKind::Quotient && factor > 0 ? this->number(view.argument(1)) : std::nullopt;
    const auto of_numerator = by ? least_where(view.argument(0), facts, true) : -1;
    if (of_numerator >= 0) least += factor * (of_numerator / *by - range(form).least);
  }
  return least;
}

Form Forms::assuming(Form form, Form truth, std::unordered_map<std::uint32_t, Form>& done) {
  const auto kind = nodes_[form.id].kind;
  if (kind == FormKind::Constant || kind == FormKind::Variable || kind == FormKind::Unknown) return form;
  if (const auto known = done.find(form.id); known != done.end()) return known->second;
  std::optional<Form> result;
  if (kind == FormKind::NotNegative || kind == FormKind::Zero || kind == FormKind::All) {
    if (all(truth, form) == constant(0)) result = constant(0);
    if (!result && all(truth, negation(form)) == constant(0)) result = constant(1);
  }
  if (kind == FormKind::Quotient || kind == FormKind::Remainder) {
    // A number kept between two multiples of its divisor by the truth.
    const auto one = (*this)[form].argument(0), divisor = (*this)[form].argument(1);
    const auto facts = factors(truth);
    const auto times = number(divisor) ? least_where(one, facts) / *number(divisor) : 0;
    const auto rest = sum(one, divisor, -times);
    if (least_where(rest, facts) >= 0 && least_where(sum(divisor, rest, -1), facts) > 0)
      result = kind == FormKind::Quotient ? constant(times) : assuming(rest, truth, done);
  }
  if (!result) {
    result = with_arguments(form, [&](Form argument) { return assuming(argument, truth, done); });
    if (*result != form) result = assuming(*result, truth, done);
  }
  done.emplace(form.id, *result);
  return *result;
}

Form Forms::assuming(Form form, Form truth) {
  if (truth == constant(1)) return form;
  std::unordered_map<std::uint32_t, Form> done;
  return assuming(form, truth, done);
}

Form Forms::substitute(Form form, const Replace& replace) {
  std::unordered_map<std::uint32_t, Form> done;
  return substitute(form, replace, ~std::uint64_t{0}, done);
}

Form Forms::substitute(Form form, Variable variable, Form by) {
  std::unordered_map<std::uint32_t, Form> done;
  const auto mask = variable.bit();
  return substitute(
      form, [&](Variable other) { return other == variable ? std::optional(by) : std::nullopt; }, mask, done);
}

std::int64_t Forms::evaluate(Form form, const At& at) const {
  const auto view = (*this)[form];
  const auto of = [&](std::size_t i) { return evaluate(view.argument(i), at); };
  const auto floored = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  switch (view.kind) {
    case FormKind::Constant:
      return view.number;
    case FormKind::Variable:
      return at(variable_of(form));
    case FormKind::Unknown:
      return 0;
    case FormKind::Sum: {
      auto result = static_cast<std::uint64_t>(view.number);
      for (const auto& term : view.terms)
        result += static_cast<std::uint64_t>(evaluate(term.form, at)) * static_cast<std::uint64_t>(term.factor);
      return static_cast<std::int64_t>(result);
    }
    case FormKind::Product: {
      std::uint64_t result = 1;
      for (const auto& term : view.terms) result *= static_cast<std::uint64_t>(evaluate(term.form, at));
      return static_cast<std::int64_t>(result);
    }
    case FormKind::Quotient:
      return floored(of(0), of(1));
    case FormKind::Remainder: {
      const auto a = of(0), b = of(1);
      return a - floored(a, b) * b;
    }
    case FormKind::Power:
      return std::int64_t{1} << of(0);
    case FormKind::Common:
      return of(0) & of(1);
    case FormKind::Least:
      return std::min(of(0), of(1));
    case FormKind::Greatest:
      return std::max(of(0), of(1));
    case FormKind::NotNegative:
      return of(0) >= 0 ? 1 : 0;
    case FormKind::Zero:
      return of(0) == 0 ? 1 : 0;
    case FormKind::All:
      return std::ranges::all_of(view.terms, [&](const Term& term) { return evaluate(term.form, at) != 0; }) ? 1 : 0;
    default:
      return of(0) != 0 ? of(1) : of(2);
  }
}

std::string Forms::text(Form form) const {
  const auto view = (*this)[form];
  const auto of = [&](std::size_t i) { return text(view.argument(i)); };
  const auto list = [&](const char* name) {
    std::string result;
    for (const auto& term : view.terms) result += (result.empty() ? "" : ", ") + text(term.form);
    return fmt::format("{}({})", name, result);
  };
  switch (view.kind) {
    case FormKind::Constant:
      return std::to_string(view.number);
    case FormKind::Variable: {
      const auto [place, number] = variable_of(form);
      static constexpr std::array kNames{"thread_", "group_", "trip_", "start_", "carried_"};
      const auto* const name = kNames[static_cast<std::size_t>(place)];
      if (place == Place::Thread || place == Place::Group) return name + std::string(1, "xyz"[number]);
      return fmt::format("{}{}", name, number);
    }
    case FormKind::Unknown:
      return fmt::format("unknown_{}", static_cast<std::uint32_t>(view.number));
    case FormKind::Sum: {
      std::string result;
      for (const auto& [argument, factor] : view.terms) {
        const auto size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
        result += result.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
        result += size == 1 ? text(argument) : fmt::format("{} * {}", size, text(argument));
      }
      if (view.number != 0)
        result += fmt::format(
            " {} {}", view.number < 0 ? '-' : '+',
            view.number < 0 ? 0 - static_cast<std::uint64_t>(view.number) : static_cast<std::uint64_t>(view.number));
      return result;
    }
    case FormKind::Product:
      return list("product");
    case FormKind::Quotient:
      return fmt::format("floor(({}) / {})", of(0), of(1));
    case FormKind::Remainder:
      return list("mod");
    case FormKind::Power:
      return list("power");
    case FormKind::Common:
      return list("and");
    case FormKind::Least:
      return list("min");
    case FormKind::Greatest:
      return list("max");
    case FormKind::NotNegative:
      return fmt::format("({} >= 0)", of(0));
    case FormKind::Zero:
      return fmt::format("({} == 0)", of(0));
    case FormKind::All:
      return list("all");
    default:
      return list("choice");
  }
}

}  // namespace warpipe::isa
