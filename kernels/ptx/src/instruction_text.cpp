#include <fmt/format.h>

#include "decode.hpp"

namespace warpipe::ptx {
namespace {

std::string shown(const Routine& routine, const Operand& operand) {
  const auto joined = [&](const char* separator) {
    std::string text;
    for (const auto& part : operand.parts) text += (text.empty() ? "" : separator) + shown(routine, part);
    return text;
  };
  switch (operand.kind) {
    case Operand::Kind::Register:
      return (operand.negated ? "!" : "") + routine.registers[operand.reg].name;
    case Operand::Kind::Immediate:
      if (operand.float_bits == 32) return fmt::format("0f{:08X}", operand.bits);
      if (operand.float_bits == 64) return fmt::format("0d{:016X}", operand.bits);
      return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
    case Operand::Kind::Special:
    case Operand::Kind::Symbol:
      return operand.name;
    case Operand::Kind::Address: {
      const auto base = operand.has_register ? routine.registers[operand.reg].name : operand.name;
      return operand.offset == 0 ? fmt::format("[{}]", base) : fmt::format("[{}+{}]", base, operand.offset);
    }
    case Operand::Kind::Vector:
      return fmt::format("{{{}}}", joined(", "));
    case Operand::Kind::Sink:
      return "_";
  }
  return "";
}

}  // namespace

std::string to_string(const Routine& routine, const Instruction& instruction) {
  std::string text = instruction.guard ? "@" + shown(routine, *instruction.guard) + " " : std::string();
  text += instruction.name;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + shown(routine, instruction.operands[i]);
  return text;
}

}  // namespace warpipe::ptx
