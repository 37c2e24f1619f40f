#include "parser.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 20;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "found the end of the file";
  return fmt::format("found \"{}\"", token.text.substr(0, 60));
}

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> whole_literal(std::string_view text) {
  if (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) return digits(text.substr(2), 16);
  if (text.starts_with("0b") || text.starts_with("0B")) return digits(text.substr(2), 2);
  if (text.size() > 1 && text.starts_with('0')) return digits(text.substr(1), 8);
  return digits(text, 10);
}

}  // namespace

Token TokenStream::take() {
  Token token = ahead_;
  ahead_ = lexer_.next();
  return token;
}

bool TokenStream::accept(char mark) {
  if (!ahead_.is(mark)) return false;
  take();
  return true;
}

bool TokenStream::accept(std::string_view word) {
  if (!ahead_.is(word)) return false;
  take();
  return true;
}

void TokenStream::expect(char mark) {
  if (!accept(mark)) fail(fmt::format("a \"{}\" stands here", mark));
}

std::string_view TokenStream::word(std::string_view what) {
  if (ahead_.kind != Token::Kind::Word) fail(fmt::format("{} stands here", what));
  return take().text;
}

std::string_view TokenStream::text(std::string_view what) {
  if (ahead_.kind != Token::Kind::Text) fail(fmt::format("{} in quotes stands here", what));
  return take().text;
}

std::int64_t TokenStream::whole(std::string_view what) {
  const bool negative = accept('-');
  if (ahead_.kind != Token::Kind::Number) fail(fmt::format("{} stands here, a number", what));
  const auto value = whole_literal(ahead_.text);
  if (!value) fail(fmt::format("{} is a whole number", what));
  take();
  return static_cast<std::int64_t>(negative ? 0 - *value : *value);
}

void TokenStream::skip_block() {
  for (int depth = 1; depth > 0;) {
    const Token token = take();
    if (token.kind == Token::Kind::End) fail("a block ends with \"}\"");
    if (token.is('{')) ++depth;
    if (token.is('}')) --depth;
  }
}

void TokenStream::fail(std::string rule, std::string advice) const {
  lexer_.fail(ahead_.line, std::move(rule), shown(ahead_), std::move(advice));
}

Operand parse_literal(TokenStream& tokens, const Token& token, bool negative) {
  Operand operand;
  operand.kind = Operand::Kind::Immediate;
  const auto text = token.text;
  const auto bad = [&] {
    tokens.fail_at(token.line, "a number is whole or 0f or 0d with hexadecimal digits", shown(token));
  };
  const bool single = text.starts_with("0f") || text.starts_with("0F");
  const bool both = single || text.starts_with("0d") || text.starts_with("0D");
  if (both) {
    const auto value = digits(text.substr(2), 16);
    if (!value || text.size() != (single ? 10U : 18U)) bad();
    operand.float_bits = single ? 32 : 64;
    const auto sign = std::uint64_t{1} << (operand.float_bits - 1);
    operand.bits = negative ? *value ^ sign : *value;
    return operand;
  }
  if (const auto value = whole_literal(text)) {
    operand.bits = negative ? 0 - *value : *value;
    return operand;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) bad();
  operand.float_bits = 64;
  operand.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
  return operand;
}

std::optional<StateSpace> space_of_directive(std::string_view word) {
  if (word == ".param") return StateSpace::Parameter;
  if (word == ".const") return StateSpace::Constant;
  if (word == ".global") return StateSpace::Global;
  if (word == ".shared") return StateSpace::Shared;
  if (word == ".local") return StateSpace::Local;
  return std::nullopt;
}

std::vector<Variable> VariableParser::parse(StateSpace space) {
  std::vector<Variable> variables{parse_one(space)};
  while (tokens_.accept(',')) {
    Variable next = variables.front();
    next.name = tokens_.word("the name of a variable");
    next.values.clear();
    next.addresses.clear();
    next.known = false;
    next.elements = 1;
    declarator(next);
    variables.push_back(std::move(next));
  }
  return variables;
}

Variable VariableParser::parse_one(StateSpace space) {
  Variable variable;
  variable.space = space;
  variable.line = tokens_.peek().line;
  attributes(variable);
  if (variable.type.kind == Type::Kind::None && space != StateSpace::Parameter)
    tokens_.fail("a declaration has a type", "write one such as .b32");
  variable.name = tokens_.word("the name of a variable");
  declarator(variable);
  return variable;
}

void VariableParser::attributes(Variable& variable) {
  while (tokens_.peek().kind == Token::Kind::Word && tokens_.peek().text.starts_with('.')) {
    const Token token = tokens_.take();
    const auto word = token.text.substr(1);
    if (word == "align") {
      variable.alignment = tokens_.whole("an alignment");
      if (variable.alignment < 1 || variable.alignment > 4096 ||
          !std::has_single_bit(static_cast<std::uint64_t>(variable.alignment)))
        tokens_.fail_at(token.line, "an alignment is a power of two of at most 4096",
                        fmt::format("found {}", variable.alignment));
    } else if (word == "ptr") {
      variable.is_pointer = true;
    } else if (word == "attribute") {
      tokens_.expect('(');
      while (!tokens_.accept(')'))
        if (tokens_.take().kind == Token::Kind::End) tokens_.fail("a \")\" stands here");
    } else if (word == "v2" || word == "v4") {
      variable.elements = word == "v2" ? 2 : 4;
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      variable.type = {Type::Kind::Bits, 64};  // a handle
    } else if (const auto type = parse_type(word)) {
      variable.type = *type;
    } else if (!space_of_directive(token.text) && word != "reg") {
      // `.ptr .global`: the space pointed to; anything else is no attribute.
      tokens_.fail_at(token.line, "a declaration has .align and a type", fmt::format("found \"{}\"", token.text));
    }
  }
}

void VariableParser::declarator(Variable& variable) {
  if (variable.alignment < variable.type.bits / 8) variable.alignment = variable.type.bits / 8;
  while (tokens_.accept('[')) {
    if (tokens_.accept(']')) {
      variable.elements = 0;
      continue;
    }
    const auto length = tokens_.whole("the length of an array");
    if (length < 0 || length > kMostBytes || (length > 0 && variable.elements > kMostBytes / 16 / length))
      tokens_.fail("an array has at most 2^40 bytes");
    variable.elements *= length;
    tokens_.expect(']');
  }
  if (tokens_.accept('=')) {
    variable.known = true;
    initialisers(variable);
    if (variable.elements == 0) variable.elements = static_cast<std::int64_t>(variable.values.size());
  }
}

void VariableParser::initialisers(Variable& variable) {
  if (!tokens_.accept('{')) {
    initialiser(variable);
    return;
  }
  if (tokens_.accept('}')) return;
  int depth = 1;
  while (depth > 0) {
    if (tokens_.accept('{')) {
      if (++depth > 16) tokens_.fail("initialisers are nested at most 16 deep");
      continue;
    }
    initialiser(variable);
    while (depth > 0 && tokens_.accept('}')) --depth;
    if (depth > 0) tokens_.expect(',');
  }
}

void VariableParser::initialiser(Variable& variable) {
  if (++values_ > kMostValues) tokens_.fail("the initialisers of a variable are at most 2^20");
  const bool negative = tokens_.accept('-');
  const Token token = tokens_.take();
  if (token.kind == Token::Kind::Number) {
    const auto bits = parse_literal(tokens_, token, negative).bits;
    if (!tokens_.accept('(')) {
      variable.values.push_back(bits);
      return;
    }
    address(variable, tokens_.take(), bits);
    return tokens_.expect(')');
  }
  address(variable, token, UINT64_MAX);
}

/// "name", "generic(name)", "generic(name)+8": not known before linking.
void VariableParser::address(Variable& variable, Token token, std::uint64_t mask) {
  if (token.kind != Token::Kind::Word)
    tokens_.fail_at(token.line, "an initialiser is a number or a name", shown(token));
  if (tokens_.accept('(')) {
    token = tokens_.take();
    tokens_.expect(')');
  }
  const bool has_offset = tokens_.accept('+') || tokens_.peek().is('-');
  const auto offset = has_offset ? tokens_.whole("an offset") : 0;
  variable.known = false;
  variable.addresses.push_back({variable.values.size(), std::string(token.text), offset, mask});
  variable.values.push_back(0);
}

}  // namespace warpipe::ptx
