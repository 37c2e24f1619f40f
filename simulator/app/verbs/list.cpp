#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/inputs/source_names.hpp"
#include "warpipe/latency_tables/derive_device.hpp"
#include "warpipe/views/entries_view.hpp"

namespace warpipe::app {
namespace {

/// Names with a line of text each.
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string rows_text(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, line] : rows) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, line] : rows) {
    text += line.empty() ? name + "\n" : fmt::format("{:<{}}  {}\n", name, width, line);
  }
  return text;
}

/// @param what  the list's name: the member with the rows
/// @param key   of a row's line of text
std::string rows_json(const std::string& what, const char* key, const Rows& rows) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-list").member("version", std::int64_t{1}).key(what).begin_array();
  for (const auto& [name, line] : rows) json.begin_object().member("name", name).member(key, line).end_object();
  json.end_array().end_object();
  return json.text();
}

Rows kernels(const DataFiles& files) {
  Rows rows;
  for (const auto& name : files.names(DataFiles::Kind::Kernels))
    rows.emplace_back(name, files.kernel(name).description);
  return rows;
}

/// With the siblings whose numbers it has, where its file says so.
Rows devices(const DataFiles& files) {
  Rows rows;
  for (const auto& name : files.names(DataFiles::Kind::Devices)) {
    const auto device = files.device(name);
    const auto siblings = devices_carried_from(device);
    const std::string carried = siblings.empty() ? "" : fmt::format("carried over from {}", fmt::join(siblings, ", "));
    rows.emplace_back(name, device.title + (device.title.empty() || carried.empty() ? "" : "; ") + carried);
  }
  return rows;
}

/// Ops in the order of their names, each with its devices.
Rows ops(const DataFiles& files) {
  std::map<std::string, std::vector<std::string>> having;
  const auto names = files.names(DataFiles::Kind::Devices);
  for (const auto& name : names) {
    for (const auto& op : files.device(name).ops) having[op.name].push_back(name);
  }
  Rows rows;
  for (const auto& [op, who] : having) {
    rows.emplace_back(op, who.size() == names.size() ? "all devices" : fmt::format("{}", fmt::join(who, ", ")));
  }
  return rows;
}

using List = Rows (*)(const DataFiles&);

const std::map<std::string, List>& lists() {
  static const std::map<std::string, List> all{{"kernels", kernels}, {"devices", devices}, {"ops", ops}};
  return all;
}

/// The entries of PTX, or of compiled CUDA source.
ExitStatus list_entries(const std::string& path, const Arguments& arguments) {
  const Output output(arguments.value("json").value_or(""));
  const auto file = read_program(path, arguments, nullptr);
  if (!is_code(file))
    throw InputError(Diagnostic{path, "this is neither PTX nor machine code nor source", "",
                                "`warpipe check FILE` says what else a file is"});
  const auto module = code::read_module(file.text, file.name);
  ModuleEntries listed{module.file(), module.language(), module.target(), {}};
  for (const auto& entry : module.entries())
    listed.entries.push_back(with_source_names(entry, module, file, check_not_overwritten));
  arguments.has("json") ? output.write(write_json(listed)) : output.show(write_text(listed));
  return ExitStatus::Done;
}

ExitStatus run_list(const Arguments& arguments) {
  const auto what = arguments.only("kernels|devices|ops|FILE");
  const auto list = lists().find(what);
  std::error_code error;
  if (list == lists().end() && (is_path(what) || std::filesystem::exists(what, error)))
    return list_entries(what, arguments);
  if (list == lists().end()) {
    refuse(fmt::format("\"{}\"", what), "unknown list", "", suggest(what, names_of(lists())));
  }
  check_compiler_options(arguments, what);
  const Output output(arguments.value("json").value_or(""));
  const auto rows = list->second(DataFiles(arguments.value("data")));
  const char* key = what == "ops" ? "devices" : what == "devices" ? "title" : "description";
  arguments.has("json") ? output.write(rows_json(what, key, rows)) : output.show(rows_text(rows));
  return ExitStatus::Done;
}

}  // namespace

Verb list_verb() {
  return {"list", "kernels|devices|ops|FILE [options]",
          "the shipped kernels, devices, ops; or the entries of a file of code or source", run_list};
}

}  // namespace warpipe::app
