#include "balance_pipelines.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace warpipe::ptx {
namespace {

constexpr std::string_view kMoved = "imad";

bool is_of_whole_numbers(std::string_view op) {
  static const std::set<std::string_view> kOps{"iadd", "shift", "logic", "compare", "select", "vote"};
  return kOps.contains(op);
}

bool is_of_multiply_adds(std::string_view op) {
  static const std::set<std::string_view> kOps{"ffma", "fadd", "fmul", "imad", "imad.wide", "imul", "hfma"};
  return kOps.contains(op);
}

/// A sum of two registers, or a register times a power of two (as from a bf16 to a float), without the work of a second
/// instruction.
bool may_move(const Instruction& instruction, const LoweredInstruction& lowered) {
  const auto& opcode = instruction.opcode();
  if (lowered.gone || lowered.joined || lowered.ops.size() != 1) return false;
  if (opcode == "cvt") return lowered.ops.front() == "shift" && instruction.has("bf16");
  if (instruction.operands.size() != 3) return false;
  if (instruction.type().bits != 32 || instruction.type().kind == Type::Kind::Float || writes_carry(instruction) ||
      instruction.carry_in)
    return false;
  const bool number = instruction.operands[2].kind == Operand::Kind::Immediate;
  if (opcode == "add" || opcode == "sub") return !number && lowered.reads.size() == 2;
  return opcode == "shl" && number;
}

}  // namespace

std::size_t balance_pipelines(const Routine& routine, Lowered& lowered) {
  std::int64_t whole = 0, multiply_adds = 0;
  std::vector<std::size_t> movable;
  for (std::size_t i = 0; i < lowered.instructions.size(); ++i) {
    const auto& one = lowered.instructions[i];
    if (one.gone) continue;
    whole += std::ranges::count_if(one.ops, is_of_whole_numbers);
    multiply_adds += std::ranges::count_if(one.ops, is_of_multiply_adds);
    if (may_move(routine.instructions[i], one)) movable.push_back(i);
  }
  const auto all = movable.size();
  const auto excess = static_cast<std::size_t>(std::max<std::int64_t>(0, whole - multiply_adds));
  const auto moved = std::min(all, excess / 2);
  for (std::size_t i = 0; i < all; ++i)
    if ((i + 1) * moved / all > i * moved / all) lowered.instructions[movable[i]].ops = {std::string(kMoved)};
  return moved;
}

}  // namespace warpipe::ptx
