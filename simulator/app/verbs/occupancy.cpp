#include "warpipe/latency_tables/occupancy.hpp"

#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/views/occupancy_view.hpp"

namespace warpipe::app {
namespace {

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
          device.limits.warps_per_unit};
}

ExitStatus run_occupancy(const Arguments& arguments) {
  const auto options = read_launch_options(arguments);
  const auto inputs = read_inputs(arguments);
  const Output output(arguments.value("json").value_or(""));
  const auto result = report(inputs, options);
  output.write(arguments.has("json") ? write_json(result) : write_text(result));
  return ExitStatus::Done;
}

}  // namespace

Verb occupancy_verb() {
  return {"occupancy", "KERNEL --device DEVICE [options]",
          "how many groups a unit holds, what limits them, how far the next step is", run_occupancy};
}

}  // namespace warpipe::app
