#include "warpipe/isa/assumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "warpipe/isa/import_options.hpp"

namespace warpipe::isa {
namespace {

constexpr std::string_view kUniform = "uniform:", kRows = "rows:";
constexpr std::string_view kRandom = "random:", kCoalesced = "coalesced:";
constexpr std::int64_t kMostBytes = std::int64_t{1} << 38;  // of an array: well within the room between two

template <class Number>
Number number_in(const std::string& text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// "32,8"
Dimensions sizes_in(std::string text) {
  Dimensions sizes{1, 1, 1};
  for (auto& size : sizes) {
    const auto comma = std::min(text.find(','), text.size());
    size = number_in<std::int64_t>(text.substr(0, comma));
    text.erase(0, comma + 1);
    if (text.empty()) break;
  }
  return sizes;
}

}  // namespace

std::string_view to_string(Assumption::Kind kind) {
  using Kind = Assumption::Kind;
  switch (kind) {
    case Kind::Block:
      return "block";
    case Kind::Grid:
      return "grid";
    case Kind::SharedMemory:
      return "shared memory";
    case Kind::Opcode:
      return "opcode";
    case Kind::Argument:
      return "argument";
    case Kind::Trips:
      return "trips";
    case Kind::Taken:
      return "branch";
    case Kind::Array:
      return "array";
    case Kind::Address:
      return "address";
    default:
      return "table";
  }
}

std::string_view form_of(Assumption::Kind kind) {
  using Kind = Assumption::Kind;
  switch (kind) {
    case Kind::Block:
    case Kind::Grid:
      return "X[,Y[,Z]]";
    case Kind::SharedMemory:
      return "BYTES";
    case Kind::Opcode:
      return "OP";
    case Kind::Argument:
      return "VALUE";
    case Kind::Trips:
      return "N";
    case Kind::Taken:
      return "SHARE";
    case Kind::Array:
      return "FILE";
    default:
      return "PATTERN";
  }
}

std::string answer_text(const Assumption& assumption, const std::string& value) {
  using Kind = Assumption::Kind;
  const auto named = [&](const char* field, char between) {
    return fmt::format("`{} {}{}{}`", field, assumption.name, between, value);
  };
  switch (assumption.kind) {
    case Kind::Block:
      return fmt::format("`block {}`", value);
    case Kind::Grid:
      return fmt::format("`grid {}`", value);
    case Kind::SharedMemory:
      return fmt::format("`dynamic_shared_memory {}`", value);
    case Kind::Opcode:
      return named("unknown", ':');
    case Kind::Argument:
      return named("arguments", '=');
    case Kind::Trips:
      return named("trips", '=');
    case Kind::Taken:
      return named("taken", '=');
    case Kind::Array:
      return named("arrays", '=');
    case Kind::Address:
      return named("addresses", '=');
    default:
      return {};
  }
}

std::string described(const Assumption& assumption) {
  auto text = fmt::format("{}{}{} = {}", to_string(assumption.kind), assumption.name.empty() ? "" : " ",
                          assumption.name, assumption.value);
  if (assumption.line != 0) text += fmt::format(" at line {}", assumption.line);
  if (!assumption.source.empty()) text += ", from " + assumption.source;
  return text + fmt::format(" ({})", assumption.why);
}

std::string shown(const Assumption& assumption) {
  auto text = described(assumption);
  if (const auto option = answer_text(assumption, std::string(form_of(assumption.kind))); !option.empty())
    text += fmt::format("; {} says it", option);
  return text;
}

void answer(Launch& launch, const Assumption& assumption, const std::string& value) {
  using Kind = Assumption::Kind;
  const auto& name = assumption.name;
  if (assumption.kind == Kind::Block) launch.block = sizes_in(value);
  if (assumption.kind == Kind::Grid) launch.grid = sizes_in(value);
  if (assumption.kind == Kind::SharedMemory) launch.dynamic_shared_memory = number_in<std::int64_t>(value);
  if (assumption.kind == Kind::Argument) launch.arguments[name] = value;
  if (assumption.kind == Kind::Trips) launch.trips[name] = number_in<std::int64_t>(value);
  if (assumption.kind == Kind::Taken) launch.taken[name] = number_in<double>(value);
  if (assumption.kind == Kind::Array) parse_values(value, launch.arrays[name]);
  if (assumption.kind == Kind::Address) parse_pattern(value, launch.addresses[name]);
}

bool parse_values(std::string_view text, ArrayValues& values) {
  const bool are_rows = text.starts_with(kRows);
  if (!are_rows && !text.starts_with(kUniform)) return false;
  text.remove_prefix(are_rows ? kRows.size() : kUniform.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  values = {};
  (are_rows ? values.rows : values.uniform) = number;
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

bool parse_pattern(std::string_view text, AddressPattern& pattern) {
  pattern.coalesced = text.starts_with(kCoalesced);
  if (!pattern.coalesced && !text.starts_with(kRandom)) return false;
  text.remove_prefix(pattern.coalesced ? kCoalesced.size() : kRandom.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pattern.bytes);
  return error == std::errc{} && end == text.data() + text.size() && pattern.bytes > 0 && pattern.bytes <= kMostBytes;
}

UnknownData questions_of(std::vector<Assumption> assumptions) {
  std::vector<Diagnostic> questions;
  for (const auto& one : assumptions)
    if (std::ranges::find(questions, one.question) == questions.end()) questions.push_back(one.question);
  return {std::move(questions), std::move(assumptions)};
}

void answer(ImportOptions& options, const Assumption& assumption, const std::string& value) {
  answer(options.launch, assumption, value);
  if (assumption.kind == Assumption::Kind::Opcode) options.lowering.unknown[assumption.name] = value;
  if (assumption.kind == Assumption::Kind::Block) options.block_from.clear();
  std::erase_if(options.assumed, [&](const Assumption& one) { return one.kind == assumption.kind; });
}

}  // namespace warpipe::isa
