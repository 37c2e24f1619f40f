#include "warpipe/idg/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpipe {
namespace {

/// Text of a command line may be invalid UTF-8; invalid bytes are replaced, so the output stays JSON.
std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  text_ += quoted(name) + ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(quoted(text)); }
JsonWriter& JsonWriter::value(std::int64_t number) { return raw(fmt::format("{}", number)); }
JsonWriter& JsonWriter::value(double number) { return std::isfinite(number) ? raw(fmt::format("{}", number)) : null(); }
JsonWriter& JsonWriter::value(Ticks cycles) { return raw(format_cycles(cycles)); }

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  has_content_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool had_content = has_content_.back();
  has_content_.pop_back();
  if (had_content) new_line();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view token) {
  separate();
  text_ += token;
  return *this;
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_content_.empty()) return;
  if (has_content_.back()) text_ += layout_ == Layout::OneLine ? ", " : ",";
  has_content_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  if (layout_ == Layout::OneLine) return;
  text_ += "\n" + std::string(2 * (depth_ + has_content_.size()), ' ');
}

}  // namespace warpipe
