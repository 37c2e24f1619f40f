#include "kernel/address_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "warpipe/idg/expression.hpp"

namespace warpipe::isa {
namespace {

constexpr int kMostCommonBits = 8;  // of two numbers, written bit by bit

constexpr std::array kThreadNames{"thread_x", "thread_y", "thread_z"};
constexpr std::array kGroupNames{"group_x", "group_y", "group_z"};

/// A factor and the text that it multiplies.
struct Product {
  std::int64_t factor = 0;
  std::string text;
  bool is_sum = false;  ///< the text needs parentheses beside a factor
};

/// "5", " + 5", " - 5 * x".
void append(std::string& sum, const Product& product) {
  const bool first = sum.empty();
  const auto magnitude = product.factor < 0 ? -product.factor : product.factor;
  sum += product.factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  if (product.text.empty()) {
    sum += fmt::format("{}", magnitude);
  } else if (magnitude == 1 && !(product.is_sum && product.factor < 0)) {
    sum += product.text;
  } else {
    sum += product.is_sum ? fmt::format("{} * ({})", magnitude, product.text)
                          : fmt::format("{} * {}", magnitude, product.text);
  }
}

class Writer {
 public:
  Writer(Forms& forms, const Dimensions& block, const std::vector<LoopText>& loops)
      : forms_(forms), block_(block), loops_(loops) {}

  /// @param made  whether a lane is active; nothing: all are
  std::optional<std::string> write(Form bytes, std::optional<Form> made, std::int64_t width) {
    if (made) {
      const auto text = fmt::format("{} * {} - 1", factor_of(*made), factor_of(forms_.plus(bytes, 1)));
      return is_written_ ? std::optional(text) : std::nullopt;
    }
    std::int64_t constant = 0;
    const auto products = products_of(bytes, constant);
    const bool divides = width > 1 && !products.empty() && constant % width == 0 &&
                         std::ranges::all_of(products, [&](const Product& one) { return one.factor % width == 0; });
    const bool is_sum = products.size() > 1 || constant != 0;
    auto text = divides && is_sum ? fmt::format("{} * ({})", width, sum_of(products, constant, width))
                                  : sum_of(products, constant, 1);
    return is_written_ ? std::optional(std::move(text)) : std::nullopt;
  }

 private:
  static std::string sum_of(const std::vector<Product>& products, std::int64_t constant, std::int64_t divisor) {
    std::string text;
    for (auto product : products) {
      product.factor /= divisor;
      append(text, product);
    }
    if (constant != 0 || text.empty()) append(text, {constant / divisor, "", false});
    return text;
  }

  std::string sum_of(Form form) {
    std::int64_t constant = 0;
    const auto products = products_of(form, constant);
    return sum_of(products, constant, 1);
  }

  /// The place of a term in a sum, as a person would write it: terms that move from group to group and from thread to
  /// thread, the outer axis first, before terms that move from trip to trip.
  std::tuple<std::size_t, int> rank_of(Form form) const {
    std::tuple<std::size_t, int> rank{SIZE_MAX, 0};
    for (const auto [place, number] : forms_.variables(form)) {
      const bool in_loop = place != Place::Thread && place != Place::Group;
      const std::tuple<std::size_t, int> own{in_loop ? 3 + number : 2 - number,
                                             place == Place::Thread || place == Place::Start};
      rank = std::min(rank, own);
    }
    return rank;
  }

  std::optional<Variable> variable_of(Form form) const {
    return forms_[form].kind == FormKind::Variable ? std::optional(forms_.variable_of(form)) : std::nullopt;
  }

  std::vector<Product> products_of(Form form, std::int64_t& constant) {
    auto terms = forms_.terms_of(form, constant);
    std::ranges::stable_sort(terms, {}, [&](const Term& term) { return rank_of(term.form); });
    std::vector<Product> products;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (const auto joined = i + 1 < terms.size() ? joined_axis(terms[i], terms[i + 1]) : std::nullopt) {
        products.push_back(*joined);
        ++i;
      } else {
        products.push_back(product_of(terms[i]));
      }
    return products;
  }

  /// The group and the thread along an axis, joined where they are the index of a thread in the whole launch.
  std::optional<Product> joined_axis(const Term& outer, const Term& inner) const {
    const auto group = variable_of(outer.form), thread = variable_of(inner.form);
    if (!group || !thread || group->place != Place::Group || thread->place != Place::Thread ||
        group->number != thread->number)
      return std::nullopt;
    const auto axis = group->number;
    if (block_[axis] <= 1 || outer.factor != inner.factor * block_[axis]) return std::nullopt;
    return Product{inner.factor, fmt::format("{} * {} + {}", block_[axis], kGroupNames[axis], kThreadNames[axis]),
                   true};
  }

  Product product_of(const Term& term) {
    if (const auto variable = variable_of(term.form)) return named(*variable, term.factor);
    bool is_sum = false;
    auto text = text_of(term.form, is_sum);
    return {term.factor, std::move(text), is_sum};
  }

  Product named(Variable variable, std::int64_t factor) const {
    if (variable.place == Place::Thread) return {factor, kThreadNames[variable.number], false};
    if (variable.place == Place::Group) return {factor, kGroupNames[variable.number], false};
    const auto& loop = loops_[variable.number];
    if (variable.place == Place::Trip) return {factor, loop.counter, false};
    return {factor, loop.start, !is_name(loop.start)};
  }

  /// The text of a form other than a sum. It has parentheses where a sign of multiplication needs them; a sum without
  /// parentheses sets `is_sum`.
  std::string text_of(Form form, bool& is_sum) {
    const auto view = forms_[form];
    const auto of = [&](std::size_t i) { return sum_of(view.argument(i)); };
    switch (view.kind) {
      case FormKind::Quotient:
        return is_constant(view.argument(1)) ? fmt::format("floor({} / {})", factor_of(view.argument(0)), of(1))
                                             : unwritten();
      case FormKind::Remainder:
        return is_constant(view.argument(1)) ? fmt::format("mod({}, {})", of(0), of(1)) : unwritten();
      case FormKind::Least:
      case FormKind::Greatest: {
        const std::size_t first = is_constant(view.argument(0)) ? 1 : 0;
        return fmt::format("{}({}, {})", view.kind == FormKind::Least ? "min" : "max", of(first), of(1 - first));
      }
      case FormKind::NotNegative:
        return comparison(view.argument(0), "<=");
      case FormKind::Zero:
        return comparison(view.argument(0), "==");
      case FormKind::All:
      case FormKind::Product: {
        std::string text;
        for (const auto& argument : view.terms) text += (text.empty() ? "" : " * ") + factor_of(argument.form);
        return text;
      }
      case FormKind::Common:
        is_sum = true;
        return common(view.argument(0), view.argument(1));
      case FormKind::Choice: {
        is_sum = true;
        const auto difference = forms_.sum(view.argument(1), view.argument(2), -1);
        auto text = fmt::format("{} * {}", factor_of(view.argument(0)), factor_of(difference));
        std::int64_t constant = 0;
        for (const auto& product : products_of(view.argument(2), constant)) append(text, product);
        if (constant != 0) append(text, {constant, "", false});
        return text;
      }
      default:
        return unwritten();
    }
  }

  std::string unwritten() {
    is_written_ = false;
    return "0";
  }

  bool is_constant(Form form) const { return forms_.number(form).has_value(); }

  /// The opposite of a comparison, 1 - (a <= b), as a comparison.
  std::optional<std::string> opposite(Form form) {
    std::int64_t constant = 0;
    const auto terms = forms_.terms_of(form, constant);
    if (constant != 1 || terms.size() != 1 || terms[0].factor != -1) return std::nullopt;
    const auto view = forms_[terms[0].form];
    if (view.kind == FormKind::NotNegative) return comparison(view.argument(0), ">");
    if (view.kind == FormKind::Zero) return comparison(view.argument(0), "!=");
    return std::nullopt;
  }

  /// A form as a factor: in parentheses where it is a sum of several terms, or less than zero.
  std::string factor_of(Form form) {
    if (auto text = opposite(form)) return *text;
    std::int64_t constant = 0;
    const auto products = products_of(form, constant);
    auto text = sum_of(products, constant, 1);
    const bool is_plain = constant == 0 ? products.size() == 1 && products[0].factor == 1 && !products[0].is_sum
                                        : products.empty() && constant > 0;
    return is_plain ? text : fmt::format("({})", text);
  }

  /// A comparison of the terms with negative factors and the rest, in parentheses.
  std::string comparison(Form form, const char* sign) {
    std::int64_t constant = 0;
    Terms less, more;
    for (const auto& term : forms_.terms_of(form, constant))
      if (term.factor < 0)
        less.push_back({term.form, -term.factor});
      else
        more.push_back(term);
    const auto left = forms_.linear(constant < 0 ? -constant : 0, less);
    const auto right = forms_.linear(constant < 0 ? 0 : constant, more);
    return fmt::format("({} {} {})", sum_of(left), sign, sum_of(right));
  }

  /// The bits in common, bit by bit.
  std::string common(Form one, Form other) {
    const auto most = std::min(forms_.range(one).most, forms_.range(other).most);
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
    if (bits > kMostCommonBits) return unwritten();
    std::string text;
    for (int bit = 0; bit < bits; ++bit) {
      const auto digit = [&](Form form) { return forms_.remainder(forms_.quotient(form, std::int64_t{1} << bit), 2); };
      const auto first = digit(one), second = digit(other);  // in this order with each compiler
      const auto both = forms_.product(first, second);
      std::int64_t constant = 0;
      for (auto product : products_of(both, constant)) {
        product.factor <<= bit;
        append(text, product);
      }
    }
    return text.empty() ? "0" : text;
  }

  Forms& forms_;
  const Dimensions& block_;
  const std::vector<LoopText>& loops_;
  bool is_written_ = true;
};

}  // namespace

std::optional<std::string> address_text(Forms& forms, const AddressForm& form, std::int64_t width,
                                        const Dimensions& block, const std::vector<LoopText>& loops) {
  const auto trips = [&](Variable variable) -> std::optional<Form> {
    if (variable.place != Place::Trip) return std::nullopt;
    const auto& loop = loops[variable.number];
    Terms terms;
    if (!loop.counter.empty()) terms.push_back({forms.variable(variable, loop.counts), 1});
    if (!loop.start.empty()) terms.push_back({forms.variable({Place::Start, variable.number}, loop.starts), 1});
    return forms.linear(loop.constant, terms);
  };
  const auto made = form.made ? std::optional(forms.substitute(*form.made, trips)) : std::nullopt;
  return Writer(forms, block, loops).write(forms.substitute(form.bytes, trips), made, width);
}

}  // namespace warpipe::isa
