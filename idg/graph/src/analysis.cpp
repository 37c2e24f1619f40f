#include "warpipe/graph/analysis.hpp"

#include "warpipe/graph/idg.hpp"  // first: howard_cycle_ratio.hpp needs a graph but includes none

#include <algorithm>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <cassert>
#include <optional>

namespace warpipe {
namespace {

using Edge = Idg::Graph::edge_descriptor;

/// Cycles from the producer's issue until this consumer may issue.
double latency_of(const Idg& idg, const Edge& edge, std::span<const InstructionLatency> latencies) {
  const IdgEdge& dependence = idg.graph[edge];
  return dependence.latency.value_or(latencies[boost::source(edge, idg.graph)].completion).count;
}

/// A dependence as a recurrence sees it.
struct Arc {
  std::size_t dependence = 0;
  double latency = 0;   ///< cycles
  double scaled = 0;    ///< latency / the largest latency of the component
  double distance = 0;  ///< iterations
};

/// A vertex holds the index of its instruction.
using LoopGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, std::size_t, Arc>;

/// The instructions of a loop, with dependences carried by it and dependences within one iteration. Dependences carried
/// by an inner loop are left out: they do not constrain iterations of this loop.
LoopGraph loop_graph(const Idg& idg, std::size_t loop, std::span<const InstructionLatency> latencies) {
  const auto [first, last] = std::pair(idg.loops[loop].first, idg.loops[loop].last);
  LoopGraph graph(last - first);
  for (std::size_t instruction = first; instruction < last; ++instruction) graph[instruction - first] = instruction;
  for (std::size_t producer = first; producer < last; ++producer) {
    for (const Edge& edge : boost::make_iterator_range(boost::out_edges(producer, idg.graph))) {
      const std::size_t consumer = boost::target(edge, idg.graph);
      const IdgEdge& dependence = idg.graph[edge];
      const bool within = first <= consumer && consumer < last;
      if (!within || (dependence.loop_carried() && dependence.loop != loop)) continue;
      const Arc arc{dependence.index, latency_of(idg, edge, latencies), 0, static_cast<double>(dependence.distance)};
      boost::add_edge(producer - first, consumer - first, arc, graph);
    }
  }
  return graph;
}

/// The strongly connected components, each a graph of its own; some have a single vertex and no arc.
std::vector<LoopGraph> components(const LoopGraph& graph) {
  const auto index = boost::get(boost::vertex_index, graph);
  std::vector<std::size_t> component(boost::num_vertices(graph));
  const std::size_t count =
      boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index));

  std::vector<LoopGraph> parts(count);
  std::vector<std::size_t> place(component.size());
  for (std::size_t v = 0; v < component.size(); ++v) {
    LoopGraph& part = parts[component[v]];
    place[v] = boost::add_vertex(part);
    part[place[v]] = graph[v];
  }
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const auto [from, to] = std::pair(boost::source(edge, graph), boost::target(edge, graph));
    if (component[from] == component[to]) boost::add_edge(place[from], place[to], graph[edge], parts[component[from]]);
  }
  return parts;
}

/// Relative to the largest latency; Boost's own precision is 0.005 cycles.
struct FinePrecision : boost::mcr_float<double> {
  static double epsilon() { return -1e-10; }  // negative, as Boost wants it for a maximum
};

/// @return the cycle of a component with the largest latency per iteration; empty if all latencies are 0
std::vector<LoopGraph::edge_descriptor> slowest_cycle(LoopGraph& component) {
  const auto arcs = boost::make_iterator_range(boost::edges(component));
  double largest = 0;
  for (const auto& arc : arcs) largest = std::max(largest, component[arc].latency);
  if (largest == 0) return {};
  for (const auto& arc : arcs) component[arc].scaled = component[arc].latency / largest;

  // Every cycle spans at least one iteration: a dependence of distance 0 points forward in program order.
  std::vector<LoopGraph::edge_descriptor> cycle;
  boost::maximum_cycle_ratio(component, boost::get(boost::vertex_index, component), boost::get(&Arc::scaled, component),
                             boost::get(&Arc::distance, component), &cycle, FinePrecision());
  const auto by_instruction = [&](const auto& a, const auto& b) {
    return component[boost::source(a, component)] < component[boost::source(b, component)];
  };
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), by_instruction), cycle.end());
  return cycle;
}

Recurrence recurrence(std::size_t loop, const LoopGraph& component,
                      const std::vector<LoopGraph::edge_descriptor>& cycle) {
  Recurrence recurrence;
  recurrence.loop = loop;
  double latency = 0;
  double distance = 0;
  for (const auto& edge : cycle) {
    recurrence.instructions.push_back(component[boost::source(edge, component)]);
    recurrence.dependences.push_back(component[edge].dependence);
    latency += component[edge].latency;
    distance += component[edge].distance;
  }
  recurrence.per_iteration = Cycles{latency / distance};
  return recurrence;
}

/// For each instruction, its earliest issue behind the longest chain, and the last dependence of the chain.
struct Chains {
  std::vector<double> start;
  std::vector<std::optional<Edge>> last_wait;
};

Chains longest_chains(const Idg& idg, std::span<const InstructionLatency> latencies) {
  const std::size_t count = boost::num_vertices(idg.graph);
  Chains chains{std::vector<double>(count, 0), std::vector<std::optional<Edge>>(count)};
  // Program order is a topological order: build_idg gives distance 0 only to a producer before its consumer.
  for (std::size_t v = 0; v < count; ++v) {
    for (const Edge& edge : boost::make_iterator_range(boost::in_edges(v, idg.graph))) {
      if (idg.graph[edge].loop_carried()) continue;
      const double ready = chains.start[boost::source(edge, idg.graph)] + latency_of(idg, edge, latencies);
      if (chains.last_wait[v] && ready <= chains.start[v]) continue;
      chains.start[v] = ready;
      chains.last_wait[v] = edge;
    }
  }
  return chains;
}

}  // namespace

std::vector<Recurrence> recurrences(const Idg& idg, std::span<const InstructionLatency> latencies) {
  assert(latencies.size() == boost::num_vertices(idg.graph));
  std::vector<Recurrence> found;
  for (std::size_t loop = 0; loop < idg.loops.size(); ++loop) {
    const auto first_of_loop = static_cast<std::ptrdiff_t>(found.size());
    for (LoopGraph& component : components(loop_graph(idg, loop, latencies))) {
      const auto cycle = slowest_cycle(component);
      if (!cycle.empty()) found.push_back(recurrence(loop, component, cycle));
    }
    std::sort(found.begin() + first_of_loop, found.end(),
              [](const Recurrence& a, const Recurrence& b) { return a.instructions.front() < b.instructions.front(); });
  }
  return found;
}

CriticalPath critical_path(const Idg& idg, std::span<const InstructionLatency> latencies) {
  const std::size_t count = boost::num_vertices(idg.graph);
  assert(latencies.size() == count);
  CriticalPath path;
  if (count == 0) return path;
  const Chains chains = longest_chains(idg, latencies);
  const auto end_of = [&](std::size_t v) {
    return chains.start[v] + (latencies[v].retires_at_issue ? latencies[v].issue : latencies[v].completion).count;
  };
  std::size_t at = 0;
  for (std::size_t v = 1; v < count; ++v)
    if (end_of(v) > end_of(at)) at = v;

  path.length = Cycles{end_of(at)};
  path.instructions.push_back(at);
  while (const std::optional<Edge> wait = chains.last_wait[at]) {
    at = boost::source(*wait, idg.graph);
    path.instructions.push_back(at);
    path.dependences.push_back(idg.graph[*wait].index);
  }
  std::reverse(path.instructions.begin(), path.instructions.end());
  std::reverse(path.dependences.begin(), path.dependences.end());
  return path;
}

}  // namespace warpipe
