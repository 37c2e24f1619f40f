#include "spill.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace warpipe::ptx {
namespace {

constexpr const char* kSpillVariable = "spills";
constexpr double kTripsOfALoop = 10;

/// How often blocks run, ten times for each loop around them.
void weigh(const std::vector<isa::Region>& regions, double weight, std::vector<double>& weights) {
  for (const auto& region : regions) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node)) weights[*block] = weight;
    if (const auto* loop = std::get_if<isa::NaturalLoop>(&region.node))
      weigh(loop->body, weight * kTripsOfALoop, weights);
  }
}

/// The registers behind control or addresses, whichever way control goes.
std::vector<bool> steering(const isa::Program& program) {
  std::vector<bool> steers(program.registers.size(), false);
  const auto mark = [&](const isa::RegisterRange& range) {
    bool changed = false;
    for (std::uint32_t i = 0; i < range.count; ++i) {
      changed = changed || !steers[range.first + i];
      steers[range.first + i] = true;
    }
    return changed;
  };
  const auto mark_input = [&](const isa::Input& input) {
    if (input.kind == isa::Input::Kind::Register) mark(input.registers);
  };
  for (const auto& instruction : program.instructions) {
    if (instruction.guard) mark_input(*instruction.guard);
    if (instruction.index) mark_input(*instruction.index);
    if (instruction.access) mark_input(instruction.access->base);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& instruction : program.instructions) {
      const auto steers_any = [&](const isa::RegisterRange& range) { return steers[range.first]; };
      if (!std::ranges::any_of(instruction.writes, steers_any)) continue;
      for (const auto& range : instruction.reads) changed = mark(range) || changed;
    }
  }
  return steers;
}

std::int64_t words_of(const Register& reg) { return (reg.type.bits + 31) / 32; }

/// The registers to spill, the cheapest first.
std::vector<std::uint32_t> choose(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
                                  const std::vector<std::uint32_t>& alive, std::int64_t words) {
  std::vector<double> weights(flow.blocks.size(), 0), costs(program.registers.size(), 0);
  weigh(flow.regions, 1, weights);
  for (std::uint32_t i = 0; i < routine.instructions.size(); ++i) {
    const auto weight = weights[flow.block_of[i]];
    for (const auto reg : read_registers(routine.instructions[i])) costs[reg] += weight;
    for (const auto reg : written_registers(routine.instructions[i])) costs[reg] += weight;
  }
  const auto steers = steering(program);
  std::vector<std::uint32_t> candidates;
  for (const auto reg : alive)
    if (!steers[reg] && !routine.registers[reg].name.starts_with(kSpillVariable)) candidates.push_back(reg);
  std::ranges::stable_sort(candidates, {}, [&](std::uint32_t reg) {
    return costs[reg] / static_cast<double>(words_of(routine.registers[reg]));
  });
  std::vector<std::uint32_t> chosen;
  for (const auto reg : candidates) {
    if (words <= 0) break;
    chosen.push_back(reg);
    words -= words_of(routine.registers[reg]);
  }
  return chosen;
}

/// Rewrites a routine with loads and stores of spilled values.
class Rewriter {
 public:
  Rewriter(Routine& routine, const std::vector<std::uint32_t>& chosen) : routine_(routine) {
    auto& space = variable();
    for (const auto reg : chosen) {
      const auto bytes = 4 * words_of(routine_.registers[reg]);
      space.elements = (space.elements + bytes - 1) / bytes * bytes;
      place_of_[reg] = space.elements;
      space.elements += bytes;
      result_.words += bytes / 4;
    }
  }

  Spills run() {
    const auto old = std::exchange(routine_.instructions, {});
    auto targets = std::exchange(routine_.targets, {});
    std::vector<std::uint32_t> moved_to;
    for (std::size_t i = 0; i < old.size(); ++i) {
      moved_to.push_back(static_cast<std::uint32_t>(routine_.instructions.size()));
      instruction(old[i], std::move(targets[i]));
    }
    moved_to.push_back(static_cast<std::uint32_t>(routine_.instructions.size()));
    renumber(routine_, moved_to);
    return result_;
  }

 private:
  Variable& variable() {
    for (auto& known : routine_.variables)
      if (known.name == kSpillVariable) return known;
    Variable made;
    made.name = kSpillVariable;
    made.space = StateSpace::Local;
    made.type = {Type::Kind::Bits, 8};
    made.alignment = 8;
    made.elements = 0;
    return routine_.variables.emplace_back(std::move(made));
  }

  void instruction(Instruction read, std::vector<std::uint32_t> targets) {
    const auto written = written_operands(read);
    std::map<std::uint32_t, std::uint32_t> loaded;
    for (std::size_t i = written; i < read.operands.size(); ++i) load_parts(read, read.operands[i], loaded);
    std::vector<std::uint32_t> stored;
    for (const auto reg : written_registers(read))
      if (place_of_.contains(reg)) stored.push_back(reg);
    const auto like = read;
    routine_.instructions.push_back(std::move(read));
    routine_.targets.push_back(std::move(targets));
    for (const auto reg : stored) access(like, reg, reg, true);
  }

  /// Gives each reader a register of its own, alive from its load to the reader.
  void load_parts(const Instruction& reader, Operand& operand, std::map<std::uint32_t, std::uint32_t>& loaded) {
    for (auto& part : operand.parts) load_parts(reader, part, loaded);
    if (operand.kind != Operand::Kind::Register || !place_of_.contains(operand.reg)) return;
    const auto reg = operand.reg;
    const auto [place, is_new] = loaded.emplace(reg, static_cast<std::uint32_t>(routine_.registers.size()));
    operand.reg = place->second;
    if (!is_new) return;
    routine_.registers.push_back(
        {std::string(kSpillVariable) + "." + routine_.registers[reg].name, routine_.registers[reg].type});
    access(reader, reg, place->second, false);
  }

  void access(const Instruction& like, std::uint32_t spilled, std::uint32_t reg, bool store) {
    Instruction made;
    const Type type{Type::Kind::Bits, static_cast<int>(32 * words_of(routine_.registers[spilled]))};
    made.words = {store ? "st" : "ld", "local", to_string(type)};
    made.name = made.words[0] + "." + made.words[1] + "." + made.words[2];
    made.types = {type};
    made.line = like.line;
    made.source = like.source;
    if (store) made.guard = like.guard;
    Operand value, address;
    value.kind = Operand::Kind::Register;
    value.reg = reg;
    address.kind = Operand::Kind::Address;
    address.name = kSpillVariable;
    address.offset = place_of_.at(spilled);
    made.operands = store ? std::vector{address, value} : std::vector{value, address};
    routine_.instructions.push_back(std::move(made));
    routine_.targets.emplace_back();
    ++(store ? result_.stores : result_.loads);
  }

  Routine& routine_;
  std::map<std::uint32_t, std::int64_t> place_of_;  ///< bytes in the variable, by register
  Spills result_;
};

}  // namespace

Spills spill(Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
             const std::vector<std::uint32_t>& alive, std::int64_t words) {
  const auto chosen = choose(routine, program, flow, alive, words);
  if (chosen.empty()) return {};
  return Rewriter(routine, chosen).run();
}

}  // namespace warpipe::ptx
