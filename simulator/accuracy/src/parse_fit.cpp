#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {
namespace {

[[noreturn]] void refuse(const std::string& name, std::string problem, std::string found, std::string advice) {
  throw UsageError(Diagnostic{fmt::format("`fit {}`", name), std::move(problem), std::move(found), std::move(advice)});
}

/// NAME or NAME=R,R,...
struct Request {
  std::string name;
  std::vector<std::int64_t> residents;
};

std::vector<std::int64_t> read_residents(const std::string& name, std::string_view list) {
  std::vector<std::int64_t> residents;
  for (bool more = true; more;) {
    const auto comma = list.find(',');
    const auto number = parse_number(list.substr(0, comma));
    if (!number || !is_whole(*number, 1) || (!residents.empty() && *number <= static_cast<double>(residents.back()))) {
      refuse(name, "points must be at whole, ascending numbers of resident warps",
             fmt::format("found \"{}\"", list.substr(0, comma)), "write them as in 1,8,64");
    }
    residents.push_back(static_cast<std::int64_t>(*number));
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
  }
  return residents;
}

Request read_request(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {text, {}};
  const std::string name = text.substr(0, equals);
  return {name, read_residents(name, std::string_view(text).substr(equals + 1))};
}

/// Replaces a latency by points at the requested residents, on its present line.
void put_points(Device& device, const Request& request) {
  if (request.residents.empty()) return;
  const auto put = [&](Op& op, const char* field, Latency& latency) {
    if (op.name + field != request.name) return false;
    Latency points{{}};
    for (const std::int64_t residents : request.residents) {
      points.points.emplace_back(residents, latency_at(latency, residents).count);
    }
    latency = points;
    return true;
  };
  const auto put_any = [&](Op& op) { return put(op, ".issue", op.issue) || put(op, ".completion", op.completion); };
  if (std::ranges::any_of(device.ops, put_any)) return;
  refuse(request.name, "only the issue or completion of an op can have points", "", "leave out the = and what follows");
}

/// Gives an op a requested but missing increment: 0, as in a table without the increment.
void put_increment(Device& device, const Request& request) {
  const auto asks = [&](const Op& op, std::string_view field) {
    return request.name == fmt::format("{}.{}.issue", op.name, field) ||
           request.name == fmt::format("{}.{}.completion", op.name, field);
  };
  for (Op& op : device.ops) {
    if (!op.per_conflict && asks(op, "per_conflict")) op.per_conflict.emplace();
    if (!op.per_transaction && asks(op, "per_transaction")) op.per_transaction.emplace();
  }
}

/// A fit of the completion of an op wants its group to stay as long. The table's completion of an op that retires at
/// issue means nothing, so the search begins at the time through the op's further pipelines.
void let_retire_at_completion(Device& device, const std::vector<TableParameter>& parameters) {
  for (const TableParameter& parameter : parameters) {
    Op& op = device.ops[parameter.op];
    if (parameter.kind != TableParameter::Kind::Completion || !op.retires_at_issue) continue;
    op.retires_at_issue = false;
    double through = 0;
    for (const Then& entry : op.then) through += entry.after.count + entry.issue.points.front().second;
    for (auto& [residents, cycles] : op.completion.points) cycles = std::max(cycles, through);
  }
}

}  // namespace

FitPlan parse_fit(const std::vector<std::string>& names, const Device& device) {
  FitPlan plan{device, {}};
  std::vector<Request> requests;
  for (const std::string& name : names) requests.push_back(read_request(name));
  for (const Request& request : requests) {
    put_points(plan.start, request);
    put_increment(plan.start, request);
  }

  const auto known = parameters_of(plan.start);
  std::vector<std::string> known_names;
  for (const TableParameter& parameter : known) known_names.push_back(base_name(parameter));
  std::set<std::string> taken;
  for (const Request& request : requests) {
    if (!taken.insert(request.name).second) refuse(request.name, "the name is given twice", "", "");
    const auto before = plan.parameters.size();
    std::ranges::copy_if(known, std::back_inserter(plan.parameters),
                         [&](const auto& parameter) { return base_name(parameter) == request.name; });
    if (plan.parameters.size() > before) continue;
    refuse(request.name, fmt::format("no such number in {}", device.name), "", suggest(request.name, known_names));
  }
  let_retire_at_completion(plan.start, plan.parameters);
  return plan;
}

}  // namespace warpipe
