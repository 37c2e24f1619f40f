#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/old_names.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {
namespace {

constexpr double kLongestLatency = 1e9;  // as in device files

/// The names of a kernel's instructions or a device's ops.
template <class Things, class Member>
std::vector<std::string> names_of(const Things& things, Member member) {
  std::vector<std::string> names;
  std::ranges::transform(things, std::back_inserter(names), member);
  return names;
}

/// @param field  of the options
/// @param what   what has no such name: "op", "parameter"
/// @param owner  where it was looked for: a kernel or a device
UsageError unknown_name(const std::string& field, const std::string& what, const std::string& name,
                        const std::string& owner, const std::vector<std::string>& names) {
  return UsageError(Diagnostic{fmt::format("`{}`", field), fmt::format("no {} \"{}\" in {}", what, name, owner), "",
                               suggest(name, names)});
}

using Factors = std::map<std::string, std::int64_t, std::less<>>;

void set_factors(Kernel& kernel, const Factors& factors, const std::string& field,
                 std::optional<Expression> Instruction::*member) {
  for (const auto& [id, factor] : factors) {
    auto instruction = std::ranges::find(kernel.instructions, id, &Instruction::id);
    if (instruction == kernel.instructions.end())
      instruction = std::ranges::find(kernel.instructions, current_name(id), &Instruction::id);
    if (instruction == kernel.instructions.end())
      throw unknown_name(field, "instruction", id, kernel.name, names_of(kernel.instructions, &Instruction::id));
    (*instruction).*member = Expression(static_cast<double>(factor));
  }
}

/// An expression that does not round fails by itself where its value is not whole.
bool rounds(const Expression& expression, const std::string& parameter) {
  const auto& text = expression.text();
  return expression.uses(parameter) && (text.find("ceil") < text.size() || text.find("floor") < text.size());
}

/// @return the first number of a body or instruction that rounds with the parameter; empty where none does
std::string rounded_in_body(const Kernel& kernel, const std::string& parameter) {
  std::string first;
  const auto note = [&](const KernelNumber& number) {
    const bool is_trips = number.key == "trip_count";
    if (!is_trips && number.key != "conflict_degree" && number.key != "transactions") return;
    if (first.empty() && rounds(number.expression, parameter))
      first = is_trips ? "the trips of a loop" : number.where();
  };
  for_each_number(kernel.body, note);
  for (const Instruction& instruction : kernel.instructions) for_each_number(instruction, note);
  return first;
}

/// @return where a kernel rounds a count that depends on a parameter: "/launch/groups", the trips of a loop; empty
/// where
///         it does not. Such a parameter is a size, of which there is no half.
std::string rounded_with(const Kernel& kernel, const std::string& parameter) {
  for (const auto& [place, expression] :
       {std::pair{"/launch/group_size", kernel.launch.group_size},
        {"/launch/groups", kernel.launch.groups},
        {"/launch/concurrent_groups", kernel.launch.concurrent_groups},
        {"/resources/registers_per_thread", kernel.resources.registers_per_thread},
        {"/resources/shared_memory_per_group", kernel.resources.shared_memory_per_group}})
    if (expression && rounds(*expression, parameter)) return place;
  return rounded_in_body(kernel, parameter);
}

/// A kernel rounds what it counts up: half an element would be one group.
void require_whole_size(const Kernel& kernel, const std::pair<const std::string, double>& parameter, double value) {
  const auto is_fraction = [](double number) { return std::floor(number) != number; };
  const auto& [name, own_value] = parameter;
  if (!is_fraction(value) || is_fraction(own_value)) return;
  const std::string place = rounded_with(kernel, name);
  if (place.empty()) return;
  throw ModelError(
      Diagnostic{fmt::format("`parameters {}`", name),
                 fmt::format("{} is not whole, and kernel \"{}\" counts with {}: {}", value, kernel.name, name, place),
                 "", "give a whole number"});
}

Op& find_op(Device& device, const std::string& name, const std::string& field) {
  const auto op = std::ranges::find(device.ops, name, &Op::name);
  if (op == device.ops.end()) throw unknown_name(field, "op", name, device.name, names_of(device.ops, &Op::name));
  return *op;
}

void check_latency(double cycles, const std::string& field) {
  if (!(cycles >= 0 && cycles <= kLongestLatency))
    throw UsageError(Diagnostic{fmt::format("`{}`", field), "a latency must be between 0 and 1e9 cycles",
                                fmt::format("found {}", cycles), "give another value"});
}

void set_path(Device& device, const LaunchOptions::SetNumber& set, const std::string& field) {
  try {
    device = with_number(device, set.name, set.value);
  } catch (const UsageError& error) {
    Diagnostic problem = error.diagnostics().front();
    problem.where = fmt::format("`{} {}`", field, set.name);
    throw UsageError(std::move(problem));
  }
}

void set_one(Device& device, const LaunchOptions::SetNumber& set, const std::string& field) {
  if (is_device_path(set.name)) return set_path(device, set, field);
  if (std::string problem = number_problem(set.name, set.value, device); !problem.empty())
    throw UsageError(Diagnostic{fmt::format("`{} {}`", field, set.name), std::move(problem),
                                fmt::format("found {}", set.value), "give another value"});
  if (set_number(set.name, set.value, device)) return;
  throw unknown_name(field, "number", set.name, device.name, number_names(device));
}

void scale_latencies(Device& device, const LaunchOptions::ScaleLatency& scale) {
  Op& op = find_op(device, scale.op, "scale");
  for (Latency* latency : {&op.issue, &op.completion})
    for (auto& [residents, cycles] : latency->points) {
      cycles *= scale.factor;
      check_latency(cycles, fmt::format("scale {}={}", scale.op, scale.factor));
    }
}

}  // namespace

std::string to_string(Units units) { return units == Units::One ? "one" : "all"; }

std::string to_string(Origin origin) {
  switch (origin) {
    case Origin::CommandLine:
      return "command line";
    case Origin::Kernel:
      return "kernel";
    case Origin::Occupancy:
      break;
  }
  return "occupancy";
}

Kernel with_options(Kernel kernel, const LaunchOptions& options) {
  for (const auto& [name, value] : options.parameters) {
    const auto parameter = kernel.parameters.find(name);
    if (parameter == kernel.parameters.end())
      throw unknown_name("parameters", "parameter", name, kernel.name,
                         names_of(kernel.parameters, [](const auto& entry) { return entry.first; }));
    require_whole_size(kernel, *parameter, value);
    parameter->second = value;
  }
  set_factors(kernel, options.conflict_degree, "conflict_degree", &Instruction::conflict_degree);
  set_factors(kernel, options.transactions, "transactions", &Instruction::transactions);
  return kernel;
}

Device with_options(Device device, const LaunchOptions& options) {
  for (const auto& set : options.set_device) set_path(device, set, "set_device");
  if (options.policy) device.policy = *options.policy;
  if (options.clock) {
    set_clock(device, *options.clock);
    device.sources.erase("clock_hz");
  }
  for (const auto& set : options.set) set_one(device, set, "set");
  for (const auto& scale : options.scale) scale_latencies(device, scale);
  for (const auto& set : options.final_set) set_one(device, set, "vary");
  return device;
}

}  // namespace warpipe
