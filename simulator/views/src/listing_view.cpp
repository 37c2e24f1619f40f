#include "warpipe/views/listing_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Kernel = Disassembly::Kernel;

std::size_t unknown_instructions(const Kernel& kernel) {
  return static_cast<std::size_t>(
      std::ranges::count_if(kernel.lines, [](const auto& line) { return !line.problem.empty(); }));
}

std::string ops_text(const isa::ListingLine& line) {
  if (!line.problem.empty()) return line.problem;
  return fmt::format("{}{}", fmt::join(line.ops, " "),
                     line.register_reads > 1 ? fmt::format(", {} register reads", line.register_reads) : "");
}

/// Assembly text has lines instead of addresses.
std::string place_text(const isa::ListingLine& line, bool has_control) {
  return has_control ? fmt::format("{:04x}", line.address) : fmt::format("{}", line.address);
}

std::string kernel_text(const Kernel& kernel) {
  constexpr auto kLeft = TextTable::Align::Left;
  const bool has_control = std::ranges::any_of(kernel.lines, [](const auto& line) { return !line.control.empty(); });
  TextTable table({{"", TextTable::Align::Right}, {"", kLeft}, {"", kLeft}, {"", kLeft}, {"", kLeft}});
  for (const auto& line : kernel.lines) {
    if (!line.label.empty()) table.add({"", "", line.label + ":", "", ""});
    table.add({place_text(line, has_control), line.control, line.text, ops_text(line), line.source});
  }
  const auto unknown = unknown_instructions(kernel);
  auto text = fmt::format("\n{}: {} instructions", isa::demangled(kernel.symbol), kernel.lines.size());
  if (unknown > 0) text += fmt::format(", {} of them not known", unknown);
  return text + "\n" + table.text(2);
}

void write_line(JsonWriter& json, const isa::ListingLine& line) {
  const auto if_any = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  json.begin_object().member("address", static_cast<std::int64_t>(line.address)).member("label", if_any(line.label));
  json.member("control", if_any(line.control)).member("text", line.text).key("ops").begin_array();
  for (const auto& op : line.ops) json.value(op);
  json.end_array().member("register_reads", std::int64_t{line.register_reads});
  json.member("source", if_any(line.source)).member("problem", if_any(line.problem)).end_object();
}

}  // namespace

std::string write_text(const Disassembly& disassembly) {
  auto text = fmt::format("{}: {} for {}\n", disassembly.file, disassembly.language, disassembly.target);
  for (const auto& kernel : disassembly.kernels) text += kernel_text(kernel);
  return text;
}

std::string write_json(const Disassembly& disassembly) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-disassembly").member("version", std::int64_t{1});
  json.member("file", disassembly.file).member("language", disassembly.language);
  json.member("target", disassembly.target).key("kernels").begin_array();
  for (const auto& kernel : disassembly.kernels) {
    json.begin_object().member("symbol", kernel.symbol).member("name", isa::demangled(kernel.symbol));
    json.member("unknown", unknown_instructions(kernel)).key("instructions").begin_array();
    for (const auto& line : kernel.lines) write_line(json, line);
    json.end_array().end_object();
  }
  return json.end_array().end_object().text();
}

}  // namespace warpipe
