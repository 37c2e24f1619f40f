#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "parameter_flow.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/slice.hpp"

namespace warpipe::ptx {
namespace {

constexpr int kArrayShift = 40;

/// The parameters that some address is made of.
std::vector<bool> used_as_addresses(const Routine& routine) {
  const auto holds = parameters_in_registers(routine);
  std::vector<bool> result(routine.parameters.size(), false);
  for (const auto& instruction : routine.instructions) {
    if (!is_access(instruction) && instruction.opcode() != "cvta") continue;
    for (const auto& operand : instruction.operands) {
      const bool base = operand.kind == Operand::Kind::Address && operand.has_register;
      const bool converted = instruction.opcode() == "cvta" && operand.kind == Operand::Kind::Register;
      if (base || converted)
        for (const auto index : holds[operand.reg]) result[index] = true;
    }
  }
  return result;
}

constexpr const char* kWithoutFields =
    "leave it out, and answer the branches that need it by --taken LABEL=SHARE or --trip LABEL=N";

[[noreturn]] void refuse(const std::string& option, const std::string& rule, const std::string& found,
                         const std::string& advice) {
  throw UsageError(Diagnostic{option, rule, found, advice});
}

std::uint64_t parse_value(const std::string& option, const std::string& text, Type type) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
    refuse(option, "the value of an argument is a number", fmt::format("found \"{}\"", text), "");
  if (type.kind == Type::Kind::Float) {
    if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    return std::bit_cast<std::uint64_t>(number);
  }
  const double most = std::ldexp(1, type.bits), least = -std::ldexp(1, type.bits - 1);
  if (std::floor(number) != number || number >= most || number < least || std::abs(number) > std::ldexp(1, 53))
    refuse(option, fmt::format("the argument is a whole number of {} bits", type.bits), fmt::format("found {}", text),
           "");
  const auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return type.bits == 64 ? whole : whole & ((std::uint64_t{1} << type.bits) - 1);
}

/// By its name in the source or in the PTX, or its position.
std::size_t find_parameter(const Routine& routine, const std::vector<std::string>& names, const std::string& option,
                           const std::string& given) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i) {
    known.push_back(parameter_label(routine, i, names));
    if (routine.parameters[i].name == given || known.back() == given || std::to_string(i) == given) return i;
  }
  std::string list;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i)
    list += (i == 0 ? "it has " : ", ") + describe_parameter(routine, i, names);
  const auto nearest = nearest_name(given, known);
  refuse(option, fmt::format("\"{}\" has no such parameter", routine.name), list,
         nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

}  // namespace

bool is_structure(const Variable& parameter) { return parameter.elements != 1 || parameter.type.bits > 64; }

std::string parameter_label(const Routine& routine, std::size_t index, const std::vector<std::string>& names) {
  return index < names.size() && !names[index].empty() ? names[index] : routine.parameters[index].name;
}

std::string describe_parameter(const Routine& routine, std::size_t index, const std::vector<std::string>& names) {
  const auto& parameter = routine.parameters[index];
  const auto type = parameter.elements == 1 ? to_string(parameter.type)
                                            : fmt::format("{}[{}]", to_string(parameter.type), parameter.elements);
  const auto label = parameter_label(routine, index, names);
  const auto name = label != parameter.name ? label + ", " : std::string();
  return fmt::format("parameter {} ({}.{} {})", index, name, type, parameter.name);
}

std::vector<Argument> bind_arguments(const Routine& routine, const PtxLaunch& launch,
                                     const std::vector<std::string>& names) {
  std::vector<Argument> result(routine.parameters.size());
  for (const auto& [name, text] : launch.arguments) {
    const auto option = "--arg " + name;
    const auto index = find_parameter(routine, names, option, name);
    const auto& parameter = routine.parameters[index];
    if (is_structure(parameter))
      refuse(option, "an argument is a single number",
             fmt::format("found {}, a structure", describe_parameter(routine, index, names)), kWithoutFields);
    if (result[index].bits) refuse(option, "the same argument is given twice", "", "");
    result[index].bits = parse_value(option, text, parameter.type);
  }
  const auto addresses = used_as_addresses(routine);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& parameter = routine.parameters[i];
    const bool wide = parameter.type.bits == 64 && parameter.elements == 1 && parameter.type.kind != Type::Kind::Float;
    if (result[i].bits || !wide || !(parameter.is_pointer || addresses[i])) continue;
    result[i].pointer = true;
    result[i].bits = static_cast<std::uint64_t>(i + 1) << kArrayShift;
  }
  for (const auto& [name, values] : launch.arrays) {
    const auto option = "--array " + name;
    const auto index = find_parameter(routine, names, option, name);
    auto& argument = result[index];
    const bool structure = is_structure(routine.parameters[index]);
    if (!argument.pointer)
      refuse(
          option, "values are given for a pointer",
          fmt::format("found {}, a {}", describe_parameter(routine, index, names), structure ? "structure" : "number"),
          structure ? kWithoutFields : "use --arg");
    argument.values = &values;
  }
  return result;
}

}  // namespace warpipe::ptx
