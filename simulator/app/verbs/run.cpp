#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "verbs/programs.hpp"
#include "verbs/run_trace.hpp"
#include "verbs/run_view.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/predict/instruction_number.hpp"
#include "warpipe/programs/run_log.hpp"
#include "warpipe/report/html.hpp"

namespace warpipe::app {
namespace {

constexpr double kUsualPredictSeconds = 20;

/// The link between host and device: the most that its lanes carry, each way.
struct HostLink {
  std::string name;
  double bytes_per_second;
};

/// By generation, as the data sheets of the devices say them.
/// @source PCI Express Base Specification: 8, 16 and 32 GT/s a lane, 16 lanes, 128 of 130 bits
HostLink usual_link(const Device& device) {
  const auto of = [](int version, double transfers) {
    return HostLink{fmt::format("PCIe {}.0 x16", version), transfers * 16 / 8 * 128 / 130};
  };
  const auto capability = compute_capability(device).value_or(80);
  if (capability >= 90) return of(5, 32e9);
  return capability >= 80 && capability != 87 ? of(4, 16e9) : of(3, 8e9);
}

HostLink read_link(const Arguments& arguments, const Device& device) {
  const auto given = arguments.value("host-link");
  if (!given) return usual_link(device);
  return {"", read_number("--host-link", *given, 1e-3, 1e6) * 1e9};
}

/// Whether launches are predicted by the values loaded during their execution.
bool read_ways(const Arguments& arguments) {
  const auto word = arguments.value("ways").value_or("recorded");
  if (word != "recorded" && word != "slice")
    throw UsageError(Diagnostic{"--ways", "must be recorded or slice", fmt::format("found \"{}\"", word), ""});
  return word == "recorded";
}

programs::Options read_options(const Arguments& arguments, const HostLink& link, Device device) {
  programs::Options options;
  options.executes = true;
  options.device = std::move(device);
  options.form = arguments.value("form").value_or("");
  options.execute_seconds = read_number("--execute-seconds", arguments.value("execute-seconds").value_or("0"), 0,
                                        std::numeric_limits<double>::max());
  options.records = read_ways(arguments);
  options.predict_seconds = kUsualPredictSeconds;
  if (const auto given = arguments.value("predict-seconds"))
    options.predict_seconds = read_number("--predict-seconds", *given, 0, std::numeric_limits<double>::max());
  options.link_bytes_per_second = link.bytes_per_second;
  return options;
}

ExitStatus run_run(const Arguments& arguments) {
  const auto words = program_words(arguments);
  const auto voice = read_voice(arguments);
  const Output output(arguments.value("json").value_or(""));
  const auto pages = page_files(arguments);
  const RunTrace trace(arguments);
  auto device = DataFiles(arguments.value("data")).device(arguments.require("device", "DEVICE"));
  device = without_kernel(device, read_launch_options(arguments));
  const auto link = read_link(arguments, device);
  auto options = read_options(arguments, link, device);
  const TemporaryDirectory folder;
  options.folder = folder.path();
  const auto clocks = arguments.has("virtual-time") ? programs::Clocks::OfDevice : programs::Clocks::OfHost;
  const auto end = run_with_options(words, options, clocks);
  ExecutedProgram run;
  run.program = words.front();
  run.device = device;
  run.link = link.name;
  run.link_bytes_per_second = link.bytes_per_second;
  run.events = programs::read_events(lines_of_logs(options.folder, programs::kEventsName));
  tell_of_end(voice, words.front(), end, run.events.launches.size());
  if (run.events.launches.empty() && run.events.copies.empty()) return ExitStatus::BadInput;
  arguments.has("json") ? output.write(write_json(run)) : output.show(write_text(run));
  if (pages) pages->write(page_of(report_of(run)));
  trace.write(run, voice);
  if (!end.is_good()) return ExitStatus::BadInput;
  return is_predicted(run) ? ExitStatus::Done : ExitStatus::NoModel;
}

constexpr std::string_view kRunNotes = R"(
The program runs as it is, without a GPU: its kernels are executed on this
machine and predicted with their arguments and the data that memory holds.
Events of the program tell predicted times; clocks of the host tell how long
this machine took, or with --virtual-time how long the device would have taken.
)";

}  // namespace

Verb run_verb() {
  return {"run", "--device DEVICE [options] -- PROGRAM [ARGUMENT...]",
          "run a CUDA program without a GPU, and predict it", run_run, kRunNotes};
}

}  // namespace warpipe::app
