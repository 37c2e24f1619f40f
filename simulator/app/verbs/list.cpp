#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/latency_tables/derive_device.hpp"

namespace warpipe::app {
namespace {

/// Names with a line of text each.
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string write_rows(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, line] : rows) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, line] : rows) {
    text += line.empty() ? name + "\n" : fmt::format("{:<{}}  {}\n", name, width, line);
  }
  return text;
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

/// Ops in the order of their names, with the devices that have them.
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

ExitStatus run_list(const Arguments& arguments) {
  const auto what = arguments.only("kernels|devices|ops");
  const auto list = lists().find(what);
  if (list == lists().end()) {
    refuse(fmt::format("\"{}\"", what), "unknown list", "", suggest(what, names_of(lists())));
  }
  Output().write(write_rows(list->second(DataFiles(arguments.value("data")))));
  return ExitStatus::Done;
}

}  // namespace

Verb list_verb() {
  return {"list", "kernels|devices|ops [options]", "the shipped kernels or devices, or the ops of the devices",
          common_option_table(), run_list};
}

}  // namespace warpipe::app
