#include "launch_graph.hpp"

/// For builds without the library of graphs.

namespace warpipe {

void add_graph(LaunchReport& report, const LoweredLaunch& /*lowered*/) {
  report.why_no_graph = "Not drawn here: `warpipe simulate --html` draws it.";
}

}  // namespace warpipe
