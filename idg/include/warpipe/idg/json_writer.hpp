#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/units.hpp"

namespace warpipe {

/// Writes one JSON value, keys in the order of the calls. Cycles are written from the whole number of milli-cycles, to
/// the last digit; the JSON library would convert them to a double.
class JsonWriter {
 public:
  enum class Layout { Indented, OneLine };
  /// @param depth  levels around the value at its later place
  explicit JsonWriter(Layout layout = Layout::Indented, std::size_t depth = 0) : layout_(layout), depth_(depth) {}

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
  /// The shortest form that reads back as the same double; null for NaN and infinities.
  JsonWriter& value(double number);
  JsonWriter& value(Ticks cycles);
  JsonWriter& null() { return raw("null"); }
  /// Null for an empty value.
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  /// A key and its value.
  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  /// A key and a value written separately, at the depth of this place.
  JsonWriter& member_text(std::string_view name, std::string_view value) { return key(name).raw(value); }

  /// @return the text, ended by a newline
  std::string text() const { return text_ + "\n"; }
  /// @return the text of a value for use inside another value
  std::string value_text() const { return text_; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view token);
  void separate();
  void new_line();

  Layout layout_;
  std::size_t depth_;
  std::string text_;
  std::vector<bool> has_content_;  ///< of each open bracket
  bool after_key_ = false;
};

}  // namespace warpipe
