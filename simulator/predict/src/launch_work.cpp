#include "warpipe/predict/launch_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel_values.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

constexpr double kGiga = 1e9;
constexpr double kRounding = 0.01;  ///< allowed difference of ratios of numbers of groups, since these are rounded up

/// The values of expressions of the work: parameters, group_size, warps and groups.
Values values_of(const Launch& launch) {
  Values values = launch.values;
  values["groups"] = static_cast<double>(launch.groups.value);
  return values;
}

/// The same for the kernel's own launch with the same parameters; nothing where the kernel has no launch.
std::optional<Values> own_values(const Kernel& kernel, std::int64_t warp_size, Values values) {
  if (!kernel.launch.group_size || !kernel.launch.groups) return std::nullopt;
  try {
    const std::int64_t threads = kernel.launch.group_size->evaluate_whole(values, 1);
    values["group_size"] = static_cast<double>(threads);
    values["warps"] = static_cast<double>((threads - 1) / warp_size + 1);
    values["groups"] = static_cast<double>(kernel.launch.groups->evaluate_whole(values, 1));
    return values;
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

/// @return whether an amount of work grows from launch to launch with their threads, or with the groups in its
///         expression; true for an amount without a value in the kernel's own launch
bool grows_along(const Expression& work, double amount, const Values& own, const Values& values) try {
  const auto groups = [](const Values& of) { return of.at("groups"); };
  const auto threads = [](const Values& of) { return of.at("groups") * of.at("group_size"); };
  const double rounding = std::max(kRounding, 1 / std::min(groups(own), groups(values)));
  const double own_amount = work.evaluate(own);
  const auto agrees = [&](double ratio) { return std::abs(amount / own_amount / ratio - 1) <= rounding; };
  return own_amount == 0 || agrees(threads(values) / threads(own)) ||
         (work.uses("groups") && agrees(groups(values) / groups(own)));
} catch (const ModelError&) {
  return true;
}

}  // namespace

std::string why_groups_stay(const Kernel& kernel, const LaunchOptions& options) {
  if (options.groups) return "the number of groups is given";
  const auto& groups = kernel.launch.groups;
  if (groups && (groups->uses("group_size") || groups->uses("warps"))) return {};
  return "the number of groups does not follow their size";
}

void settle_work(const Kernel& kernel, std::int64_t warp_size, const LaunchOptions& options, Launch& launch) {
  const KernelValues expressions(kernel, options);
  const Values values = values_of(launch);
  const bool changed = options.groups || options.group_size;
  const auto own = changed ? own_values(kernel, warp_size, launch.values) : std::nullopt;
  const auto amount = [&](const std::optional<Expression>& work, const char* place) -> std::optional<double> {
    if (!work) return std::nullopt;
    const double value = expressions.evaluate(*work, values, place);
    if (!own || grows_along(*work, value, *own, values)) return value;
    launch.work_of_others = fmt::format("{:.0f} groups of {:.0f} threads", own->at("groups"), own->at("group_size"));
    return std::nullopt;
  };
  launch.flops = amount(kernel.work.flops, "/work/flops");
  launch.bytes = amount(kernel.work.bytes, "/work/bytes");
  launch.compulsory_bytes = amount(kernel.work.compulsory_bytes, "/work/compulsory_bytes");
}

Throughput throughput_of(const Launch& launch) {
  if (launch.flops.value_or(0) > 0) return {"GFLOP/s", *launch.flops / kGiga};
  if (launch.bytes.value_or(0) > 0) return {"GB/s", *launch.bytes / kGiga};
  return {"groups/us", static_cast<double>(launch.groups.value) / 1e6};
}

std::optional<Throughput> memory_throughput(const Prediction& prediction) {
  const MemoryTraffic& memory = prediction.memory;
  const double moved = memory.levels.empty() ? 0 : bytes_at(memory, memory.levels.size() - 1);
  if (moved > 0) return Throughput{"GB/s at " + memory.levels.back().name, moved / kGiga};
  if (const double stated = prediction.launch.bytes.value_or(0); stated > 0) return Throughput{"GB/s", stated / kGiga};
  return std::nullopt;
}

Throughput throughput_of(const Prediction& prediction) {
  const auto stated = throughput_of(prediction.launch);
  return prediction.launch.flops.value_or(0) > 0 ? stated : memory_throughput(prediction).value_or(stated);
}

}  // namespace warpipe
