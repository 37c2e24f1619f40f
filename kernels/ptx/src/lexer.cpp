#include "lexer.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpipe::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.' || c == '%'; }

constexpr std::string_view kMarks = "{}()[]<>,;:@!|+-*=&~?/";

}  // namespace

void Lexer::fail(std::uint32_t line, std::string rule, std::string found, std::string advice) const {
  throw InputError(Diagnostic{at_line(*file_, line), std::move(rule), std::move(found), std::move(advice)});
}

void Lexer::skip_comment() {
  if (text_[at_ + 1] == '/') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return;
  }
  const auto first = line_;
  const auto end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) fail(first, "a comment ends with */", "found the end of the file");
  for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n' ? 1U : 0U;
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    const bool comment = c == '/' && at_ + 1 < text_.size() && (text_[at_ + 1] == '/' || text_[at_ + 1] == '*');
    if (comment) {
      skip_comment();
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

Token Lexer::string() {
  const auto end = text_.find_first_of("\"\n", at_ + 1);
  if (end == std::string_view::npos || text_[end] == '\n') fail(line_, "a string ends on its line with \"");
  const Token token{Token::Kind::Text, text_.substr(at_ + 1, end - at_ - 1), line_};
  at_ = end + 1;
  return token;
}

Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) return {Token::Kind::End, {}, line_};
  const char c = text_[at_];
  if (c == '"') return string();
  const auto begin = at_;
  if (is_in_word(c)) {
    // "::" joins parts of a word: shared::cta, L2::128B.
    const auto goes_on = [&] {
      if (is_in_word(text_[at_])) return c != '.' || text_[at_] != '.' || at_ == begin;  // ".reg.b32" is two words
      return text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && is_in_word(text_[at_ + 2]);
    };
    while (at_ < text_.size() && goes_on()) at_ += text_[at_] == ':' ? 2U : 1U;
    return {is_digit(c) ? Token::Kind::Number : Token::Kind::Word, text_.substr(begin, at_ - begin), line_};
  }
  if (kMarks.find(c) == std::string_view::npos)
    fail(line_, "a PTX file is made of words, numbers and marks",
         fmt::format("found the byte 0x{:02x}", static_cast<unsigned char>(c)));
  ++at_;
  return {Token::Kind::Mark, text_.substr(begin, 1), line_};
}

}  // namespace warpipe::ptx
