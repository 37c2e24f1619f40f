#include "warpipe/idg/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/operations.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kLongestExpression = 4096;
constexpr std::array kFunctionNames{"min", "max", "ceil", "floor", "log2", "abs", "mod"};
constexpr std::array kReservedNames{"group_size", "groups", "concurrent_groups", "occupancy", "warp", "warps"};

ModelError evaluation_error(const std::string& problem) {
  return ModelError(Diagnostic{"", problem, "", "change the expression or its parameters"});
}

double finite(double value) {
  if (!std::isfinite(value)) throw evaluation_error(std::isnan(value) ? "an undefined value" : "an infinite value");
  return value;
}

// The whole grammar, operator by operator: muParser's own would let infinities through.

/// Operators as they are evaluated.
struct Evaluated {
  template <Operator op>
  static double binary(double a, double b) {
    if ((op == Operator::Divide || op == Operator::Modulo) && b == 0) throw evaluation_error("a division by zero");
    return finite(apply(op, a, b));
  }
  template <Operator op>
  static double unary(double a) {
    return finite(apply(op, a, 0));
  }
};

/// Operators as they are written down: a value stands for an earlier operation, by its position in the list, or for
/// itself. Constants are never NaN, so a NaN can bear the position.
class Recorded {
 public:
  template <Operator op>
  static double binary(double a, double b) {
    const std::size_t left = position_of(a);
    return add({op, left, position_of(b), 0, {}});
  }
  template <Operator op>
  static double unary(double a) {
    return add({op, position_of(a), 0, 0, {}});
  }

  static double add(Operation operation) {
    list.push_back(std::move(operation));
    return std::bit_cast<double>(kNaN | (list.size() - 1));
  }
  static std::size_t position_of(double value) {
    if (!std::isnan(value)) value = add({Operator::Constant, 0, 0, value, {}});
    return std::bit_cast<std::uint64_t>(value) & ~kNaN;
  }

  static thread_local std::vector<Operation> list;

 private:
  static constexpr std::uint64_t kNaN = 0x7ff8'0000'0000'0000;
};
thread_local std::vector<Operation> Recorded::list;

template <class Form, Operator op>
double folded(const double* values, int count) {
  double result = values[0];
  for (int i = 1; i < count; ++i) result = Form::template binary<op>(result, values[i]);
  return result;
}

template <class Form, Operator op>
double swapped(double a, double b) {
  return Form::template binary<op>(b, a);
}

template <class Form>
void define_grammar(mu::Parser& parser) {
  parser.ClearConst();
  parser.ClearFun();
  parser.ClearInfixOprt();
  parser.EnableBuiltInOprt(false);
  parser.DefineOprt("||", Form::template binary<Operator::Or>, mu::prLOR);
  parser.DefineOprt("&&", Form::template binary<Operator::And>, mu::prLAND);
  parser.DefineOprt("<", Form::template binary<Operator::Less>, mu::prCMP);
  parser.DefineOprt("<=", Form::template binary<Operator::LessEqual>, mu::prCMP);
  parser.DefineOprt(">", swapped<Form, Operator::Less>, mu::prCMP);
  parser.DefineOprt(">=", swapped<Form, Operator::LessEqual>, mu::prCMP);
  parser.DefineOprt("==", Form::template binary<Operator::Equal>, mu::prCMP);
  parser.DefineOprt("!=", Form::template binary<Operator::NotEqual>, mu::prCMP);
  parser.DefineOprt("+", Form::template binary<Operator::Add>, mu::prADD_SUB);
  parser.DefineOprt("-", Form::template binary<Operator::Subtract>, mu::prADD_SUB);
  parser.DefineOprt("*", Form::template binary<Operator::Multiply>, mu::prMUL_DIV);
  parser.DefineOprt("/", Form::template binary<Operator::Divide>, mu::prMUL_DIV);
  parser.DefineInfixOprt("-", Form::template unary<Operator::Negate>);
  parser.DefineFun("min", folded<Form, Operator::Minimum>, false);
  parser.DefineFun("max", folded<Form, Operator::Maximum>, false);
  parser.DefineFun("ceil", Form::template unary<Operator::Ceiling>, false);
  parser.DefineFun("floor", Form::template unary<Operator::Floor>, false);
  parser.DefineFun("log2", Form::template unary<Operator::Log2>, false);
  parser.DefineFun("abs", Form::template unary<Operator::Absolute>, false);
  parser.DefineFun("mod", Form::template binary<Operator::Modulo>, false);
}

InputError parse_error(std::string_view text, const std::string& problem) {
  return InputError(Diagnostic{"", fmt::format("\"{}\" is not an expression: {}", text, problem), "",
                               "write it with numbers, names, + - * / ( ) < <= > >= == != && || and "
                               "min max ceil floor log2 abs mod"});
}

/// What muParser would take beyond the grammar: strings, conditionals, assignments, several results, a sign +.
void refuse_other_characters(std::string_view text) {
  if (text.size() > kLongestExpression)
    throw parse_error(text.substr(0, 40), fmt::format("it is longer than {} characters", kLongestExpression));
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-*/()<>=!&|, \t\r\n";
  const std::size_t wrong = text.find_first_not_of(kAllowed);
  if (wrong != std::string_view::npos)
    throw parse_error(text, fmt::format("there is an unexpected character at position {}", wrong + 1));
  int depth = 0;
  char before = '(';  // the last character that is no blank
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) throw parse_error(text, "there is a comma outside a function");
    constexpr std::string_view kOpenings = "+-*/(<>=!&|,";  // an operand follows
    if (c == '+' && kOpenings.find(before) != std::string_view::npos) throw parse_error(text, "there is a sign +");
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') before = c;
  }
}

}  // namespace

struct Expression::Parsed {
  std::mutex mutex;  ///< evaluation writes `names`
  mu::Parser parser;
  std::map<std::string, double, std::less<>> names;
};

Expression::Expression(double value) : value_(value), text_(fmt::format("{}", value)) {}

Expression Expression::parse(std::string_view text, std::span<const std::string> visible) {
  refuse_other_characters(text);
  auto parsed = std::make_shared<Parsed>();
  define_grammar<Evaluated>(parsed->parser);
  try {
    parsed->parser.SetExpr(std::string(text));
    for (const auto& [name, unused] : parsed->parser.GetUsedVar()) parsed->names.emplace(name, 0.0);
    for (auto& [name, value] : parsed->names) {
      if (std::find(visible.begin(), visible.end(), name) == visible.end())
        throw InputError(
            Diagnostic{"", fmt::format("unknown name \"{}\" in \"{}\"", name, text), "", suggest(name, visible)});
      parsed->parser.DefineVar(name, &value);
    }
  } catch (const mu::Parser::exception_type& error) {
    throw parse_error(text, error.GetMsg());
  }
  Expression expression;
  expression.text_ = text;
  expression.parsed_ = std::move(parsed);
  return expression;
}

const std::string& Expression::text() const noexcept { return text_; }

bool Expression::uses(std::string_view name) const { return parsed_ && parsed_->names.contains(name); }

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  if (!parsed_) return names;
  for (const auto& [name, value] : parsed_->names) names.push_back(name);
  return names;
}

double Expression::evaluate(const Values& values) const {
  if (!parsed_) return value_;
  const std::lock_guard lock(parsed_->mutex);
  for (auto& [name, value] : parsed_->names) {
    const auto found = values.find(name);
    if (found == values.end()) throw evaluation_error(fmt::format("{} has no value in \"{}\"", name, text_));
    value = found->second;
  }
  try {
    return finite(parsed_->parser.Eval());
  } catch (const mu::Parser::exception_type& error) {
    throw evaluation_error(fmt::format("\"{}\" cannot be evaluated: {}", text_, error.GetMsg()));
  } catch (const ModelError& error) {
    throw evaluation_error(fmt::format("{} in \"{}\"", error.diagnostics().front().problem, text_));
  }
}

std::int64_t Expression::evaluate_whole(const Values& values, std::int64_t least) const {
  const double value = evaluate(values);
  const double nearest = std::round(value);
  if (std::abs(value - nearest) > 1e-9)
    throw evaluation_error(fmt::format("\"{}\" = {} is not a whole number", text_, value));
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
  Recorded::list.clear();
  std::map<std::string, double, std::less<>> handles;
  mu::Parser parser;
  define_grammar<Recorded>(parser);
  for (const auto& [name, unused] : expression.parsed_->names) {
    const auto [at, is_new] = handles.emplace(name, Recorded::add({Operator::Name, 0, 0, 0, name}));
    parser.DefineVar(name, &at->second);
  }
  parser.SetExpr(expression.text_);
  [[maybe_unused]] const std::size_t result = Recorded::position_of(parser.Eval());
  assert(result + 1 == Recorded::list.size());
  return std::exchange(Recorded::list, {});
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
  return std::find(kReservedNames.begin(), kReservedNames.end(), name) != kReservedNames.end() ||
         std::find(kFunctionNames.begin(), kFunctionNames.end(), name) != kFunctionNames.end();
}

}  // namespace warpipe
