#include "warpipe/latency_tables/table_parameter.hpp"

#include <algorithm>
#include <cassert>

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

}  // namespace

bool is_of_op(const TableParameter& parameter) {
  return parameter.kind != Kind::WarpInterval && parameter.kind != Kind::GroupLaunchLatency;
}

double value_of(const TableParameter& parameter, const Device& device) {
  if (parameter.kind == Kind::WarpInterval) return device.warp_interval.count;
  if (parameter.kind == Kind::GroupLaunchLatency) return device.group_launch_latency.count;
  const Op& op = device.ops[parameter.op];
  if (parameter.kind == Kind::Further) return op.then[parameter.entry].issue.points.front().second;
  if (parameter.kind == Kind::Issue || parameter.kind == Kind::Completion) {
    return latency_of(op, parameter.kind).points[parameter.point.value_or(0)].second;
  }
  const auto& increment = increment_of(op, parameter.kind);
  return is_issue_part(parameter.kind) ? increment->issue.count : increment->completion.count;
}

void set_value(const TableParameter& parameter, double cycles, Device& device) {
  assert(cycles >= 0);
  if (parameter.kind == Kind::WarpInterval) {
    device.warp_interval = Cycles{cycles};
  } else if (parameter.kind == Kind::GroupLaunchLatency) {
    device.group_launch_latency = Cycles{cycles};
  } else if (parameter.kind == Kind::Further) {
    scale_entry(device.ops[parameter.op].then[parameter.entry], cycles);
  } else if (parameter.kind == Kind::Issue || parameter.kind == Kind::Completion) {
    latency_of(device.ops[parameter.op], parameter.kind).points[parameter.point.value_or(0)].second = cycles;
  } else {
    set_increment(device.ops[parameter.op], parameter.kind, cycles);
  }
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

bool set_number(const std::string& name, double cycles, Device& device) {
  for (const TableParameter& parameter : parameters_of(device)) {
    if (parameter.name == name) {
      set_value(parameter, cycles, device);
      return true;
    }
    if (base_name(parameter) == name) {
      latency_of(device.ops[parameter.op], parameter.kind) = Latency{{{1, cycles}}};
      return true;
    }
  }
  return false;
}

std::vector<TableParameter> parameters_of(const Device& device) {
  std::vector<std::string> ops;
  for (const Op& op : device.ops) ops.push_back(op.name);
  return parameters_of(device, ops);
}

std::vector<TableParameter> parameters_of(const Device& device, const std::vector<std::string>& ops) {
  std::vector<TableParameter> parameters;
  for (std::size_t i = 0; i < device.ops.size(); ++i) {
    if (std::ranges::find(ops, device.ops[i].name) != ops.end()) add_op(parameters, device, i);
  }
  parameters.push_back({"warp_interval", Kind::WarpInterval, 0, 0, {}});
  parameters.push_back({"group_launch_latency", Kind::GroupLaunchLatency, 0, 0, {}});
  return parameters;
}

}  // namespace warpipe
