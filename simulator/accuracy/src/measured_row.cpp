#include "warpipe/accuracy/measured_row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/intervals.hpp"

namespace warpipe {
namespace {

void require_parameters(const Measurement& measurement, const Kernel& kernel) {
  for (const auto& [name, value] : measurement.options.parameters) {
    if (kernel.parameters.contains(name)) continue;
    throw ModelError(Diagnostic{.where = fmt::format("line {}, column \"{}\"", measurement.line, name),
                                .problem = fmt::format("no parameter \"{}\" in {}", name, kernel.name),
                                .found = "",
                                .advice = "rename the column, or leave the cell empty"});
  }
}

double require_work(const std::optional<double>& work, const char* name, Quantity quantity, const Launch& launch) {
  if (work && *work > 0) return *work;
  if (!work && !launch.work_of_others.empty())
    throw ModelError(Diagnostic{
        .where = fmt::format("work.{}", name),
        .problem = fmt::format("the kernel file gives the work of its own {}, but others ran", launch.work_of_others),
        .found = fmt::format("a row measured in {} needs the work of its own", to_string(quantity)),
        .advice = "give the kernel's parameters in place of groups"});
  throw ModelError(
      Diagnostic{.where = fmt::format("work.{}", name),
                 .problem = fmt::format("a kernel measured in {} must give the work of a launch", to_string(quantity)),
                 .found = work ? fmt::format("found {}", *work) : "found nothing",
                 .advice = "add it to the kernel file"});
}

}  // namespace

LaunchOptions options_of(const Measurement& measurement, const Kernel& kernel, const Device& device,
                         const LaunchOptions& options_of_all) {
  require_parameters(measurement, kernel);
  LaunchOptions options = options_of_all;
  const LaunchOptions& own = measurement.options;
  if (own.group_size) options.group_size = own.group_size;
  if (own.groups) options.groups = own.groups;
  if (own.concurrent_groups) options.concurrent_groups = own.concurrent_groups;
  for (const auto& [name, value] : own.parameters) options.parameters.insert_or_assign(name, value);
  if (measurement.occupancy_warps) {
    options.concurrent_groups = groups_of_resident_warps(*measurement.occupancy_warps, kernel, device, options);
  }
  return options;
}

std::optional<double> in_quantity(const Measurement& measurement, const Launch& launch, Hertz clock,
                                  const Device& device, Ticks cycles) {
  const Seconds time = to_seconds(cycles, clock);
  const auto giga_per_second = [&](double work) -> std::optional<double> {
    if (!(time.count > 0)) return std::nullopt;
    return work / time.count / 1e9;
  };
  switch (measurement.quantity) {
    case Quantity::Cycles:
      return to_cycles(cycles).count;
    case Quantity::TimeUs:
      if (!measurement.includes_overhead) return time.count * 1e6;
      return std::max(time.count + device.launch_overhead.count, device.launch_interval.count) * 1e6;
    case Quantity::BandwidthGbps:
      return giga_per_second(require_work(launch.bytes, "bytes", measurement.quantity, launch));
    case Quantity::Gflops:
      return giga_per_second(require_work(launch.flops, "flops", measurement.quantity, launch));
  }
  return std::nullopt;
}

std::optional<Interval> range_in_quantity(const Measurement& measurement, const Prediction& prediction,
                                          const Device& device) {
  if (!prediction.range) return std::nullopt;
  const Interval time = prediction.range->time, total_time = prediction.range->total_time;
  const Interval launch_interval = interval_of(
      {.name = "launch_interval_s", .kind = TableParameter::Kind::OfDevice, .key = "launch_interval_s"}, device);
  const auto in_microseconds = [](double low, double high) { return Interval{low * 1e6, high * 1e6}; };
  const auto giga_per_second = [&](double work) -> std::optional<Interval> {
    if (!(time.low > 0)) return std::nullopt;
    return Interval{work / time.high / 1e9, work / time.low / 1e9};
  };
  const Launch& launch = prediction.launch;
  switch (measurement.quantity) {
    case Quantity::Cycles:
      return prediction.range->cycles;
    case Quantity::TimeUs:
      if (!measurement.includes_overhead) return in_microseconds(time.low, time.high);
      return in_microseconds(std::max(total_time.low, launch_interval.low),
                             std::max(total_time.high, launch_interval.high));
    case Quantity::BandwidthGbps:
      return giga_per_second(require_work(launch.bytes, "bytes", measurement.quantity, launch));
    case Quantity::Gflops:
      return giga_per_second(require_work(launch.flops, "flops", measurement.quantity, launch));
  }
  return std::nullopt;
}

std::optional<Seconds> measured_time(const Measurement& measurement, const Launch& launch, Hertz clock) {
  const auto of_work = [&](const std::optional<double>& work) -> std::optional<Seconds> {
    if (!work) return std::nullopt;
    return Seconds{*work / (measurement.value * 1e9)};
  };
  switch (measurement.quantity) {
    case Quantity::Cycles:
      return Seconds{measurement.value / clock.count};
    case Quantity::TimeUs:
      return Seconds{measurement.value * 1e-6};
    case Quantity::BandwidthGbps:
      return of_work(launch.bytes);
    case Quantity::Gflops:
      return of_work(launch.flops);
  }
  return std::nullopt;
}

}  // namespace warpipe
