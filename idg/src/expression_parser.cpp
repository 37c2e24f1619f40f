#include "expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kLongestExpression = 4096;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kOtherCharacters = ".+-*/()<>=!&|,";

bool is_one_of(std::string_view characters, char c) { return characters.find(c) != std::string_view::npos; }
bool is_of_name(char c) { return is_one_of(kLetters, c) || is_one_of(kDigits, c); }

struct BinaryOperator {
  std::string_view text;
  int precedence = 0;  ///< the highest binds first; all bind to the left
  Operator op = Operator::Add;
  bool swapped = false;  ///< the operation has the left operand on the right
};

/// A longer text stands before its own beginning.
constexpr std::array kBinaryOperators{
    BinaryOperator{"||", 1, Operator::Or},        BinaryOperator{"&&", 2, Operator::And},
    BinaryOperator{"<=", 3, Operator::LessEqual}, BinaryOperator{">=", 3, Operator::LessEqual, true},
    BinaryOperator{"==", 3, Operator::Equal},     BinaryOperator{"!=", 3, Operator::NotEqual},
    BinaryOperator{"<", 3, Operator::Less},       BinaryOperator{">", 3, Operator::Less, true},
    BinaryOperator{"+", 4, Operator::Add},        BinaryOperator{"-", 4, Operator::Subtract},
    BinaryOperator{"*", 5, Operator::Multiply},   BinaryOperator{"/", 5, Operator::Divide},
};

constexpr std::size_t kAnyNumber = kLongestExpression;

struct Function {
  std::string_view name;
  Operator op = Operator::Minimum;
  std::size_t least = 1, most = 1;  ///< arguments; more than two are taken from the left, two at a time
};

constexpr std::array kFunctions{
    Function{"min", Operator::Minimum, 1, kAnyNumber},
    Function{"max", Operator::Maximum, 1, kAnyNumber},
    Function{"ceil", Operator::Ceiling},
    Function{"floor", Operator::Floor},
    Function{"log2", Operator::Log2},
    Function{"abs", Operator::Absolute},
    Function{"mod", Operator::Modulo, 2, 2},
};

const Function* function_named(std::string_view name) {
  const auto found = std::ranges::find(kFunctions, name, &Function::name);
  return found == kFunctions.end() ? nullptr : &*found;
}

InputError parse_error(std::string_view text, const std::string& problem) {
  return InputError(Diagnostic{"", fmt::format("\"{}\" is not an expression: {}", text, problem), "",
                               "write it with numbers, names, + - * / ( ) < <= > >= == != && || and "
                               "min max ceil floor log2 abs mod"});
}

/// Refuses texts outside the grammar below.
void refuse_other_texts(std::string_view text) {
  if (text.size() > kLongestExpression)
    throw parse_error(text.substr(0, 40), fmt::format("it is longer than {} characters", kLongestExpression));
  int depth = 0;
  char before = '(';  // the last character that is no blank
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_one_of(kBlanks, c)) continue;
    if (!is_of_name(c) && !is_one_of(kOtherCharacters, c))
      throw parse_error(text, fmt::format("there is an unexpected character at position {}", i + 1));
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) throw parse_error(text, "there is a comma outside a function");
    constexpr std::string_view kOpenings = "+-*/(<>=!&|,";  // an operand follows
    if (c == '+' && is_one_of(kOpenings, before)) throw parse_error(text, "there is a sign +");
    before = c;
  }
}

struct Token {
  enum class Kind { Number, Name, Operator, Parenthesis, Comma, Unknown, End } kind = Kind::End;
  std::string_view text;
  std::size_t position = 0;  ///< from 1
  double number = 0;
};

std::string unexpected(const Token& token) {
  using Kind = Token::Kind;
  switch (token.kind) {
    case Kind::Number:
      return fmt::format("Unexpected value \"{}\" found at position {}", token.text, token.position);
    case Kind::Name:
      return fmt::format("Unexpected {} \"{}\" found at position {}",
                         is_function_name(token.text) ? "function" : "variable", token.text, token.position);
    case Kind::Operator:
      return fmt::format("Unexpected operator \"{}\" found at position {}", token.text, token.position);
    case Kind::Parenthesis:
      return fmt::format("Unexpected parenthesis \"{}\" at position {}", token.text, token.position);
    case Kind::Comma:
      return fmt::format("Unexpected argument separator at position {}", token.position);
    case Kind::End:
      return fmt::format("Unexpected end of expression at position {}", token.position);
    case Kind::Unknown:
      break;
  }
  return fmt::format("Unexpected token \"{}\" found at position {}", token.text, token.position);
}

/// The grammar by precedence climbing; the text becomes operations.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { advance(); }

  std::vector<Operation> whole() {
    if (next_.kind == Token::Kind::End) fail("Expression is empty.");
    operation(0);
    if (next_.kind != Token::Kind::End) fail(unexpected(next_));
    return std::move(operations_);
  }

 private:
  // Each function reads a part of the text and returns the position of its operation.

  /// Operands, and operators with at least this precedence.
  std::size_t operation(int least) {
    std::size_t left = signed_operand();
    while (const auto* binary = next_operator(least)) {
      advance();
      const std::size_t right = operation(binary->precedence + 1);
      left = binary->swapped ? add({binary->op, right, left, 0, {}}) : add({binary->op, left, right, 0, {}});
    }
    return left;
  }

  std::size_t signed_operand() {
    if (!accept("-")) return operand();
    return add({Operator::Negate, operand(), 0, 0, {}});
  }

  std::size_t operand() {
    const Token token = next_;
    if (token.kind == Token::Kind::Number) {
      advance();
      return add({Operator::Constant, 0, 0, token.number, {}});
    }
    if (token.kind == Token::Kind::Name) {
      advance();
      if (const auto* function = function_named(token.text)) return call(*function, token);
      return add({Operator::Name, 0, 0, 0, std::string(token.text)});
    }
    if (!accept("(")) fail(unexpected(token));
    const std::size_t value = operation(0);
    close();
    return value;
  }

  std::size_t call(const Function& function, const Token& token) {
    if (!accept("(")) fail(unexpected(next_));
    std::vector<std::size_t> arguments;
    if (next_.text != ")") {
      do arguments.push_back(operation(0));
      while (accept(","));
    }
    close();
    if (arguments.size() < function.least || arguments.size() > function.most)
      fail(fmt::format("Too {} parameters for function \"{}\" at expression position {}",
                       arguments.size() < function.least ? "few" : "many", function.name, token.position));
    if (function.most == 1) return add({function.op, arguments.front(), 0, 0, {}});
    std::size_t value = arguments.front();
    for (std::size_t i = 1; i < arguments.size(); ++i) value = add({function.op, value, arguments[i], 0, {}});
    return value;
  }

  void close() {
    if (next_.kind == Token::Kind::End) fail("Missing parenthesis");
    if (!accept(")")) fail(unexpected(next_));
  }

  /// Equal operations are one.
  std::size_t add(Operation operation) {
    const auto [known, is_new] = places_.try_emplace(std::move(operation), operations_.size());
    if (is_new) operations_.push_back(known->first);
    return known->second;
  }

  const BinaryOperator* next_operator(int least) const {
    if (next_.kind != Token::Kind::Operator) return nullptr;
    const auto found = std::ranges::find(kBinaryOperators, next_.text, &BinaryOperator::text);
    return found->precedence < least ? nullptr : &*found;
  }

  bool accept(std::string_view text) {
    if (next_.text != text) return false;
    advance();
    return true;
  }

  void advance() {
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    const std::string_view rest = text_.substr(at_);
    next_ = rest.empty() ? Token{} : token_at(rest);
    next_.position = at_ + 1;
    at_ += next_.text.size();
  }

  static Token token_at(std::string_view rest) {
    const auto beginning = [&](std::size_t size) { return rest.substr(0, size); };
    using Kind = Token::Kind;
    if (is_one_of(kLetters, rest.front())) {
      const auto end = std::ranges::find_if_not(rest, is_of_name);
      return {Kind::Name, beginning(static_cast<std::size_t>(end - rest.begin()))};
    }
    double number = 0;
    if (rest.front() != '-') {
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
      const auto size = static_cast<std::size_t>(end - rest.data());
      if (error == std::errc::result_out_of_range) return {Kind::Unknown, beginning(size)};
      if (error == std::errc()) return {Kind::Number, beginning(size), 0, number};
    }
    for (const auto& binary : kBinaryOperators)
      if (rest.starts_with(binary.text)) return {Kind::Operator, beginning(binary.text.size())};
    const bool is_parenthesis = rest.front() == '(' || rest.front() == ')';
    return {is_parenthesis ? Kind::Parenthesis : rest.front() == ',' ? Kind::Comma : Kind::Unknown, beginning(1)};
  }

  [[noreturn]] void fail(const std::string& problem) const { throw parse_error(text_, problem); }

  std::string_view text_;
  std::size_t at_ = 0;  ///< behind `next_`
  Token next_;
  std::vector<Operation> operations_;
  std::map<Operation, std::size_t> places_;  ///< of operations, in the list
};

}  // namespace

std::vector<Operation> parse_operations(std::string_view text) {
  refuse_other_texts(text);
  return Parser(text).whole();
}

bool is_function_name(std::string_view name) { return function_named(name) != nullptr; }

}  // namespace warpipe
