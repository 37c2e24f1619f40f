// Nodes, sums and products.
#include "symbolic/forms.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <cstdlib>
#include <utility>

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostTermsOfProduct = 16;  // limit for multiplying out a product of sums

/// The terms of a sum without one of them and without these parts.
Terms without(const Terms& terms, Form one, const Terms& parts) {
  Terms others;
  for (const auto& term : terms)
    if (term.form != one && std::ranges::find(parts, term.form, &Term::form) == parts.end()) others.push_back(term);
  return others;
}

}  // namespace

Forms::Forms() { constant(0); }

Form Forms::make(FormKind kind, std::int64_t number, std::span<const Term> terms, Wide least, Wide most) {
  Node node{kind};
  for (const auto& term : terms) {
    node.reasons |= nodes_[term.form.id].reasons;
    node.variables |= nodes_[term.form.id].variables;
  }
  if (least == most) return constant(static_cast<std::int64_t>(least));
  if (least < -kFar || most > kFar) {
    if (node.reasons == 0 && !is_guessing)
      return unknown(kTooLarge, static_cast<std::uint32_t>(nodes_.size()), {-kFar, kFar});
    least = std::clamp<Wide>(least, -kFar, kFar - 1);
    most = std::clamp<Wide>(most, least + 1, kFar);
  }
  node.number = number;
  node.least = static_cast<std::int64_t>(least);
  node.most = static_cast<std::int64_t>(most);
  std::size_t hash = static_cast<std::size_t>(kind);
  boost::hash_combine(hash, number);
  for (const auto& term : terms) {
    boost::hash_combine(hash, term.form.id);
    boost::hash_combine(hash, term.factor);
  }
  const auto [begin, end] = known_.equal_range(hash);
  for (auto one = begin; one != end; ++one) {
    const auto& other = nodes_[one->second];
    if (other.kind == kind && other.number == number && other.least == node.least && other.most == node.most &&
        std::ranges::equal(other.terms, terms))
      return {one->second};
  }
  if (!terms.empty()) node.terms = terms_.emplace_back(terms.begin(), terms.end());
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  known_.emplace(hash, id);
  return {id};
}

Form Forms::made_of(FormKind kind, std::initializer_list<Form> arguments, Wide least, Wide most) {
  Terms terms;
  for (const auto argument : arguments) terms.push_back({argument, 1});
  return make(kind, 0, terms, least, most);
}

Form Forms::constant(std::int64_t number) {
  const auto hash = boost::hash<std::int64_t>()(number) * 31 + 7;
  const auto [begin, end] = known_.equal_range(hash);
  for (auto one = begin; one != end; ++one)
    if (nodes_[one->second].kind == FormKind::Constant && nodes_[one->second].number == number) return {one->second};
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  Node node{FormKind::Constant};
  node.number = node.least = node.most = number;
  nodes_.push_back(node);
  known_.emplace(hash, id);
  return {id};
}

Form Forms::variable(Variable variable, Range range) {
  if (range.least == range.most) return constant(range.least);
  const auto form = make(FormKind::Variable, variable.key(), {}, range.least, range.most);
  nodes_[form.id].variables = variable.bit();
  return form;
}

Form Forms::unknown(Reasons reasons, std::uint32_t place, Range range) {
  const auto form = make(FormKind::Unknown, (std::int64_t{reasons} << 32) | place, {}, range.least, range.most);
  nodes_[form.id].reasons = reasons;
  return form;
}

std::optional<std::int64_t> Forms::number(Form form) const {
  const auto& node = nodes_[form.id];
  return node.kind == FormKind::Constant ? std::optional(node.number) : std::nullopt;
}

FormView Forms::operator[](Form form) const {
  const auto& node = nodes_[form.id];
  return {node.kind, node.number, node.terms};
}

Variable Forms::variable_of(Form form) const {
  const auto key = nodes_[form.id].number;
  return {static_cast<Place>(key >> 32), static_cast<std::uint32_t>(key)};
}

/// Splits a form into a constant, added to `constant`, and terms.
Terms Forms::terms_of(Form form, std::int64_t& constant) const {
  const auto& node = nodes_[form.id];
  if (node.kind == FormKind::Constant) {
    constant += node.number;
    return {};
  }
  if (node.kind != FormKind::Sum) return {{form, 1}};
  constant += node.number;
  return {node.terms.begin(), node.terms.end()};
}

Range Forms::range_of(std::int64_t constant, std::span<const Term> terms) const {
  Wide least = constant, most = constant;
  for (const auto& [form, factor] : terms) {
    const auto& node = nodes_[form.id];
    least += Wide{factor} * (factor > 0 ? node.least : node.most);
    most += Wide{factor} * (factor > 0 ? node.most : node.least);
  }
  return {static_cast<std::int64_t>(std::clamp<Wide>(least, INT64_MIN, INT64_MAX)),
          static_cast<std::int64_t>(std::clamp<Wide>(most, INT64_MIN, INT64_MAX))};
}

/// f floor(a / b) + c a is (f + b c) floor(a / b) + c (a mod b), and f floor(a / b) + f c is f floor((a + b c) / b):
/// both may be within less than the terms by themselves.
/// @param range  by the terms
Range Forms::narrowed(Range range, std::int64_t constant, const Terms& terms) {
  const auto narrow = [&](Wide one, Wide other, const Terms& others) {
    const auto rest = range_of(constant, others);
    range.least = static_cast<std::int64_t>(std::max<Wide>(range.least, std::min(one, other) + rest.least));
    range.most = static_cast<std::int64_t>(std::min<Wide>(range.most, std::max(one, other) + rest.most));
  };
  for (const Term& quotient : terms) {
    const auto view = (*this)[quotient.form];
    const auto by = view.kind == FormKind::Quotient ? number(view.argument(1)) : std::nullopt;
    if (!by) continue;
    Terms others;
    std::ranges::copy_if(terms, std::back_inserter(others), [&](const Term& term) { return term != quotient; });
    if (const auto found = std::ranges::find(others, view.argument(0), &Term::form); found != others.end()) {
      const auto of_whole = Wide{found->factor} * *by + quotient.factor;
      found->form = remainder_by(found->form, *by);
      narrow(of_whole * this->range(quotient.form).least, of_whole * this->range(quotient.form).most, others);
      continue;
    }
    Terms inside{{view.argument(0), 1}}, outside;
    for (const Term& term : others) {
      const auto times = term.factor / quotient.factor;
      if (term.factor % quotient.factor == 0 && std::abs(times) <= kFar / *by)
        inside.push_back({term.form, times * *by});
      else
        outside.push_back(term);
    }
    if (inside.size() == 1) continue;
    const auto numerator = this->range(linear(0, inside));
    const auto times_floor = [&](Wide of) { return quotient.factor * (of / *by - (of % *by < 0 ? 1 : 0)); };
    narrow(times_floor(numerator.least), times_floor(numerator.most), outside);
    break;  // one inner sum for each division, not for each set of divisions
  }
  return range;
}

/// x mod m + m floor(x / m) is x.
void Forms::join_remainders(std::int64_t& constant, Terms& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto& node = nodes_[terms[i].form.id];
    if (node.kind != FormKind::Remainder) continue;
    const auto number = node.terms[0].form, modulus = node.terms[1].form;
    const auto by = this->number(modulus);
    if (!by) continue;
    const auto other = std::ranges::find_if(terms, [&](const Term& term) {
      const auto& whole = nodes_[term.form.id];
      return whole.kind == FormKind::Quotient && whole.terms[0].form == number && whole.terms[1].form == modulus &&
             Wide{term.factor} == Wide{terms[i].factor} * *by;
    });
    if (other == terms.end()) continue;
    const auto factor = terms[i].factor;
    terms.erase(other);
    std::erase_if(terms, [&](const Term& term) {
      return nodes_[term.form.id].kind == FormKind::Remainder && nodes_[term.form.id].terms[0].form == number &&
             nodes_[term.form.id].terms[1].form == modulus;
    });
    const auto joined = linear(constant, terms);
    const auto result = sum(joined, number, factor);
    constant = 0;
    terms = terms_of(result, constant);
    return;
  }
}

/// x - m floor(x / m) is x mod m.
std::optional<Forms::Ring> Forms::ring_of_quotient(const Term& quotient, const Terms& terms) {
  const auto view = (*this)[quotient.form];
  const auto by = view.kind == FormKind::Quotient ? number(view.argument(1)) : std::nullopt;
  if (!by || quotient.factor % *by != 0) return std::nullopt;
  const auto times = -quotient.factor / *by;
  std::int64_t whole = 0;
  const auto parts = terms_of(view.argument(0), whole);
  const bool are_there = std::ranges::all_of(parts, [&](const Term& part) {
    const auto found = std::ranges::find(terms, part.form, &Term::form);
    return found != terms.end() && Wide{found->factor} == Wide{part.factor} * times;
  });
  if (!are_there) return std::nullopt;
  return Ring{parts, Wide{times} * whole, view.argument(0), *by, times};
}

/// x - m (x >= m) is x mod m, where x lies between 0 and 2 m - 1: a place in a ring, moved by no more than the ring.
std::optional<Forms::Ring> Forms::ring_of_comparison(const Term& truth, const Terms& terms) {
  const auto view = (*this)[truth.form];
  if (view.kind != FormKind::NotNegative) return std::nullopt;
  std::int64_t whole = 0;
  const auto parts = terms_of(view.argument(0), whole);  // x - m, or its opposite m - 1 - x
  const auto times_in = [&](const Term& part) -> std::int64_t {
    const auto found = std::ranges::find(terms, part.form, &Term::form);
    return found != terms.end() && found->factor % part.factor == 0 ? found->factor / part.factor : 0;
  };
  const auto times = times_in(parts.front());
  if (times == 0 || truth.factor % times != 0 || truth.factor / times >= 0) return std::nullopt;
  if (!std::ranges::all_of(parts, [&](const Term& part) { return times_in(part) == times; })) return std::nullopt;
  const auto modulus = -truth.factor / times;
  const bool is_opposite = times < 0;
  const auto place = is_opposite ? linear(modulus - 1, Terms{{view.argument(0), -1}}) : plus(view.argument(0), modulus);
  if (!range(place).within(0, 2 * modulus - 1)) return std::nullopt;
  return Ring{parts, Wide{times} * (whole + (is_opposite ? 1 : modulus)), place, modulus, is_opposite ? -times : times};
}

/// Replaces the first term that brings terms beside it back into a ring, and these terms, by a remainder.
void Forms::find_ring(RingOf ring_of, std::int64_t& constant, Terms& terms) {
  for (const auto& term : terms) {
    const auto ring = (this->*ring_of)(term, terms);
    if (!ring) continue;
    const auto moved = Wide{constant} - ring->constant;
    if (moved > kFar || moved < -kFar) continue;
    const auto rest = linear(static_cast<std::int64_t>(moved), without(terms, term.form, ring->parts));
    const auto result = sum(rest, remainder_by(ring->place, ring->modulus), ring->times);
    constant = 0;
    terms = terms_of(result, constant);
    return;
  }
}

Form Forms::linear(std::int64_t constant, std::span<const Term> given) {
  Wide whole = constant;
  std::vector<std::pair<Form, Wide>> all;
  for (const auto& [form, factor] : given) {
    const auto& node = nodes_[form.id];
    if (node.kind == FormKind::Constant) {
      whole += Wide{node.number} * factor;
    } else if (node.kind == FormKind::Sum) {
      whole += Wide{node.number} * factor;
      for (const auto& term : node.terms) all.emplace_back(term.form, Wide{term.factor} * factor);
    } else {
      all.emplace_back(form, factor);
    }
  }
  std::ranges::sort(all, {}, [](const auto& term) { return term.first; });
  Terms terms;
  Reasons reasons = 0;
  bool fits = -kFar <= whole && whole <= kFar;
  for (std::size_t i = 0; i < all.size();) {
    const auto form = all[i].first;
    Wide factor = 0;
    for (; i < all.size() && all[i].first == form; ++i) factor += all[i].second;
    if (factor == 0) continue;
    reasons |= nodes_[form.id].reasons;
    fits = fits && -kFar <= factor && factor <= kFar;
    terms.push_back({form, static_cast<std::int64_t>(factor)});
  }
  if (!fits)
    return unknown(static_cast<Reasons>(reasons | kTooLarge), static_cast<std::uint32_t>(nodes_.size()), {-kFar, kFar});
  constant = static_cast<std::int64_t>(whole);
  if (terms.size() > 1) join_remainders(constant, terms);
  if (terms.size() > 1) find_ring(&Forms::ring_of_quotient, constant, terms);
  if (terms.size() > 1) find_ring(&Forms::ring_of_comparison, constant, terms);
  if (terms.empty()) return this->constant(constant);
  if (terms.size() == 1 && terms[0].factor == 1 && constant == 0) return terms[0].form;
  const auto [least, most] = narrowed(range_of(constant, terms), constant, terms);
  return make(FormKind::Sum, constant, terms, least, most);
}

Form Forms::sum(Form one, Form other, std::int64_t factor) { return linear(0, Terms{{one, 1}, {other, factor}}); }
Form Forms::plus(Form one, std::int64_t number) { return linear(number, Terms{{one, 1}}); }
Form Forms::scaled(Form one, std::int64_t factor) { return linear(0, Terms{{one, factor}}); }

/// Sums are multiplied out, where that stays small.
Form Forms::product(Form one, Form other) {
  if (const auto factor = number(one)) return scaled(other, *factor);
  if (const auto factor = number(other)) return scaled(one, *factor);
  if (one == other && is_truth(one)) return one;
  const auto is_sum = [&](Form form) { return nodes_[form.id].kind == FormKind::Sum; };
  std::int64_t first = 0, second = 0;
  if (is_sum(one) || is_sum(other)) {
    const auto a = terms_of(one, first), b = terms_of(other, second);
    if ((a.size() + 1) * (b.size() + 1) <= kMostTermsOfProduct) {
      auto result = linear(0, Terms{{one, second}, {other, first}, {constant(1), -first * second}});
      for (const auto& x : a)
        for (const auto& y : b) result = sum(result, product(x.form, y.form), x.factor * y.factor);
      return result;
    }
  }
  Terms factors;
  for (const auto form : {one, other}) {
    const auto view = (*this)[form];
    if (view.kind == FormKind::Product)
      factors.insert(factors.end(), view.terms.begin(), view.terms.end());
    else
      factors.push_back({form, 1});
  }
  const auto is_power = [&](const Term& term) { return nodes_[term.form.id].kind == FormKind::Power; };
  if (std::ranges::count_if(factors, is_power) > 1) {
    auto exponent = constant(0);
    for (const auto& factor : factors)
      if (is_power(factor)) exponent = sum(exponent, (*this)[factor.form].argument(0));
    std::erase_if(factors, is_power);
    auto result = power(exponent);
    for (const auto& factor : factors) result = product(result, factor.form);
    return result;
  }
  std::ranges::sort(factors);
  Wide least = 1, most = 1;
  for (const auto& [form, factor] : factors) {
    const auto [low, high] = range(form);
    const Wide ends[] = {least * low, least * high, most * low, most * high};
    least = std::clamp<Wide>(*std::ranges::min_element(ends), -2 * Wide{kFar}, 2 * Wide{kFar});
    most = std::clamp<Wide>(*std::ranges::max_element(ends), -2 * Wide{kFar}, 2 * Wide{kFar});
  }
  return make(FormKind::Product, 0, factors, least, most);
}

}  // namespace warpipe::isa
