#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/operators.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/baselines/device_rates.hpp"
#include "warpipe/views/rates_view.hpp"

namespace warpipe::app {
namespace {

/// The value of an option that is a number above 0.
std::optional<double> positive(const Arguments& arguments, const std::string& option) {
  const auto text = arguments.value(option);
  if (!text) return std::nullopt;
  const double value = read_number("--" + option, *text, 0, std::numeric_limits<double>::max());
  if (value > 0) return value;
  refuse("--" + option, "the value must be above 0", fmt::format("found {}", *text));
}

std::optional<Hertz> clock_of(const Arguments& arguments, const std::string& option) {
  const auto text = arguments.value(option);
  return text ? std::optional(read_clock("--" + option, *text)) : std::nullopt;
}

/// @throws UsageError if the option is missing although another one needs it
double needed(const Arguments& arguments, const std::string& option, const std::string& because) {
  if (const auto value = positive(arguments, option)) return *value;
  refuse("--" + option, fmt::format("the option is missing, and --{} needs it", because));
}

/// --bandwidth, or the product of the clock, width and data rate of the memory.
std::optional<BytesPerSecond> bandwidth_of(const Arguments& arguments) {
  if (const auto given = positive(arguments, "bandwidth")) return BytesPerSecond{*given};
  const auto clock = clock_of(arguments, "memory-clock");
  if (!clock) return std::nullopt;
  return memory_bandwidth(*clock, needed(arguments, "bus-bits", "memory-clock"),
                          positive(arguments, "data-rate").value_or(2));
}

DeviceRates accelerator_rates(const Arguments& arguments, std::optional<BytesPerSecond> bandwidth) {
  Accelerator accelerator;
  accelerator.cores = needed(arguments, "cores", "clock");
  accelerator.clusters = positive(arguments, "clusters").value_or(1);
  accelerator.macs = positive(arguments, "macs").value_or(0);
  accelerator.vector_lanes = positive(arguments, "vector-lanes").value_or(0);
  accelerator.special_lanes = positive(arguments, "special-lanes").value_or(0);
  const auto clock = clock_of(arguments, "clock");
  if (!clock) refuse("--clock", "the option is missing, and --cores needs it");
  accelerator.clock = *clock;
  return rates_of(accelerator, bandwidth);
}

DeviceRates read_rates(const Arguments& arguments) {
  const auto bandwidth = bandwidth_of(arguments);
  const auto name = arguments.value("device");
  if (!name) return accelerator_rates(arguments, bandwidth);
  if (arguments.has("cores"))
    refuse("--cores", "--device is given too, and a device has its own units", "", "leave one of them out");
  LaunchOptions options;
  options.clock = clock_of(arguments, "clock");
  const auto device = with_options(DataFiles(arguments.value("data")).device(*name), options);
  return rates_of(device, positive(arguments, "matrix-flops").value_or(0), bandwidth);
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const NumberFormat format : number_formats()) names.push_back(to_string(format));
  return names;
}

NumberFormat read_format(const Arguments& arguments) {
  const auto given = arguments.value("format").value_or("fp32");
  const auto formats = number_formats();
  return *std::ranges::find(formats, given, [](NumberFormat format) { return to_string(format); });
}

double bytes_of(NumberFormat format) { return format == NumberFormat::Fp64 ? 8 : format == NumberFormat::Fp32 ? 4 : 2; }

/// --peak and --bandwidth, else those of the device.
Roofs read_roofs(const Arguments& arguments, NumberFormat format) {
  auto peak = positive(arguments, "peak");
  auto bandwidth = bandwidth_of(arguments);
  if (!peak || !bandwidth) {
    const auto rates = read_rates(arguments);
    if (const auto own = peak_of(rates.ops, format); own && !peak) peak = own->count;
    if (!bandwidth) bandwidth = rates.bandwidth;
  }
  if (!peak)
    refuse("--format " + to_string(format), "the device has no peak in this format", "",
           format == NumberFormat::Matrix ? "give --matrix-flops or --peak" : "give --peak");
  if (!bandwidth) refuse("--bandwidth", "the device has no bandwidth", "", "give --bandwidth");
  return {{*peak}, *bandwidth};
}

/// Says where a kernel is shown below the roofs.
void refuse_kernel(const std::string& name, const Arguments& arguments) {
  const auto operators = operator_names();
  if (std::ranges::find(operators, name) != operators.end()) return;
  const auto shipped = DataFiles(arguments.value("data")).names(DataFiles::Kind::Kernels);
  if (is_path(name) || std::ranges::find(shipped, name) != shipped.end())
    refuse(fmt::format("\"{}\"", name), "this is a kernel, and an operator is expected", "",
           "the page that `warpipe simulate KERNEL --html FILE` writes has the kernel below the roofs of its device");
}

ExitStatus run_roofline(const Arguments& arguments) {
  const auto json = arguments.has("json");
  const Output output(arguments.value("json").value_or(""));
  if (arguments.positional().empty()) {
    if (!arguments.has("device") && !arguments.has("cores"))
      refuse("--device", "the option is missing", "", "give --device DEVICE, or --cores and --clock");
    const auto rates = read_rates(arguments);
    output.write(json ? write_json(rates) : write_text(rates));
    return ExitStatus::Done;
  }
  const auto name = arguments.only("OPERATOR");
  refuse_kernel(name, arguments);
  const auto format = read_format(arguments);
  const auto cost =
      cost_of(name, arguments.values("size"), positive(arguments, "element-bytes").value_or(bytes_of(format)));
  const auto time_us = positive(arguments, "time-us");
  const auto measured = time_us ? std::optional(Seconds{*time_us / 1e6}) : std::nullopt;
  const auto report = report_of(name, cost, read_roofs(arguments, format), measured);
  output.write(json ? write_json(report) : write_text(report));
  return ExitStatus::Done;
}

const std::string& roofline_notes() {
  static const std::string text = "\nOPERATOR and its sizes (for --size):\n" + operator_help() +
                                  "Without OPERATOR: the rates of the device per second, by op and number format.\n";
  return text;
}

}  // namespace

Verb roofline_verb() {
  OptionTable options("Options");
  options.add("device", "DEVICE", "the device: a shipped name or a file")
      .add("size", "NAME=VALUE...", "sizes of the operator")
      .add("format", "F", "fp64, fp32 (default), fp16 or matrix: the format of the peak", format_names())
      .add("element-bytes", "B", "size of an element; default: that of the format, 2 for matrix")
      .add("time-us", "T", "a measured time; the result says how much of the device it used")
      .add("matrix-flops", "N", "operations of one warp instruction mma")
      .add("json", "[=FILE]", "the result as JSON, to standard output or FILE");
  OptionTable roofs("Roofs, in place of what the device file says");
  roofs.add("peak", "OPS", "operations per second")
      .add("bandwidth", "BYTES", "bytes per second")
      .add("memory-clock", "HZ", "as in 877MHz; with --bus-bits and --data-rate: the bandwidth")
      .add("bus-bits", "N", "width of the memory bus")
      .add("data-rate", "N", "transfers per memory clock; default: 2")
      .add("clock", "HZ", "clock of the units or cores, as in 1.4GHz")
      .add("cores", "N", "an accelerator without a device file: cores per cluster")
      .add("clusters", "N", "clusters; default: 1")
      .add("macs", "N", "multiply-accumulates of the matrix engine of a core per clock")
      .add("vector-lanes", "N", "multiply-adds of the vector unit of a core per clock")
      .add("special-lanes", "N", "special functions of a core per clock");
  return {"roofline",
          "[OPERATOR] --device DEVICE [--size NAME=VALUE...] [options]",
          "peaks, bandwidth and ridge points of a device; an operator below its roofs",
          options.add(roofs).add(common_option_table()),
          run_roofline,
          roofline_notes(),
          operator_names()};
}

}  // namespace warpipe::app
