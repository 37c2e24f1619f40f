#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/idg/expression.hpp"

/// An expression as the list of its operations, for those that evaluate it very often or for many values at once.

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

/// One value of an expression.
struct Operation {
  Operator op = Operator::Constant;
  std::size_t left = 0, right = 0;  ///< operands, by their positions in the list; an operator of one has it on the left
  double constant = 0;
  std::string name;
};

/// The value of an operator; that of one operand leaves the right one aside. Where an expression would have no value
/// (a division by zero, an overflow), NaN or an infinity.
double apply(Operator op, double left, double right);

/// The operations of an expression in an order in which each comes after its operands.
/// @return at least one; the last one is the value of the expression
std::vector<Operation> operations_of(const Expression& expression);

}  // namespace warpipe
