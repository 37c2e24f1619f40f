#include "warpipe/accuracy/calibrate.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cluster/on_ranks.hpp"
#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/measured_input.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/views/calibration_view.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

std::size_t read_hold_out(const Arguments& arguments) {
  return static_cast<std::size_t>(arguments.whole("hold-out", 2).value_or(0));
}

CalibrationRequest read_request(const Arguments& arguments, const std::string& measured) {
  CalibrationRequest request;
  request.fit = arguments.values("fit");
  const bool of_probes = arguments.has("probe");
  if (request.fit.empty() && !of_probes)
    refuse("--fit", "the option is missing", "", "give --fit OP.FIELD..., or --probe in place of --measured");
  for (const char* other : {"fit", "hold-out", "measured"})
    if (of_probes && arguments.has(other))
      refuse(fmt::format("--{}", other), "the option cannot be given with --probe, whose rows say what they fit", "",
             "leave one of them out");
  request.hold_out = read_hold_out(arguments);
  request.launch = read_launch_options(arguments);
  request.threads = read_threads(arguments);
  request.measured = measured == "-" ? "standard input" : fs::path(measured).filename().string();
  return request;
}

/// A search cannot be shared: its next simulation follows from its earlier simulations.
ExitStatus run_calibrate(const Ranks& ranks, const Arguments& arguments) {
  if (!ranks.leads()) return ExitStatus::Done;
  if (ranks.size() > 1)
    note(read_voice(arguments), fmt::format("the first of {} processes calibrates alone", ranks.size()));
  arguments.no_positional();
  const bool of_probes = arguments.has("probe");
  const auto measured = of_probes ? arguments.require("probe", "CSV") : arguments.require("measured", "CSV");
  const auto request = read_request(arguments, measured);
  const auto file = arguments.require("output", "DEVICE.json");
  const DataFiles files(arguments.value("data"));
  const auto device = files.device(arguments.require("device", "DEVICE"));
  const MeasuredInput input(arguments, files, &device);
  for (const auto& sentence : input.file().notes) note(read_voice(arguments), sentence);
  const Output table(file);
  const Output report(arguments.value("json").value_or(""));

  const auto fit = of_probes ? fit_probes : calibrate;
  const auto calibration = fit(input.file().rows, input.kernels(), device, request,
                               progress_on_terminal(read_voice(arguments), "simulations"));
  table.write(write_device_json(calibration.device));
  const bool table_takes_standard_output = is_standard_output(file) && arguments.value("json").value_or("").empty();
  if (table_takes_standard_output) return ExitStatus::Done;
  arguments.has("json") ? report.write(write_json(calibration)) : report.show(write_text(calibration));
  return ExitStatus::Done;
}

constexpr std::string_view kCalibrateNotes = R"(
OP.FIELD of --fit:
  OP.issue, OP.completion          a constant, or each of the table's points
  OP.completion=1,8,64             points at so many resident warps
  OP.per_conflict.issue            likewise .completion, and per_transaction
  OP.PIPELINE                      issue in a pipeline of its "then", its
                                   increments in proportion
  l1.latency, l2.latency_s, dram.read_bytes_per_s, ...
                                   of a level of the memory, as the device file
                                   calls them
  memory.store_latency_s           until a store is acknowledged
  warp_interval, group_launch_latency, group_dispatch_interval
  clock_hz, launch_begin_s, launch_end_s, launch_overhead_s, launch_interval_s
                                   from rows in time_us
)";

}  // namespace

Verb calibrate_verb() {
  static const std::string notes = std::string(kCalibrateNotes) + std::string(measured_notes());
  return {"calibrate", "--measured CSV --fit OP.FIELD... --device DEVICE -o DEVICE.json [options]",
          "fit numbers of a latency table to measurements",
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](const Ranks& ranks) { return run_calibrate(ranks, arguments); });
          },
          notes};
}

}  // namespace warpipe::app
