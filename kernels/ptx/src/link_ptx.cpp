#include "warpipe/ptx/link_ptx.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "lexer.hpp"

namespace warpipe::ptx {
namespace {

enum class Directive { Version, Target, AddressSize, Function, Entry, Variable, Debugging, Other };
/// The modules that know a symbol: its own, all, all where they know no other, or it is another module's.
enum class Linkage { Own, Visible, Weak, Extern };

/// A statement of a module outside functions, or a whole function.
struct Statement {
  Directive kind = Directive::Other;
  Linkage linkage = Linkage::Own;
  std::string_view name;
  std::vector<Token> tokens;
  std::size_t body = 0;  ///< the token that begins the body of a function; 0 without a body
  bool has_value = false;

  bool is_code() const { return kind == Directive::Function || kind == Directive::Entry; }
  bool has_symbol() const { return (is_code() || kind == Directive::Variable) && !name.empty(); }
  bool is_defined() const { return is_code() ? body != 0 : kind == Directive::Variable && linkage != Linkage::Extern; }
};

/// Cuts a module into statements.
class StatementReader {
 public:
  StatementReader(std::string_view text, const std::string& file) : lexer_(text, file), token_(lexer_.next()) {}

  std::vector<Statement> all() {
    std::vector<Statement> made;
    while (token_.kind != Token::Kind::End) made.push_back(statement());
    return made;
  }

 private:
  void take(Statement& to) {
    if (token_.kind == Token::Kind::End) lexer_.fail(token_.line, "a statement ends", "found the end of the file");
    to.tokens.push_back(token_);
    token_ = lexer_.next();
  }

  Statement statement() {
    static const std::map<std::string_view, Directive> kDirectives{{".version", Directive::Version},
                                                                   {".target", Directive::Target},
                                                                   {".address_size", Directive::AddressSize},
                                                                   {".file", Directive::Debugging},
                                                                   {".section", Directive::Debugging}};
    Statement made;
    const auto directive = kDirectives.find(token_.text);
    if (token_.kind != Token::Kind::Word || directive == kDirectives.end()) {
      declaration(made);
      return made;
    }
    made.kind = directive->second;
    const bool is_section = token_.is(".section");
    take(made);
    if (is_section) {
      while (!token_.is('}')) take(made);
      take(made);
      return made;
    }
    take(made);
    if (made.kind == Directive::Debugging) take(made);  // .file 1 "name"
    while (token_.is(',')) {
      take(made);
      take(made);
    }
    if (made.tokens.back().is("debug")) made.tokens.resize(made.tokens.size() - 2);  // it wants sections, which go
    return made;
  }

  /// A function with its body, or anything else up to its semicolon.
  void declaration(Statement& made) {
    int braces = 0, brackets = 0;
    for (;;) {
      const auto token = token_;
      const bool outside = braces == 0 && brackets == 0;
      if (outside) head(made, token);
      const auto at = made.tokens.size();
      take(made);
      if (outside && token.is(';')) return;
      if (token.is('(') || token.is('[')) ++brackets;
      if (token.is(')') || token.is(']')) --brackets;
      if (token.is('{') && braces++ == 0 && made.is_code()) made.body = at;
      if (token.is('}') && --braces == 0 && made.is_code()) return;
    }
  }

  static void head(Statement& made, const Token& token) {
    static const std::map<std::string_view, Linkage> kLinkages{{".visible", Linkage::Visible},
                                                               {".extern", Linkage::Extern},
                                                               {".weak", Linkage::Weak},
                                                               {".common", Linkage::Weak}};
    static const std::map<std::string_view, Directive> kKinds{
        {".func", Directive::Function},  {".entry", Directive::Entry},     {".global", Directive::Variable},
        {".const", Directive::Variable}, {".shared", Directive::Variable}, {".local", Directive::Variable},
        {".tex", Directive::Variable}};
    if (token.is('=')) made.has_value = true;
    if (token.kind != Token::Kind::Word) return;
    if (const auto linkage = kLinkages.find(token.text); linkage != kLinkages.end()) made.linkage = linkage->second;
    if (const auto kind = kKinds.find(token.text); kind != kKinds.end() && made.kind == Directive::Other)
      made.kind = kind->second;
    if (made.kind != Directive::Other && made.name.empty() && !token.text.starts_with('.')) made.name = token.text;
  }

  Lexer lexer_;
  Token token_;
};

struct Part {
  std::vector<Statement> statements;
  std::map<std::string_view, std::string> renamed;
};

class Linker {
 public:
  explicit Linker(const std::vector<std::string>& modules) {
    for (std::size_t i = 0; i < modules.size(); ++i)
      parts_.push_back({StatementReader(modules[i], fmt::format("part {} of the module", i + 1)).all(), {}});
    find_definitions();
    rename();
  }

  std::string linked() {
    header();
    for (const auto& part : parts_)
      for (const auto& one : part.statements) declare(one, part);
    for (const auto& part : parts_)
      for (const auto& one : part.statements)
        if (one.kind == Directive::Variable) variable(one, part);
    for (const auto& part : parts_)
      for (const auto& one : part.statements)
        if (one.kind == Directive::Other || (one.is_code() && one.is_defined() && is_kept(one))) write(one, part);
    return std::move(text_);
  }

 private:
  struct Definition {
    const Statement* statement = nullptr;
    const Part* part = nullptr;
  };

  /// Of symbols known to all modules the first definition, a strong one before weak ones.
  void find_definitions() {
    for (const auto& part : parts_)
      for (const auto& one : part.statements) {
        if (!one.has_symbol()) continue;
        ++modules_with_[one.name][&part];
        if (!one.is_defined() || one.linkage == Linkage::Own) continue;
        auto& known = definitions_[one.name];
        const bool is_stronger =
            known.statement != nullptr && known.statement->linkage == Linkage::Weak && one.linkage == Linkage::Visible;
        if (known.statement == nullptr || is_stronger) known = {&one, &part};
      }
  }

  void rename() {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (const auto& one : parts_[i].statements)
        if (one.has_symbol() && one.is_defined() && one.linkage == Linkage::Own && modules_with_[one.name].size() > 1)
          parts_[i].renamed[one.name] = fmt::format("{}__of_part_{}", one.name, i + 1);
  }

  /// Whether a definition counts: it is its module's own, or the first.
  bool is_kept(const Statement& one) const {
    const auto found = definitions_.find(one.name);
    return one.linkage == Linkage::Own || found == definitions_.end() || found->second.statement == &one;
  }

  void header() {
    for (const auto kind : {Directive::Version, Directive::Target, Directive::AddressSize}) {
      const Statement* best = nullptr;
      for (const auto& part : parts_)
        for (const auto& one : part.statements)
          if (one.kind == kind && (best == nullptr || is_newer(*best, one))) best = &one;
      if (best != nullptr) write(*best, parts_.front());
    }
  }

  /// "9.1" is newer than "8.9" and "sm_100" than "sm_90".
  static bool is_newer(const Statement& before, const Statement& one) {
    const auto key = [](const Statement& of) { return std::pair(of.tokens[1].text.size(), of.tokens[1].text); };
    return key(before) < key(one);
  }

  /// Functions are declared before all variables and bodies; what no module defines, as it is.
  void declare(const Statement& one, const Part& part) {
    if (!one.is_code() && one.kind != Directive::Variable) return;
    if (one.kind == Directive::Function && one.is_defined() && is_kept(one)) return write(one, part, one.body);
    if (one.is_defined() || definitions_.contains(one.name) || is_own(one.name, part)) return;
    if (declared_.insert(one.name).second) write(one, part);
  }

  /// Whether a module has its own definition of a symbol.
  static bool is_own(std::string_view name, const Part& part) {
    for (const auto& one : part.statements)
      if (one.name == name && one.is_defined() && one.linkage == Linkage::Own) return true;
    return false;
  }

  /// A variable, behind the variables named in its value.
  void variable(const Statement& one, const Part& part) {
    if (!one.is_defined() || !is_kept(one) || !written_.insert(&one).second) return;
    for (const auto& token : one.tokens) {
      if (!one.has_value || token.kind != Token::Kind::Word || token.text == one.name) continue;
      const auto found = definitions_.find(token.text);
      if (found != definitions_.end() && found->second.statement->kind == Directive::Variable)
        variable(*found->second.statement, *found->second.part);
    }
    write(one, part);
  }

  static bool is_adjacent(const Token& before, const Token& token) {
    return before.text.data() + before.text.size() == token.text.data();
  }

  /// @param end  behind the last token to write, of a declaration; 0: all
  void write(const Statement& one, const Part& part, std::size_t end = 0) {
    const auto count = end == 0 ? one.tokens.size() : end;
    std::uint32_t line = one.tokens.front().line;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& token = one.tokens[i];
      if (token.is(".loc")) {  // it ends with its line
        while (i + 1 < count && one.tokens[i + 1].line == token.line) ++i;
        continue;
      }
      if (token.line != line)
        text_ += '\n';
      else if (i > 0 && !is_adjacent(one.tokens[i - 1], token))
        text_ += ' ';
      line = token.line;
      const auto renamed = token.kind == Token::Kind::Word ? part.renamed.find(token.text) : part.renamed.end();
      if (token.kind == Token::Kind::Text) text_ += '"';
      text_ += renamed == part.renamed.end() ? token.text : std::string_view(renamed->second);
      if (token.kind == Token::Kind::Text) text_ += '"';
    }
    text_ += end == 0 ? "\n" : ";\n";
  }

  std::vector<Part> parts_;
  std::map<std::string_view, std::map<const Part*, int>> modules_with_;  ///< by symbol
  std::map<std::string_view, Definition> definitions_;                   ///< of symbols known to all modules
  std::set<std::string_view> declared_;
  std::set<const Statement*> written_;
  std::string text_;
};

}  // namespace

std::string link_ptx(const std::vector<std::string>& modules) {
  return modules.size() == 1 ? modules.front() : Linker(modules).linked();
}

}  // namespace warpipe::ptx
