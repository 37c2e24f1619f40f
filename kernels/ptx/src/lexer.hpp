#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::ptx {

struct Token {
  enum class Kind {
    Word,    ///< "ld.global.f32", ".reg", "%rd1", "$L__BB0_2"
    Number,  ///< "12", "0x1F", "0f3F800000"
    Text,    ///< of a string, without its quotes
    Mark,    ///< one character
    End
  };
  Kind kind = Kind::End;
  std::string_view text;
  std::uint32_t line = 1;

  bool is(char mark) const { return kind == Kind::Mark && text.front() == mark; }
  bool is(std::string_view word) const { return kind == Kind::Word && text == word; }
};

/// Cuts a text into tokens on demand; comments and blanks are left out.
class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(&file) {}

  /// @throws InputError for a comment or a string without an end, or a character outside every token
  Token next();

  [[noreturn]] void fail(std::uint32_t line, std::string rule, std::string found = {}, std::string advice = {}) const;

 private:
  void skip_blanks();
  void skip_comment();
  Token string();
  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

using isa::at_line;

}  // namespace warpipe::ptx
