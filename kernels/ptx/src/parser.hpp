#pragma once

#include <string>
#include <string_view>

#include "lexer.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

/// A stream of tokens with a lookahead of 1, and the small parts of all statements.
class TokenStream {
 public:
  TokenStream(std::string_view text, const std::string& file) : lexer_(text, file), ahead_(lexer_.next()) {}

  const Token& peek() const { return ahead_; }
  Token take();
  /// @return whether the mark was next; if so, it is taken
  bool accept(char mark);
  bool accept(std::string_view word);
  void expect(char mark);
  std::string_view word(std::string_view what);
  std::string_view text(std::string_view what);
  /// A whole number, perhaps with a sign.
  std::int64_t whole(std::string_view what);
  /// Takes everything up to the closing brace of an open block.
  void skip_block();

  [[noreturn]] void fail(std::string rule, std::string advice = {}) const;
  [[noreturn]] void fail_at(std::uint32_t line, std::string rule, std::string found, std::string advice = {}) const {
    lexer_.fail(line, std::move(rule), std::move(found), std::move(advice));
  }

 private:
  Lexer lexer_;
  Token ahead_;
};

/// A literal: "12", "0x1F", "077", "0b1", "5U", "0f3F800000", "0d...", "1.5".
Operand parse_literal(TokenStream& tokens, const Token& token, bool negative);

/// `.shared .align 4 .b8 name[32][33] = {...}`, from behind the word of the space, without the `;`.
class VariableParser {
 public:
  explicit VariableParser(TokenStream& tokens) : tokens_(tokens) {}
  std::vector<Variable> parse(StateSpace space);
  /// `.param .u64 .ptr .align 1 name`, up to the `,` or `)`.
  Variable parse_one(StateSpace space);

 private:
  void attributes(Variable& variable);
  void declarator(Variable& variable);
  void initialisers(Variable& variable);
  void initialiser(Variable& variable);
  void address(Variable& variable, Token token, std::uint64_t mask);
  TokenStream& tokens_;
  std::size_t values_ = 0;
};

std::optional<StateSpace> space_of_directive(std::string_view word);

}  // namespace warpipe::ptx
