#include "warpipe/tune/formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {

/// A part of a formula.
struct Formula::Node {
  enum class Kind { Constant, Name, List, Index, Call, Negate, Not, And, Or, Compare, Choice, Arithmetic, ForEach };
  Kind kind = Kind::Constant;
  std::size_t at = 0;                ///< where it stands in the text
  std::string name = {};             ///< of a Name, a Call and the element of a ForEach
  FormulaValue constant = {};        ///< of a Constant
  std::vector<std::string> signs{};  ///< between the parts of a Compare and of an Arithmetic
  std::vector<Node> parts = {};      ///< ForEach: element, list, perhaps a condition; Choice: yes, condition, no
};

namespace {

using Node = Formula::Node;
using Kind = Node::Kind;
using List = FormulaValue::List;

constexpr int kDeepest = 100;                    ///< levels of brackets and signs
constexpr std::int64_t kMostSteps = 10'000'000;  ///< of an evaluation
constexpr std::size_t kMostText = std::size_t{1} << 16;

std::string place_in(std::string_view text, std::size_t at) {
  return fmt::format("at character {} of \"{}\"", at + 1, text.substr(0, 200));
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a formula by recursive descent.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Node parse() {
    if (text_.size() > kMostText) fail("it is too long");
    Node root = choice();
    skip_blanks();
    if (at_ < text_.size()) fail("it should end here");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(Diagnostic{"", problem, place_in(text_, at_), ""});
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  /// Goes behind a sign if it comes next.
  bool take(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  /// Goes behind a word if it comes next.
  bool take_word(std::string_view word) {
    skip_blanks();
    const auto rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && (starts_name(rest[word.size()]) || is_digit(rest[word.size()]))) return false;
    at_ += word.size();
    return true;
  }

  void require(std::string_view sign) {
    if (!take(sign)) fail(fmt::format("\"{}\" should stand here", sign));
  }

  /// Counts levels, so that no text takes all of the stack.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) parser_.fail("it has too many levels");
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Node choice() {
    const Level level(*this);
    Node yes = any();
    const auto at = at_;
    if (!take_word("if")) return yes;
    Node condition = any();
    if (!take_word("else")) fail("\"else\" should stand here");
    Node no = choice();
    return {.kind = Kind::Choice, .at = at, .parts = {std::move(yes), std::move(condition), std::move(no)}};
  }

  Node any() {
    Node first = all();
    Node node{.kind = Kind::Or, .at = first.at};
    node.parts.push_back(std::move(first));
    while (take("||") || take_word("or")) node.parts.push_back(all());
    return node.parts.size() == 1 ? std::move(node.parts.front()) : node;
  }

  Node all() {
    Node first = negation();
    Node node{.kind = Kind::And, .at = first.at};
    node.parts.push_back(std::move(first));
    while (take("&&") || take_word("and")) node.parts.push_back(negation());
    return node.parts.size() == 1 ? std::move(node.parts.front()) : node;
  }

  Node negation() {
    skip_blanks();
    const auto at = at_;
    const bool is_sign = text_.substr(at_).starts_with('!') && !text_.substr(at_).starts_with("!=");
    if (!is_sign && !take_word("not")) return comparison();
    if (is_sign) ++at_;
    const Level level(*this);
    return {.kind = Kind::Not, .at = at, .parts = {negation()}};
  }

  std::string comparison_sign() {
    for (const char* sign : {"<=", ">=", "==", "!=", "<", ">"})
      if (take(sign)) return sign;
    if (take_word("in")) return "in";
    const auto before = at_;
    if (take_word("not") && take_word("in")) return "not in";
    at_ = before;
    return "";
  }

  Node comparison() {
    Node first = sum();
    Node node{.kind = Kind::Compare, .at = first.at};
    node.parts.push_back(std::move(first));
    for (auto sign = comparison_sign(); !sign.empty(); sign = comparison_sign()) {
      node.signs.push_back(std::move(sign));
      node.parts.push_back(sum());
    }
    return node.parts.size() == 1 ? std::move(node.parts.front()) : node;
  }

  Node sum() {
    Node node = product();
    for (;;) {
      const auto at = at_;
      if (take("+"))
        node = binary("+", at, std::move(node), product());
      else if (take("-"))
        node = binary("-", at, std::move(node), product());
      else
        return node;
    }
  }

  std::string product_sign() {
    skip_blanks();
    if (text_.substr(at_).starts_with("**")) return "";
    for (const char* sign : {"//", "*", "/", "%"})
      if (take(sign)) return sign;
    return "";
  }

  Node product() {
    Node node = factor();
    for (;;) {
      const auto at = at_;
      const auto sign = product_sign();
      if (sign.empty()) return node;
      node = binary(sign, at, std::move(node), factor());
    }
  }

  static Node binary(std::string sign, std::size_t at, Node left, Node right) {
    return {
        .kind = Kind::Arithmetic, .at = at, .signs = {std::move(sign)}, .parts = {std::move(left), std::move(right)}};
  }

  Node factor() {
    const Level level(*this);
    skip_blanks();
    const auto at = at_;
    if (take("+")) return factor();
    if (take("-")) return {.kind = Kind::Negate, .at = at, .parts = {factor()}};
    Node base = with_indices();
    const auto sign = at_;
    if (!take("**")) return base;
    return binary("**", sign, std::move(base), factor());
  }

  Node with_indices() {
    Node node = atom();
    for (;;) {
      const auto at = at_;
      if (!take("[")) return node;
      Node index = choice();
      require("]");
      node = Node{.kind = Kind::Index, .at = at, .parts = {std::move(node), std::move(index)}};
    }
  }

  Node atom() {
    skip_blanks();
    if (at_ == text_.size()) fail("something lacks at the end");
    const char first = text_[at_];
    if (is_digit(first) || first == '.') return number();
    if (first == '"' || first == '\'') return quoted();
    if (starts_name(first)) return name();
    const auto at = at_;
    if (take("[")) return list(at);
    require("(");
    Node inner = choice();
    if (!take(",")) {
      require(")");
      return inner;
    }
    Node node{.kind = Kind::List, .at = at};
    node.parts.push_back(std::move(inner));
    while (!take(")")) {
      node.parts.push_back(choice());
      if (!take(",")) {
        require(")");
        break;
      }
    }
    return node;
  }

  Node list(std::size_t at) {
    Node node{.kind = Kind::List, .at = at};
    if (take("]")) return node;
    node.parts.push_back(choice());
    if (take_word("for")) return for_each(at, std::move(node.parts.front()));
    while (take(",")) {
      if (take("]")) return node;
      node.parts.push_back(choice());
    }
    require("]");
    return node;
  }

  Node for_each(std::size_t at, Node element) {
    Node node{.kind = Kind::ForEach, .at = at};
    skip_blanks();
    node.name = word();
    if (!take_word("in")) fail("\"in\" should stand here");
    node.parts.push_back(std::move(element));
    node.parts.push_back(any());
    if (take_word("if")) node.parts.push_back(any());
    require("]");
    return node;
  }

  std::string word() {
    const auto begin = at_;
    if (at_ == text_.size() || !starts_name(text_[at_])) fail("a name should stand here");
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Node name() {
    const auto at = at_;
    auto called = word();
    if (called == "True" || called == "true") return {.at = at, .constant = std::int64_t{1}};
    if (called == "False" || called == "false") return {.at = at, .constant = std::int64_t{0}};
    if (!take("(")) return {.kind = Kind::Name, .at = at, .name = std::move(called)};
    Node node{.kind = Kind::Call, .at = at, .name = std::move(called)};
    while (!take(")")) {
      node.parts.push_back(choice());
      if (take(",")) continue;
      require(")");
      break;
    }
    return node;
  }

  Node number() {
    const auto at = at_;
    const auto* const begin = text_.data() + at_;
    const auto* const end = text_.data() + text_.size();
    std::int64_t whole = 0;
    const auto of_whole = std::from_chars(begin, end, whole);
    double number = 0;
    const auto of_number = std::from_chars(begin, end, number);
    if (of_number.ec != std::errc() || !std::isfinite(number)) fail("this is no number that can be computed with");
    at_ += static_cast<std::size_t>(of_number.ptr - begin);
    if (at_ < text_.size() && starts_name(text_[at_])) fail("a number ends here");
    const bool is_whole = of_whole.ec == std::errc() && of_whole.ptr == of_number.ptr;
    return {.at = at, .constant = is_whole ? FormulaValue(whole) : FormulaValue(number)};
  }

  Node quoted() {
    const auto at = at_;
    const char quote = text_[at_++];
    const auto end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a quote is not closed");
    std::string content(text_.substr(at_, end - at_));
    at_ = end + 1;
    return {.at = at, .constant = std::move(content)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void add_names(const Node& node, std::set<std::string> bound, std::set<std::string>& names) {
  if (node.kind == Kind::Name && !bound.contains(node.name)) names.insert(node.name);
  if (node.kind == Kind::ForEach) bound.insert(node.name);
  for (const auto& part : node.parts) add_names(part, bound, names);
}

/// Evaluates a formula.
class Evaluation {
 public:
  Evaluation(const std::string& text, const FormulaNames& names) : text_(text), names_(names) {}

  FormulaValue of(const Node& node) {
    step(node);
    switch (node.kind) {
      case Kind::Constant:
        return node.constant;
      case Kind::Name:
        return named(node);
      case Kind::List:
        return FormulaValue(all_of(node));
      case Kind::Index:
        return element(node);
      case Kind::Call:
        return call(node);
      case Kind::Negate:
        return negated(node);
      case Kind::Not:
        return truth(!is_true(of(node.parts[0])));
      case Kind::And:
      case Kind::Or:
        return joined(node);
      case Kind::Compare:
        return compared(node);
      case Kind::Choice:
        return of(node.parts[is_true(of(node.parts[1])) ? 0 : 2]);
      case Kind::Arithmetic:
        return computed(node);
      case Kind::ForEach:
        return for_each(node);
    }
    return {};
  }

  static bool is_true(const FormulaValue& value) {
    if (value.is_number()) return value.number() != 0;
    return value.is_text() ? !value.text().empty() : !value.list().empty();
  }

 private:
  [[noreturn]] void fail(const Node& node, const std::string& problem) const {
    throw ModelError(Diagnostic{"", problem, place_in(text_, node.at), ""});
  }

  void step(const Node& node) {
    if (++steps_ > kMostSteps) fail(node, "this takes too many steps");
  }

  static FormulaValue truth(bool is) { return std::int64_t{is}; }

  FormulaValue named(const Node& node) const {
    for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound)
      if (bound->first == node.name) return *bound->second;
    const auto found = names_.find(node.name);
    if (found == names_.end()) fail(node, fmt::format("\"{}\" has no value", node.name));
    return found->second;
  }

  List all_of(const Node& node) {
    List list;
    for (const auto& part : node.parts) list.push_back(of(part));
    return list;
  }

  double number(const Node& node, const FormulaValue& value) const {
    if (!value.is_number()) fail(node, fmt::format("a number should be here, found {}", to_string(value)));
    return value.number();
  }

  std::int64_t whole(const Node& node, const FormulaValue& value) const {
    if (const auto* found = std::get_if<std::int64_t>(&value.value)) return *found;
    fail(node, fmt::format("a whole number should be here, found {}", to_string(value)));
  }

  FormulaValue checked(const Node& node, double result) const {
    if (!std::isfinite(result)) fail(node, "the result is no finite number");
    return result;
  }

  /// A number without a fraction, as a whole.
  FormulaValue to_whole(const Node& node, double number) const {
    if (!(std::abs(number) < 9.2e18)) fail(node, "the result is too large");
    return static_cast<std::int64_t>(number);
  }

  FormulaValue element(const Node& node) {
    const auto list = of(node.parts[0]);
    auto index = whole(node, of(node.parts[1]));
    if (!list.is_list()) fail(node, fmt::format("a list should be before this, found {}", to_string(list)));
    const auto size = static_cast<std::int64_t>(list.list().size());
    if (index < 0) index += size;
    if (index < 0 || index >= size) fail(node, fmt::format("the list has {} elements", size));
    return list.list()[static_cast<std::size_t>(index)];
  }

  FormulaValue negated(const Node& node) {
    const auto value = of(node.parts[0]);
    if (const auto* found = std::get_if<std::int64_t>(&value.value)) {
      if (*found == std::numeric_limits<std::int64_t>::min()) fail(node, "the result is too large");
      return -*found;
    }
    return -number(node, value);
  }

  /// As in Python, the value that decides.
  FormulaValue joined(const Node& node) {
    FormulaValue value;
    for (const auto& part : node.parts) {
      value = of(part);
      if (is_true(value) == (node.kind == Kind::Or)) break;
    }
    return value;
  }

  bool is_in(const Node& node, const FormulaValue& value, const FormulaValue& list) const {
    if (value.is_text() && list.is_text()) return list.text().find(value.text()) != std::string::npos;
    if (!list.is_list()) fail(node, fmt::format("a list should be behind \"in\", found {}", to_string(list)));
    return std::ranges::find(list.list(), value) != list.list().end();
  }

  bool holds(const Node& node, const std::string& sign, const FormulaValue& a, const FormulaValue& b) const {
    if (sign == "==") return a == b;
    if (sign == "!=") return !(a == b);
    if (sign == "in") return is_in(node, a, b);
    if (sign == "not in") return !is_in(node, a, b);
    const auto by = [&](const auto& x, const auto& y) {
      return sign == "<" ? x < y : sign == "<=" ? x <= y : sign == ">" ? x > y : x >= y;
    };
    if (a.is_text() && b.is_text()) return by(a.text(), b.text());
    return by(number(node, a), number(node, b));
  }

  FormulaValue compared(const Node& node) {
    auto left = of(node.parts[0]);
    for (std::size_t i = 0; i < node.signs.size(); ++i) {
      auto right = of(node.parts[i + 1]);
      if (!holds(node, node.signs[i], left, right)) return truth(false);
      left = std::move(right);
    }
    return truth(true);
  }

  FormulaValue computed(const Node& node) {
    const auto& sign = node.signs[0];
    const auto a = of(node.parts[0]), b = of(node.parts[1]);
    if (sign == "+" && a.is_text() && b.is_text()) return a.text() + b.text();
    const auto* x = std::get_if<std::int64_t>(&a.value);
    const auto* y = std::get_if<std::int64_t>(&b.value);
    if (x != nullptr && y != nullptr && sign != "/") return of_wholes(node, sign, *x, *y);
    return of_numbers(node, sign, number(node, a), number(node, b));
  }

  FormulaValue of_wholes(const Node& node, const std::string& sign, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    bool overflows = false;
    if (sign == "+") overflows = __builtin_add_overflow(a, b, &result);
    if (sign == "-") overflows = __builtin_sub_overflow(a, b, &result);
    if (sign == "*") overflows = __builtin_mul_overflow(a, b, &result);
    if (sign == "//" || sign == "%") {
      if (b == 0) fail(node, "this divides by zero");
      if (b == -1) return of_wholes(node, "*", sign == "%" ? 0 : a, b);
      const bool is_low = a % b != 0 && (a % b < 0) != (b < 0);  // of the two next wholes the lower is meant
      result = sign == "//" ? a / b - is_low : a % b + (is_low ? b : 0);
    }
    if (sign == "**") {
      if (b < 0) return of_numbers(node, sign, static_cast<double>(a), static_cast<double>(b));
      result = 1;
      for (std::int64_t i = 0; i < b && !overflows && (a != 1 || i < 1); ++i) {
        step(node);
        overflows = __builtin_mul_overflow(result, a, &result);
      }
    }
    if (overflows) fail(node, "the result is too large");
    return result;
  }

  FormulaValue of_numbers(const Node& node, const std::string& sign, double a, double b) const {
    if ((sign == "/" || sign == "//" || sign == "%") && b == 0) fail(node, "this divides by zero");
    if (sign == "+") return checked(node, a + b);
    if (sign == "-") return checked(node, a - b);
    if (sign == "*") return checked(node, a * b);
    if (sign == "/") return checked(node, a / b);
    if (sign == "//") return checked(node, std::floor(a / b));
    if (sign == "%") return checked(node, a - b * std::floor(a / b));
    return checked(node, std::pow(a, b));
  }

  FormulaValue for_each(const Node& node) {
    const auto over = of(node.parts[1]);
    if (!over.is_list()) fail(node, fmt::format("a list should be behind \"in\", found {}", to_string(over)));
    List list;
    for (const auto& each : over.list()) {
      bound_.emplace_back(node.name, &each);
      if (node.parts.size() < 3 || is_true(of(node.parts[2]))) list.push_back(of(node.parts[0]));
      bound_.pop_back();
    }
    return FormulaValue(std::move(list));
  }

  FormulaValue call(const Node& node) {
    const auto given = all_of(node);
    const auto& name = node.name;
    if (name == "range") return range(node, given);
    if (name == "min" || name == "max" || name == "sum") return over_all(node, given);
    const bool has_digits = name == "round" && given.size() == 2;
    if (given.size() != 1 && !has_digits) fail(node, fmt::format("{}() takes one value", name));
    const auto& value = given.front();
    if (name == "len") {
      if (!value.is_list()) fail(node, "len() is of a list");
      return static_cast<std::int64_t>(value.list().size());
    }
    if (name == "list" && value.is_list()) return value;
    const double number = this->number(node, value);
    if (name == "float") return number;
    if (name == "sqrt") return checked(node, std::sqrt(number));
    if (name == "log2") {
      if (number <= 0) fail(node, "log2() is of a number above 0");
      return std::log2(number);
    }
    const bool is_whole = std::holds_alternative<std::int64_t>(value.value);
    if (name == "abs") return is_whole ? to_whole(node, std::abs(number)) : FormulaValue(std::abs(number));
    if (is_whole && (name == "int" || name == "ceil" || name == "floor" || name == "round")) return value;
    if (name == "int") return to_whole(node, std::trunc(number));
    if (name == "ceil") return to_whole(node, std::ceil(number));
    if (name == "floor") return to_whole(node, std::floor(number));
    if (name == "round" && !has_digits) return to_whole(node, std::nearbyint(number));
    fail(node, fmt::format("there is no function \"{}\"", name));
  }

  FormulaValue range(const Node& node, const List& given) {
    if (given.empty() || given.size() > 3) fail(node, "range() takes one to three values");
    std::vector<std::int64_t> numbers;
    for (const auto& each : given) numbers.push_back(whole(node, each));
    const auto first = numbers.size() == 1 ? 0 : numbers[0], end = numbers.size() == 1 ? numbers[0] : numbers[1];
    const auto by = numbers.size() == 3 ? numbers[2] : 1;
    if (by == 0) fail(node, "range() cannot go in steps of 0");
    List list;
    for (auto i = first; by > 0 ? i < end : i > end;) {
      step(node);
      list.emplace_back(i);
      if (__builtin_add_overflow(i, by, &i)) break;
    }
    return FormulaValue(std::move(list));
  }

  FormulaValue over_all(const Node& node, const List& given) {
    const bool is_of_list = given.size() == 1 && given.front().is_list();
    const List& values = is_of_list ? given.front().list() : given;
    FormulaValue result = std::int64_t{0};
    if (node.name == "sum") {
      for (const auto& each : values) result = computed_sum(node, result, each);
      return result;
    }
    if (values.empty()) fail(node, fmt::format("{}() is of at least one value", node.name));
    result = values.front();
    for (const auto& each : values) {
      const bool is_less = number(node, each) < number(node, result);
      if (node.name == "min" ? is_less : number(node, each) > number(node, result)) result = each;
    }
    return result;
  }

  FormulaValue computed_sum(const Node& node, const FormulaValue& a, const FormulaValue& b) {
    const auto* x = std::get_if<std::int64_t>(&a.value);
    const auto* y = std::get_if<std::int64_t>(&b.value);
    if (x != nullptr && y != nullptr) return of_wholes(node, "+", *x, *y);
    return checked(node, number(node, a) + number(node, b));
  }

  const std::string& text_;
  const FormulaNames& names_;
  std::vector<std::pair<std::string_view, const FormulaValue*>> bound_;  ///< by the ForEach lists being evaluated
  std::int64_t steps_ = 0;
};

}  // namespace

double FormulaValue::number() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* other = std::get_if<double>(&value);
  return other != nullptr ? *other : 0;
}

bool operator==(const FormulaValue& a, const FormulaValue& b) {
  const auto* x = std::get_if<std::int64_t>(&a.value);
  const auto* y = std::get_if<std::int64_t>(&b.value);
  if (x != nullptr && y != nullptr) return *x == *y;
  if (a.is_number() && b.is_number()) return a.number() == b.number();
  if (a.is_text() && b.is_text()) return a.text() == b.text();
  return a.is_list() && b.is_list() && a.list() == b.list();
}

std::string to_string(const FormulaValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value.value)) {
    auto text = fmt::format("{}", *number);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;  // a macro of C is no whole
  }
  if (value.is_text()) return value.text();
  std::vector<std::string> texts;
  for (const auto& each : value.list()) texts.push_back(to_string(each));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

Formula::Formula(std::int64_t value)
    : text_(fmt::format("{}", value)), root_(std::make_shared<const Node>(Node{.constant = value})) {}

Formula Formula::parse(std::string_view text) {
  Formula formula;
  formula.text_ = text;
  formula.root_ = std::make_shared<const Node>(Parser(text).parse());
  add_names(*formula.root_, {}, formula.names_);
  return formula;
}

FormulaValue Formula::evaluate(const FormulaNames& names) const { return Evaluation(text_, names).of(*root_); }

bool Formula::holds(const FormulaNames& names) const { return Evaluation::is_true(evaluate(names)); }

std::int64_t Formula::whole(const FormulaNames& names, std::int64_t least) const {
  const auto value = evaluate(names);
  const double number = value.number();
  constexpr double kMost = 9007199254740992;  // 2^53
  if (value.is_number() && number == std::floor(number) && number >= static_cast<double>(least) && number <= kMost)
    return static_cast<std::int64_t>(number);
  throw ModelError(Diagnostic{"", fmt::format("\"{}\" must be a whole number of at least {}", text_, least),
                              "found " + to_string(value), ""});
}

}  // namespace warpipe
