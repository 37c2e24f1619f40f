#include "features.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "support/reference_engine.hpp"
#include "support/reference_kinds.hpp"

namespace warpipe::conformance {
namespace {

using Change = std::function<void(Json&)>;

// Ways to take something away.

/// @param change  of each instruction of the kernel
Change of_instructions(const std::function<void(Json&)>& change) {
  return [change](Json& model) {
    for_each_item(model["kernel"]["body"], [&](Json& item) {
      if (item.contains("op")) change(item);
    });
  };
}

Change instructions_without(const char* key) {
  return of_instructions([key](Json& instruction) { erase(instruction, key); });
}

/// @param change  of each object entry of `after`
Change of_edges(const std::function<void(Json&)>& change) {
  return of_instructions([change](Json& instruction) {
    if (!instruction.contains("after")) return;
    for (Json& edge : instruction["after"])
      if (edge.is_object()) change(edge);
  });
}

/// @param change  of each signal
Change of_signals(const std::function<void(Json&)>& change) {
  return [change](Json& model) {
    if (!model["kernel"].contains("signals")) return;
    for (Json& signal : model["kernel"]["signals"]) change(signal);
  };
}

/// @param change  takes the name of a row and the row
Change of_rows(const std::function<void(const std::string&, Json&)>& change) {
  return [change](Json& model) {
    for (auto& [name, row] : model["device"]["ops"].items()) change(name, row);
  };
}

Change rows_without(const char* key) {
  return of_rows([key](const std::string&, Json& row) { erase(row, key); });
}

Change stages_without(const char* key) {
  return of_rows([key](const std::string&, Json& row) {
    if (row.contains("then"))
      for (Json& stage : row["then"]) erase(stage, key);
  });
}

Change pipelines_without(const char* key) {
  return [key](Json& model) {
    for (auto& [name, pipeline] : model["device"]["pipelines"].items()) erase(pipeline, key);
  };
}

Change device_without(const char* object, const char* key) {
  return [object, key](Json& model) {
    if (model["device"].contains(object)) erase(model["device"][object], key);
  };
}

Change device_without(const char* key) {
  return [key](Json& model) { erase(model["device"], key); };
}

bool has_levels(const Json& model) {
  const Json& device = model["device"];
  return device.contains("memory") && device["memory"].contains("levels");
}

Change levels_without(const std::vector<const char*>& keys) {
  return [keys](Json& model) {
    if (!has_levels(model)) return;
    for (Json& level : model["device"]["memory"]["levels"])
      for (const char* key : keys) erase(level, key);
  };
}

Change atomics_without(const char* key) {
  return of_rows([key](const std::string& name, Json& row) {
    if (name == "global.atomic") erase(row, key);
  });
}

/// Only where the units are all or one, as given.
Change where_units_are(const char* units, const Change& change) {
  return [=](Json& model) {
    if (model["units"] == units) change(model);
  };
}

// Rule 1

std::int64_t whole(const Json& model, const char* key) {
  const Json& launch = model["kernel"]["launch"];
  return launch.contains(key) && launch[key].is_number_integer() ? launch[key].get<std::int64_t>() : 0;
}

/// The largest multiple, where it exists.
void round_down(Json& model, const char* key, std::int64_t factor) {
  const std::int64_t value = whole(model, key);
  if (value > factor) model["kernel"]["launch"][key] = value / factor * factor;
}

void take_whole_warps(Json& model) { round_down(model, "group_size", model["device"]["warp_size"]); }
void take_whole_shares(Json& model) { round_down(model, "groups", model["device"]["compute_units"]); }

// Rule 2

constexpr double kFiner = 10000;  // times of the models have at most four decimals

/// Changes all times in cycles with digits behind the milli-cycle.
/// @param change  takes ten-thousandths of a cycle
void change_fine_times(Json& json, const std::function<double(double)>& change) {
  for (auto& [key, value] : json.items()) {
    if (key.ends_with("_s") || key == "clock_hz" || key == "levels") continue;
    if (value.is_structured()) change_fine_times(value, change);
    if (!value.is_number_float()) continue;
    const double fine = std::round(value.get<double>() * kFiner);
    if (std::fmod(fine, 10) != 0) value = change(fine) / kFiner;
  }
}

Change of_fine_times(const std::function<double(double)>& change) {
  return [change](Json& model) {
    change_fine_times(model["kernel"]["body"], change);
    change_fine_times(model["device"], change);
  };
}

double cut_off(double fine) { return fine - std::fmod(fine, 10); }
double halves_down(double fine) { return std::fmod(fine, 10) == 5 ? cut_off(fine) : fine; }

void set_plain_clock(Json& model) {
  if (has_levels(model)) model["device"]["clock_hz"] = 1000000000;
}

// Rule 3

const Change take_all_conditions = [](Json& model) {
  for_each_item(model["kernel"]["body"], [](Json& item) {
    if (item.contains("when")) item["when"] = 1;
  });
};

/// "min(warp, 3)" becomes 3.
Change trips_without(const char* name) {
  return [name](Json& model) {
    for_each_item(model["kernel"]["body"], [&](Json& item) {
      if (!item.contains("loop") || !item["trip_count"].is_string()) return;
      const std::string text = item["trip_count"];
      if (text.find(name) == std::string::npos || !text.starts_with("min(")) return;
      item["trip_count"] = std::stoi(text.substr(text.find(", ") + 2));
    });
  };
}

/// Without edges from an instruction to itself or to earlier instructions.
void cut_edges_backwards(Json& model) {
  std::set<std::string> seen;
  for_each_item(model["kernel"]["body"], [&](Json& item) {
    if (!item.contains("op")) return;
    Json kept = Json::array();
    for (const Json& edge : item.value("after", Json::array()))
      if (seen.contains(edge.is_object() ? edge["id"].get<std::string>() : edge.get<std::string>()))
        kept.push_back(edge);
    if (item.contains("after")) item["after"] = kept;
    seen.insert(item["id"].get<std::string>());
  });
}

// Rule 4

/// Points become the first of them.
void flatten(Json& json) {
  for (auto& [key, value] : json.items()) {
    if ((key == "issue" || key == "completion") && value.is_array()) value = Json(value[0][1]);
    if (value.is_structured()) flatten(value);
  }
}
void flatten_points(Json& model) { flatten(model["device"]["ops"]); }

const Change use_no_sectors_of_levels = of_instructions([](Json& instruction) {
  if (instruction.contains("levels"))
    for (auto& [name, use] : instruction["levels"].items()) erase(use, "sectors");
});

// Rule 5

Change scopes_without(const char* scope) {
  return [scope](Json& model) {
    for (auto& [name, pipeline] : model["device"]["pipelines"].items())
      if (pipeline.value("scope", "") == scope) erase(pipeline, "scope");
  };
}

// Rule 6

/// @param policy  becomes another
Change another_policy(const char* policy, const char* other) {
  return [=](Json& model) {
    if (model["policy"] == policy) model["policy"] = other;
  };
}

// Rule 8

reference::Launch launch_of(const ConformanceCase& one) {
  return reference::launch_of(one.kernel, one.device,
                              one.units == Units::One ? reference::Mode::OneUnit : reference::Mode::AllUnits);
}

/// The first N groups again and again, in place of groups that do the work of N average groups.
void take_first_groups(Json& model) {
  if (!model["kernel"].contains("kinds")) return;
  const ConformanceCase one = as_case(model);
  const reference::Launch launch = launch_of(one);
  const auto kinds = reference::kinds_of_launch(one.kernel, one.device, launch);
  Json runs = Json::array();
  for (std::int64_t i = 0; i < reference::groups_per_unit(one.device, launch); ++i)
    runs.push_back({kinds[static_cast<std::size_t>(i)], 1});
  model["kernel"]["kinds"]["of_group"] = runs;
}

void make_groups_alike(Json& model) {
  if (model["kernel"].contains("kinds")) model["kernel"]["kinds"]["of_group"] = Json::array({Json::array({0, 1})});
}

void take_one_slot(Json& model) {
  if (model["kernel"]["launch"].contains("concurrent_groups")) model["kernel"]["launch"]["concurrent_groups"] = 1;
}

// Rule 10

constexpr std::size_t kFewIssues = 4;  // fewer show nothing

/// 10.2: the cycles are the work of a single pipeline.
bool fills_a_pipeline(const Json& model, Ticks cycles) {
  if (has_levels(model)) return false;
  const ConformanceCase one = as_case(model);
  const reference::Outcome outcome = reference::simulate(one.kernel, one.device, launch_of(one));
  return outcome.timeline.size() >= kFewIssues &&
         std::ranges::any_of(outcome.instances, [&](const reference::InstanceUse& use) {
           return use.completion_covers_issue && use.busy == cycles;
         });
}

/// 10.3: the cycles are the rounds of the longest warp, which waits for no other warp.
bool waits_for_no_other_warp(const Json& model, Ticks cycles) {
  if (has_levels(model) || model["kernel"].contains("kinds")) return false;
  const ConformanceCase one = as_case(model);
  const reference::Launch launch = launch_of(one);
  const std::int64_t slots = reference::slots(one.device, launch);
  const std::int64_t rounds = (reference::groups_per_unit(one.device, launch) + slots - 1) / slots;
  if (rounds < 2 || reference::warps_per_group(one.device, launch) < 2) return false;
  Ticks longest;
  for (std::int64_t w = 0; w < reference::warps_per_group(one.device, launch); ++w)
    longest = std::max(longest, reference::warp_alone(one.kernel, one.device, launch, w));
  return longest > Ticks{} && cycles == Ticks{rounds * longest.count};
}

/// The same model with another number of concurrent groups.
std::optional<Ticks> cycles_with(Json model, std::int64_t concurrent_groups) {
  model["kernel"]["launch"]["concurrent_groups"] = concurrent_groups;
  return cycles_of_product(model);
}

/// 10.4: more concurrent groups than a unit gets change nothing, though latencies grow with the resident warps.
bool has_groups_to_spare(const Json& model, Ticks cycles) {
  const ConformanceCase one = as_case(model);
  const std::int64_t groups = reference::groups_per_unit(one.device, launch_of(one));
  if (whole(model, "concurrent_groups") <= groups || cycles_with(model, groups) != cycles) return false;
  Json flat = model;
  flatten_points(flat);
  return flat != model && cycles_of_product(flat) != cycles;
}

/// 10.5: a run with a concurrent group less takes fewer cycles.
bool is_an_anomaly(const Json& model, Ticks cycles) {
  const std::int64_t groups = whole(model, "concurrent_groups");
  if (groups < 2) return false;
  const auto fewer = cycles_with(model, groups - 1);
  return fewer && *fewer < cycles;
}

}  // namespace

const std::vector<Feature>& features() {
  static const std::vector<Feature> all{
      {1, "a warp of fewer lanes is a warp", take_whole_warps},
      {1, "the groups of a unit are rounded up", take_whole_shares},
      {2, "times are rounded to milli-cycles", of_fine_times(cut_off)},
      {2, "half a milli-cycle is rounded up", of_fine_times(halves_down)},
      {2, "seconds are times the clock in double precision", set_plain_clock},
      {3, "the k-th most recent execution", of_edges([](Json& edge) { erase(edge, "back"); })},
      {3, "conditions of warps and kinds", take_all_conditions},
      {3, "trips by warp", trips_without("warp")},
      {3, "trips by kind", trips_without("few")},
      {3, "results of earlier trips", cut_edges_backwards},
      {4, "points over resident warps", flatten_points},
      {4, "conflict degree", instructions_without("conflict_degree")},
      {4, "transactions", instructions_without("transactions")},
      {4, "transactions that latencies stand for", rows_without("transactions")},
      {4, "ways that latencies stand for", rows_without("ways")},
      {4, "addresses from base 0", instructions_without("access")},
      {4, "an issue latency of the instruction's own", instructions_without("issue_latency")},
      {4, "a completion latency of the instruction's own", instructions_without("completion_latency")},
      {4, "further pipelines with ways of conflicts", stages_without("per_conflict")},
      {4, "further pipelines with transactions", stages_without("per_transaction")},
      {4, "shares of levels", instructions_without("levels")},
      {4, "sectors of levels", use_no_sectors_of_levels},
      {4, "lines", instructions_without("lines")},
      {4, "turns of atomics", instructions_without("turns")},
      {4, "stores are acknowledged", device_without("memory", "store_latency_s")},
      {4, "sectors of a size of the level's own", levels_without({"sector_bytes"})},
      {4, "a rate of writes", levels_without({"write_bytes_per_s"})},
      {4, "a rate where reads and writes mix", levels_without({"mixed_bytes_per_s"})},
      {4, "lines per second of scattered loads", levels_without({"lines_per_s"})},
      {4, "lines per second of stores", levels_without({"store_lines_per_s"})},
      {4, "cycles per line", levels_without({"cycles_per_line"})},
      {4, "bytes per cycle of a unit", levels_without({"bytes_per_cycle"})},
      {4, "packets of stores", levels_without({"cycles_per_packet"})},
      {4, "atomics with ways", atomics_without("per_conflict")},
      {4, "atomics that take more of a level", atomics_without("then")},
      {5, "the interval of a warp", device_without("issue", "warp_interval")},
      {5, "schedulers", device_without("issue", "schedulers")},
      {5, "the interval of a scheduler", device_without("issue", "interval")},
      {5, "issue slots", rows_without("issue_slots")},
      {5, "register reads", instructions_without("register_reads")},
      {5, "far code", instructions_without("code_bytes")},
      {5, "stall counts", instructions_without("stall")},
      {5, "further pipelines", rows_without("then")},
      {5, "the arrival at a further pipeline", stages_without("after")},
      {5, "a full queue holds the instruction back", pipelines_without("backlog")},
      {5, "a latency of the consumer's own", of_edges([](Json& edge) { erase(edge, "latency"); })},
      {5, "pipelines of schedulers", scopes_without("scheduler")},
      {5, "the fair share of pipelines of the device", where_units_are("one", scopes_without("device"))},
      {5, "units that share a pipeline", where_units_are("all", scopes_without("device"))},
      {5, "accesses in flight delay others",
       levels_without(
           {"read_bytes_per_s", "write_bytes_per_s", "mixed_bytes_per_s", "lines_per_s", "store_lines_per_s"})},
      {6, "first-ready, not oldest", another_policy("first-ready", "oldest")},
      {6, "oldest, not first-ready", another_policy("oldest", "first-ready")},
      {6, "greedy-oldest, not oldest", another_policy("greedy-oldest", "oldest")},
      {6, "round-robin, not oldest", another_policy("round-robin", "oldest")},
      {7, "barriers", rows_without("kind")},
      {7, "instructions that end at their issue", rows_without("retires_at")},
      {7, "signals that warps wait for", instructions_without("awaits")},
      {7, "several arrivals are a phase", of_signals([](Json& signal) { signal["arrivals"] = 1; })},
      {7, "open phases", of_signals([](Json& signal) { erase(signal, "open"); })},
      {8, "the launch latency of groups", device_without("group_launch_latency")},
      {8, "the dispatch interval of groups", device_without("group_dispatch_interval")},
      {8, "the begin of a launch", device_without("launch_begin_s")},
      {8, "the end of a launch that writes", device_without("launch_end_s")},
      {8, "all units", [](Json& model) { model["units"] = "one"; }},
      {8, "groups of average work on one unit", where_units_are("one", take_first_groups)},
      {8, "groups that differ, on all units", where_units_are("all", make_groups_alike)},
      {8, "group slots", take_one_slot},
      {9, "the limit of groups", device_without("limits", "groups_per_unit")},
      {9, "the limit of warps", device_without("limits", "warps_per_unit")},
      {9, "the limit of registers", device_without("limits", "registers_per_unit")},
      {9, "registers are allocated in portions", device_without("limits", "register_allocation")},
      {9, "registers lie in parts", device_without("limits", "warp_allocation")},
      {9, "the limit of shared memory", device_without("limits", "shared_memory_per_unit")},
      {9, "shared memory is allocated in portions", device_without("limits", "shared_memory_allocation")},
      {9, "shared memory that is reserved", device_without("limits", "shared_memory_reserved_per_group")},
      {10, "no fewer cycles than a pipeline has to do", {}, fills_a_pipeline},
      {10, "no fewer cycles than one warp alone", {}, waits_for_no_other_warp},
      {10, "more concurrent groups than groups", {}, has_groups_to_spare},
      {10, "more resident warps take more cycles", {}, is_an_anomaly},
  };
  return all;
}

bool matters(const Feature& feature, const Json& model, Ticks cycles) {
  if (feature.shows) return feature.shows(model, cycles);
  Json without = model;
  feature.take_away(without);
  if (without == model) return false;
  const auto others = cycles_of_product(without);
  return others && *others != cycles;
}

}  // namespace warpipe::conformance
