#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "source_text.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/launch.hpp"

namespace warpipe::ptx {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::size_t kLongestList = std::size_t{1} << 13;  // of parameters, in letters, as all below
constexpr std::size_t kLongestAttributes = std::size_t{1} << 10;
constexpr std::size_t kLongestBody = std::size_t{1} << 20;
constexpr std::size_t kMostDeclarations = 1000;

template <std::size_t count>
bool is_among(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 8> kQualifiers{"const",    "volatile", "struct",       "class",
                                                      "typename", "enum",     "__restrict__", "__grid_constant__"};
constexpr std::array<std::string_view, 12> kTypes{"void",  "bool",   "char",   "short",    "int",    "long",
                                                  "float", "double", "signed", "unsigned", "size_t", "auto"};

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// The last name of a declaration: "n" of "const float* __restrict__ n"; empty where it declares none, as "const int".
std::string declared_name(std::string_view declaration) {
  declaration = declaration.substr(0, declaration.find('='));
  if (const auto inner = declaration.find('('); inner != kNone) {  // float (&x)[4], int (*f)(int)
    const auto begin = declaration.find_first_not_of("*& ", inner + 1);
    return begin == kNone ? "" : std::string(declaration.substr(begin, end_of_name(declaration, begin) - begin));
  }
  declaration = declaration.substr(0, declaration.find('['));
  auto end = declaration.size();
  while (end > 0 && std::isspace(static_cast<unsigned char>(declaration[end - 1])) != 0) --end;
  auto begin = end;
  while (begin > 0 && is_in_name(declaration[begin - 1])) --begin;
  const auto name = declaration.substr(begin, end - begin);
  const auto before = declaration.substr(0, begin);
  const bool scoped = before.ends_with("::");
  if (name.empty() || scoped || is_among(name, kTypes) || is_among(name, kQualifiers)) return {};
  for (std::size_t at = 0; at < before.size();) {
    const auto word_end = end_of_name(before, at);
    const auto word = before.substr(at, word_end - at);
    if (!word.empty() && !is_among(word, kQualifiers)) return std::string(name);
    at = std::max(word_end, at + 1);
  }
  return {};
}

/// Skips the text between a list of parameters and a body: attributes, macros.
std::size_t skip_attributes(std::string_view text, std::size_t at) {
  for (at = skip_blanks(text, at); at < text.size(); at = skip_blanks(text, at)) {
    const auto end = end_of_name(text, at);
    if (end > at) {
      at = skip_blanks(text, end);
      if (at >= text.size() || text[at] != '(') continue;
    } else if (text[at] != '[') {
      return at;
    }
    const auto close = closing(text.substr(0, at + kLongestAttributes), at);
    if (close == kNone) return text.size();
    at = close + 1;
  }
  return at;
}

/// A place where a function may be declared.
struct Declaration {
  std::vector<SourceParameter> parameters;
  bool is_kernel = false, has_body = false;
  std::uint32_t first_line = 0, last_line = 0;

  int worth() const { return 2 * static_cast<int>(is_kernel) + static_cast<int>(has_body); }
  friend bool same(const Declaration& a, const Declaration& b) {
    return std::ranges::equal(a.parameters, b.parameters, {}, &SourceParameter::name, &SourceParameter::name);
  }
};

/// Finds the declarations of a kernel.
class DeclarationFinder {
 public:
  explicit DeclarationFinder(const SoughtKernel& sought) : sought_(sought), name_(isa::bare_name(sought.symbol)) {}

  void look_in(const SourcePiece& piece) {
    const std::string_view text = piece.text;
    if (name_.empty()) return;
    for (auto at = text.find(name_); at != kNone && found_.size() < kMostDeclarations; at = text.find(name_, at + 1)) {
      if ((at > 0 && is_in_name(text[at - 1])) || end_of_name(text, at) != at + name_.size()) continue;
      if (auto one = read(piece, at)) found_.push_back(std::move(*one));
    }
  }

  /// The parameters of the sought kernel; none where it is missing, or several candidates differ.
  std::vector<SourceParameter> best() const {
    int most = -1;
    for (const auto& one : found_) most = std::max(most, rank(one));
    const Declaration* best = nullptr;
    for (const auto& one : found_) {
      if (rank(one) != most) continue;
      if (best != nullptr && !same(*best, one)) return {};
      best = &one;
    }
    return best == nullptr ? std::vector<SourceParameter>{} : best->parameters;
  }

 private:
  /// The line goes before all else, where it is known.
  int rank(const Declaration& one) const {
    const bool here = sought_.line >= one.first_line && sought_.line <= one.last_line;
    return one.worth() + (here ? 4 : 0);
  }

  /// Where the list of parameters opens behind a name: behind template arguments, or a macro's parenthesis.
  static std::size_t open_list(std::string_view text, std::size_t at) {
    at = skip_blanks(text, at);
    if (text.substr(at, 3) == "<<<") return kNone;  // a launch
    if (at < text.size() && text[at] == '<') {
      const auto close = closing(text.substr(0, at + kLongestAttributes), at);
      if (close == kNone) return kNone;
      at = skip_blanks(text, close + 1);
    }
    if (at < text.size() && text[at] == ')') at = skip_blanks(text, at + 1);
    return at < text.size() && text[at] == '(' ? at : kNone;
  }

  std::optional<Declaration> read(const SourcePiece& piece, std::size_t at) const {
    const std::string_view text = piece.text;
    const auto open = open_list(text, at + name_.size());
    const auto close = open == kNone ? kNone : closing(text.substr(0, open + kLongestList), open);
    if (close == kNone) return std::nullopt;
    const auto behind = skip_attributes(text.substr(0, close + kLongestAttributes), close + 1);
    if (behind >= text.size() || (text[behind] != '{' && text[behind] != ';')) return std::nullopt;
    Declaration one;
    one.has_body = text[behind] == '{';
    for (const auto part : split_list(text.substr(open + 1, close - open - 1)))
      one.parameters.push_back({declared_name(part), in_one_line(part)});
    const auto start = at == 0 ? kNone : text.find_last_of(";{}", at - 1);
    const auto begin = skip_blanks(text, start == kNone ? 0 : start + 1);
    one.is_kernel = text.substr(begin, at - begin).find("__global__") != kNone;
    if (!fits(one)) return std::nullopt;
    const auto end =
        one.has_body ? std::min(closing(text.substr(0, behind + kLongestBody), behind), text.size() - 1) : behind;
    one.first_line = line_of(piece, begin);
    one.last_line = line_of(piece, end);
    return one;
  }

  /// A call, or the instantiation of a template, names no parameters.
  bool fits(const Declaration& one) const {
    const auto is_named = [](const SourceParameter& parameter) { return !parameter.name.empty(); };
    if (sought_.parameters && one.parameters.size() != *sought_.parameters) return false;
    if (one.is_kernel) return std::ranges::any_of(one.parameters, is_named);
    return one.has_body && !one.parameters.empty() && std::ranges::all_of(one.parameters, is_named);
  }

  static std::uint32_t line_of(const SourcePiece& piece, std::size_t at) {
    if (piece.is_expansion) return piece.line;
    return piece.line +
           static_cast<std::uint32_t>(std::ranges::count(std::string_view(piece.text).substr(0, at), '\n'));
  }

  const SoughtKernel& sought_;
  std::string name_;
  std::vector<Declaration> found_;
};

}  // namespace

std::vector<SourceParameter> parameters_in_source(std::string_view source, const SoughtKernel& sought) {
  DeclarationFinder finder(sought);
  for (const auto& piece : source_pieces(source)) finder.look_in(piece);
  return finder.best();
}

}  // namespace warpipe::ptx
