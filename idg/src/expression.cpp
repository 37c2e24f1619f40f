#include "warpipe/idg/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <mutex>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
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
double add(double a, double b) { return finite(a + b); }
double subtract(double a, double b) { return finite(a - b); }
double multiply(double a, double b) { return finite(a * b); }
double divide(double a, double b) {
  if (b == 0) throw evaluation_error("a division by zero");
  return finite(a / b);
}
double negate(double a) { return -a; }
double less(double a, double b) { return a < b ? 1 : 0; }
double less_equal(double a, double b) { return a <= b ? 1 : 0; }
double greater(double a, double b) { return a > b ? 1 : 0; }
double greater_equal(double a, double b) { return a >= b ? 1 : 0; }
double equal(double a, double b) { return a == b ? 1 : 0; }
double not_equal(double a, double b) { return a != b ? 1 : 0; }
double both(double a, double b) { return a != 0 && b != 0 ? 1 : 0; }
double either(double a, double b) { return a != 0 || b != 0 ? 1 : 0; }
double log2_of(double a) { return finite(std::log2(a)); }
double ceil_of(double a) { return std::ceil(a); }
double floor_of(double a) { return std::floor(a); }
double abs_of(double a) { return std::abs(a); }
double mod_of(double a, double b) {
  if (b == 0) throw evaluation_error("a division by zero");
  const double rest = std::fmod(a, b);
  return finite(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}
double min_of(const double* values, int count) { return *std::min_element(values, values + count); }
double max_of(const double* values, int count) { return *std::max_element(values, values + count); }

void define_grammar(mu::Parser& parser) {
  parser.ClearConst();
  parser.ClearFun();
  parser.ClearInfixOprt();
  parser.EnableBuiltInOprt(false);
  parser.DefineOprt("||", either, mu::prLOR);
  parser.DefineOprt("&&", both, mu::prLAND);
  parser.DefineOprt("<", less, mu::prCMP);
  parser.DefineOprt("<=", less_equal, mu::prCMP);
  parser.DefineOprt(">", greater, mu::prCMP);
  parser.DefineOprt(">=", greater_equal, mu::prCMP);
  parser.DefineOprt("==", equal, mu::prCMP);
  parser.DefineOprt("!=", not_equal, mu::prCMP);
  parser.DefineOprt("+", add, mu::prADD_SUB);
  parser.DefineOprt("-", subtract, mu::prADD_SUB);
  parser.DefineOprt("*", multiply, mu::prMUL_DIV);
  parser.DefineOprt("/", divide, mu::prMUL_DIV);
  parser.DefineInfixOprt("-", negate);
  parser.DefineFun("min", min_of, false);
  parser.DefineFun("max", max_of, false);
  parser.DefineFun("ceil", ceil_of, false);
  parser.DefineFun("floor", floor_of, false);
  parser.DefineFun("log2", log2_of, false);
  parser.DefineFun("abs", abs_of, false);
  parser.DefineFun("mod", mod_of, false);
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
  define_grammar(parsed->parser);
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
