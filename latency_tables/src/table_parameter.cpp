#include "warpipe/latency_tables/table_parameter.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>

#include "device_keys.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {

using namespace detail;

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

/// Sets the lambda of the entry's first point to `cycles`, and scales its other points in proportion.
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
    parameters.push_back({name, kind, index});
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
  const auto add = [&](const char* field, Kind kind) { parameters.push_back({op.name + field, kind, index}); };
  if (op.per_conflict) {
    add(".per_conflict.issue", Kind::ConflictIssue);
    add(".per_conflict.completion", Kind::ConflictCompletion);
  }
  if (op.per_transaction) {
    add(".per_transaction.issue", Kind::TransactionIssue);
    add(".per_transaction.completion", Kind::TransactionCompletion);
  }
  for (std::size_t i = 0; i < op.then.size(); ++i) {
    parameters.push_back({op.name + "." + device.pipelines[op.then[i].pipeline].name, Kind::Further, index, i});
  }
}

const std::vector<MemoryLevel>& levels_of(const Device& device) {
  static const std::vector<MemoryLevel> none;
  return device.memory ? device.memory->levels : none;
}

const Key<Device>& device_key(std::string_view name) {
  const auto own = std::ranges::find(kKeysOfDevice, name, &Key<Device>::name);
  return own == kKeysOfDevice.end() ? key_named(kKeysOfIssue, name) : *own;
}

/// The number used by the simulation in place of a missing number, if there is one.
template <class Object>
std::optional<double> usual(const Object&, std::string_view) {
  return 0;
}
std::optional<double> usual(const MemoryLevel& level, std::string_view key) {
  if (!level.read_rate || (key != "write_bytes_per_s" && key != "mixed_bytes_per_s")) return std::nullopt;
  const double reads = level.read_rate->count;
  return key == "mixed_bytes_per_s" ? std::min(reads, level.write_rate.value_or(*level.read_rate).count) : reads;
}

double count_of(double value) { return value; }
template <class Quantity>
double count_of(Quantity value) {
  return value.count;
}

template <class Object>
std::optional<double> number_of(const Object& object, const Key<Object>& key) {
  std::optional<double> number;
  visit_field(key, [&](auto field) {
    if constexpr (kIsQuantity<decltype(content_of(field))>) {
      const std::optional value = object.*field;
      number = value ? count_of(*value) : usual(object, key.name);
    }
  });
  return number;
}

template <class Object>
void set_number_of(Object& object, const Key<Object>& key, double number) {
  visit_field(key, [&](auto field) {
    if constexpr (kIsQuantity<decltype(content_of(field))>) object.*field = decltype(content_of(field)){number};
  });
}

template <class Object>
TableParameter::Unit unit_of(const Key<Object>& key) {
  auto unit = TableParameter::Unit::Cycles;
  visit_field(key, [&](auto field) {
    using Value = decltype(content_of(field));
    if (kIsRate<Value>) unit = TableParameter::Unit::Rate;
    if (std::is_same_v<Value, Seconds>) unit = TableParameter::Unit::Seconds;
  });
  return unit;
}

/// Adds the numbers of an object present on the device.
/// @param prototype  of the parameters: its name is the text before the key
template <class Keys, class Object>
void add_keys(std::vector<TableParameter>& parameters, const Keys& keys, const Object& object, Fit fit,
              const TableParameter& prototype) {
  for (const auto& key : keys) {
    if (key.traits.fit != fit || !has(object, key) || !number_of(object, key)) continue;
    TableParameter& added = parameters.emplace_back(prototype);
    added.name += key.name;
    added.key = key.name;
    added.unit = unit_of(key);
  }
}

void add_device(std::vector<TableParameter>& parameters, const Device& device, Fit fit) {
  add_keys(parameters, kKeysOfIssue, device, fit, {.kind = Kind::OfDevice});
  add_keys(parameters, kKeysOfDevice, device, fit, {.kind = Kind::OfDevice});
}

void add_levels(std::vector<TableParameter>& parameters, const Device& device) {
  const std::vector<MemoryLevel>& levels = levels_of(device);
  for (std::size_t i = 0; i < levels.size(); ++i)
    add_keys(parameters, kKeysOfLevel, levels[i], Fit::OfRuns,
             {.name = levels[i].name + ".", .kind = Kind::OfLevel, .level = i});
  if (!levels.empty())
    add_keys(parameters, kKeysOfMemory, *device.memory, Fit::OfRuns, {.name = "memory.", .kind = Kind::OfMemory});
}

/// Calls a function with a parameter's key and the object around it, for parameters of no op.
template <class DeviceOrConst, class Function>
auto at_key(const TableParameter& parameter, DeviceOrConst& device, Function&& function) {
  if (parameter.kind == Kind::OfLevel)
    return function(device.memory->levels[parameter.level], key_named(kKeysOfLevel, parameter.key));
  if (parameter.kind == Kind::OfMemory) return function(*device.memory, key_named(kKeysOfMemory, parameter.key));
  return function(device, device_key(parameter.key));
}

}  // namespace

bool is_of_op(const TableParameter& parameter) { return parameter.kind < Kind::OfDevice; }
bool is_of_level(const TableParameter& parameter) { return parameter.kind == Kind::OfLevel; }
bool is_of_memory(const TableParameter& parameter) { return parameter.kind >= Kind::OfMemory; }
bool is_rate(const TableParameter& parameter) { return parameter.unit == TableParameter::Unit::Rate; }

std::string key_of(const TableParameter& parameter, const Device& device) {
  if (is_of_op(parameter)) return parameter.name.substr(device.ops[parameter.op].name.size() + 1);
  if (is_of_level(parameter)) return std::string(parameter.key);
  const bool of_issue = std::ranges::find(kKeysOfIssue, parameter.key, &Key<Device>::name) != kKeysOfIssue.end();
  return (of_issue ? "issue." : "") + parameter.name;
}

namespace {

/// @param device  const or not, and its source likewise
template <class DeviceOrConst>
auto find_source(const TableParameter& parameter, DeviceOrConst& device) {
  const auto if_any = [](auto& source) { return source ? &*source : nullptr; };
  if (is_of_op(parameter)) return if_any(device.ops[parameter.op].source);
  if (is_of_level(parameter)) return if_any(device.memory->levels[parameter.level].source);
  const auto own = device.sources.find(key_of(parameter, device));
  return own == device.sources.end() ? nullptr : &own->second;
}

/// Drops the interval of a changed number: it holds for the former value. "issue@16" is dropped with "issue".
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
  if (!is_of_op(parameter))
    return at_key(parameter, device, [](const auto& object, const auto& key) { return *number_of(object, key); });
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
  if (parameter.key == "clock_hz") {
    set_clock(device, Hertz{value});
  } else if (!is_of_op(parameter)) {
    at_key(parameter, device, [&](auto& object, const auto& key) { set_number_of(object, key, value); });
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
  if (parameter.unit != TableParameter::Unit::Seconds) return 1;
  if (parameter.kind == Kind::OfDevice) return 1e-6;
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
  if (found->unit == TableParameter::Unit::Seconds)
    return value >= 0 && value <= 1 ? "" : "a latency must be from 0 to 1 s";
  return value >= 0 && value <= 1e9 ? "" : "a latency must be from 0 to 1e9 cycles";
}

std::vector<TableParameter> parameters_of(const Device& device) {
  std::vector<TableParameter> parameters;
  for (std::size_t i = 0; i < device.ops.size(); ++i) add_op(parameters, device, i);
  add_levels(parameters, device);
  add_device(parameters, device, Fit::OfRuns);
  add_device(parameters, device, Fit::OfLaunches);
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
  add_device(parameters, device, Fit::OfRuns);
  return parameters;
}

}  // namespace warpipe
