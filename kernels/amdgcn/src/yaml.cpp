#include "yaml.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "lines.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {
namespace {

constexpr int kDeepest = 32;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, std::uint32_t first_line) : file_(file) {
    std::uint32_t line = first_line;
    while (!text.empty()) {
      const auto end = text.find('\n');
      add(text.substr(0, end), line++);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  nlohmann::json run() {
    if (lines_.empty()) return nlohmann::json::object();
    auto read = node(lines_.front().indent, 0);
    if (next_ < lines_.size()) fail("its indentation fits no line before it");
    return read;
  }

 private:
  struct Line {
    std::size_t indent;
    std::string_view text;
    std::uint32_t number;
  };

  void add(std::string_view line, std::uint32_t number) {
    const auto text = trimmed(line);
    if (text.empty() || text.starts_with('#') || text == "---" || text == "...") return;
    lines_.push_back({static_cast<std::size_t>(text.data() - line.data()), text, number});
  }

  [[noreturn]] void fail(const std::string& why) const {
    const auto& line = lines_[std::min(next_, lines_.size() - 1)];
    throw InputError(Diagnostic{isa::at_line(file_, line.number), "metadata is YAML with keys and lists by indentation",
                                fmt::format("found \"{}\": {}", line.text.substr(0, 80), why), ""});
  }

  bool at(std::size_t indent) const { return next_ < lines_.size() && lines_[next_].indent == indent; }
  static bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

  nlohmann::json node(std::size_t indent, int depth) {
    if (depth > kDeepest) fail("it is nested deeper than 32");
    return is_item(lines_[next_].text) ? list(indent, depth) : map(indent, depth);
  }

  nlohmann::json list(std::size_t indent, int depth) {
    auto made = nlohmann::json::array();
    while (at(indent) && is_item(lines_[next_].text)) {
      auto& line = lines_[next_];
      const auto rest = trimmed(line.text.substr(1));
      if (rest.empty()) {
        ++next_;
        made.push_back(next_ < lines_.size() && lines_[next_].indent > indent ? node(lines_[next_].indent, depth + 1)
                                                                              : nlohmann::json());
        continue;
      }
      if (key_end(rest) == std::string_view::npos && !is_item(rest)) {
        made.push_back(scalar(rest));
        ++next_;
        continue;
      }
      // The text after the dash is a line of its own.
      line.indent += static_cast<std::size_t>(rest.data() - line.text.data());
      line.text = rest;
      made.push_back(node(line.indent, depth + 1));
    }
    return made;
  }

  nlohmann::json map(std::size_t indent, int depth) {
    auto made = nlohmann::json::object();
    while (at(indent) && !is_item(lines_[next_].text)) {
      const auto text = lines_[next_].text;
      const auto end = key_end(text);
      if (end == std::string_view::npos) fail("it is no key with a colon");
      const std::string key(unquoted(trimmed(text.substr(0, end))));
      const auto value = trimmed(text.substr(end + 1));
      if (!value.empty()) {
        made[key] = scalar(value);
        ++next_;
        continue;
      }
      ++next_;
      const bool nested = next_ < lines_.size() && (lines_[next_].indent > indent ||
                                                    (lines_[next_].indent == indent && is_item(lines_[next_].text)));
      made[key] = nested ? node(lines_[next_].indent, depth + 1) : nlohmann::json();
    }
    return made;
  }

  /// The colon at the end of a key.
  static std::size_t key_end(std::string_view text) {
    if (text.starts_with('\'') || text.starts_with('"')) {
      const auto close = text.find(text[0], 1);
      return close == std::string_view::npos || close + 1 >= text.size() || text[close + 1] != ':'
                 ? std::string_view::npos
                 : close + 1;
    }
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return i;
    return std::string_view::npos;
  }

  static std::string_view unquoted(std::string_view text) {
    const bool quoted = text.size() >= 2 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
    return quoted ? text.substr(1, text.size() - 2) : text;
  }

  static nlohmann::json scalar(std::string_view text) {
    if (text == "[]") return nlohmann::json::array();
    if (text == "{}") return nlohmann::json::object();
    if (text == "true" || text == "false") return text == "true";
    if (const auto whole = whole_number(text)) return *whole;
    return std::string(unquoted(text));
  }

  const std::string& file_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
};

}  // namespace

nlohmann::json read_yaml(std::string_view text, const std::string& file, std::uint32_t first_line) {
  return Reader(text, file, first_line).run();
}

}  // namespace warpipe::amdgcn
