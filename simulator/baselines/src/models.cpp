#include "warpipe/baselines/models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "adapters.hpp"
#include "warpipe/baselines/roofline.hpp"
#include "warpipe/baselines/volkov.hpp"

namespace warpipe {
namespace {

Estimate cannot(std::string why) { return {{}, {}, {}, std::move(why)}; }

Estimate of_cycles(Cycles cycles, std::string limiter = {}) { return {{}, cycles, std::move(limiter), {}}; }

/// The number format of most of the kernel's floating-point operations; nothing where matrix instructions do uncounted
/// work.
std::optional<NumberFormat> format_of(const Workload& workload, double matrix_flops) {
  std::map<NumberFormat, double> flops;
  const auto lanes = static_cast<std::int64_t>(workload.warp_size);
  for (const InstructionLoad& load : workload.instructions) {
    if (load.op == "mma" && matrix_flops == 0) return std::nullopt;
    if (const auto work = lane_work(load.op, matrix_flops, lanes)) flops[work->format] += load.executions * work->flops;
  }
  if (flops.empty()) return std::nullopt;
  return std::ranges::max_element(flops, {}, [](const auto& entry) { return entry.second; })->first;
}

Estimate roofline_estimate(const Workload& workload, const std::vector<OpRate>& rates, const ModelInputs& inputs) {
  const auto format = format_of(workload, inputs.matrix_flops);
  const auto peak = format ? peak_of(rates, *format) : std::nullopt;
  std::optional<Seconds> math, memory;
  if (workload.launch.flops && peak) math = Seconds{*workload.launch.flops / peak->count};
  if (workload.launch.bytes && workload.bandwidth) memory = Seconds{*workload.launch.bytes / workload.bandwidth->count};
  if (!math && !memory)
    return cannot(
        "needs the kernel's work (flops of a known number format, or bytes) and the device's peak or bandwidth");
  const bool memory_bound = memory && (!math || *memory > *math);
  const Seconds time = memory_bound ? *memory : *math;
  return of_cycles({time.count * workload.clock.count}, memory_bound ? "bandwidth" : "peak " + to_string(*format));
}

Estimate occupancy_roofline_estimate(const Workload& workload) {
  const OccupancyRoofline result =
      occupancy_roofline({workload.groups_of_unit, static_cast<double>(workload.launch.slots), workload.alone,
                          std::span(workload.bounds)});
  return of_cycles(result.total, result.limiter);
}

/// Each pipeline for itself: as fast as it takes warps, or as its part of a warp's path allows with the residents.
Estimate littles_law_estimate(const Workload& workload) {
  Estimate slowest = of_cycles({0});
  for (const ResourceLoad& resource : workload.resources) {
    const Cycles of_warp = std::max(resource.of_warp, Cycles{resource.alone.count / workload.resident_warps});
    const Cycles cycles{of_warp.count * workload.warps_of_unit};
    if (cycles > *slowest.cycles) slowest = of_cycles(cycles, resource.name);
  }
  return slowest;
}

Estimate volkov_estimate(const Workload& workload) {
  const Cycles latency{workload.alone.count + workload.replacement.count};
  if (latency.count <= 0) return cannot("needs a kernel whose warps take some time");
  const auto tightest = std::ranges::max_element(workload.resources, {}, &ResourceLoad::of_warp);
  const Cycles throughput = tightest == workload.resources.end() ? Cycles{} : tightest->of_warp;
  const double rate = warp_throughput(workload.resident_warps, latency, throughput);
  const bool by_latency = workload.resident_warps / latency.count <= rate;
  return of_cycles({workload.warps_of_unit / rate}, by_latency ? "latency" : tightest->name);
}

Estimate hong_kim_estimate(const Workload& workload) {
  const std::string missing = missing_for_memory_models(workload);
  if (!missing.empty()) return cannot(missing);
  if (!(executions(workload, WorkClass::GlobalMemory) > 0))
    return cannot("divides by the number of global memory instructions, and there are none");
  const HongKimResult result = hong_kim(hong_kim_input(workload));
  static const std::map<HongKimCase, std::string> names{{HongKimCase::EnoughWarps, "MWP = CWP = n"},
                                                        {HongKimCase::MemoryBound, "CWP >= MWP"},
                                                        {HongKimCase::ComputeBound, "MWP > CWP"}};
  return of_cycles(result.total, names.at(result.which));
}

Estimate gpuperf_estimate(const Workload& workload, const ModelInputs& inputs) {
  const GpuPerfInput input = gpuperf_input(workload, inputs);
  if (input.loads > 0)
    if (const std::string missing = missing_for_memory_models(workload); !missing.empty()) return cannot(missing);
  if (!(input.instruction_latency.count > 0 && input.issue_cycles.count > 0))
    return cannot("needs computation with a latency and an issue interval");
  const GpuPerfResult result = gpuperf(input);
  return of_cycles(result.total, result.memory > result.computation ? "T_mem" : "T_comp");
}

Estimate zhang_owens_estimate(const Workload& workload) {
  const std::vector<Component> components = zhang_owens_components(workload);
  if (components.empty()) return cannot("needs instructions");
  const ZhangOwensResult result = zhang_owens(components, workload.resident_warps);
  return of_cycles({result.of_warp.count * workload.warps_of_unit}, result.component);
}

/// The largest part of a stack, in words.
std::string largest_part(const CycleStack& stack) {
  const std::array<std::pair<Cycles, const char*>, 5> parts{{{stack.base, "issue"},
                                                             {stack.data, "results"},
                                                             {stack.structural, "pipelines"},
                                                             {stack.misses, "outstanding misses"},
                                                             {stack.queue, "memory queue"}}};
  return std::ranges::max_element(parts)->second;
}

Estimate interval_estimate(const Workload& workload, const ModelInputs& inputs, bool is_gcom) {
  if (!workload.intervals) return cannot("goes through a warp's instructions one by one, and there are more than 2e7");
  if (!(workload.issue_interval.count > 0)) return cannot("needs a device whose schedulers limit issue");
  const auto round = [&](double groups) {
    const IntervalMachine machine = interval_machine(workload, inputs, groups);
    return is_gcom ? gcom(*workload.intervals, machine) : gpumech(*workload.intervals, machine);
  };
  const CycleStack full = round(workload.resident_groups);
  const double rounds = workload.warps_of_unit / workload.resident_warps;
  if (!is_gcom) return of_cycles({total(full).count * rounds}, largest_part(full));
  const double whole = std::floor(rounds), rest = (rounds - whole) * workload.resident_groups;
  double cycles = whole * total(full).count;
  if (rest > 1e-9) cycles += total(round(rest)).count;
  return of_cycles({cycles}, largest_part(full));
}

}  // namespace

std::string to_string(Model model) {
  switch (model) {
    case Model::Roofline:
      return "roofline";
    case Model::OccupancyRoofline:
      return "occupancy-roofline";
    case Model::LittlesLaw:
      return "littles-law";
    case Model::Volkov:
      return "volkov";
    case Model::HongKim:
      return "hong-kim";
    case Model::GpuPerf:
      return "gpuperf";
    case Model::ZhangOwens:
      return "zhang-owens";
    case Model::GpuMech:
      return "gpumech";
    case Model::Gcom:
      return "gcom";
  }
  return {};
}

std::vector<Model> all_models() {
  return {Model::Roofline, Model::OccupancyRoofline, Model::LittlesLaw, Model::Volkov, Model::HongKim,
          Model::GpuPerf,  Model::ZhangOwens,        Model::GpuMech,    Model::Gcom};
}

std::optional<Model> parse_model(std::string_view name) {
  for (const Model model : all_models())
    if (to_string(model) == name) return model;
  return std::nullopt;
}

Estimate estimate(Model model, const Workload& workload, const std::vector<OpRate>& rates, const ModelInputs& inputs) {
  const auto apply = [&]() -> Estimate {
    switch (model) {
      case Model::Roofline:
        return roofline_estimate(workload, rates, inputs);
      case Model::OccupancyRoofline:
        return occupancy_roofline_estimate(workload);
      case Model::LittlesLaw:
        return littles_law_estimate(workload);
      case Model::Volkov:
        return volkov_estimate(workload);
      case Model::HongKim:
        return hong_kim_estimate(workload);
      case Model::GpuPerf:
        return gpuperf_estimate(workload, inputs);
      case Model::ZhangOwens:
        return zhang_owens_estimate(workload);
      case Model::GpuMech:
        return interval_estimate(workload, inputs, false);
      case Model::Gcom:
        return interval_estimate(workload, inputs, true);
    }
    return cannot("is not known");
  };
  Estimate result = apply();
  result.model = model;
  return result;
}

std::vector<Estimate> estimates(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                const ModelInputs& inputs) {
  const Workload workload = workload_of(kernel, device, options);
  const std::vector<OpRate> rates = op_rates(device_of_run(device, kernel, options), inputs.matrix_flops);
  std::vector<Estimate> all;
  for (const Model model : all_models()) all.push_back(estimate(model, workload, rates, inputs));
  return all;
}

}  // namespace warpipe
