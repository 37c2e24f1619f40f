#include <fmt/format.h>

#include "command_line/data_files.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/graph/idg.hpp"
#include "warpipe/graph/write_graph.hpp"
#include "warpipe/predict/instruction_latencies.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe::app {
namespace {

/// The values that a `back` may use without a device: the parameters, and the group size if it is known.
Values values_of(const Kernel& kernel, const LaunchOptions& options) {
  Values values(kernel.parameters.begin(), kernel.parameters.end());
  if (options.group_size) {
    values["group_size"] = static_cast<double>(*options.group_size);
  } else if (kernel.launch.group_size) {
    values["group_size"] = kernel.launch.group_size->evaluate(values);
  }
  return body_values(kernel, std::move(values));
}

ExitStatus run_graph(const Arguments& arguments) {
  const auto write = arguments.value("format") == "json" ? write_graph_json : write_dot;
  const auto options = read_launch_options(arguments);
  const DataFiles files(arguments.value("data"));
  const auto device_name = arguments.value("device");
  if (!device_name) {
    const auto kernel = with_options(read_kernel(arguments, files, nullptr), options);
    Output().write(write(build_idg(kernel, values_of(kernel, options)), {}));
    return ExitStatus::Done;
  }
  const auto device = files.device(*device_name);
  const auto settled = settle_launch(read_kernel(arguments, files, &device), device, options);
  const auto costs = instruction_latencies(settled, lower(settled));
  const auto values = body_values(settled.kernel, settled.launch.values);
  Output().write(write(build_idg(settled.kernel, values), {costs}));
  return ExitStatus::Done;
}

}  // namespace

Verb graph_verb() {
  return {"graph", "KERNEL [--device DEVICE] [options]", "the instruction dependence graph, for Graphviz and others",
          run_graph};
}

}  // namespace warpipe::app
