#include <cmath>
#include <nlohmann/json.hpp>

#include "graph_marks.hpp"
#include "warpipe/graph/write_graph.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

/// The shortest form: 400, not 400.0.
Json cycles(Cycles value) {
  const bool is_whole = std::floor(value.count) == value.count && std::abs(value.count) <= kLargestWhole;
  return is_whole ? Json(static_cast<std::int64_t>(value.count)) : Json(value.count);
}

Json loop_name(const Idg& idg, const std::optional<std::size_t>& loop) {
  return loop ? Json(idg.loops[*loop].name) : Json(nullptr);
}

Json loops(const Idg& idg) {
  Json list = Json::array();
  for (const IdgLoop& loop : idg.loops)
    list.push_back({{"loop", loop.name}, {"trip_count", loop.trip_count}, {"inside", loop_name(idg, loop.parent)}});
  return list;
}

Json instructions(const Idg& idg, std::span<const InstructionLatency> latencies) {
  Json list = Json::array();
  for (std::size_t v = 0; v < boost::num_vertices(idg.graph); ++v) {
    const IdgNode& node = idg.graph[v];
    Json entry = {{"id", node.id}, {"op", node.op}, {"loop", loop_name(idg, node.loop)}};
    if (!node.text.empty()) entry["text"] = node.text;
    if (!node.conditions.empty()) entry["when"] = node.conditions;
    if (!latencies.empty()) {
      entry["issue_cycles"] = cycles(latencies[v].issue);
      entry["completion_cycles"] = cycles(latencies[v].completion);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json dependences(const Idg& idg) {
  Json list = Json::array();
  for (auto [edge, end] = boost::edges(idg.graph); edge != end; ++edge) {
    const IdgEdge& dependence = idg.graph[*edge];
    Json entry = {{"producer", idg.graph[boost::source(*edge, idg.graph)].id},
                  {"consumer", idg.graph[boost::target(*edge, idg.graph)].id},
                  {"loop", loop_name(idg, dependence.loop)},
                  {"back", dependence.back},
                  {"distance", dependence.distance}};
    if (dependence.latency) entry["latency_cycles"] = cycles(*dependence.latency);
    list.push_back(std::move(entry));
  }
  return list;
}

Json ids(const Idg& idg, const std::vector<std::size_t>& instructions) {
  Json list = Json::array();
  for (const std::size_t v : instructions) list.push_back(idg.graph[v].id);
  return list;
}

Json recurrences(const Idg& idg, const std::vector<Recurrence>& recurrences) {
  Json list = Json::array();
  for (const Recurrence& recurrence : recurrences)
    list.push_back({{"loop", idg.loops[recurrence.loop].name},
                    {"cycles_per_iteration", cycles(recurrence.per_iteration)},
                    {"instructions", ids(idg, recurrence.instructions)}});
  return list;
}

}  // namespace

std::string write_graph_json(const Idg& idg, const GraphOptions& options) {
  Json graph = {{"format", "warpipe-graph"},
                {"version", 1},
                {"kernel", idg.kernel},
                {"loops", loops(idg)},
                {"instructions", instructions(idg, options.latencies)},
                {"dependences", dependences(idg)}};
  if (!options.latencies.empty()) {
    const GraphMarks marks = graph_marks(idg, options);
    graph["critical_path"] = {{"cycles", cycles(marks.path.length)},
                              {"instructions", ids(idg, marks.path.instructions)}};
    graph["recurrences"] = recurrences(idg, marks.recurrences);
  }
  return graph.dump(2) + '\n';
}

}  // namespace warpipe
