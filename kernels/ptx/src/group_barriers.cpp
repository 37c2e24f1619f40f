#include "group_barriers.hpp"

#include <algorithm>

namespace warpipe::ptx {
namespace {

using Ops = std::vector<std::string>;

bool is_barrier(const Instruction& instruction) {
  return instruction.opcode() == "bar" || instruction.opcode() == "barrier";
}

const Operand* first_address(const Instruction& instruction) {
  const auto found = std::ranges::find(instruction.operands, Operand::Kind::Address, &Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

BarrierWords words_of_mbarrier(const Instruction& instruction) {
  BarrierWords words;
  words.awaits = instruction.has("test_wait") || instruction.has("try_wait");
  words.arrives = instruction.has("arrive") || instruction.has("arrive_drop") || instruction.has("complete_tx");
  words.place = first_address(instruction);
  if (words.awaits && instruction.has("parity") && instruction.operands.size() > 2)
    words.parity = &instruction.operands[2];
  return words;
}

/// A number from the text, or a number put into a register by a single instruction of the routine.
std::optional<std::int64_t> constant(const Routine& routine, const Operand& operand) {
  if (operand.kind == Operand::Kind::Immediate) return static_cast<std::int64_t>(operand.bits);
  if (operand.kind != Operand::Kind::Register) return std::nullopt;
  std::optional<std::int64_t> found;
  for (const auto& writer : routine.instructions) {
    if (std::ranges::count(written_registers(writer), operand.reg) == 0) continue;
    const bool is_number = writer.opcode() == "mov" && writer.operands.size() == 2 &&
                           writer.operands[1].kind == Operand::Kind::Immediate && !found;
    if (!is_number) return std::nullopt;
    found = static_cast<std::int64_t>(writer.operands[1].bits);
  }
  return found;
}

bool expects_bytes(const Instruction& instruction) {
  return instruction.opcode() == "mbarrier" && instruction.has("expect_tx");
}

bool is_tensor_load(const Instruction& instruction) {
  return is_bulk_copy(instruction) && instruction.has("tensor") &&
         &global_side(instruction) != &instruction.operands[0];
}

/// The share of each tensor copy behind an mbarrier in the bytes that the mbarrier expects.
std::optional<std::int64_t> part_of_expected(const Routine& routine, std::uint32_t copy) {
  const auto& instructions = routine.instructions;
  auto first = copy;
  while (first > 0 && !expects_bytes(instructions[first])) --first;
  const bool behind = !expects_bytes(instructions[first]);  // the text says it after its copies
  while (behind && first + 1 < instructions.size() && !expects_bytes(instructions[first])) ++first;
  if (!expects_bytes(instructions[first]) || instructions[first].operands.empty()) return std::nullopt;
  std::int64_t copies = 0;
  for (auto i = behind ? 0 : first + 1;
       i < instructions.size() && (behind ? i < first : !expects_bytes(instructions[i])); ++i)
    copies += is_tensor_load(instructions[i]) ? 1 : 0;
  const auto bytes = constant(routine, instructions[first].operands.back());
  if (!bytes || copies == 0) return std::nullopt;
  return *bytes / copies;
}

}  // namespace

std::optional<BarrierWords> barrier_words(const Instruction& instruction) {
  if (instruction.opcode() == "mbarrier") {
    const auto words = words_of_mbarrier(instruction);
    if (words.place == nullptr || !(words.arrives || words.awaits)) return std::nullopt;
    return words;
  }
  if (is_bulk_copy(instruction)) {
    // The mbarrier stands behind both places.
    const bool signals = std::ranges::any_of(
        instruction.words, [](const std::string& word) { return word.starts_with("mbarrier::complete_tx"); });
    const auto is_address = [](const Operand& operand) { return operand.kind == Operand::Kind::Address; };
    const auto last = std::ranges::find_if(instruction.operands.rbegin(), instruction.operands.rend(), is_address);
    if (!signals || last == instruction.operands.rend()) return std::nullopt;
    return BarrierWords{true, false, false, &*last, nullptr};
  }
  if (!is_barrier(instruction) || instruction.has("warp") || instruction.has("cluster") || instruction.has("red") ||
      instruction.operands.empty())
    return std::nullopt;
  const auto& number = instruction.operands.front();
  const bool whole = instruction.operands.size() == 1;  // without a count of threads all of the group meet
  const bool arrives_only = instruction.has("arrive");
  if (whole && !arrives_only) return std::nullopt;
  return BarrierWords{true, !arrives_only, true, &number, nullptr};
}

bool is_bulk_copy(const Instruction& instruction) {
  const bool copies = instruction.opcode() == "cp" && instruction.has("bulk");
  return copies && instruction.has("global") && !instruction.has("prefetch") && instruction.operands.size() >= 2;
}

const Operand& global_side(const Instruction& copy) {
  // The destination is named first: cp.async.bulk.shared::cluster.global, cp.async.bulk.global.shared::cta.
  const auto global = std::ranges::find(copy.words, "global");
  const auto shared = std::ranges::find_if(copy.words, [](const auto& word) { return word.starts_with("shared"); });
  return copy.operands[global < shared ? 0 : 1];
}

std::optional<std::int64_t> bytes_of_bulk_copy(const Routine& routine, std::uint32_t copy) {
  const auto& instruction = routine.instructions[copy];
  if (!instruction.has("tensor"))
    return instruction.operands.size() > 2 ? constant(routine, instruction.operands[2]) : std::nullopt;
  if (is_tensor_load(instruction)) return part_of_expected(routine, copy);
  return std::nullopt;
}

std::optional<Ops> asynchronous_ops(const Instruction& instruction) {
  if (is_bulk_copy(instruction))
    return Ops{&global_side(instruction) == &instruction.operands[0] ? "global.store" : "global.copy"};
  const auto& opcode = instruction.opcode();
  if (opcode == "cp" && instruction.has("bulk") && instruction.has("cluster")) return Ops{"shared.store"};
  if (opcode == "cp" && instruction.has("mbarrier")) return Ops{};  // the copies before it arrive
  if (opcode == "mbarrier") {
    if (instruction.has("init") || instruction.has("inval")) return Ops{"shared.store"};
    return Ops{instruction.has("test_wait") || instruction.has("try_wait") ? "wait" : "arrive"};
  }
  if (is_barrier(instruction) && instruction.has("cluster")) return instruction.has("arrive") ? Ops{} : Ops{"barrier"};
  if (!is_barrier(instruction)) return std::nullopt;
  const auto words = barrier_words(instruction);
  if (!words) return std::nullopt;
  return words->awaits ? Ops{"arrive", "wait"} : Ops{"arrive"};
}

}  // namespace warpipe::ptx
