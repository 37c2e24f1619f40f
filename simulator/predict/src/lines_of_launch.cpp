#include "lines_of_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <variant>

#include "executions.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr double kMostUsed = 0.75;        // of the bytes of sectors: beyond, rows begun anywhere cost as much
constexpr double kFewestConflicts = 1.5;  // ways, as a mean
constexpr double kPositions = 64;         // of a rotation

/// The mean cycles for which an execution occupies a pipeline.
double time_on(std::size_t pipeline, const BoundInstruction& bound) {
  const auto along = [&](const std::vector<BoundThen>& stages) {
    double cycles = 0;
    for (const auto& stage : stages)
      if (stage.pipeline == pipeline) cycles += to_cycles(stage.issue).count;
    return cycles;
  };
  auto cycles = (bound.pipeline == pipeline ? to_cycles(bound.issue).count : 0) + along(bound.then);
  for (const auto& service : bound.services)
    cycles += static_cast<double>(service.positions) / kPositions * along(service.then);
  return cycles;
}

}  // namespace

LinesOfLaunch::LinesOfLaunch(const LoweredLaunch& launch, const Prediction& prediction)
    : uses(launch.kernel.instructions.size()), launch_(launch), prediction_(prediction) {
  const auto& limit = limiter_name(prediction);
  for (std::size_t i = 0; i < launch.device.pipelines.size(); ++i)
    if (limit == "pipeline " + launch.device.pipelines[i].name) pipeline = i;
  for (std::size_t k = 0; k < prediction.memory.levels.size(); ++k)
    if (limit == "pipeline " + prediction.memory.levels[k].name) level = k;
  for_each_execution(launch, launch.program,
                     [&](std::size_t index, double count, const Values& values) { add(index, count, values); });
  if (prediction.memory.levels.empty()) return;
  const auto& kernel = launch.kernel;
  for (const auto& access : prediction.memory.accesses) {
    const auto found = std::ranges::find(kernel.instructions, access.id, &Instruction::id);
    auto& use = uses[static_cast<std::size_t>(found - kernel.instructions.begin())];
    use.touched = access.levels.front().bytes;
    if (level) use.moved = access.levels[*level].bytes;
  }
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto array = array_of(instruction(i));
    if (!array) continue;
    Use& all = of_arrays_[{*array, access_kind(instruction(i).op)}];
    all.asked += uses[i].asked;
    all.moved += uses[i].moved;
  }
}

void LinesOfLaunch::add(std::size_t index, double count, const Values& values) {
  const auto& one = instruction(index);
  const auto bound =
      bind_latencies(one, launch_.device, values, prediction_.launch.resident_warps, launch_.launch.shape);
  auto& use = uses[index];
  use.executions += count;
  const Op& op = *launch_.device.find_op(one.op);
  use.ways += count * static_cast<double>(further_ways(op, bound.conflict_degree) > 0 ? bound.conflict_degree : 1);
  auto longest = bound.completion;
  for (const auto& service : bound.services) longest = std::max(longest, service.completion);
  if (!bound.retires_at_issue) use.latency += count * to_cycles(longest).count;
  use.busy.resize(launch_.device.pipelines.size());
  for (std::size_t i = 0; i < use.busy.size(); ++i) use.busy[i] += count * time_on(i, bound);
  use.work += count * (pipeline ? time_on(*pipeline, bound) : to_cycles(bound.scheduler_busy).count);
  if (!one.access || !launch_.device.memory) return;
  const auto width = one.access->width_bytes.evaluate_whole(values, 1);
  const auto sector = launch_.device.memory->transaction_bytes;
  use.needed = transactions_of_neighbours(*one.access, values, launch_.device);
  use.asked += count * static_cast<double>(launch_.device.warp_size * width);
  if (prediction_.memory.levels.empty()) use.touched += count * static_cast<double>(bound.transactions * sector);
}

bool LinesOfLaunch::is_scattered(std::size_t index) const {
  const auto& use = uses[index];
  return class_of(instruction(index).op) == OpClass::GlobalMemory && use.needed > 0 &&
         !std::holds_alternative<AccessPattern::Broadcast>(instruction(index).access->lanes) &&
         use.asked < kMostUsed * use.touched && (!level || (leaves_much(use) && leaves_much(of_array(index))));
}

bool LinesOfLaunch::leaves_much(const Use& use) { return use.asked < kMostUsed * use.moved; }

const Use& LinesOfLaunch::of_array(std::size_t index) const {
  const auto array = array_of(instruction(index));
  return array ? of_arrays_.at({*array, access_kind(instruction(index).op)}) : uses[index];
}

bool LinesOfLaunch::has_conflicts(std::size_t index) const {
  return class_of(instruction(index).op) == OpClass::SharedMemory &&
         uses[index].ways > kFewestConflicts * uses[index].executions;
}

std::vector<Heavy> LinesOfLaunch::by_weight(std::string (*name_of)(const Instruction&), double Use::*weight) const {
  std::map<std::string, Heavy> all;
  double work = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].*weight <= 0) continue;
    auto& of_name = all[name_of(instruction(i))];
    of_name.instructions.push_back(i);
    of_name.work += uses[i].*weight;
    work += uses[i].*weight;
  }
  std::vector<Heavy> sorted;
  for (auto& [name, heavy] : all) {
    heavy.share = work > 0 ? heavy.work / work : 0;
    sorted.push_back(std::move(heavy));
  }
  std::ranges::stable_sort(sorted, std::greater(), &Heavy::work);
  return sorted;
}

std::string source_line(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon + 1 >= text.size() || text.find(' ') < colon) return {};
  auto end = colon + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const bool is_line = end > colon + 1 && (end == text.size() || text[end] == ':');
  return is_line ? text.substr(0, end) : std::string();
}

std::string place_of(const Instruction& instruction) {
  const auto line = source_line(instruction.text);
  return line.empty() ? instruction.id : line;
}

std::optional<std::size_t> array_of(const Instruction& instruction) {
  if (!instruction.access) return std::nullopt;
  if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&instruction.access->lanes))
    return addressed->array;
  if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&instruction.access->lanes)) return sampled->array;
  return std::nullopt;
}

std::string kind_of(const Instruction& instruction) {
  const auto& op = instruction.op;
  const auto of = class_of(op);
  if (of != OpClass::GlobalMemory && of != OpClass::SharedMemory) return op;
  return fmt::format("{} {}", static_cast<int>(of), static_cast<int>(access_kind(op)));
}

std::string kind_and_place_of(const Instruction& instruction) {
  return place_of(instruction) + " " + kind_of(instruction);
}

}  // namespace warpipe
