#include "warpipe/latency_tables/rates.hpp"

#include <algorithm>
#include <map>

namespace warpipe {
namespace {

/// Instances of a pipeline per unit, a fraction if units share it.
double instances_of_unit(const Device& device, Scope scope) {
  switch (scope) {
    case Scope::Scheduler:
      return static_cast<double>(device.schedulers.value_or(1));
    case Scope::ComputeUnit:
      return 1;
    case Scope::Device:
      return 1 / static_cast<double>(device.compute_units);
  }
  return 1;
}

/// Cycles of a unit between two instructions of the op with enough warps; 0 without a limit.
double interval_of(const Device& device, const Op& op) {
  const double lambda = op.issue.points.back().second;
  const double pipeline = lambda / instances_of_unit(device, device.pipelines[op.pipeline].scope);
  if (!device.schedulers) return pipeline;
  const double slots = static_cast<double>(op.issue_slots) * device.issue_interval.count;
  return std::max(pipeline, slots / static_cast<double>(*device.schedulers));
}

}  // namespace

std::string to_string(NumberFormat format) {
  switch (format) {
    case NumberFormat::Fp64:
      return "fp64";
    case NumberFormat::Fp32:
      return "fp32";
    case NumberFormat::Fp16:
      return "fp16";
    case NumberFormat::Matrix:
      return "matrix";
  }
  return {};
}

std::vector<NumberFormat> number_formats() {
  return {NumberFormat::Fp64, NumberFormat::Fp32, NumberFormat::Fp16, NumberFormat::Matrix};
}

std::optional<LaneWork> lane_work(const std::string& op, double matrix_flops, std::int64_t warp_size) {
  // hfma is one packed instruction: two halves, a multiply and an addition each.
  static const std::map<std::string, LaneWork> known{
      {"dadd", {NumberFormat::Fp64, 1}}, {"dmul", {NumberFormat::Fp64, 1}}, {"dfma", {NumberFormat::Fp64, 2}},
      {"fadd", {NumberFormat::Fp32, 1}}, {"fmul", {NumberFormat::Fp32, 1}}, {"ffma", {NumberFormat::Fp32, 2}},
      {"hfma", {NumberFormat::Fp16, 4}}};
  if (op == "mma" && matrix_flops > 0)
    return LaneWork{NumberFormat::Matrix, matrix_flops / static_cast<double>(warp_size)};
  const auto found = known.find(op);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::vector<OpRate> op_rates(const Device& device, double matrix_flops) {
  std::vector<OpRate> rates;
  for (const Op& op : device.ops) {
    const double interval = interval_of(device, op);
    if (op.barrier || interval <= 0) continue;
    OpRate rate{op.name, device.pipelines[op.pipeline].name, 1 / interval, {}, {}, {}};
    const double warps_per_second =
        static_cast<double>(device.compute_units) * device.clock.count * rate.warp_instructions_per_cycle;
    rate.lanes.count = warps_per_second * static_cast<double>(device.warp_size);
    if (const auto work = lane_work(op.name, matrix_flops, device.warp_size)) {
      rate.format = work->format;
      rate.flops.count = rate.lanes.count * work->flops;
    }
    rates.push_back(rate);
  }
  return rates;
}

std::optional<OpsPerSecond> peak_of(const std::vector<OpRate>& rates, NumberFormat format) {
  std::optional<OpsPerSecond> peak;
  for (const OpRate& rate : rates)
    if (rate.format == format) peak = std::max(peak.value_or(OpsPerSecond{}), rate.flops);
  return peak;
}

}  // namespace warpipe
