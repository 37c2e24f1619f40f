#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <sstream>

#include "graph_marks.hpp"
#include "warpipe/graph/write_graph.hpp"

namespace warpipe {
namespace {

constexpr const char* kCriticalColour = "#c0392b";
constexpr const char* kRecurrentColour = "#2471a3";
constexpr const char* kRecurrentGround = "#d6eaf8";

/// A string of the DOT language. Graphviz reads escapes and character entities in labels.
std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '&':
        result += "&amp;";
        break;
      case '\n':
        result += "\\n";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result + '"';
}

/// An instruction's name in the file. Bare ids could be words of the language, such as `node`.
std::string dot_id(const IdgNode& node) { return "i_" + node.id; }

class DotWriter {
 public:
  DotWriter(const Idg& idg, const GraphOptions& options)
      : idg_(idg), options_(options), marks_(graph_marks(idg, options)) {}

  std::string write() const {
    std::ostringstream out;
    const auto id = [this](std::size_t v) { return dot_id(idg_.graph[v]); };
    boost::write_graphviz(
        out, idg_.graph, [this](std::ostream& to, std::size_t v) { to << node_attributes(v); },
        [this](std::ostream& to, const auto& edge) { to << edge_attributes(idg_.graph[edge]); },
        [this](std::ostream& to) { to << head(); }, boost::make_function_property_map<std::size_t, std::string>(id));
    return out.str();
  }

 private:
  bool has_latencies() const { return !options_.latencies.empty(); }

  std::string head() const {
    std::string label = idg_.kernel;
    if (has_latencies()) label += fmt::format("\ncritical path: {} cycles", marks_.path.length.count);
    std::string text = fmt::format("label={};\nlabelloc=t;\nnode [shape=box];\n", dot_string(label));
    for (std::size_t loop = 0; loop < idg_.loops.size(); ++loop)
      if (!idg_.loops[loop].parent) text += cluster(loop, 0);
    return text;
  }

  /// A frame around a loop's own instructions and the frames of the loops in it.
  std::string cluster(std::size_t index, std::size_t depth) const {
    const IdgLoop& loop = idg_.loops[index];
    const std::string indent(2 * depth, ' ');
    std::string text =
        fmt::format("{0}subgraph cluster_{1} {{\n{0}  label={2};\n", indent, index, dot_string(loop_label(index)));
    for (std::size_t v = loop.first; v < loop.last; ++v)
      if (idg_.graph[v].loop == index) text += fmt::format("{}  {};\n", indent, dot_id(idg_.graph[v]));
    for (std::size_t inner = index + 1; inner < idg_.loops.size(); ++inner)
      if (idg_.loops[inner].parent == index) text += cluster(inner, depth + 1);
    return text + indent + "}\n";
  }

  std::string loop_label(std::size_t index) const {
    const IdgLoop& loop = idg_.loops[index];
    double slowest = 0;
    for (const Recurrence& recurrence : marks_.recurrences)
      if (recurrence.loop == index) slowest = std::max(slowest, recurrence.per_iteration.count);
    std::string label = fmt::format("loop {}, trip count {}", loop.name, loop.trip_count);
    if (slowest > 0) label += fmt::format("\nrecurrence: {} cycles per iteration", slowest);
    return label;
  }

  std::string node_attributes(std::size_t v) const {
    const IdgNode& node = idg_.graph[v];
    std::string label = node.id + '\n' + node.op;
    if (!node.text.empty()) label += '\n' + node.text;
    if (!node.conditions.empty()) label += "\nwhen " + condition_text(node);
    if (has_latencies())
      label += fmt::format("\nissue {}, completion {}", options_.latencies[v].issue.count,
                           options_.latencies[v].completion.count);
    std::string attributes = "label=" + dot_string(label);
    if (marks_.instructions[v].critical) attributes += fmt::format(", color=\"{}\"", kCriticalColour);
    if (marks_.instructions[v].recurrent)
      attributes += fmt::format(", style=filled, fillcolor=\"{}\"", kRecurrentGround);
    return " [" + attributes + ']';
  }

  std::string edge_attributes(const IdgEdge& edge) const {
    std::string label = edge.loop_carried() ? fmt::format("+{}", edge.distance) : "";
    if (edge.latency) label += fmt::format("{}latency {}", label.empty() ? "" : "\n", edge.latency->count);
    std::vector<std::string> attributes;
    if (!label.empty()) attributes.push_back("label=" + dot_string(label));
    if (edge.loop_carried()) attributes.push_back("style=dashed");
    const GraphMarks::Mark mark = marks_.dependences[edge.index];
    if (mark.critical && mark.recurrent)
      attributes.push_back(fmt::format("color=\"{}:{}\"", kCriticalColour, kRecurrentColour));  // two lines
    else if (mark.critical || mark.recurrent)
      attributes.push_back(fmt::format("color=\"{}\"", mark.critical ? kCriticalColour : kRecurrentColour));
    return attributes.empty() ? "" : fmt::format("[{}]", fmt::join(attributes, ", "));
  }

  const Idg& idg_;
  const GraphOptions& options_;
  const GraphMarks marks_;
};

}  // namespace

std::string write_dot(const Idg& idg, const GraphOptions& options) { return DotWriter(idg, options).write(); }

}  // namespace warpipe
