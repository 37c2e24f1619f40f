#include "kernel/address_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "warpipe/idg/expression.hpp"

namespace warpipe::isa {
namespace {

constexpr std::array kNames{"thread_x", "thread_y", "thread_z", "group_x", "group_y", "group_z"};

/// A factor and what it multiplies.
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
  Writer(const AddressForm& form, const Dimensions& block, const std::vector<LoopText>& loops)
      : block_(block), loops_(loops), constant_(form.constant) {
    for (const auto& [digit, factor] : form.terms) digits_[digit.variable].push_back({digit, factor});
  }

  std::string write(std::int64_t width) {
    // What goes on from group to group and from thread to thread comes before what goes on from iteration to iteration.
    for (std::size_t axis = 3; axis-- > 0;) add_axis(axis);
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) add_digits(kLoop + loop);
    const bool divides = width > 1 && !products_.empty() && constant_ % width == 0 &&
                         std::ranges::all_of(products_, [&](const Product& one) { return one.factor % width == 0; });
    if (!divides) return sum();
    constant_ /= width;
    for (auto& product : products_) product.factor /= width;
    if (products_.size() > 1 || constant_ != 0) return fmt::format("{} * ({})", width, sum());
    products_.front().factor *= width;
    return sum();
  }

 private:
  std::string sum() const {
    std::string text;
    for (const auto& product : products_) append(text, product);
    if (constant_ != 0 || text.empty()) append(text, {constant_, "", false});
    return text;
  }

  /// Whether a number stands as it is, with one factor.
  bool is_plain(std::size_t variable) const {
    const auto found = digits_.find(variable);
    return found != digits_.end() && found->second.size() == 1 && found->second.front().digit == Digit{variable};
  }

  /// The group and the thread along an axis, as one where they are the index of a thread in the whole launch.
  void add_axis(std::size_t axis) {
    const auto group = kGroup + axis, thread = kThread + axis;
    if (is_plain(group) && is_plain(thread) && block_[axis] > 1) {
      const auto by_thread = digits_[thread].front().factor;
      if (digits_[group].front().factor == by_thread * block_[axis]) {
        products_.push_back(
            {by_thread, fmt::format("{} * {} + {}", block_[axis], kNames[group], kNames[thread]), true});
        return;
      }
    }
    add_digits(group);
    add_digits(thread);
  }

  /// A number, or its digits: neighbouring ones as one where their factors double.
  void add_digits(std::size_t variable) {
    const auto found = digits_.find(variable);
    if (found == digits_.end()) return;
    const auto& digits = found->second;
    for (std::size_t first = 0; first < digits.size();) {
      auto last = first;
      while (last + 1 < digits.size() && digits[last + 1].digit.divisor == 2 * digits[last].digit.divisor &&
             digits[last + 1].factor == 2 * digits[last].factor)
        ++last;
      add_number({variable, digits[first].digit.divisor,
                  digits[last].digit.modulus == 0
                      ? 0
                      : digits[last].digit.divisor / digits[first].digit.divisor * digits[last].digit.modulus,
                  digits[first].digit.other},
                 digits[first].factor);
      first = last + 1;
    }
  }

  void add_number(const Digit& digit, std::int64_t factor) {
    if (digit.other)
      return add_product(digit, factor, fmt::format("{} + {}", kNames[digit.variable], kNames[*digit.other]), true);
    if (digit.variable < kLoop) return add_product(digit, factor, kNames[digit.variable], false);
    const auto& loop = loops_[digit.variable - kLoop];
    if (digit == Digit{digit.variable}) {
      constant_ += factor * loop.constant;
      if (!loop.counter.empty()) products_.push_back({factor, loop.counter, false});
      if (!loop.start.empty()) products_.push_back({factor, loop.start, !is_name(loop.start)});
      return;
    }
    if (loop.counter.empty() && loop.start.empty()) {
      constant_ += factor * digit.of(loop.constant);
      return;
    }
    std::string number;
    if (!loop.counter.empty()) append(number, {1, loop.counter, false});
    if (!loop.start.empty())
      append(number, {1, is_name(loop.start) ? loop.start : fmt::format("({})", loop.start), false});
    if (loop.constant != 0) append(number, {loop.constant, "", false});
    add_product(digit, factor, number, true);
  }

  void add_product(const Digit& digit, std::int64_t factor, std::string number, bool is_sum) {
    if (digit.divisor != 1) {
      number = is_sum ? fmt::format("floor(({}) / {})", number, digit.divisor)
                      : fmt::format("floor({} / {})", number, digit.divisor);
      is_sum = false;
    }
    if (digit.modulus != 0) {
      number = fmt::format("mod({}, {})", number, digit.modulus);
      is_sum = false;
    }
    products_.push_back({factor, std::move(number), is_sum});
  }

  const Dimensions& block_;
  const std::vector<LoopText>& loops_;
  std::map<std::size_t, std::vector<AddressForm::Term>> digits_;  ///< by number, the lowest first
  std::vector<Product> products_;
  std::int64_t constant_;
};

}  // namespace

std::string address_text(const AddressForm& form, std::int64_t width, const Dimensions& block,
                         const std::vector<LoopText>& loops) {
  return Writer(form, block, loops).write(width);
}

}  // namespace warpipe::isa
