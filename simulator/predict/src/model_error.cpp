#include "model_error.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "executions.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {
namespace {

// Of the logarithm of a time.
constexpr double kOfChains = 0.03;        ///< of a kernel without memory
constexpr double kOfMemory = 0.06;        ///< of latency and of the memory behind the units
constexpr double kOfInstructions = 0.10;  ///< where issue or arithmetic limits: how many the compiler makes
constexpr double kOfFirstLevel = 0.18;    ///< where the pipeline of loads and stores limits: caches, conflicts, order
// Of imported code: missing rules. bench/validation/todays_kernels/model_error.py
constexpr double kOfCode = 0.18, kOfCodeInMemory = 0.10, kOfCodeInCaches = 0.30;
constexpr double kOfSpills = 0.7;  ///< which values leave the registers, and how often, is the compiler's secret

bool is_access(const Instruction& instruction) {
  const OpClass of = class_of(instruction.op);
  return of == OpClass::GlobalMemory || of == OpClass::SharedMemory;
}

/// Whether the limiter is the first pipeline of some access.
bool is_first_level(const LoweredLaunch& launch, const std::string& limiter) {
  return std::ranges::any_of(launch.kernel.instructions, [&](const Instruction& instruction) {
    if (!is_access(instruction)) return false;
    const std::size_t pipeline = launch.device.find_op(instruction.op)->pipeline;
    return limiter == "pipeline " + launch.device.pipelines[pipeline].name;
  });
}

/// The limiter, where it is a pipeline shared by all units: a level of the memory.
const Pipeline* shared_pipeline(const LoweredLaunch& launch, const std::string& limiter) {
  const auto found = std::ranges::find_if(launch.device.pipelines, [&](const Pipeline& pipeline) {
    return limiter == "pipeline " + pipeline.name && pipeline.scope == Scope::Device;
  });
  return found == launch.device.pipelines.end() ? nullptr : &*found;
}

double error_of_code(const LoweredLaunch& launch, const std::string& limiter) {
  const Pipeline* const shared = shared_pipeline(launch, limiter);
  if (shared == nullptr || !shared->level) return kOfCode;
  return *shared->level + 1 == launch.device.memory->levels.size() ? kOfCodeInMemory : kOfCodeInCaches;
}

}  // namespace

double model_error(const LoweredLaunch& launch, const Prediction& prediction) {
  const std::string& limiter = limiter_name(prediction);
  if (std::ranges::none_of(launch.kernel.instructions, is_access)) return kOfChains;
  if (std::ranges::any_of(launch.kernel.arrays, &Array::thread_private)) return kOfSpills;
  if (!launch.kernel.form.empty()) return error_of_code(launch, limiter);
  if (is_first_level(launch, limiter)) return kOfFirstLevel;
  return limiter == "latency" || shared_pipeline(launch, limiter) != nullptr ? kOfMemory : kOfInstructions;
}

bool is_scattered(const LoweredLaunch& launch) {
  if (!launch.levels) return false;
  const MemoryLevel& nearest = launch.device.memory->levels.front();
  const double few = static_cast<double>(nearest.line_bytes) / static_cast<double>(nearest.sector_bytes) / 2;
  double all = 0, scattered = 0;
  std::map<std::size_t, double> bytes;  // by instruction
  for (const AccessLevels& access : launch.levels->accesses) bytes[access.instruction] = access.levels.back().bytes;
  for_each_execution(launch, launch.program, [&](std::size_t index, double, const Values& values) {
    const auto access = bytes.find(index);
    if (access == bytes.end()) return;
    const BoundInstruction bound = bind_latencies(launch.kernel.instructions[index], launch.device, values,
                                                  launch.launch.resident_warps, launch.launch.shape);
    all += access->second;
    if (static_cast<double>(bound.transactions) <= few * static_cast<double>(bound.lines)) scattered += access->second;
    bytes.erase(access);
  });
  return scattered > all / 2;
}

}  // namespace warpipe
