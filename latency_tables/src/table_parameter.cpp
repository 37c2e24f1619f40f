#include "warpipe/latency_tables/table_parameter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <set>

#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

using Kind = TableParameter::Kind;

Latency& latency_of(Op& op, Kind kind) { return kind == Kind::Issue ? op.issue : op.completion; }
const Latency& latency_of(const Op& op, Kind kind) { return kind == Kind::Issue ? op.issue : op.completion; }

bool is_conflict(Kind kind) { return kind == Kind::ConflictIssue || kind == Kind::ConflictCompletion; }
bool is_issue_part(Kind kind) { return kind == Kind::ConflictIssue || kind == Kind::TransactionIssue; }

const std::optional<Increment>& increment_of(const Op& op, Kind kind) {
  return is_conflict(kind) ? op.per_conflict : op.per_transaction;
}

void set_increment(Op& op, Kind kind, double cycles) {
  Increment& increment = *(is_conflict(kind) ? op.per_conflict : op.per_transaction);
  (is_issue_part(kind) ? increment.issue : increment.completion) = Cycles{cycles};
}

/// Puts the lambda of the entry's first point to `cycles`, and all others of the entry in proportion.
void scale_entry(Then& entry, double cycles) {
  const double before = entry.issue.points.front().second;
  const double factor = before > 0 ? cycles / before : 1;
  for (auto& [residents, issue] : entry.issue.points) issue *= factor;
  entry.issue.points.front().second = cycles;
  if (entry.per_conflict) entry.per_conflict->count *= factor;
  if (entry.per_transaction) entry.per_transaction->count *= factor;
  if (entry.per_turn) entry.per_turn->count *= factor;
}

void add_latency(std::vector<TableParameter>& parameters, const Op& op, std::size_t index, Kind kind) {
  const std::string name = op.name + (kind == Kind::Issue ? ".issue" : ".completion");
  const Latency& latency = latency_of(op, kind);
  if (latency.points.size() == 1) {
    parameters.push_back({name, kind, index, 0, {}});
    return;
  }
  for (std::size_t i = 0; i < latency.points.size(); ++i) {
    parameters.push_back({name + "@" + std::to_string(latency.points[i].first), kind, index, 0, i});
  }
}

void add_op(std::vector<TableParameter>& parameters, const Device& device, std::size_t index) {
  const Op& op = device.ops[index];
  add_latency(parameters, op, index, Kind::Issue);
  add_latency(parameters, op, index, Kind::Completion);
  const auto add = [&](const char* field, Kind kind) { parameters.push_back({op.name + field, kind, index, 0, {}}); };
  if (op.per_conflict) {
    add(".per_conflict.issue", Kind::ConflictIssue);
    add(".per_conflict.completion", Kind::ConflictCompletion);
  }
  if (op.per_transaction) {
    add(".per_transaction.issue", Kind::TransactionIssue);
    add(".per_transaction.completion", Kind::TransactionCompletion);
  }
  for (std::size_t i = 0; i < op.then.size(); ++i) {
    parameters.push_back({op.name + "." + device.pipelines[op.then[i].pipeline].name, Kind::Further, index, i, {}});
  }
}

void add_device(std::vector<TableParameter>& parameters) {
  parameters.push_back({"warp_interval", Kind::WarpInterval, 0, 0, {}});
  parameters.push_back({"group_launch_latency", Kind::GroupLaunchLatency, 0, 0, {}});
  parameters.push_back({"group_dispatch_interval", Kind::DispatchInterval, 0, 0, {}});
}

void add_launches(std::vector<TableParameter>& parameters) {
  parameters.push_back({"clock_hz", Kind::Clock, 0, 0, {}});
  parameters.push_back({"launch_overhead_s", Kind::LaunchOverhead, 0, 0, {}});
  parameters.push_back({"launch_interval_s", Kind::LaunchInterval, 0, 0, {}});
}

const std::vector<MemoryLevel>& levels_of(const Device& device) {
  static const std::vector<MemoryLevel> none;
  return device.memory ? device.memory->levels : none;
}

void add_level(std::vector<TableParameter>& parameters, const MemoryLevel& level, std::size_t index) {
  const auto add = [&](const char* field, Kind kind) {
    parameters.push_back({level.name + field, kind, 0, 0, {}, index});
  };
  if (level.scope == LevelScope::ComputeUnit) {
    add(".latency", Kind::UnitLevelLatency);
    add(".cycles_per_line", Kind::CyclesPerLine);
    if (level.bytes_per_cycle) add(".bytes_per_cycle", Kind::BytesPerCycle);
    return;
  }
  add(".latency_s", Kind::LevelLatency);
  if (!level.read_rate) return;
  add(".read_bytes_per_s", Kind::ReadRate);
  add(".write_bytes_per_s", Kind::WriteRate);
  add(".mixed_bytes_per_s", Kind::MixedRate);
}

void add_levels(std::vector<TableParameter>& parameters, const Device& device) {
  const std::vector<MemoryLevel>& levels = levels_of(device);
  for (std::size_t i = 0; i < levels.size(); ++i) add_level(parameters, levels[i], i);
  if (!levels.empty()) parameters.push_back({"memory.store_latency_s", Kind::StoreLatency, 0, 0, {}});
}

double value_of_level(const TableParameter& parameter, const Memory& memory) {
  const MemoryLevel& level = memory.levels[parameter.level];
  switch (parameter.kind) {
    case Kind::UnitLevelLatency:
      return level.latency.count;
    case Kind::CyclesPerLine:
      return level.cycles_per_line.count;
    case Kind::BytesPerCycle:
      return *level.bytes_per_cycle;
    case Kind::LevelLatency:
      return level.latency_s.count;
    case Kind::ReadRate:
      return level.read_rate->count;
    case Kind::WriteRate:
      return level.write_rate.value_or(*level.read_rate).count;
    case Kind::MixedRate:
      return level.mixed_rate.value_or(std::min(*level.read_rate, level.write_rate.value_or(*level.read_rate))).count;
    default:
      return memory.store_latency.value_or(Seconds{}).count;
  }
}

void set_value_of_level(const TableParameter& parameter, double value, Memory& memory) {
  MemoryLevel& level = memory.levels[parameter.level];
  switch (parameter.kind) {
    case Kind::UnitLevelLatency:
      level.latency = Cycles{value};
      break;
    case Kind::CyclesPerLine:
      level.cycles_per_line = Cycles{value};
      break;
    case Kind::BytesPerCycle:
      level.bytes_per_cycle = value;
      break;
    case Kind::LevelLatency:
      level.latency_s = Seconds{value};
      break;
    case Kind::ReadRate:
      level.read_rate = BytesPerSecond{value};
      break;
    case Kind::WriteRate:
      level.write_rate = BytesPerSecond{value};
      break;
    case Kind::MixedRate:
      level.mixed_rate = BytesPerSecond{value};
      break;
    default:
      memory.store_latency = Seconds{value};
  }
}

bool is_of_memory(Kind kind) { return kind >= Kind::UnitLevelLatency; }
bool is_of_device(Kind kind) { return kind >= Kind::WarpInterval && !is_of_memory(kind); }
bool is_in_seconds(Kind kind) {
  return kind == Kind::LevelLatency || kind == Kind::StoreLatency || kind == Kind::LaunchOverhead ||
         kind == Kind::LaunchInterval;
}

double value_of_device(Kind kind, const Device& device) {
  switch (kind) {
    case Kind::WarpInterval:
      return device.warp_interval.count;
    case Kind::GroupLaunchLatency:
      return device.group_launch_latency.count;
    case Kind::DispatchInterval:
      return device.group_dispatch_interval.count;
    case Kind::Clock:
      return device.clock.count;
    case Kind::LaunchOverhead:
      return device.launch_overhead.count;
    default:
      return device.launch_interval.count;
  }
}

void set_value_of_device(Kind kind, double value, Device& device) {
  switch (kind) {
    case Kind::WarpInterval:
      device.warp_interval = Cycles{value};
      break;
    case Kind::GroupLaunchLatency:
      device.group_launch_latency = Cycles{value};
      break;
    case Kind::DispatchInterval:
      device.group_dispatch_interval = Cycles{value};
      break;
    case Kind::Clock:
      set_clock(device, Hertz{value});
      break;
    case Kind::LaunchOverhead:
      device.launch_overhead = Seconds{value};
      break;
    default:
      device.launch_interval = Seconds{value};
  }
}

}  // namespace

bool is_of_op(const TableParameter& parameter) { return parameter.kind < Kind::WarpInterval; }

bool is_of_level(const TableParameter& parameter) {
  return is_of_memory(parameter.kind) && parameter.kind != Kind::StoreLatency;
}

bool is_rate(const TableParameter& parameter) {
  constexpr std::array kRates{Kind::BytesPerCycle, Kind::ReadRate, Kind::WriteRate, Kind::MixedRate, Kind::Clock};
  return std::ranges::find(kRates, parameter.kind) != kRates.end();
}

std::string key_of(const TableParameter& parameter, const Device& device) {
  const std::string& name = parameter.name;
  if (is_of_op(parameter)) return name.substr(device.ops[parameter.op].name.size() + 1);
  if (is_of_level(parameter)) return name.substr(device.memory->levels[parameter.level].name.size() + 1);
  return parameter.kind == Kind::WarpInterval ? "issue.warp_interval" : name;
}

namespace {

/// @param device  of which the source is const where it is
template <class DeviceOrConst>
auto find_source(const TableParameter& parameter, DeviceOrConst& device) {
  const auto if_any = [](auto& source) { return source ? &*source : nullptr; };
  if (is_of_op(parameter)) return if_any(device.ops[parameter.op].source);
  if (is_of_level(parameter)) return if_any(device.memory->levels[parameter.level].source);
  const auto own = device.sources.find(key_of(parameter, device));
  return own == device.sources.end() ? nullptr : &own->second;
}

/// An interval of a number is of the number that stood there. One "issue@16" is dropped with "issue".
void drop_interval(const TableParameter& parameter, Device& device) {
  Source* source = find_source(parameter, device);
  if (source == nullptr || source->intervals.empty()) return;
  const std::string key = key_of(parameter, device);
  const std::string base = key.substr(0, key.find('@'));
  std::erase_if(source->intervals,
                [&](const auto& each) { return each.first.substr(0, each.first.find('@')) == base; });
}

}  // namespace

const Source* source_of(const TableParameter& parameter, const Device& device) {
  return find_source(parameter, device);
}

double value_of(const TableParameter& parameter, const Device& device) {
  if (is_of_memory(parameter.kind)) return value_of_level(parameter, *device.memory);
  if (is_of_device(parameter.kind)) return value_of_device(parameter.kind, device);
  const Op& op = device.ops[parameter.op];
  if (parameter.kind == Kind::Further) return op.then[parameter.entry].issue.points.front().second;
  if (parameter.kind == Kind::Issue || parameter.kind == Kind::Completion) {
    return latency_of(op, parameter.kind).points[parameter.point.value_or(0)].second;
  }
  const auto& increment = increment_of(op, parameter.kind);
  return is_issue_part(parameter.kind) ? increment->issue.count : increment->completion.count;
}

void set_value(const TableParameter& parameter, double value, Device& device) {
  assert(value >= 0);
  drop_interval(parameter, device);
  if (is_of_memory(parameter.kind)) {
    set_value_of_level(parameter, value, *device.memory);
  } else if (is_of_device(parameter.kind)) {
    set_value_of_device(parameter.kind, value, device);
  } else if (parameter.kind == Kind::Further) {
    scale_entry(device.ops[parameter.op].then[parameter.entry], value);
  } else if (parameter.kind == Kind::Issue || parameter.kind == Kind::Completion) {
    latency_of(device.ops[parameter.op], parameter.kind).points[parameter.point.value_or(0)].second = value;
  } else {
    set_increment(device.ops[parameter.op], parameter.kind, value);
  }
}

double value_above_zero(const TableParameter& parameter, const Device& device) {
  const double value = value_of(parameter, device);
  if (value > 0) return value;
  if (!is_in_seconds(parameter.kind)) return 1;
  if (parameter.kind == Kind::LaunchOverhead || parameter.kind == Kind::LaunchInterval) return 1e-6;
  const double memory = has_levels(device) ? device.memory->levels.back().latency_s.count : 0;
  return memory > 0 ? memory : 1 / device.clock.count;
}

std::string base_name(const TableParameter& parameter) { return parameter.name.substr(0, parameter.name.find('@')); }

std::vector<std::string> number_names(const Device& device) {
  std::vector<std::string> names;
  for (const TableParameter& parameter : parameters_of(device)) {
    const std::string base = base_name(parameter);
    if (std::ranges::find(names, base) == names.end()) names.push_back(base);
    if (base != parameter.name) names.push_back(parameter.name);
  }
  return names;
}

bool set_number(const std::string& name, double value, Device& device) {
  for (const TableParameter& parameter : parameters_of(device)) {
    if (parameter.name == name) {
      set_value(parameter, value, device);
      return true;
    }
    if (base_name(parameter) == name) {
      latency_of(device.ops[parameter.op], parameter.kind) = Latency{{{1, value}}};
      return true;
    }
  }
  return false;
}

std::string number_problem(const std::string& name, double value, const Device& device) {
  const auto parameters = parameters_of(device);
  const auto found = std::ranges::find_if(parameters, [&](const TableParameter& parameter) {
    return parameter.name == name || base_name(parameter) == name;
  });
  if (found == parameters.end()) return "";
  if (is_rate(*found)) return value > 0 ? "" : "a rate must be above 0";
  if (is_in_seconds(found->kind)) return value >= 0 && value <= 1 ? "" : "a latency must be from 0 to 1 s";
  return value >= 0 && value <= 1e9 ? "" : "a latency must be from 0 to 1e9 cycles";
}

std::vector<TableParameter> parameters_of(const Device& device) {
  std::vector<TableParameter> parameters;
  for (std::size_t i = 0; i < device.ops.size(); ++i) add_op(parameters, device, i);
  add_levels(parameters, device);
  add_device(parameters);
  add_launches(parameters);
  return parameters;
}

std::vector<TableParameter> parameters_of(const Device& device, const std::vector<std::string>& ops) {
  std::set<const Op*> rows;
  for (const std::string& op : ops) rows.insert(device.find_op(op));
  std::vector<TableParameter> parameters;
  for (std::size_t i = 0; i < device.ops.size(); ++i)
    if (rows.contains(&device.ops[i])) add_op(parameters, device, i);
  if (std::ranges::any_of(ops, [](const std::string& op) { return class_of(op) == OpClass::GlobalMemory; }))
    add_levels(parameters, device);
  add_device(parameters);
  return parameters;
}

}  // namespace warpipe
