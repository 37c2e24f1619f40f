#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/slice.hpp"

namespace warpipe::ptx {
namespace {

constexpr int kArrayShift = 40;
constexpr int kMostPasses = 16;  // over the text: a chain of copies against its order is longer in no compiler's output

/// The parameters that some address is made of: followed forward through copies, sums and conversions.
std::vector<bool> used_as_addresses(const Routine& routine) {
  std::vector<std::set<std::size_t>> holds(routine.registers.size());
  std::vector<bool> result(routine.parameters.size(), false);
  const auto parameter = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(routine.parameters, name, &Variable::name) -
                                    routine.parameters.begin());
  };
  bool changed = true;
  for (int pass = 0; changed && pass < kMostPasses; ++pass) {
    changed = false;
    for (const auto& instruction : routine.instructions) {
      static const std::set<std::string, std::less<>> kPass{"mov", "add", "cvta", "sub", "selp", "mad", "ld"};
      if (!kPass.contains(instruction.opcode())) continue;
      std::set<std::size_t> origins;
      if (instruction.opcode() == "ld") {
        if (instruction.space() != StateSpace::Parameter || instruction.type().bits != 64) continue;
        const auto index = instruction.operands.size() > 1 ? parameter(instruction.operands[1].name) : result.size();
        if (index < result.size()) origins.insert(index);
      } else {
        for (const auto reg : read_registers(instruction)) origins.insert(holds[reg].begin(), holds[reg].end());
      }
      for (const auto reg : written_registers(instruction)) {
        const auto before = holds[reg].size();
        holds[reg].insert(origins.begin(), origins.end());
        changed |= holds[reg].size() != before;
      }
    }
  }
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

[[noreturn]] void refuse(const std::string& name, const std::string& rule, const std::string& found,
                         const std::string& advice) {
  throw UsageError(Diagnostic{"--arg " + name, rule, found, advice});
}

std::uint64_t parse_value(const std::string& name, const std::string& text, Type type) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
    refuse(name, "the value of an argument is a number", fmt::format("found \"{}\"", text), "");
  if (type.kind == Type::Kind::Float) {
    if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    return std::bit_cast<std::uint64_t>(number);
  }
  const double most = std::ldexp(1, type.bits), least = -std::ldexp(1, type.bits - 1);
  if (std::floor(number) != number || number >= most || number < least || std::abs(number) > std::ldexp(1, 53))
    refuse(name, fmt::format("the argument is a whole number of {} bits", type.bits), fmt::format("found {}", text),
           "");
  const auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return type.bits == 64 ? whole : whole & ((std::uint64_t{1} << type.bits) - 1);
}

/// By its name in the source or in the PTX, or its position.
std::size_t find_parameter(const Routine& routine, const std::vector<std::string>& names, const std::string& given) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i) {
    if (routine.parameters[i].name == given || (i < names.size() && names[i] == given) || std::to_string(i) == given)
      return i;
    known.push_back(i < names.size() ? names[i] : routine.parameters[i].name);
  }
  std::string list;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i)
    list += (i == 0 ? "it has " : ", ") + describe_parameter(routine, i, names);
  refuse(given, fmt::format("\"{}\" has no such parameter", routine.name), list, suggest(given, known));
}

}  // namespace

std::string describe_parameter(const Routine& routine, std::size_t index, const std::vector<std::string>& names) {
  const auto& parameter = routine.parameters[index];
  const auto type = parameter.elements == 1 ? to_string(parameter.type)
                                            : fmt::format("{}[{}]", to_string(parameter.type), parameter.elements);
  const auto name = index < names.size() && names[index] != parameter.name ? names[index] + ", " : std::string();
  return fmt::format("parameter {} ({}.{} {})", index, name, type, parameter.name);
}

std::vector<Argument> bind_arguments(const Routine& routine, const PtxLaunch& launch,
                                     const std::vector<std::string>& names) {
  std::vector<Argument> result(routine.parameters.size());
  for (const auto& [name, text] : launch.arguments) {
    const auto index = find_parameter(routine, names, name);
    const auto& parameter = routine.parameters[index];
    if (parameter.elements != 1 || parameter.type.bits > 64)
      refuse(name, "an argument is a single number", "found a parameter that is a structure", "leave it out");
    if (result[index].bits) refuse(name, "the same argument is given twice", "", "");
    result[index].bits = parse_value(name, text, parameter.type);
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
    auto& argument = result[find_parameter(routine, names, name)];
    if (!argument.pointer)
      throw UsageError(Diagnostic{"--array " + name, "values are given for a pointer", "found a number", "use --arg"});
    argument.values = &values;
  }
  return result;
}

}  // namespace warpipe::ptx
