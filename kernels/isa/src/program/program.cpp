#include "warpipe/isa/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warpipe/isa/texture_read.hpp"

namespace warpipe::isa {
namespace {

void append(std::vector<std::uint32_t>& registers, const RegisterRange& range) {
  for (std::uint32_t i = 0; i < range.count; ++i) registers.push_back(range.first + i);
}

bool meet(const RegisterRange& one, const RegisterRange& other) {
  return one.first < other.first + other.count && other.first < one.first + one.count;
}

}  // namespace

std::string_view to_string(Space space) {
  switch (space) {
    case Space::Parameter:
      return "param";
    case Space::Constant:
      return "const";
    case Space::Global:
      return "global";
    case Space::Shared:
      return "shared";
    case Space::Local:
      return "local";
    default:
      return "generic";
  }
}

void add_grid_workspace(Program& program) {
  if (program.grid_workspace) return;
  constexpr std::int64_t kBytes = 16;  // a word with the arrivals, behind the size
  program.grid_workspace = static_cast<std::uint32_t>(program.regions.size());
  program.regions.push_back({"grid_workspace", Space::Global, {Type::Kind::Bits, 8}, 16, kBytes, false, {}});
}

std::string place_name(const Program& program, std::uint32_t instruction) {
  const auto label = program.labels.find(instruction);
  if (label != program.labels.end()) return label->second;
  return instruction < program.instructions.size() ? fmt::format("line {}", program.instructions[instruction].line)
                                                   : "the end";
}

std::string at_line(const std::string& file, std::uint32_t line) { return fmt::format("{}: line {}", file, line); }

std::string source_of(const Program& program, std::uint32_t instruction) {
  const auto& place = program.instructions[instruction].source;
  const auto file = program.sources.find(place.file);
  if (place.line == 0 || file == program.sources.end()) return "";
  return fmt::format("{}:{}", std::filesystem::path(file->second).filename().string(), place.line);
}

std::vector<std::uint32_t> read_registers(const Program& program, const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  for (const auto& range : instruction.reads) append(registers, range);
  if (program.mask && instruction.per_lane) append(registers, *program.mask);
  return registers;
}

std::vector<std::uint32_t> written_registers(const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  for (const auto& range : instruction.writes) append(registers, range);
  return registers;
}

bool writes_mask(const Program& program, const Instruction& instruction) {
  return program.mask && std::ranges::any_of(instruction.writes,
                                             [&](const RegisterRange& range) { return meet(range, *program.mask); });
}

bool narrows_mask(const Program& program, const Instruction& instruction) {
  for (const auto& [operation, inputs, outputs] : instruction.assignments)
    for (const auto& output : outputs) {
      if (!meet(output.registers, *program.mask)) continue;
      const auto is_mask = [&](const Input& input) {
        return input.kind == Input::Kind::Register && input.registers == *program.mask && !input.negated;
      };
      const bool keeps_less =
          output.registers == *program.mask && ((operation.op == LaneOp::And && std::ranges::any_of(inputs, is_mask)) ||
                                                (operation.op == LaneOp::AndNot && is_mask(inputs.front())));
      if (!keeps_less) return false;
    }
  return writes_mask(program, instruction) && !instruction.assignments.empty();
}

bool is_jump(const Instruction& instruction) {
  using Flow = Instruction::Flow;
  return instruction.flow == Flow::Jump || instruction.flow == Flow::Table || instruction.flow == Flow::Exit;
}

bool retries(const Instruction& instruction) {
  return instruction.access && instruction.access->meeting == Access::Meeting::Retry;
}

bool may_idle(const Instruction& instruction) {
  const auto& access = instruction.access;
  return access && instruction.guard && (access->space == Space::Global || access->space == Space::Generic);
}

namespace {

constexpr const char* kLevel = "l2";
constexpr int kTransactionsOfWords = 4;

}  // namespace

int turns_of(const TextureRead& read) {
  if (read.surface) return read.words;
  if (!read.linear) return std::max(2, read.words);
  if (!read.solid) return 2 * read.words;
  return read.words > 2 ? 32 : 4 * read.words;
}

void reach_texture(const TextureRead& read, Instruction& made) {
  made.level = kLevel;
  made.transactions = kTransactionsOfWords * read.words;
  made.texture_turns = turns_of(read);
}

}  // namespace warpipe::isa
