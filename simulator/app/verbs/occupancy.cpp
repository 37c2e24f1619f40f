#include "warpipe/latency_tables/occupancy.hpp"

#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/occupancy_view.hpp"

namespace warpipe::app {
namespace {

/// The launch with fewer groups resident; none where it is not known how many groups it has.
std::vector<SweepPoint> over_occupancy(const Inputs& inputs, const LaunchOptions& options,
                                       const OccupancyReport& report, const Arguments& arguments) {
  if (!options.groups && !inputs.kernel.launch.groups) return {};
  Variation variation;
  variation.name = "concurrent_groups";
  variation.kind = Variation::Kind::ConcurrentGroups;
  for (std::int64_t groups = 1; groups <= report.concurrent_groups.value; ++groups)
    variation.values.emplace_back(static_cast<double>(groups));
  return run_sweep(inputs.kernel, inputs.device, options, {variation}, read_threads(arguments),
                   progress_on_terminal(read_voice(arguments), "occupancies"));
}

OccupancyReport report(const Inputs& inputs, LaunchOptions options) {
  // How many groups a unit holds does not depend on how many the launch has.
  if (!options.groups && !inputs.kernel.launch.groups) options.groups = 1;
  const auto kernel = with_options(inputs.kernel, options);
  const auto device = with_options(inputs.device, options);
  const auto launch = resolve_launch(kernel, device, options);
  const GroupNeeds needs{launch.group_size.value, launch.registers_per_thread, launch.shared_memory_per_group};
  return {kernel.name,
          device.name,
          device.title,
          needs,
          occupancy(needs, device.limits, device.warp_size),
          launch.concurrent_groups,
          device.limits,
          device.warp_size};
}

ExitStatus run_occupancy(const Arguments& arguments) {
  const auto options = read_launch_options(arguments);
  const auto inputs = read_inputs(arguments);
  const Output output(arguments.value("json").value_or(""));
  const auto pages = page_files(arguments);
  const auto result = report(inputs, options);
  arguments.has("json") ? output.write(write_json(result)) : output.show(write_text(result));
  if (pages) pages->write(page_of(result, over_occupancy(inputs, options, result, arguments)));
  return ExitStatus::Done;
}

}  // namespace

Verb occupancy_verb() {
  return {"occupancy", "KERNEL --device DEVICE [options]",
          "how many groups a unit holds, what limits them, how far the next step is", run_occupancy};
}

}  // namespace warpipe::app
