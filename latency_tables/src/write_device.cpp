#include <cmath>
#include <nlohmann/json.hpp>

#include "warpipe/latency_tables/device.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers without ".0", others in the fewest digits that read back the same.
Json number(double value) {
  constexpr double kExact = static_cast<double>(kLargestWhole);
  if (std::floor(value) == value && std::abs(value) <= kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json value_of(std::int64_t value) { return value; }
Json value_of(const std::string& value) { return value; }
Json value_of(Cycles value) { return number(value.count); }
Json value_of(Seconds value) { return number(value.count); }
Json value_of(BytesPerSecond value) { return number(value.count); }

Json value_of(LevelScope scope) { return to_string(scope); }
Json value_of(WritePolicy policy) { return to_string(policy); }

Json value_of(const Increment& increment) {
  return {{"issue", number(increment.issue.count)}, {"completion", number(increment.completion.count)}};
}

Json value_of(const Latency& latency) {
  if (latency.points.size() == 1 && latency.points.front().first == 1) return number(latency.points.front().second);
  Json points = Json::array();
  for (const auto& [residents, cycles] : latency.points) points.push_back(Json::array({residents, number(cycles)}));
  return points;
}

// What has its default value is left out, as a person would.

template <class Value>
void put(Json& object, const char* key, const Value& value, const Value& standard) {
  if (value != standard) object[key] = value_of(value);
}

template <class Value>
void put(Json& object, const char* key, const std::optional<Value>& value) {
  if (value) object[key] = value_of(*value);
}

void put(Json& object, const char* key, Json value) {
  if (!value.empty()) object[key] = std::move(value);
}

Json limits_of(const Limits& limits) {
  Json object = Json::object();
  const Limits standard;
  put(object, "warps_per_unit", limits.warps_per_unit);
  put(object, "groups_per_unit", limits.groups_per_unit);
  put(object, "threads_per_group", limits.threads_per_group);
  put(object, "registers_per_unit", limits.registers_per_unit);
  put(object, "registers_per_thread", limits.registers_per_thread);
  put(object, "register_allocation", limits.register_allocation, standard.register_allocation);
  put(object, "shared_memory_per_unit", limits.shared_memory_per_unit);
  put(object, "shared_memory_per_group", limits.shared_memory_per_group);
  put(object, "shared_memory_allocation", limits.shared_memory_allocation, standard.shared_memory_allocation);
  put(object, "shared_memory_reserved_per_group", limits.shared_memory_reserved_per_group,
      standard.shared_memory_reserved_per_group);
  put(object, "warp_allocation", limits.warp_allocation, standard.warp_allocation);
  return object;
}

Json issue_of(const Device& device) {
  Json object = Json::object();
  const Device standard;
  put(object, "schedulers", device.schedulers);
  put(object, "interval", device.issue_interval, standard.issue_interval);
  put(object, "warp_interval", device.warp_interval, standard.warp_interval);
  if (device.policy != standard.policy) object["policy"] = to_string(device.policy);
  return object;
}

Json source_of(const Source& source) {
  Json object{{"kind", to_string(source.kind)}, {"reference", source.reference}};
  put(object, "clock", source.clock, std::string());
  put(object, "method", source.method, std::string());
  put(object, "date", source.date, std::string());
  for (const auto& [name, interval] : source.intervals)
    object["intervals"][name] = Json::array({number(interval.low), number(interval.high)});
  for (const auto& [name, value] : source.uncalibrated) object["uncalibrated"][name] = number(value);
  return object;
}

Json level_of(const MemoryLevel& level) {
  const MemoryLevel standard;
  Json object{{"name", level.name}};
  put(object, "scope", level.scope, standard.scope);
  put(object, "bytes", level.bytes);
  if (level.holds_shared_memory) object["holds_shared_memory"] = true;
  put(object, "line_bytes", level.line_bytes, standard.line_bytes);
  put(object, "sector_bytes", level.sector_bytes, standard.sector_bytes);
  put(object, "ways", level.ways, standard.ways);
  put(object, "parts", level.parts, standard.parts);
  put(object, "joined_units", level.joined_units, standard.joined_units);
  put(object, "write", level.write, standard.write);
  put(object, "dirty_bytes", level.dirty_bytes);
  if (level.masked_writes) object["masked_writes"] = true;
  if (level.scope == LevelScope::ComputeUnit) {
    object["latency"] = value_of(level.latency);
    put(object, "cycles_per_line", level.cycles_per_line, standard.cycles_per_line);
    if (level.bytes_per_cycle) object["bytes_per_cycle"] = number(*level.bytes_per_cycle);
  } else {
    object["latency_s"] = value_of(level.latency_s);
    put(object, "read_bytes_per_s", level.read_rate);
    put(object, "write_bytes_per_s", level.write_rate);
    put(object, "mixed_bytes_per_s", level.mixed_rate);
    put(object, "pin_bytes_per_s", level.pin_rate);
    if (level.line_rate) object["lines_per_s"] = number(level.line_rate->count);
  }
  if (level.source) object["source"] = source_of(*level.source);
  return object;
}

Json memory_of(const Memory& memory) {
  Json object = Json::object();
  put(object, "bandwidth_bytes_per_s", memory.bandwidth);
  object["transaction_bytes"] = memory.transaction_bytes;
  object["banks"] = memory.banks;
  object["bank_bytes"] = memory.bank_bytes;
  put(object, "store_latency_s", memory.store_latency);
  Json levels = Json::array();
  for (const MemoryLevel& level : memory.levels) levels.push_back(level_of(level));
  put(object, "levels", std::move(levels));
  return object;
}

Json pipelines_of(const std::vector<Pipeline>& pipelines) {
  Json object = Json::object();
  for (const Pipeline& pipeline : pipelines) {
    if (pipeline.level) continue;  // reading the level gives the device its pipeline
    Json& entry = object[pipeline.name] = Json::object();
    if (pipeline.scope != Scope::ComputeUnit) entry["scope"] = to_string(pipeline.scope);
    put(entry, "backlog", pipeline.backlog);
  }
  return object;
}

Json then_of(const Op& op, const std::vector<Pipeline>& pipelines) {
  Json list = Json::array();
  for (const Then& then : op.then) {
    Json entry{{"pipeline", pipelines[then.pipeline].name}, {"issue", value_of(then.issue)}};
    put(entry, "after", then.after, Cycles{});
    put(entry, "per_conflict", then.per_conflict);
    put(entry, "per_transaction", then.per_transaction);
    put(entry, "per_turn", then.per_turn);
    list.push_back(std::move(entry));
  }
  return list;
}

Json op_of(const Op& op, const std::vector<Pipeline>& pipelines) {
  const Op standard;
  Json object{{"pipeline", pipelines[op.pipeline].name},
              {"issue", value_of(op.issue)},
              {"completion", value_of(op.completion)}};
  put(object, "per_conflict", op.per_conflict);
  put(object, "per_transaction", op.per_transaction);
  put(object, "transactions", op.transactions, standard.transactions);
  put(object, "issue_slots", op.issue_slots, standard.issue_slots);
  put(object, "then", then_of(op, pipelines));
  if (op.barrier) object["kind"] = "barrier";
  if (op.retires_at_issue) object["retires_at"] = "issue";
  if (op.source) object["source"] = source_of(*op.source);
  return object;
}

}  // namespace

std::string write_device_json(const Device& device) {
  const Device standard;
  Json root{{"format", "warpipe-device"}, {"version", 1}, {"name", device.name}};
  put(root, "title", device.title, standard.title);
  put(root, "architecture", device.architecture, standard.architecture);
  root["compute_units"] = device.compute_units;
  root["clock_hz"] = number(device.clock.count);
  root["warp_size"] = device.warp_size;
  put(root, "dies", device.dies, standard.dies);
  put(root, "limits", limits_of(device.limits));
  put(root, "issue", issue_of(device));
  if (device.memory) root["memory"] = memory_of(*device.memory);
  put(root, "group_launch_latency", device.group_launch_latency, standard.group_launch_latency);
  put(root, "group_dispatch_interval", device.group_dispatch_interval, standard.group_dispatch_interval);
  put(root, "launch_overhead_s", device.launch_overhead, standard.launch_overhead);
  put(root, "launch_interval_s", device.launch_interval, standard.launch_interval);
  put(root, "launch_gap_s", device.launch_gap);
  root["pipelines"] = pipelines_of(device.pipelines);
  Json& ops = root["ops"] = Json::object();
  for (const Op& op : device.ops) ops[op.name] = op_of(op, device.pipelines);
  for (const auto& [name, source] : device.sources) root["sources"][name] = source_of(source);
  // A source may name a file, whose name may be any bytes.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpipe
