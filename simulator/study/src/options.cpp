#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/study/launch.hpp"

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

UsageError unknown_name(const std::string& option, const std::string& rule, const std::string& name,
                        const std::vector<std::string>& names) {
  return UsageError(Diagnostic{option, rule, fmt::format("found \"{}\"", name), suggest(name, names)});
}

using Factors = std::map<std::string, std::int64_t, std::less<>>;

void set_factors(Kernel& kernel, const Factors& factors, const std::string& option,
                 std::optional<Expression> Instruction::*member) {
  for (const auto& [id, factor] : factors) {
    const auto instruction = std::ranges::find(kernel.instructions, id, &Instruction::id);
    if (instruction == kernel.instructions.end())
      throw unknown_name(option, fmt::format("kernel \"{}\" has an instruction of that id", kernel.name), id,
                         names_of(kernel.instructions, &Instruction::id));
    (*instruction).*member = Expression(static_cast<double>(factor));
  }
}

Op& find_op(Device& device, const std::string& name, const std::string& option) {
  const auto op = std::ranges::find(device.ops, name, &Op::name);
  if (op == device.ops.end())
    throw unknown_name(option, fmt::format("device \"{}\" has an op of that name", device.name), name,
                       names_of(device.ops, &Op::name));
  return *op;
}

void check_latency(double cycles, const std::string& option) {
  if (!(cycles >= 0 && cycles <= kLongestLatency))
    throw UsageError(Diagnostic{option, "a latency lies between 0 and 1e9 cycles", fmt::format("found {}", cycles),
                                "give another value"});
}

void set_latency(Device& device, const LaunchOptions::SetLatency& set, const std::string& option) {
  check_latency(set.value.count, option);
  Op& op = find_op(device, set.op, option);
  Latency& latency = set.field == LatencyField::Issue ? op.issue : op.completion;
  latency = Latency{{{1, set.value.count}}};
}

void scale_latencies(Device& device, const LaunchOptions::ScaleLatency& scale) {
  Op& op = find_op(device, scale.op, "--scale");
  for (Latency* latency : {&op.issue, &op.completion})
    for (auto& [residents, cycles] : latency->points) {
      cycles *= scale.factor;
      check_latency(cycles, fmt::format("--scale {}={}", scale.op, scale.factor));
    }
}

}  // namespace

std::string to_string(Units units) { return units == Units::One ? "one" : "all"; }
std::string to_string(LatencyField field) { return field == LatencyField::Issue ? "issue" : "completion"; }

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

Kernel with_options(const Kernel& kernel, const LaunchOptions& options) {
  Kernel changed = kernel;
  for (const auto& [name, value] : options.parameters) {
    const auto parameter = changed.parameters.find(name);
    if (parameter == changed.parameters.end())
      throw unknown_name("--param", fmt::format("kernel \"{}\" has a parameter of that name", kernel.name), name,
                         names_of(kernel.parameters, [](const auto& entry) { return entry.first; }));
    parameter->second = value;
  }
  set_factors(changed, options.conflict_degree, "--conflict-degree", &Instruction::conflict_degree);
  set_factors(changed, options.transactions, "--transactions", &Instruction::transactions);
  return changed;
}

Device with_options(const Device& device, const LaunchOptions& options) {
  Device changed = device;
  if (options.policy) changed.policy = *options.policy;
  if (options.clock) changed.clock = *options.clock;
  for (const auto& set : options.set) set_latency(changed, set, "--set");
  for (const auto& scale : options.scale) scale_latencies(changed, scale);
  for (const auto& set : options.final_set) set_latency(changed, set, "--vary");
  return changed;
}

}  // namespace warpipe
