#include "warpipe/views/entries_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using isa::Entry;

constexpr std::size_t kIndent = 2;

std::string limits_text(const Entry& entry) {
  std::string text;
  const auto line = [&](const std::string& what) { text += fmt::format("{:{}}{}\n", "", kIndent, what); };
  if (const auto& block = entry.required_block)
    line(fmt::format("block {} ({})", fmt::join(*block, ","), entry.block_directive));
  else if (const auto& most = entry.most_block)
    line(fmt::format("block of at most {} threads ({} {})", (*most)[0] * (*most)[1] * (*most)[2], entry.block_directive,
                     fmt::join(*most, ",")));
  if (entry.most_registers) line(fmt::format("at most {} registers per thread (.maxnreg)", *entry.most_registers));
  if (entry.least_groups) line(fmt::format("at least {} groups on a unit (.minnctapersm)", *entry.least_groups));
  const auto stack = entry.stack_bytes.value_or(0);
  if (entry.registers)
    line(fmt::format("{} registers per thread{}", *entry.registers,
                     stack > 0 ? fmt::format(", {} bytes of stack", stack) : ""));
  return text;
}

std::string parameters_text(const Entry& entry) {
  constexpr auto kLeft = TextTable::Align::Left;
  TextTable table({{"", TextTable::Align::Right}, {"", kLeft}, {"", kLeft}, {"", kLeft}, {"", kLeft}});
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const auto& parameter = entry.parameters[i];
    table.add({fmt::format("{}", i), fmt::format("+{}", parameter.offset), parameter.type,
               parameter.name.empty() ? parameter.symbol : parameter.name, parameter.declaration});
  }
  return table.text(kIndent);
}

std::string entry_text(const Entry& entry) {
  const auto plain = isa::demangled(entry.symbol);
  const auto place = isa::source_place(entry);
  auto text = fmt::format("\n{}{}\n", plain, place.empty() ? "" : ", at " + place);
  if (plain != entry.symbol) text += fmt::format("{:{}}symbol {}\n", "", kIndent, entry.symbol);
  if (!entry.problem.empty()) text += fmt::format("{:{}}cannot be read: {}\n", "", kIndent, entry.problem);
  return text + limits_text(entry) + parameters_text(entry);
}

void write_sizes(JsonWriter& json, std::string_view key, const std::optional<isa::Dimensions>& sizes) {
  json.key(key);
  if (!sizes) {
    json.null();
    return;
  }
  json.begin_array();
  for (const auto size : *sizes) json.value(size);
  json.end_array();
}

std::optional<std::string> if_any(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

void write_parameters(JsonWriter& json, const Entry& entry) {
  json.key("parameters").begin_array();
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const auto& parameter = entry.parameters[i];
    json.begin_object().member("position", i).member("offset", parameter.offset).member("bytes", parameter.bytes);
    json.member("type", parameter.type).member("symbol", parameter.symbol).member("name", if_any(parameter.name));
    json.member("declaration", parameter.name.empty() ? std::nullopt : std::optional(parameter.declaration));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const ModuleEntries& listed) {
  const auto count = listed.entries.size();
  auto text = fmt::format("{}: {} {}, {} for {}\n", listed.file, count, count == 1 ? "entry" : "entries",
                          listed.language, listed.target);
  for (const auto& entry : listed.entries) text += entry_text(entry);
  return text;
}

std::string write_json(const ModuleEntries& listed) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-entries").member("version", std::int64_t{1});
  json.member("file", listed.file).member("language", listed.language);
  json.member("target", listed.target).key("entries").begin_array();
  for (const auto& entry : listed.entries) {
    json.begin_object().member("symbol", entry.symbol).member("name", isa::demangled(entry.symbol));
    json.member("place", if_any(isa::source_place(entry)));
    write_sizes(json, "required_block", entry.required_block);
    write_sizes(json, "most_block", entry.most_block);
    json.member("most_registers", entry.most_registers).member("least_groups", entry.least_groups);
    json.member("registers", entry.registers).member("stack_bytes", entry.stack_bytes);
    json.member("problem", if_any(entry.problem));
    write_parameters(json, entry);
    json.end_object();
  }
  return json.end_array().end_object().text();
}

}  // namespace warpipe
