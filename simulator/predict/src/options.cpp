#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"
#include "warpipe/predict/instruction_number.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/predict/plausibility.hpp"

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
/// @param what   kind of the unknown name: "op", "parameter"
/// @param owner  a kernel or a device without the name
UsageError unknown_name(const std::string& field, const std::string& what, const std::string& name,
                        const std::string& owner, const std::vector<std::string>& names) {
  return UsageError(Diagnostic{fmt::format("`{}`", field), fmt::format("no {} \"{}\" in {}", what, name, owner), "",
                               suggest(name, names)});
}

constexpr std::array<std::pair<std::string_view, std::optional<Expression> Instruction::*>, 2> kInstructionKeys{
    {{"conflict_degree", &Instruction::conflict_degree}, {"transactions", &Instruction::transactions}}};

/// @param field  of the options
void set_factor(Kernel& kernel, const std::string& id, std::optional<Expression> Instruction::*member, double factor,
                const std::string& field) {
  const auto instruction = std::ranges::find(kernel.instructions, id, &Instruction::id);
  if (instruction == kernel.instructions.end())
    throw unknown_name(field, "instruction", id, kernel.name, names_of(kernel.instructions, &Instruction::id));
  (*instruction).*member = Expression(factor);
}

void set_number_of_instruction(Kernel& kernel, const LaunchOptions::SetNumber& set) {
  const auto number = instruction_number(set.name);
  if (!number) return;
  const auto field = "set " + set.name;
  if (!is_whole(set.value, 1))
    throw UsageError(Diagnostic{fmt::format("`{}`", field), "the value must be a whole number from 1 to 2^53",
                                fmt::format("found {}", set.value), ""});
  set_factor(kernel, number->id, number->member, set.value, field);
}

/// An expression without rounding fails by itself where its value is not whole.
bool rounds(const Expression& expression, const std::string& parameter) {
  const auto& text = expression.text();
  return expression.uses(parameter) && (text.find("ceil") < text.size() || text.find("floor") < text.size());
}

/// @return the first number of a body or instruction rounded with the parameter; empty without any
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

/// @return the place of a rounded count with a parameter: "/launch/groups", the trips of a loop; empty without any. The
///         parameter of a rounded count is a size, of which there is no half.
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

/// Requires a whole size, since a kernel rounds up its counts: half an element would be one group.
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

/// @return "its path is limits/warps_per_unit" of "warps_per_unit" or "limits.warps_per_unit"; empty where no path or
///         many paths of the device end so
std::string path_of(std::string name, const Device& device) {
  constexpr std::size_t kMostPaths = 4;
  std::ranges::replace(name, '.', '/');
  std::vector<std::string> paths = device_paths(device);
  std::erase_if(paths, [&](const std::string& path) { return !("/" + path).ends_with("/" + name); });
  return paths.empty() || paths.size() > kMostPaths ? "" : fmt::format("its path is {}", fmt::join(paths, " or "));
}

void set_path(Device& device, const LaunchOptions::SetNumber& set, const std::string& field) {
  try {
    device = with_number(device, set.name, set.value);
  } catch (const UsageError& error) {
    Diagnostic problem = error.diagnostics().front();
    problem.where = fmt::format("`{} {}`", field, set.name);
    if (problem.advice.empty()) problem.advice = path_of(set.name, device);
    throw UsageError(std::move(problem));
  }
}

/// The error of a name unknown to the device, with its possible meaning: a path with this end, the nearest number, or a
/// number of an instruction.
UsageError unknown_number(const std::string& field, const std::string& name, const Device& device) {
  if (std::string path = path_of(name, device); !path.empty())
    return UsageError(Diagnostic{fmt::format("`{}`", field), fmt::format("no number \"{}\" in {}", name, device.name),
                                 "", std::move(path)});
  std::vector<std::string> names = number_names(device);
  const auto dot = name.find('.');
  for (const auto& [key, member] : kInstructionKeys)
    if (dot != std::string::npos && dot == name.rfind('.'))
      names.push_back(fmt::format("{}.{}", name.substr(0, dot), key));
  return unknown_name(field, "number", name, device.name, names);
}

/// The paths of the op with a number of the same name as a number of an instruction.
std::vector<std::string> paths_of_op(const std::string& name, const Device& device) {
  const auto number = instruction_number(name);
  std::vector<std::string> paths;
  const Op* const op = number && !is_device_path(name) ? device.find_op(number->id) : nullptr;
  if (op == nullptr) return paths;
  if (number->key == "transactions" && op->transactions > 1)
    paths.push_back(fmt::format("ops/{}/transactions", op->name));
  for (std::size_t i = 0; i < op->then.size(); ++i)
    if (device.pipelines[op->then[i].pipeline].name == number->key)
      paths.push_back(fmt::format("ops/{}/then/{}/issue", op->name, i));
  return paths;
}

void set_one(Device& device, const LaunchOptions::SetNumber& set, const std::string& field) {
  if (instruction_number(set.name)) {  // which the kernel has taken
    const std::vector<std::string> paths = paths_of_op(set.name, device);
    if (paths.empty()) return;
    throw UsageError(Diagnostic{fmt::format("`{} {}`", field, set.name),
                                fmt::format("the kernel has such an instruction, and {} such an op", device.name), "",
                                fmt::format("write instructions/{}/{} or {}", instruction_number(set.name)->id,
                                            instruction_number(set.name)->key, fmt::join(paths, " or "))});
  }
  if (is_device_path(set.name)) return set_path(device, set, field);
  if (std::string problem = number_problem(set.name, set.value, device); !problem.empty())
    throw UsageError(Diagnostic{fmt::format("`{} {}`", field, set.name), std::move(problem),
                                fmt::format("found {}", set.value), "give another value"});
  if (!set_number(set.name, set.value, device)) throw unknown_number(field, set.name, device);
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

std::optional<InstructionNumber> instruction_number(std::string_view name) {
  constexpr std::string_view kFolder = "instructions/";
  const bool is_path = name.starts_with(kFolder);
  if (is_path) name.remove_prefix(kFolder.size());
  const auto end = name.rfind(is_path ? '/' : '.');
  if (end == std::string_view::npos || name.substr(0, end).find('/') != std::string_view::npos) return std::nullopt;
  const auto key =
      std::ranges::find(kInstructionKeys, name.substr(end + 1), [](const auto& each) { return each.first; });
  if (key == kInstructionKeys.end()) return std::nullopt;
  return InstructionNumber{std::string(name.substr(0, end)), std::string(key->first), key->second};
}

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

Device without_kernel(const Device& device, const LaunchOptions& options) {
  for (const auto& set : options.set)
    if (instruction_number(set.name))
      throw UsageError(Diagnostic{fmt::format("`set {}`", set.name), "there is no kernel that has the instruction", "",
                                  "leave it out"});
  return with_options(device, options);
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
  if (options.policy) kernel.policy.reset();  // the device's policy then, so caches see the same kernel
  for (const auto& set : options.set) set_number_of_instruction(kernel, set);
  for (const auto& [id, degree] : options.conflict_degree)
    set_factor(kernel, id, &Instruction::conflict_degree, static_cast<double>(degree), "conflict_degree");
  for (const auto& [id, count] : options.transactions)
    set_factor(kernel, id, &Instruction::transactions, static_cast<double>(count), "transactions");
  return kernel;
}

Device with_options(Device device, const LaunchOptions& options) {
  for (const auto& set : options.set_device) set_path(device, set, "set_device");
  if (options.policy) device.policy = *options.policy;
  if (options.clock) {
    if (auto refusal = refusal_of_clock("`clock`", *options.clock, "")) throw UsageError(std::move(*refusal));
    set_clock(device, *options.clock);
    device.sources.erase("clock_hz");
  }
  for (const auto& set : options.set) set_one(device, set, "set");
  for (const auto& scale : options.scale) scale_latencies(device, scale);
  for (const auto& set : options.final_set) set_one(device, set, "vary");
  return device;
}

Device device_of_run(Device device, const Kernel& kernel, const LaunchOptions& options) {
  device = with_options(std::move(device), options);
  if (const Hertz clock = clock_in(device, kernel); !options.clock && clock < device.clock) set_clock(device, clock);
  return device;
}

}  // namespace warpipe
