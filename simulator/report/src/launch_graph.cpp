#include "launch_graph.hpp"

#include <fmt/format.h>

#include "warpipe/graph/idg.hpp"
#include "warpipe/graph/write_graph.hpp"
#include "warpipe/predict/instruction_latencies.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostInstructions = 300;

}  // namespace

void add_graph(LaunchReport& report, const LoweredLaunch& lowered) {
  const Kernel& kernel = lowered.kernel;
  if (kernel.instructions.size() > kMostInstructions) {
    report.why_no_graph =
        fmt::format("The graph has {} instructions; a page draws {} at most. `warpipe graph` writes it for Graphviz.",
                    kernel.instructions.size(), kMostInstructions);
    return;
  }
  const auto values = body_values(kernel, lowered.launch.values);
  const auto latencies = instruction_latencies(lowered, lowered.program);
  report.graph = write_graph_json(build_idg(kernel, values), {latencies});
}

}  // namespace warpipe
