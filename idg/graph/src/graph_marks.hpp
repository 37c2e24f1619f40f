#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "warpipe/graph/analysis.hpp"
#include "warpipe/graph/idg.hpp"
#include "warpipe/graph/write_graph.hpp"

/// The marks of critical and recurrent instructions and dependences, shared by all writers of a graph.

namespace warpipe {

/// The analysis of a graph, by instruction and by dependence; no marks without latencies.
struct GraphMarks {
  struct Mark {
    bool critical = false;   ///< on the critical path
    bool recurrent = false;  ///< on a recurrence
  };

  CriticalPath path;                    ///< its length in whole milli-cycles
  std::vector<Recurrence> recurrences;  ///< rounded to milli-cycles
  std::vector<Mark> instructions;
  std::vector<Mark> dependences;  ///< by IdgEdge::index
};

/// Sums of milli-cycles as doubles end in digits without meaning.
inline Cycles to_milli_cycles(Cycles cycles) { return to_cycles(round_to_ticks(cycles)); }

inline GraphMarks graph_marks(const Idg& idg, const GraphOptions& options) {
  GraphMarks marks;
  marks.instructions.resize(boost::num_vertices(idg.graph));
  marks.dependences.resize(boost::num_edges(idg.graph));
  if (options.latencies.empty()) return marks;
  marks.path = critical_path(idg, options.latencies);
  marks.path.length = to_milli_cycles(marks.path.length);
  for (const std::size_t i : marks.path.instructions) marks.instructions[i].critical = true;
  for (const std::size_t i : marks.path.dependences) marks.dependences[i].critical = true;
  marks.recurrences = recurrences(idg, options.latencies);
  for (Recurrence& recurrence : marks.recurrences) {
    recurrence.per_iteration = to_milli_cycles(recurrence.per_iteration);
    for (const std::size_t i : recurrence.instructions) marks.instructions[i].recurrent = true;
    for (const std::size_t i : recurrence.dependences) marks.dependences[i].recurrent = true;
  }
  return marks;
}

/// @return the conditions around an instruction as one expression; empty without conditions
inline std::string condition_text(const IdgNode& node) {
  if (node.conditions.size() == 1) return node.conditions.front();
  std::string text;
  for (const std::string& condition : node.conditions)
    text += fmt::format("{}({})", text.empty() ? "" : " && ", condition);
  return text;
}

}  // namespace warpipe
