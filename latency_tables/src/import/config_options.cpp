#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace warpipe::detail {
namespace {

constexpr double kLargest = 1e9;
constexpr std::size_t kShown = 40;  ///< characters of a wrong text shown in a message

struct Word {
  std::string text;
  std::size_t line = 0;
  bool quoted = false;
};

bool is_option(const Word& word) {
  return !word.quoted && word.text.size() > 1 && word.text[0] == '-' &&
         std::isalpha(static_cast<unsigned char>(word.text[1])) != 0;
}

/// Cuts a file into words, one at a time.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::optional<Word> next() {
    skip_blanks_and_comments();
    if (at_ == text_.size()) return std::nullopt;
    Word word{"", line_, text_[at_] == '"'};
    if (word.quoted) ++at_;
    while (at_ < text_.size() && !ends(word)) word.text += take();
    if (word.quoted) {
      closed_ = at_ < text_.size();
      if (closed_) ++at_;
    }
    return word;
  }

  /// Whether the last word's quotation marks were closed.
  bool closed() const { return closed_; }

 private:
  static bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  bool ends(const Word& word) const {
    return word.quoted ? text_[at_] == '"' : is_blank(text_[at_]) || text_[at_] == '#';
  }
  char take() {
    if (text_[at_] == '\n') ++line_;
    return text_[at_++];
  }
  void skip_blanks_and_comments() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) take();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
  bool closed_ = true;
};

std::optional<double> parse(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= kLargest;
  return good ? std::optional(value) : std::nullopt;
}

}  // namespace

ConfigOptions::ConfigOptions(const std::vector<ConfigFile>& files, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  for (const auto& file : files) read(file);
}

/// Reports the first wrong word of a file only: behind it the options and values may be out of step.
void ConfigOptions::read(const ConfigFile& file) {
  Words words(file.text);
  ConfigOption* open = nullptr;  // waits for its value
  while (const auto word = words.next()) {
    const auto where = fmt::format("{} line {}", file.name, word->line);
    if (!words.closed()) {
      diagnostics_.add({where, "a quotation mark is not closed", "", "close it"});
      return;
    }
    if (is_option(*word)) {
      open = &(options_[word->text] = {"", where});
    } else if (open != nullptr) {
      open->value = word->text;
      open = nullptr;
    } else {
      diagnostics_.add({where, "a configuration file must hold options, each a name that begins with - and one value",
                        fmt::format("found \"{}\"", word->text.substr(0, kShown)), "put a # before a comment"});
      return;
    }
  }
}

const ConfigOption* ConfigOptions::find(std::string_view name) const {
  const auto found = options_.find(name);
  return found == options_.end() ? nullptr : &found->second;
}

/// The same option is read more than once; its problem is reported once.
void ConfigOptions::fail(std::string_view name, const ConfigOption& option, const std::string& form) const {
  Diagnostic diagnostic{
      option.where, fmt::format("the value of {} must be {}", name, form),
      option.value.empty() ? "found none" : fmt::format("found \"{}\"", option.value.substr(0, kShown)), ""};
  if (std::ranges::find(diagnostics_.list(), diagnostic) == diagnostics_.list().end())
    diagnostics_.add(std::move(diagnostic));
}

std::optional<std::int64_t> ConfigOptions::whole(std::string_view name, std::int64_t least) const {
  const auto* option = find(name);
  if (option == nullptr) return std::nullopt;
  const auto value = parse(option->value);
  if (value && std::floor(*value) == *value && *value >= static_cast<double>(least))
    return static_cast<std::int64_t>(*value);
  fail(name, *option, fmt::format("a whole number from {} to {:.0f}", least, kLargest));
  return std::nullopt;
}

std::optional<std::vector<double>> ConfigOptions::numbers(std::string_view name, char separator, std::size_t least,
                                                          std::string_view ending) const {
  const auto* option = find(name);
  if (option == nullptr) return std::nullopt;
  std::string_view text = option->value;
  bool good = text.ends_with(ending);
  if (good) text.remove_suffix(ending.size());
  std::vector<double> values;
  for (std::size_t begin = 0; good && begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    const auto value = parse(text.substr(begin, end - begin));
    good = value.has_value();
    values.push_back(value.value_or(0));
    begin = end + 1;
  }
  if (good && values.size() >= least) return values;
  fail(name, *option,
       fmt::format("{} or more numbers from 0 to {:.0f} with \"{}\" between them", least, kLargest, separator));
  return std::nullopt;
}

std::optional<ConfigCache> ConfigOptions::cache(std::string_view name) const {
  constexpr double kMostSize = 1 << 20;  // sets, bytes of a line, ways: their product is a whole number
  const auto* option = find(name);
  if (option == nullptr) return std::nullopt;
  std::string_view text = option->value;
  text = text.substr(0, text.find(','));
  text.remove_prefix(std::min(text.size(), text.find(':') + 1));  // the type
  std::array<std::int64_t, 3> sizes{};
  for (auto& size : sizes) {
    const auto end = std::min(text.find(':'), text.size());
    const auto value = parse(text.substr(0, end));
    if (!value || *value < 1 || *value > kMostSize || std::floor(*value) != *value) return std::nullopt;
    size = static_cast<std::int64_t>(*value);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  const auto [sets, line_bytes, ways] = sizes;
  return ConfigCache{sets * line_bytes * ways, line_bytes, ways,
                     fmt::format("{}: {} {}", option->where, name, option->value)};
}

}  // namespace warpipe::detail
