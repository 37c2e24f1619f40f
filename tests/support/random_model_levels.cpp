#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/random_model.hpp"

/// The levels of a model's memory, as part of the nouns: they are no files.

namespace warpipe::random_model {
namespace {

constexpr double kClock = 1e9;  // clock of all random devices

double in_cycles(Time time) { return static_cast<double>(time) / static_cast<double>(kCycle); }

std::string level_name(std::size_t index) { return "level" + std::to_string(index); }

bool is_of_unit(const DeviceModel& model, std::size_t level) {
  return level == 0 && model.levels.size() > 1 && model.levels[level].of_unit;
}

Latency latency_of(const Points& points) {
  Latency latency{{{points.residents, in_cycles(points.first)}}};
  for (const auto& [more, time] : points.further)
    latency.points.emplace_back(latency.points.back().first + more, in_cycles(time));
  return latency;
}

MemoryLevel level_of(const DeviceModel& model, std::size_t index) {
  const Level& from = model.levels[index];
  MemoryLevel level;
  level.name = level_name(index);
  level.sector_bytes = from.sector_bytes;
  level.line_bytes = from.sectors * from.sector_bytes;
  if (is_of_unit(model, index)) {
    level.scope = LevelScope::ComputeUnit;
    level.latency = Cycles{in_cycles(from.latency)};
    level.cycles_per_line = Cycles{in_cycles(from.per_line)};
    level.cycles_per_packet = Cycles{in_cycles(from.per_packet)};
    if (from.unit_rate) level.bytes_per_cycle = *from.unit_rate;
  } else {
    level.latency_s = Seconds{in_cycles(from.latency) / kClock};
    if (from.read_rate) level.read_rate = BytesPerSecond{*from.read_rate * kClock};
    if (from.read_rate && from.write_rate) level.write_rate = BytesPerSecond{*from.write_rate * kClock};
    if (from.read_rate && from.line_rate) level.line_rate = Hertz{*from.line_rate / 100.0 * kClock};
    if (from.read_rate && from.store_line_rate) level.store_line_rate = Hertz{*from.store_line_rate / 100.0 * kClock};
    if (from.read_rate && from.mixed_rate) level.mixed_rate = BytesPerSecond{*from.mixed_rate * kClock};
  }
  return level;
}

/// The costs of each further way of an atomic, on its own pipeline and on the pipelines of levels.
void add_ways(const Op& from, const Device& device, warpipe::Op& op) {
  if (from.per_conflict)
    op.per_conflict =
        Increment{Cycles{in_cycles(from.per_conflict->issue)}, Cycles{in_cycles(from.per_conflict->completion)}};
  std::vector<std::size_t> of_levels;
  for (std::size_t i = 0; i < device.pipelines.size(); ++i)
    if (device.pipelines[i].level) of_levels.push_back(i);
  if (of_levels.empty()) return;
  for (const Stage& stage : from.then) {
    Then& then = op.then.emplace_back();
    then.pipeline = of_levels[static_cast<std::size_t>(stage.pipeline) % of_levels.size()];
    then.issue = latency_of(stage.issue);
    if (stage.per_conflict != 0) then.per_conflict = Cycles{in_cycles(stage.per_conflict)};
    if (stage.per_transaction != 0) then.per_turn = Cycles{in_cycles(stage.per_transaction)};
  }
}

void add_op(const DeviceModel& model, std::string_view name, Device& device) {
  warpipe::Op op;
  op.name = name;
  op.pipeline = static_cast<std::size_t>(model.global_op.pipeline) % (model.further_pipelines.size() + 1);
  op.issue = latency_of(model.global_op.issue);
  op.completion = latency_of(model.global_op.completion);
  op.issue_slots = model.global_op.issue_slots;
  // An atomic with an unused result is a store.
  op.retires_at_issue = name == "global.store" || (name == "global.atomic" && model.global_op.retires_at_issue);
  if (name == "global.atomic") add_ways(model.global_op, device, op);
  device.ops.push_back(op);
}

std::vector<warpipe::LevelUse> level_uses_of(const Instruction& instruction, const DeviceModel& device) {
  const std::array visible{std::string("warp")};
  const auto expression = [&](const std::string& text) { return Expression::parse(text, visible); };
  std::vector<LevelUse> said = instruction.levels;
  if (said.size() > device.levels.size()) said.resize(device.levels.size());
  int parts = 0;
  for (const LevelUse& use : said) parts += use.part;
  if (parts == 0) return {};
  std::vector<warpipe::LevelUse> uses;
  for (std::size_t i = 0; i < said.size(); ++i) {
    std::string share = fmt::format("{} / {}", said[i].part, parts);
    if (instruction.by_warp && said.size() > 1 && i < 2)
      share = fmt::format("({} + {} * min(warp, 1)) / {}", said[i].part, said[1 - i].part - said[i].part, parts);
    warpipe::LevelUse& use = uses.emplace_back(warpipe::LevelUse{level_name(i), expression(share), {}});
    if (said[i].sectors) use.sectors = expression(fmt::format("{} / 10", *said[i].sectors));
  }
  return uses;
}

void collect(const std::vector<Node>& body, std::vector<const Instruction*>& all) {
  for (const Node& node : body) {
    if (node.kind == Node::Kind::Instruction)
      all.push_back(&node.instruction);
    else
      collect(node.body, all);
  }
}

}  // namespace

const std::vector<std::string>& global_ops() {
  static const std::vector<std::string> names{"global.load",      "global.load.64", "global.store",
                                              "global.store.128", "global.atomic",  "global.copy"};
  return names;
}

void add_levels(const DeviceModel& model, Device& device) {
  if (model.levels.empty()) return;
  Memory& memory = device.memory.value();
  for (std::size_t i = 0; i < model.levels.size(); ++i) {
    const MemoryLevel& level = memory.levels.emplace_back(level_of(model, i));
    if (level.read_rate) device.pipelines.push_back({level.name, Scope::Device, {}, i});
  }
  memory.transaction_bytes = memory.levels.front().sector_bytes;
  if (model.store_latency) memory.store_latency = Seconds{in_cycles(*model.store_latency) / kClock};
  for (const char* name : {"global.load", "global.store", "global.atomic", "global.copy"}) add_op(model, name, device);
}

void add_level_uses(const Model& model, Kernel& kernel) {
  if (model.device.levels.empty()) return;
  std::vector<const Instruction*> all;
  collect(model.kernel.body, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    warpipe::Instruction& instruction = kernel.instructions[i];
    const auto& names = global_ops();
    if (std::find(names.begin(), names.end(), instruction.op) == names.end()) continue;
    if (all[i]->lines) instruction.lines = Expression::parse(std::to_string(*all[i]->lines), {});
    if (all[i]->turns) instruction.turns = Expression::parse(std::to_string(*all[i]->turns), {});
    instruction.levels = level_uses_of(*all[i], model.device);
  }
}

std::string shown_levels(const Model& model) {
  if (model.device.levels.empty()) return "";
  std::string text;
  const Device device = read_device(model);
  for (const MemoryLevel& level : device.memory->levels) {
    text += fmt::format("\n{}: {} {} cycles {} s, sector {} line {}, {} per line, {} per packet", level.name,
                        level.scope == LevelScope::ComputeUnit ? "unit" : "device", level.latency.count,
                        level.latency_s.count, level.sector_bytes, level.line_bytes, level.cycles_per_line.count,
                        level.cycles_per_packet.count);
    if (level.bytes_per_cycle) text += fmt::format(", {} per cycle", *level.bytes_per_cycle);
    if (level.read_rate) text += fmt::format(", read {} per s", level.read_rate->count);
    if (level.write_rate) text += fmt::format(", write {} per s", level.write_rate->count);
    if (level.mixed_rate) text += fmt::format(", mixed {} per s", level.mixed_rate->count);
  }
  if (device.memory->store_latency) text += fmt::format("\nstores {} s", device.memory->store_latency->count);
  const Op& op = model.device.global_op;
  text += fmt::format("\nglobal ops: pipeline {}, issue {}, completion {}, slots {}, atomics retire at issue: {}",
                      op.pipeline, in_cycles(op.issue.first), in_cycles(op.completion.first), op.issue_slots,
                      op.retires_at_issue);
  for (const warpipe::Instruction& instruction : read_kernel(model).instructions) {
    if (instruction.lines) text += fmt::format("\n{}: {} lines", instruction.id, instruction.lines->text());
    if (instruction.turns) text += fmt::format("\n{}: {} turns", instruction.id, instruction.turns->text());
    for (const warpipe::LevelUse& use : instruction.levels)
      text += fmt::format("\n{}: {} share {} sectors {}", instruction.id, use.level, use.share->text(),
                          use.sectors ? use.sectors->text() : "as transactions");
  }
  return text;
}

}  // namespace warpipe::random_model
