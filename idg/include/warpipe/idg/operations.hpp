#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/idg/expression.hpp"

/// An expression as the list of its operations, for code that evaluates it very often or for many values at once.

namespace warpipe {

enum class Operator {
  Name,
  Constant,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Minimum,
  Maximum,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Negate,
  Ceiling,
  Floor,
  Log2,
  Absolute
};

/// A step of an expression.
struct Operation {
  Operator op = Operator::Constant;
  std::size_t left = 0, right = 0;  ///< operands, by their positions in the list; a unary operator uses `left`
  double constant = 0;
  std::string name;
  friend auto operator<=>(const Operation&, const Operation&) = default;
};

/// Applies an operator; a unary operator ignores `right`. NaN or an infinity where an expression would have no value (a
/// division by zero, an overflow).
double apply(Operator op, double left, double right);

/// Lists the operations of an expression, each after its operands. Equal parts of the expression are one operation.
/// @return at least one; the last is the value of the expression
std::vector<Operation> operations_of(const Expression& expression);

}  // namespace warpipe
