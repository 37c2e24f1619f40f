// What is said of control and addresses that depend on what nobody gave: on which data, and which options answer it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "parameter_flow.hpp"
#include "warp_run.hpp"

namespace warpipe::ptx {
namespace {

/// The options that answer a question, or that there are none.
std::string advice_of(const std::vector<std::string>& options) {
  if (options.empty()) return "no option gives it: this kernel cannot be imported";
  return fmt::format("give {}", fmt::join(options, ", or "));
}

}  // namespace

std::string WarpRun::described(std::uint32_t index) const {
  const auto& instruction = kernel_.input.routine.instructions[index];
  const auto place = kernel_.source(index);
  return fmt::format("\"{}\" at line {}{}", instruction.name, instruction.line, place.empty() ? "" : ", from " + place);
}

std::vector<std::string> WarpRun::arrays_read_by(const Instruction& load) const {
  std::vector<std::string> labels;
  const auto& address = load.operands.back();
  if (!address.has_register || (load.space() != StateSpace::Global && load.space() != StateSpace::Generic))
    return labels;
  const auto parameters = parameters_in_registers(kernel_.input.routine);
  for (const auto index : parameters[address.reg])
    if (kernel_.input.arguments[index].pointer)
      labels.push_back(parameter_label(kernel_.input.routine, index, kernel_.input.names));
  return labels;
}

std::string WarpRun::missing_arguments() const {
  const auto& routine = kernel_.input.routine;
  std::vector<bool> missing(routine.parameters.size(), false);
  for (std::uint32_t i = 0; i < routine.instructions.size(); ++i) {
    const auto& instruction = routine.instructions[i];
    if (!kernel_.input.slice.needed[i] || !is_parameter_load(instruction)) continue;
    if (const auto index = loaded_parameter(routine, instruction); index && !kernel_.input.arguments[*index].bits)
      missing[*index] = !is_structure(routine.parameters[*index]);
  }
  std::string list;
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (missing[i]) list += fmt::format(" {}=VALUE", parameter_label(routine, i, kernel_.input.names));
  return list;
}

void WarpRun::fail_by_parameter(std::uint32_t instruction, std::uint32_t load, const std::string& what,
                                const std::string& option) const {
  const auto& routine = kernel_.input.routine;
  const auto index = loaded_parameter(routine, routine.instructions[load]);
  const std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (!index)
    kernel_.fail(instruction, what + " needs a parameter that is read through a register", "found " + described(load),
                 advice_of(options));
  const auto text = describe_parameter(routine, *index, kernel_.input.names);
  if (is_structure(routine.parameters[*index]))
    kernel_.fail(instruction, fmt::format("{} needs a field of {}, a structure", what, text),
                 "found no value, and --arg gives none to fields", advice_of(options));
  kernel_.fail(instruction, fmt::format("{} needs the value of {}", what, text), "found none",
               "give --arg" + missing_arguments());
}

void WarpRun::fail_by_data(std::uint32_t instruction, std::uint32_t reg, const std::string& what,
                           const std::string& option) const {
  const auto& instructions = kernel_.input.routine.instructions;
  const auto origin = registers_.origin[reg];
  std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (origin >= instructions.size())
    kernel_.fail(instruction, what + " depends on a register that is read before it is written", "",
                 advice_of(options));
  const auto& source = instructions[origin];
  if (is_parameter_load(source)) fail_by_parameter(instruction, origin, what, option);
  if (source.opcode() != "ld" && source.opcode() != "ldu")
    kernel_.fail(instruction, what + " depends on an instruction that is not followed", "found " + described(origin),
                 advice_of(options));

  const auto arrays = arrays_read_by(source);
  std::string from;
  if (!arrays.empty()) {
    from = fmt::format(" from {}", fmt::join(arrays, " or "));
    options.push_back(
        fmt::format("the values of {0} by --array {0}=FILE or --array {0}=uniform:LIMIT", arrays.front()));
  } else if (source.space() != StateSpace::Global && source.space() != StateSpace::Generic) {
    from = fmt::format(" from {} memory, whose values are not followed", to_string(source.space()));
  }
  kernel_.fail(instruction, what + " depends on data", fmt::format("found the load {}{}", described(origin), from),
               advice_of(options));
}

}  // namespace warpipe::ptx
