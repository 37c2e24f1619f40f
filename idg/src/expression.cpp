#include "warpipe/idg/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "expression_parser.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/operations.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

constexpr std::array kReservedNames{"group_size", "groups", "concurrent_groups", "occupancy", "warp", "warps"};

constexpr const char* kChangeIt = "change the expression or its parameters";

ModelError evaluation_error(const std::string& problem, const std::string& advice = kChangeIt) {
  return ModelError(Diagnostic{"", problem, "", advice});
}

double finite(double value) {
  if (!std::isfinite(value)) throw evaluation_error(std::isnan(value) ? "an undefined value" : "an infinite value");
  return value;
}

/// An operation on finite values.
double evaluated(Operator op, double left, double right) {
  if ((op == Operator::Divide || op == Operator::Modulo) && right == 0) throw evaluation_error("a division by zero");
  return finite(apply(op, left, right));
}

}  // namespace

struct Expression::Parsed {
  std::vector<Operation> operations;
};

Expression::Expression(double value) : value_(value), text_(fmt::format("{}", value)) {}

Expression Expression::parse(std::string_view text, std::span<const std::string> visible) {
  Expression expression;
  expression.text_ = text;
  expression.parsed_ = std::make_shared<Parsed>(Parsed{parse_operations(text)});
  for (const auto& name : expression.names())
    if (std::ranges::find(visible, name) == visible.end())
      throw InputError(
          Diagnostic{"", fmt::format("unknown name \"{}\" in \"{}\"", name, text), "", suggest(name, visible)});
  return expression;
}

const std::string& Expression::text() const noexcept { return text_; }

bool Expression::uses(std::string_view name) const {
  return parsed_ && std::ranges::any_of(parsed_->operations, [&](const Operation& operation) {
           return operation.op == Operator::Name && operation.name == name;
         });
}

bool Expression::uses_any(const NameSet& names) const {
  return parsed_ && std::ranges::any_of(parsed_->operations, [&](const Operation& operation) {
           return operation.op == Operator::Name && names.contains(operation.name);
         });
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  if (!parsed_) return names;
  for (const auto& operation : parsed_->operations)
    if (operation.op == Operator::Name) names.push_back(operation.name);
  std::ranges::sort(names);
  return names;
}

double Expression::evaluate(const Values& values) const {
  if (!parsed_) return value_;
  std::vector<double> results;
  results.reserve(parsed_->operations.size());
  const auto value_of = [&](const Operation& operation) {
    if (operation.op == Operator::Constant) return operation.constant;
    if (operation.op != Operator::Name)
      return evaluated(operation.op, results[operation.left], results[operation.right]);
    const auto found = values.find(operation.name);
    if (found == values.end()) throw evaluation_error(operation.name + " has no value");
    return finite(found->second);
  };
  try {
    for (const auto& operation : parsed_->operations) results.push_back(value_of(operation));
  } catch (const ModelError& error) {
    throw evaluation_error(fmt::format("{} in \"{}\"", error.diagnostics().front().problem, text_));
  }
  return results.back();
}

std::int64_t Expression::evaluate_whole(const Values& values, std::int64_t least) const {
  const double value = evaluate(values);
  const double nearest = std::round(value);
  if (std::abs(value - nearest) > 1e-9)
    throw evaluation_error(fmt::format("\"{}\" = {} is not a whole number", text_, value),
                           fmt::format("write \"ceil({0})\" or \"floor({0})\", or {1}", text_, kChangeIt));
  if (nearest < static_cast<double>(least) || nearest > static_cast<double>(kLargestWhole))
    throw evaluation_error(fmt::format("\"{}\" = {} is not between {} and 2^53", text_, value, least));
  return static_cast<std::int64_t>(nearest);
}

double apply(Operator op, double left, double right) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  switch (op) {
    case Operator::Add:
      return left + right;
    case Operator::Subtract:
      return left - right;
    case Operator::Multiply:
      return left * right;
    case Operator::Divide:
      return right == 0 ? kNone : left / right;
    case Operator::Modulo: {
      const double rest = std::fmod(left, right);
      return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
    }
    case Operator::Minimum:
      return std::min(left, right);
    case Operator::Maximum:
      return std::max(left, right);
    case Operator::Less:
      return left < right ? 1 : 0;
    case Operator::LessEqual:
      return left <= right ? 1 : 0;
    case Operator::Equal:
      return left == right ? 1 : 0;
    case Operator::NotEqual:
      return left != right ? 1 : 0;
    case Operator::And:
      return left != 0 && right != 0 ? 1 : 0;
    case Operator::Or:
      return left != 0 || right != 0 ? 1 : 0;
    case Operator::Negate:
      return -left;
    case Operator::Ceiling:
      return std::ceil(left);
    case Operator::Floor:
      return std::floor(left);
    case Operator::Log2:
      return std::log2(left);
    case Operator::Absolute:
      return std::abs(left);
    case Operator::Name:
    case Operator::Constant:
      break;
  }
  return kNone;
}

std::vector<Operation> operations_of(const Expression& expression) {
  if (!expression.parsed_) return {{Operator::Constant, 0, 0, expression.value_, {}}};
  return expression.parsed_->operations;
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_dotted_name(std::string_view name) {
  std::string undotted(name);
  std::replace(undotted.begin(), undotted.end(), '.', '_');
  return is_name(undotted) && name.front() != '.' && name.back() != '.' && name.find("..") == std::string_view::npos;
}

bool is_reserved_name(std::string_view name) {
  return std::ranges::find(kReservedNames, name) != kReservedNames.end() || is_function_name(name);
}

}  // namespace warpipe
