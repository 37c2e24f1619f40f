#pragma once

#include <span>
#include <string>

#include "warpipe/graph/analysis.hpp"

/// The graph in the formats of other programs. The same graph gives the same bytes. Texts are UTF-8, as the readers
/// ensure.

namespace warpipe {

struct Idg;

struct GraphOptions {
  /// By instruction, in program order; empty without a device. With latencies, the writers add the critical path and
  /// the recurrences of loops.
  std::span<const InstructionLatency> latencies = {};
};

/// Writes the graph for Graphviz: instructions as boxes, loops as frames around them, loop-carried dependences dashed
/// with their distance ("+2": two iterations later). The critical path is red, recurrences have a blue ground.
///
///     dot -Tsvg kernel.dot > kernel.svg
std::string write_dot(const Idg& idg, const GraphOptions& options = {});

/// Writes the graph as one JSON object, "warpipe-graph": loops, instructions, dependences by the ids of their ends,
/// and with latencies the critical path and the recurrences.
std::string write_graph_json(const Idg& idg, const GraphOptions& options = {});

}  // namespace warpipe
