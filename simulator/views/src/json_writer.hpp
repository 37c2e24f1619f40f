#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/units.hpp"

namespace warpipe {

/// Writes one JSON value, keys in the order of the calls. The JSON library would write cycles through a double;
/// here they are written from the whole number of milli-cycles, to the last digit.
class JsonWriter {
 public:
  enum class Layout { Indented, OneLine };
  explicit JsonWriter(Layout layout = Layout::Indented) : layout_(layout) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::same_as<bool> auto flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::size_t number) { return value(static_cast<std::int64_t>(number)); }
  /// The shortest form that reads back as the same double; null for what JSON has no number for.
  JsonWriter& value(double number);
  JsonWriter& value(Ticks cycles);
  JsonWriter& null() { return raw("null"); }
  /// Null where there is nothing.
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  /// A key and its value.
  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  /// @return the text, ended by a newline
  std::string text() const { return text_ + "\n"; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view token);
  void separate();
  void new_line();

  Layout layout_;
  std::string text_;
  std::vector<bool> has_content_;  ///< of each open bracket
  bool after_key_ = false;
};

}  // namespace warpipe
