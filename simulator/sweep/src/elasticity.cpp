#include "what_if_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

/// Sets the step; nothing where the latency is too short for a step.
bool choose_values(Elasticity& row, double step) {
  constexpr double kTick = 1.0 / static_cast<double>(kTicksPerCycle);
  if (row.value.count < kTick / 2) return false;
  // Whole milli-cycles: the latency as bound then moves by exactly the step, however it rounds.
  const double distance =
      std::max(1.0, std::round(step * row.value.count / kTick)) / static_cast<double>(kTicksPerCycle);
  row.less = Cycles{std::max(0.0, row.value.count - distance)};
  row.more = Cycles{row.value.count + distance};
  return true;
}

void add(std::vector<Knob>& knobs, Knob knob, double step) {
  if (choose_values(knob.row, step)) knobs.push_back(std::move(knob));
}

Knob knob_of(std::string name, std::string op, std::string latency, Cycles value,
             std::function<void(WhatIfModel&, Cycles)> set) {
  Knob knob;
  knob.row.name = std::move(name);
  knob.row.op = std::move(op);
  knob.row.latency = std::move(latency);
  knob.row.value = value;
  knob.set = std::move(set);
  return knob;
}

Latency constant(Cycles value) { return Latency{{{1, value.count}}}; }

/// The increments per conflict and per transaction in a further pipeline keep their ratio to the lambda: there they are
/// one throughput.
void set_issue(Then& then, Cycles value, Cycles before) {
  then.issue = constant(value);
  for (std::optional<Cycles>* increment : {&then.per_conflict, &then.per_transaction})
    if (*increment) (*increment)->count *= value.count / before.count;
}

void add_op(std::vector<Knob>& knobs, const RunningModel& running, std::size_t index, double step) {
  const Device& device = running.model.device;
  const Op& op = device.ops[index];
  const auto at_launch = [&](const Latency& latency) { return latency_at(latency, running.resident_warps); };
  add(knobs,
      knob_of(op.name, op.name, "issue", at_launch(op.issue),
              [index](WhatIfModel& model, Cycles value) { model.device.ops[index].issue = constant(value); }),
      step);
  add(knobs,
      knob_of(op.name, op.name, "completion", at_launch(op.completion),
              [index](WhatIfModel& model, Cycles value) { model.device.ops[index].completion = constant(value); }),
      step);
  for (std::size_t entry = 0; entry < op.then.size(); ++entry) {
    const Cycles before = at_launch(op.then[entry].issue);
    add(knobs,
        knob_of(op.name, op.name, device.pipelines[op.then[entry].pipeline].name, before,
                [index, entry, before](WhatIfModel& model, Cycles value) {
                  set_issue(model.device.ops[index].then[entry], value, before);
                }),
        step);
  }
}

/// A step without rounding to milli-cycles: the time of a sector is shorter, and the sum over many sectors is rounded
/// once.
void choose_any_values(Elasticity& row, double step) {
  row.less = Cycles{row.value.count * (1 - step)};
  row.more = Cycles{row.value.count * (1 + step)};
}

/// Numbers beyond the units are given in seconds.
void add_level(std::vector<Knob>& knobs, const Device& device, std::size_t index, double step) {
  const MemoryLevel& level = device.memory->levels[index];
  const double clock = device.clock.count;
  const auto changed = [index](WhatIfModel& model) -> MemoryLevel& { return model.device.memory->levels[index]; };
  add(knobs,
      knob_of(level.name, level.name, "latency", latency_of(level, device.clock),
              [changed, clock](WhatIfModel& model, Cycles value) {
                const bool is_of_unit = changed(model).scope == LevelScope::ComputeUnit;
                if (is_of_unit)
                  changed(model).latency = value;
                else
                  changed(model).latency_s = Seconds{value.count / clock};
              }),
      step);
  if (!level.read_rate) return;
  const double sector = static_cast<double>(level.sector_bytes);
  Knob rate = knob_of(level.name, level.name, "sector", Cycles{sector / level.read_rate->count * clock},
                      [changed, clock, sector](WhatIfModel& model, Cycles value) {
                        const double factor = sector * clock / value.count / changed(model).read_rate->count;
                        MemoryLevel& own = changed(model);
                        for (std::optional<BytesPerSecond>* each : {&own.read_rate, &own.write_rate, &own.mixed_rate})
                          if (*each) (*each)->count *= factor;
                      });
  choose_any_values(rate.row, step);
  knobs.push_back(std::move(rate));
}

/// The two latencies of an instruction are its own where they are given; a pipeline of `then` belongs to the op, so the
/// instruction gets an op of its own with another lambda there.
void add_instruction(std::vector<Knob>& knobs, const RunningModel& running, std::size_t index, double step) {
  const Instruction& instruction = running.model.kernel.instructions[index];
  const Op& op = *running.model.device.find_op(instruction.op);
  const auto at_launch = [&](const Latency& latency) { return latency_at(latency, running.resident_warps); };
  add(knobs,
      knob_of(instruction.id, op.name, "issue", instruction.issue_latency.value_or(at_launch(op.issue)),
              [index](WhatIfModel& model, Cycles value) { model.kernel.instructions[index].issue_latency = value; }),
      step);
  add(knobs,
      knob_of(
          instruction.id, op.name, "completion", instruction.completion_latency.value_or(at_launch(op.completion)),
          [index](WhatIfModel& model, Cycles value) { model.kernel.instructions[index].completion_latency = value; }),
      step);
  for (std::size_t entry = 0; entry < op.then.size(); ++entry) {
    const Cycles before = at_launch(op.then[entry].issue);
    add(knobs,
        knob_of(instruction.id, op.name, running.model.device.pipelines[op.then[entry].pipeline].name, before,
                [index, entry, before](WhatIfModel& model, Cycles value) {
                  Instruction& changed = model.kernel.instructions[index];
                  Op own = *model.device.find_op(changed.op);
                  own.name += "#" + changed.id;
                  set_issue(own.then[entry], value, before);
                  changed.op = own.name;
                  model.device.ops.push_back(std::move(own));
                }),
        step);
  }
}

/// @param off  how far the difference of the two times may be off, a fraction of the base
double slope(Ticks from, Ticks to, Ticks base, Cycles less, Cycles more, Cycles value, double off) {
  if (base.count == 0 || more.count <= less.count) return 0;
  const double change = static_cast<double>(to.count - from.count) / static_cast<double>(base.count);
  return std::abs(change) < off ? 0 : change / ((more.count - less.count) / value.count);
}

}  // namespace

bool sides_disagree(const Elasticity& elasticity) {
  return (elasticity.below < 0 && elasticity.above > 0) || (elasticity.below > 0 && elasticity.above < 0);
}

std::vector<std::size_t> instructions_that_run(const Program& program) {
  std::set<std::size_t> running;
  for (const InstructionStream& stream : program.streams)
    running.insert(stream.instructions.begin(), stream.instructions.end());
  return {running.begin(), running.end()};
}

std::vector<Knob> op_knobs(const RunningModel& running, double step) {
  const Device& device = running.model.device;
  std::vector<Knob> knobs;
  std::set<const Op*> seen;
  for (const std::size_t each : instructions_that_run(running.program)) {
    const Op* op = device.find_op(running.model.kernel.instructions[each].op);
    if (seen.insert(op).second) add_op(knobs, running, static_cast<std::size_t>(op - device.ops.data()), step);
  }
  const auto is_global = [](const Op* op) { return class_of(op->name) == OpClass::GlobalMemory; };
  if (!device.memory || std::ranges::none_of(seen, is_global)) return knobs;
  for (std::size_t level = 0; level < device.memory->levels.size(); ++level) add_level(knobs, device, level, step);
  return knobs;
}

std::vector<Knob> instruction_knobs(const RunningModel& running, double step) {
  std::vector<Knob> knobs;
  for (const std::size_t each : instructions_that_run(running.program)) {
    const auto first = knobs.size();
    add_instruction(knobs, running, each, step);
    for (auto i = first; i < knobs.size(); ++i) knobs[i].row.text = running.model.kernel.instructions[each].text;
  }
  return knobs;
}

void finish(Elasticity& row, Ticks base) {
  row.central = slope(row.cycles_less, row.cycles_more, base, row.less, row.more, row.value, row.off);
  row.below = slope(row.cycles_less, base, base, row.less, row.value, row.value, row.off);
  row.above = slope(base, row.cycles_more, base, row.value, row.more, row.value, row.off);
}

}  // namespace warpipe
