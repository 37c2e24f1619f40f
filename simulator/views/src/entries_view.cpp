#include "warpipe/views/entries_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text_table.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe {
namespace {

using Entry = ModuleEntries::Entry;

constexpr std::size_t kIndent = 2;

/// ".u32", or ".b8[24]" of a structure.
std::string type_of(const ptx::Variable& parameter) {
  const auto type = "." + ptx::to_string(parameter.type);
  return parameter.elements == 1 ? type : fmt::format("{}[{}]", type, parameter.elements);
}

std::string limits_text(const ptx::Function& entry) {
  std::string text;
  const auto line = [&](const std::string& what) { text += fmt::format("{:{}}{}\n", "", kIndent, what); };
  if (const auto& block = entry.required_block)
    line(fmt::format("block {} (.reqntid)", fmt::join(*block, ",")));
  else if (const auto& most = entry.most_block)
    line(fmt::format("block of at most {} threads (.maxntid {})", (*most)[0] * (*most)[1] * (*most)[2],
                     fmt::join(*most, ",")));
  if (entry.most_registers) line(fmt::format("at most {} registers per thread (.maxnreg)", *entry.most_registers));
  if (entry.least_groups) line(fmt::format("at least {} groups on a unit (.minnctapersm)", *entry.least_groups));
  return text;
}

std::string parameters_text(const Entry& entry) {
  const auto& parameters = entry.function->parameters;
  const auto offsets = ptx::parameter_offsets(parameters);
  constexpr auto kLeft = TextTable::Align::Left;
  TextTable table({{"", TextTable::Align::Right}, {"", kLeft}, {"", kLeft}, {"", kLeft}, {"", kLeft}});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto in_source = i < entry.parameters.size() ? entry.parameters[i] : ptx::SourceParameter{};
    table.add({fmt::format("{}", i), fmt::format("+{}", offsets[i]), type_of(parameters[i]),
               in_source.name.empty() ? parameters[i].name : in_source.name, in_source.declaration});
  }
  return table.text(kIndent);
}

std::string entry_text(const Entry& entry) {
  const auto& function = *entry.function;
  const auto plain = isa::demangled(function.name);
  auto text = fmt::format("\n{}{}\n", plain, entry.place.empty() ? "" : ", at " + entry.place);
  if (plain != function.name) text += fmt::format("{:{}}symbol {}\n", "", kIndent, function.name);
  if (!function.problems.empty())
    text += fmt::format("{:{}}cannot be read: {}\n", "", kIndent, to_string(function.problems.front()));
  return text + limits_text(function) + parameters_text(entry);
}

void write_sizes(JsonWriter& json, std::string_view key, const std::optional<std::array<std::int64_t, 3>>& sizes) {
  json.key(key);
  if (!sizes) {
    json.null();
    return;
  }
  json.begin_array();
  for (const auto size : *sizes) json.value(size);
  json.end_array();
}

void write_parameters(JsonWriter& json, const Entry& entry) {
  const auto& parameters = entry.function->parameters;
  const auto offsets = ptx::parameter_offsets(parameters);
  json.key("parameters").begin_array();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool known = i < entry.parameters.size() && !entry.parameters[i].name.empty();
    json.begin_object().member("position", i).member("offset", offsets[i]).member("bytes", parameters[i].bytes());
    json.member("type", type_of(parameters[i])).member("symbol", parameters[i].name);
    json.member("name", known ? std::optional(entry.parameters[i].name) : std::nullopt);
    json.member("declaration", known ? std::optional(entry.parameters[i].declaration) : std::nullopt).end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const ModuleEntries& listed) {
  const auto count = listed.entries.size();
  auto text = fmt::format("{}: {} {}, PTX {} for {}\n", listed.module->file, count, count == 1 ? "entry" : "entries",
                          listed.module->version, listed.module->target);
  for (const auto& entry : listed.entries) text += entry_text(entry);
  return text;
}

std::string write_json(const ModuleEntries& listed) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-entries").member("version", std::int64_t{1});
  json.member("file", listed.module->file).member("ptx", listed.module->version);
  json.member("target", listed.module->target).key("entries").begin_array();
  for (const auto& entry : listed.entries) {
    const auto& function = *entry.function;
    json.begin_object().member("symbol", function.name).member("name", isa::demangled(function.name));
    json.member("place", entry.place.empty() ? std::nullopt : std::optional(entry.place));
    write_sizes(json, "required_block", function.required_block);
    write_sizes(json, "most_block", function.most_block);
    json.member("most_registers", function.most_registers).member("least_groups", function.least_groups);
    json.member("problem", function.problems.empty() ? std::nullopt : std::optional(to_string(function.problems[0])));
    write_parameters(json, entry);
    json.end_object();
  }
  return json.end_array().end_object().text();
}

}  // namespace warpipe
