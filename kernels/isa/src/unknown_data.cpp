// What is said of control and addresses that depend on what nobody gave: on which data, and which options answer it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

#include "parameter_flow.hpp"
#include "warp_run.hpp"

namespace warpipe::isa {
namespace {

/// The options that answer a question, or that there are none.
std::string advice_of(const std::vector<std::string>& options) {
  if (options.empty()) return "no option gives it: this kernel cannot be imported";
  return fmt::format("give {}", fmt::join(options, ", or "));
}

}  // namespace

std::string WarpRun::described(std::uint32_t index) const {
  const auto& instruction = kernel_.at(index);
  const auto place = source_of(kernel_.input.program, index);
  return fmt::format("\"{}\" at line {}{}", instruction.name, instruction.line, place.empty() ? "" : ", from " + place);
}

std::vector<std::string> WarpRun::arrays_read_by(std::uint32_t load) const {
  std::vector<std::string> labels;
  const auto& [program, definitions] = std::tie(kernel_.input.program, kernel_.input.definitions);
  const auto& access = *program.instructions[load].access;
  const auto holds = parameters_in_results(program, definitions);
  auto parameters = parameters_in(program, access.base, load, definitions, holds);
  if (access.uniform_base) parameters.merge(parameters_in(program, *access.uniform_base, load, definitions, holds));
  for (const auto index : parameters)
    if (index >= program.parameters.size())
      labels.push_back(region_label(program.regions[index - program.parameters.size()]));
    else if (kernel_.input.arguments[index].pointer)
      labels.push_back(parameter_label(program, index, kernel_.input.names));
  return labels;
}

std::string WarpRun::missing_arguments() const {
  const auto& program = kernel_.input.program;
  std::vector<bool> missing(program.parameters.size(), false);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto* read = kernel_.input.slice.needed[i] ? parameter_of(program.instructions[i]) : nullptr;
    if (read != nullptr && read->index != kNoParameter && !kernel_.input.arguments[read->index].bits)
      missing[read->index] = !is_structure(program.parameters[read->index]);
  }
  std::string list;
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (missing[i]) list += fmt::format(" {}=VALUE", parameter_label(program, i, kernel_.input.names));
  return list;
}

void WarpRun::fail_by_parameter(std::uint32_t instruction, std::uint32_t load, const std::string& what,
                                const std::string& option) const {
  const auto& program = kernel_.input.program;
  const auto index = parameter_of(program.instructions[load])->index;
  const std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (index == kNoParameter)
    kernel_.fail(instruction, what + " needs a parameter that is read through a register", "found " + described(load),
                 advice_of(options));
  const auto text = describe_parameter(program, index, kernel_.input.names);
  if (is_structure(program.parameters[index]))
    kernel_.fail(instruction, fmt::format("{} needs a field of {}, a structure", what, text),
                 "found no value, and `arguments` gives none to fields", advice_of(options));
  kernel_.fail(instruction, fmt::format("{} needs the value of {}", what, text), "found none",
               fmt::format("give `arguments{}`", missing_arguments()));
}

void WarpRun::fail_by_data(std::uint32_t instruction, const Input& input, const std::string& what,
                           const std::string& option) const {
  const auto& instructions = kernel_.input.program.instructions;
  const auto origin = origin_of(input);
  std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (origin >= instructions.size())
    kernel_.fail(instruction, what + " depends on a register that is read before it is written", "",
                 advice_of(options));
  const auto& source = instructions[origin];
  if (parameter_of(source) != nullptr) fail_by_parameter(instruction, origin, what, option);
  if (!source.access || source.access->kind != Access::Kind::Load)
    kernel_.fail(instruction, what + " depends on an instruction that is not followed", "found " + described(origin),
                 advice_of(options));

  const auto arrays = arrays_read_by(origin);
  const auto space = source.access->space;
  std::string from;
  if (!arrays.empty()) {
    from = fmt::format(" from {}", fmt::join(arrays, " or "));
    options.push_back(
        fmt::format("the values of {0} by `arrays {0}=FILE` or `arrays {0}=uniform:LIMIT`", arrays.front()));
  } else if (space != Space::Global && space != Space::Generic) {
    from = fmt::format(" from {} memory, whose values are not followed", to_string(space));
  }
  kernel_.fail(instruction, what + " depends on data", fmt::format("found the load {}{}", described(origin), from),
               advice_of(options));
}

}  // namespace warpipe::isa
