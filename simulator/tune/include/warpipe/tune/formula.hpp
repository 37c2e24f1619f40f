#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The arithmetic of space files, with Python's meaning, since autotuners write it in Python.

namespace warpipe {

/// The value of a formula: a whole number, another number, a text or a list. Truth values are 1 and 0.
struct FormulaValue {
  using List = std::vector<FormulaValue>;
  std::variant<std::int64_t, double, std::string, List> value = std::int64_t{0};

  FormulaValue() = default;
  FormulaValue(std::int64_t whole) : value(whole) {}          // NOLINT: each of them is a value
  FormulaValue(double number) : value(number) {}              // NOLINT
  FormulaValue(std::string text) : value(std::move(text)) {}  // NOLINT
  explicit FormulaValue(List elements) : value(std::move(elements)) {}

  bool is_number() const { return value.index() < 2; }
  bool is_text() const { return value.index() == 2; }
  bool is_list() const { return value.index() == 3; }
  /// @return the number; 0 for a text or a list
  double number() const;
  const std::string& text() const { return std::get<std::string>(value); }
  const List& list() const { return std::get<List>(value); }
};

/// Numbers are equal by their values, whole or not.
bool operator==(const FormulaValue& a, const FormulaValue& b);

/// @return as a macro, a cell or a message has it: 16, 0.5, 2.0, float4, [1, 2]; numbers in their shortest exact form
std::string to_string(const FormulaValue& value);

/// The values of names.
using FormulaNames = std::map<std::string, FormulaValue, std::less<>>;

/// A formula, parsed once and evaluated for many values.
///
/// Grammar, with Python's precedence: numbers, 'texts', names, True and False, + - * / // % **, chained comparisons,
/// `in` and `not in`, and or not (also && || !), A if C else B, (A, B) and [A, B], A[I], [F for N in L if C], and abs
/// ceil float floor int len log2 max min range round sqrt sum. Wholes have 64 bits: an overflow is an error. `and`,
/// `or` and `if` evaluate only the operands that they need.
class Formula {
 public:
  /// A number.
  explicit Formula(std::int64_t value = 0);

  /// @throws InputError for text that does not parse; `where` of the diagnostic is empty
  static Formula parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// The names that need values.
  const std::set<std::string>& names() const { return names_; }

  /// @throws ModelError for a name without a value, a division by zero, a number that is too large, operands that do
  ///                    not fit, and more than 10^7 steps; `where` is empty, and `found` names the place
  FormulaValue evaluate(const FormulaNames& names) const;
  /// @throws ModelError as evaluate
  bool holds(const FormulaNames& names) const;
  /// @throws ModelError as evaluate, and for a value other than a whole number of at least `least`
  std::int64_t whole(const FormulaNames& names, std::int64_t least) const;

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::set<std::string> names_;
};

}  // namespace warpipe
