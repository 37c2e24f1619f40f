#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpipe {

struct Operation;

/// Names and their values while expressions are evaluated: parameters, group_size, groups, warps, warp.
using Values = std::map<std::string, double, std::less<>>;
using NameSet = std::set<std::string, std::less<>>;

/// A number of a kernel file that may depend on parameters: parsed once, evaluated for many values.
///
/// Grammar: numbers, names, + - * / (real division), unary -, parentheses, < <= > >= == != (1 or 0), && ||, and the
/// functions min max ceil floor log2 abs mod, in double precision. mod(a, b) is a - b floor(a / b). Both sides of &&
/// and || are evaluated.
/// Copies are cheap and may be evaluated from several threads at once.
class Expression {
 public:
  /// A plain number.
  explicit Expression(double value = 0);

  /// Parses an expression.
  /// @param text     the expression
  /// @param visible  the names that the expression may use
  /// @throws InputError for text that does not parse or a name that is not visible; `where` of the diagnostic is empty,
  ///         the caller knows the place
  static Expression parse(std::string_view text, std::span<const std::string> visible);

  /// @return the text as it was written; a plain number in its shortest form
  const std::string& text() const noexcept;

  bool uses(std::string_view name) const;
  bool uses_any(const NameSet& names) const;
  /// The names used, each once.
  std::vector<std::string> names() const;

  /// @param values  a value for every name in the expression
  /// @return        the value; finite
  /// @throws ModelError for NaN, infinity, division by zero, a missing value; `where` is empty
  double evaluate(const Values& values) const;

  /// @return the value, rounded, of an expression that must be whole
  /// @throws ModelError as evaluate, and for a value further than 1e-9 from a whole number, below `least` or above
  ///         2^53; the diagnostic shows the expression and its value; `where` is empty
  std::int64_t evaluate_whole(const Values& values, std::int64_t least) const;

  friend bool operator==(const Expression& a, const Expression& b) { return a.text() == b.text(); }
  friend std::vector<Operation> operations_of(const Expression& expression);

 private:
  struct Parsed;
  double value_ = 0;  ///< where `parsed_` is null
  std::string text_;
  std::shared_ptr<Parsed> parsed_;  ///< null for a plain number
};

/// @return whether `name` is `[A-Za-z_][A-Za-z0-9_]*`
bool is_name(std::string_view name);

/// @return whether `name` is names with single dots between them, as ops and pipelines have: "ffma", "global.load.128"
bool is_dotted_name(std::string_view name);

/// @return whether `name` is unavailable to a kernel file's own parameters: group_size, groups, warp, min, ...
bool is_reserved_name(std::string_view name);

}  // namespace warpipe
