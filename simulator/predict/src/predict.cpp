#include "warpipe/predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "warpipe/idg/idle_waits.hpp"
#include "warpipe/latency_tables/intervals.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/one_unit.hpp"
#include "warpipe/predict/plausibility.hpp"
#include "warpipe/predict/run_within.hpp"
#include "warpipe/predict/time_range.hpp"

namespace warpipe {
namespace {

std::vector<PipelineUse> pipeline_uses(const Program& program, const Device& device, Ticks cycles) {
  std::vector<PipelineUse> uses;
  for (std::size_t i = 0; i < device.pipelines.size(); ++i) {
    PipelineUse use;
    use.name = device.pipelines[i].name;
    use.scope = device.pipelines[i].scope;
    use.instances = instances(program.machine, use.scope);
    use.busy = busy(program, i);
    if (use.busy.count == 0) continue;
    if (cycles.count > 0)
      use.utilization = to_cycles(use.busy).count / (static_cast<double>(use.instances) * to_cycles(cycles).count);
    uses.push_back(use);
  }
  return uses;
}

/// The executed instructions, in the order of the kernel.
std::vector<const Instruction*> instructions_that_run(const Program& program, const Kernel& kernel) {
  std::set<std::uint32_t> running;
  for (const InstructionStream& stream : program.streams)
    running.insert(stream.instructions.begin(), stream.instructions.end());
  std::vector<const Instruction*> instructions;
  for (const std::uint32_t index : running) instructions.push_back(&kernel.instructions[index]);
  return instructions;
}

/// The rows of instructions, each once.
std::vector<const Op*> rows_of(const std::vector<const Instruction*>& instructions, const Device& device) {
  std::vector<const Op*> ops;
  for (const Instruction* instruction : instructions) {
    const Op* op = device.find_op(instruction->op);
    if (std::ranges::find(ops, op) == ops.end()) ops.push_back(op);
  }
  return ops;
}

std::vector<LatencySources::Fitted> fitted_numbers(const std::vector<const Op*>& ops, const Device& device) {
  std::vector<std::string> names;
  for (const Op* op : ops) names.push_back(op->name);
  std::vector<LatencySources::Fitted> fitted;
  for (const TableParameter& parameter : parameters_of(device, names)) {
    const Source* source = source_of(parameter, device);
    if (source == nullptr) continue;
    const auto before = source->uncalibrated.find(key_of(parameter, device));
    if (before == source->uncalibrated.end()) continue;
    fitted.push_back({parameter.name, value_of(parameter, device), before->second, interval_of(parameter, device)});
  }
  return fitted;
}

LatencySources latency_sources(const std::vector<const Op*>& ops, const Device& device) {
  std::map<SourceKind, std::int64_t> by_kind;
  LatencySources sources;
  for (const Op* op : ops) {
    ++sources.ops;
    if (op->source) {
      ++by_kind[op->source->kind];
    } else {
      ++sources.without_source;
    }
    if (!op->source || op->source->kind != SourceKind::Measured) sources.not_measured.push_back(op->name);
  }
  sources.by_kind.assign(by_kind.begin(), by_kind.end());
  sources.fitted = fitted_numbers(ops, device);
  return sources;
}

std::vector<const Instruction*> loads_among(std::vector<const Instruction*> instructions) {
  std::erase_if(instructions, [](const Instruction* each) { return !each->op.starts_with("global.load"); });
  return instructions;
}

/// An instruction's own latency beats `set`, `scale` and a sweep.
std::vector<std::string> override_warnings(const Kernel& kernel, const LaunchOptions& options) {
  std::set<std::string> changed;
  for (const auto& set : options.set) changed.insert(set.name);
  for (const auto& set : options.final_set) changed.insert(set.name);
  for (const auto& scale : options.scale)
    for (const char* field : {".issue", ".completion"}) changed.insert(scale.op + field);
  std::vector<std::string> warnings;
  const auto warn = [&](const Instruction& instruction, const char* field, const std::optional<Cycles>& own) {
    if (!own || !changed.contains(fmt::format("{}.{}", instruction.op, field))) return;
    warnings.push_back(
        fmt::format("instruction \"{}\" has its own {} latency of {} cycles in the kernel file; the options for {} "
                    "do not change it",
                    instruction.id, field, own->count, instruction.op));
  };
  for (const Instruction& instruction : kernel.instructions) {
    warn(instruction, "issue", instruction.issue_latency);
    warn(instruction, "completion", instruction.completion_latency);
  }
  return warnings;
}

/// Warnings about effects outside the model: strides at which the lanes of a warp meet at few places.
std::vector<std::string> stride_warnings(const LoweredLaunch& lowered) {
  std::vector<std::string> warnings;
  if (!lowered.levels) return warnings;
  for (const AccessLevels& access : lowered.levels->accesses)
    if (access.far_apart > 0.5)
      warnings.push_back(fmt::format(
          "the lines that \"{}\" reaches at a time lie multiples of {} MiB apart: that these meet in few sets "
          "of the caches, channels of the memory and pages is not modelled, and takes a GPU longer",
          lowered.kernel.instructions[access.instruction].id, kFarApart >> 20));
  return warnings;
}

}  // namespace

const std::string& limiter_name(const Prediction& prediction) { return prediction.bounds[prediction.limiter].name; }

std::optional<Interval> interval_of_time(const Prediction& prediction) {
  return prediction.range ? std::optional(prediction.range->time) : std::nullopt;
}

double ratio_to_bound(const Prediction& prediction) {
  const Ticks bound = prediction.bounds[prediction.limiter].cycles;
  return bound.count == 0 ? 1.0 : to_cycles(prediction.cycles).count / to_cycles(bound).count;
}

Prediction prediction_of(const LoweredLaunch& lowered, const RunWithin& run) {
  const SimulationResult& result = run.result;
  const Kernel& kernel = lowered.kernel;
  const Device& device = lowered.device;
  const LaunchOptions& options = lowered.options;
  const Program& program = lowered.program;
  const Bounds& bounds = lowered.bounds;

  Prediction prediction;
  prediction.kernel = kernel.name;
  prediction.device = device.name;
  prediction.device_title = device.title;
  prediction.form = kernel.form;
  prediction.policy = lowered.program.machine.policy;
  prediction.units = options.units;
  prediction.compute_units = device.compute_units;
  prediction.schedulers = device.schedulers;
  prediction.launch = lowered.launch;
  prediction.sample = program.sample;
  prediction.clock = device.clock;
  const auto keeps = [&](const Pipeline& pipeline) { return pipeline.clock == device.clock; };
  if (const auto found = std::ranges::find_if(device.pipelines, keeps);
      !options.clock && found != device.pipelines.end())
    prediction.clock_limit = found->name;
  prediction.warnings = override_warnings(kernel, options);
  std::ranges::move(idle_waits(kernel), std::back_inserter(prediction.warnings));
  if (options.units == Units::One && options.doubts)
    std::ranges::move(doubts_of_one_unit(lowered, result.cycles), std::back_inserter(prediction.warnings));
  prediction.limiter = static_cast<std::size_t>(&highest(bounds.bounds) - bounds.bounds.data());
  prediction.bounds = bounds.bounds;
  prediction.warps_needed = bounds.warps_needed;
  prediction.cycles = result.cycles;
  prediction.instructions_issued = result.issued;
  prediction.off = run.off;
  if (run.off > 0) prediction.simulated = 1 - static_cast<double>(result.skipped) / static_cast<double>(result.issued);
  prediction.time = to_seconds(result.cycles, device.clock);
  prediction.total_time = Seconds{prediction.time.count + device.launch_overhead.count};
  prediction.pipelines = pipeline_uses(program, device, result.cycles);
  const auto instructions = instructions_that_run(program, kernel);
  const auto ops = rows_of(instructions, device);
  const auto loads = loads_among(instructions);
  const bool cached = std::ranges::any_of(loads, [](const Instruction* load) { return is_cached(*load); });
  prediction.sources = latency_sources(ops, device);
  prediction.every_load_misses = !loads.empty() && !cached;
  prediction.memory = memory_traffic(lowered);
  std::ranges::move(stride_warnings(lowered), std::back_inserter(prediction.warnings));
  if (options.range && has_given_numbers(device))
    prediction.warnings.push_back(fmt::format(
        "no range: {} has numbers that are given, of which errors that were measured say nothing", device.name));
  else if (options.range)
    prediction.range = time_range(lowered, prediction);
  std::ranges::move(implausibilities(prediction, ops, cached, device), std::back_inserter(prediction.warnings));
  return prediction;
}

Prediction predict(const LoweredLaunch& launch) { return prediction_of(launch, run_within(launch)); }

Prediction predict(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  return predict(lower_launch(kernel, device, options));
}

}  // namespace warpipe
