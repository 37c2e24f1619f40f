#include "command_line/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>

#include "warpipe/baselines/models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/old_names.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe::app {
namespace {

constexpr double kMostNumber = std::numeric_limits<double>::max();

/// NAME=VALUE, split at the first `=`.
template <class Map, class Value>
void put_once(Map& map, const Assignment& assignment, Value value) {
  if (map.emplace(assignment.name, value).second) return;
  refuse(assignment.option, "the name is given twice");
}

LaunchOptions::SetNumber read_set(const Assignment& assignment) {
  return {current_name(assignment.name), read_number(assignment.option, assignment.value, -kMostNumber, kMostNumber)};
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyRow& row : kPolicies) names.emplace_back(row.name);
  return names;
}

OptionTable& add_data_option(OptionTable& table) {
  return table.add("data", "DIR", "search DIR for shipped names first, then WARPIPE_DATA");
}

OptionTable& add_plain_options(OptionTable& table) {
  return table.add("quiet,q", "", "no warnings and no progress: only results and errors")
      .add("help,h", "", "print this text");
}

const std::map<std::string, double ModelInputs::*>& inputs_by_name() {
  static const std::map<std::string, double ModelInputs::*> inputs{{"mshr", &ModelInputs::outstanding_misses},
                                                                   {"sync-factor", &ModelInputs::sync_factor},
                                                                   {"matrix-flops", &ModelInputs::matrix_flops}};
  return inputs;
}

}  // namespace

OptionTable launch_option_table() {
  OptionTable table("Launch options, in place of what the files say");
  table.add("groups", "N", "work groups of the launch")
      .add("group-size", "S", "threads of a group")
      .add("concurrent-groups", "M", "groups that are resident on a unit at a time")
      .add("occupancy", "W", "the same as resident warps of a unit")
      .add("param", "NAME=VALUE...", "parameters of the kernel")
      .add("policy", "P", fmt::format("which warp issues first: {}", fmt::join(policy_names(), ", ")), policy_names())
      .add("units", "one|all", "simulate one unit, which stands for all (default), or all")
      .add("clock", "HZ", "clock of the units, as in 1.4GHz; what is beyond a unit keeps its seconds")
      .add("set-device", "PATH=NUMBER...", "a number of the device file, as memory/levels/l2/bytes; before all others")
      .add("set", "OP.FIELD=NUMBER...", "a number of the latency table: OP.issue, OP.completion, LEVEL.latency_s, ...")
      .add("scale", "OP=FACTOR...", "issue and completion of an op times a factor, after --set")
      .add("conflict-degree", "ID=D...", "bank conflict degree of an instruction")
      .add("transactions", "ID=T...", "memory transactions of an instruction")
      .add("ignore-limits", "", "accept more concurrent groups than a unit holds")
      .add("repeated", "", "one of many launches of the same: caches beyond the units still hold what fits them")
      .add("skipping", "on|off|verify", "steady-state skipping: on (default), off, or checked")
      .formerly("leap")
      .add("threads", "N", "simulations at a time; default: all cores");
  return table;
}

void add_range_option(OptionTable& options, const std::string& by_default) {
  options.add("range", "on|off",
              "where a time lies in 9 of 10 cases, by two further predictions of each; default: " + by_default);
}

bool read_range(const Arguments& arguments, bool by_default) {
  const auto given = arguments.value("range");
  return given ? *given == "on" : by_default;
}

void add_tolerance_option(OptionTable& options) {
  options.add("tolerance", "PERCENT",
              fmt::format("how far the time of a long launch may be off, which shorter ones then tell; 0: exact; "
                          "default: {:g}",
                          100 * kUsualTolerance));
}

double read_tolerance(const Arguments& arguments) {
  constexpr double kLargest = 10;
  const auto given = arguments.value("tolerance");
  return given ? read_number("--tolerance", *given, 0, kLargest) / 100 : kUsualTolerance;
}

OptionTable plain_option_table() {
  OptionTable table("Other options");
  return add_plain_options(table);
}

OptionTable common_option_table() {
  OptionTable table("Other options");
  return add_plain_options(add_data_option(table));
}

OptionTable kept_option_table() {
  OptionTable table("Other options");
  add_data_option(table).add("cache", "DIR",
                             "where answers are kept, which the same call says again; off: nowhere; default: "
                             "WARPIPE_CACHE, else warpipe in the user's folder of caches");
  return add_plain_options(table);
}

Voice read_voice(const Arguments& arguments) { return arguments.has("quiet") ? Voice::Quiet : Voice::Normal; }

std::vector<LaunchOptions::SetNumber> read_set_device(const Arguments& arguments) {
  std::vector<LaunchOptions::SetNumber> numbers;
  for (const auto& given : arguments.assignments("set-device", "PATH=NUMBER"))
    numbers.push_back({given.name, read_number(given.option, given.value, -kMostNumber, kMostNumber)});
  return numbers;
}

LaunchOptions read_launch_options(const Arguments& arguments) {
  LaunchOptions options;
  options.groups = arguments.whole("groups", 1);
  options.group_size = arguments.whole("group-size", 1);
  options.concurrent_groups = arguments.whole("concurrent-groups", 1);
  options.occupancy = arguments.whole("occupancy", 1);
  if (options.occupancy && options.concurrent_groups)
    refuse("--occupancy", "--concurrent-groups is given too, and both say how many groups are resident", "",
           "leave one of them out");
  if (const auto policy = arguments.value("policy")) options.policy = parse_policy(*policy).value();
  if (const auto units = arguments.value("units")) options.units = *units == "all" ? Units::All : Units::One;
  if (const auto skipping = arguments.value("skipping")) options.skipping = parse_skipping(*skipping).value();
  if (const auto clock = arguments.value("clock")) options.clock = read_clock("--clock", *clock);
  options.ignore_limits = arguments.has("ignore-limits");
  options.repeated = arguments.has("repeated");
  options.kernel_launch_is_given = arguments.has("grid");  // which only PTX has
  for (const auto& given : arguments.assignments("param", "NAME=NUMBER")) {
    put_once(options.parameters, given, read_number(given.option, given.value, -kMostNumber, kMostNumber));
  }
  options.set_device = read_set_device(arguments);
  for (const auto& given : arguments.assignments("set", "OP.FIELD=NUMBER")) options.set.push_back(read_set(given));
  for (const auto& given : arguments.assignments("scale", "OP=FACTOR")) {
    options.scale.push_back({current_name(given.name), read_number(given.option, given.value, 0, kMostNumber)});
  }
  for (const auto& given : arguments.assignments("conflict-degree", "ID=DEGREE")) {
    put_once(options.conflict_degree, given, read_whole(given.option, given.value, 1));
  }
  for (const auto& given : arguments.assignments("transactions", "ID=TRANSACTIONS")) {
    put_once(options.transactions, given, read_whole(given.option, given.value, 1));
  }
  return options;
}

std::size_t read_threads(const Arguments& arguments) {
  return static_cast<std::size_t>(arguments.whole("threads", 1).value_or(0));
}

void add_model_options(OptionTable& options) {
  options.add("model-input", "NAME=VALUE...", "mshr of a unit, sync-factor of gpuperf, matrix-flops of an mma",
              names_of(inputs_by_name()));
}

ModelInputs read_model_options(const Arguments& arguments) {
  ModelInputs inputs;
  for (const auto& text : arguments.values("model-input")) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    const auto value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    inputs.*inputs_by_name().at(name) =
        read_number("--model-input " + name, value, 0, std::numeric_limits<double>::max());
  }
  return inputs;
}

}  // namespace warpipe::app
