#include <fmt/format.h>

#include <boost/graph/graphml.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <locale>
#include <sstream>

#include "graph_marks.hpp"
#include "warpipe/graph/write_graph.hpp"

namespace warpipe {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Replaces what XML 1.0 cannot hold, not even escaped: control characters, U+FFFE and U+FFFF.
std::string attribute_text(std::string_view value) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    const std::string_view three = value.substr(i, 3);
    const bool is_noncharacter = three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF";
    if (is_control || is_noncharacter)
      text += kReplacement;
    else
      text += c;
    if (is_noncharacter) i += 2;
  }
  return text;
}
std::string attribute_text(bool value) { return value ? "true" : "false"; }
std::string attribute_text(long value) { return fmt::format("{}", value); }
std::string attribute_text(double value) { return std::isnan(value) ? "NaN" : fmt::format("{}", value); }

/// An attribute of the file. Boost's own adaptors print through a stream: six digits, in the global locale.
template <typename Key, typename Value>
class Attribute : public boost::dynamic_property_map {
 public:
  explicit Attribute(std::function<Value(const Key&)> read) : read_(std::move(read)) {}
  boost::any get(const boost::any& key) override { return read_(boost::any_cast<Key>(key)); }
  std::string get_string(const boost::any& key) override { return attribute_text(read_(boost::any_cast<Key>(key))); }
  void put(const boost::any&, const boost::any&) override { throw boost::dynamic_const_put_error(); }
  const std::type_info& key() const override { return typeid(Key); }
  const std::type_info& value() const override { return typeid(Value); }

 private:
  std::function<Value(const Key&)> read_;
};

using GraphPointer = Idg::Graph*;
using Vertex = Idg::Graph::vertex_descriptor;
using Edge = Idg::Graph::edge_descriptor;

/// Adds an attribute whose key and type are those of `read`.
template <typename Key, typename Read>
void add(boost::dynamic_properties& properties, const std::string& name, Read read) {
  using Value = std::invoke_result_t<Read, const Key&>;
  properties.insert(name, boost::make_shared<Attribute<Key, Value>>(std::move(read)));
}

std::string name_of_loop(const Idg& idg, const std::optional<std::size_t>& loop) {
  return loop ? idg.loops[*loop].name : std::string();
}

void add_structure(boost::dynamic_properties& properties, const Idg& idg) {
  const Idg::Graph& graph = idg.graph;
  add<GraphPointer>(properties, "kernel", [&idg](const GraphPointer&) { return idg.kernel; });
  add<Vertex>(properties, "id", [&graph](const Vertex& v) { return graph[v].id; });
  add<Vertex>(properties, "op", [&graph](const Vertex& v) { return graph[v].op; });
  add<Vertex>(properties, "text", [&graph](const Vertex& v) { return graph[v].text; });
  add<Vertex>(properties, "when", [&graph](const Vertex& v) { return condition_text(graph[v]); });
  add<Vertex>(properties, "loop", [&idg](const Vertex& v) { return name_of_loop(idg, idg.graph[v].loop); });
  add<Edge>(properties, "loop", [&idg](const Edge& e) { return name_of_loop(idg, idg.graph[e].loop); });
  add<Edge>(properties, "back", [&graph](const Edge& e) -> long { return graph[e].back; });
  add<Edge>(properties, "distance", [&graph](const Edge& e) -> long { return graph[e].distance; });
  add<Edge>(properties, "latency_cycles",
            [&graph](const Edge& e) { return graph[e].latency.value_or(Cycles{kUnknown}).count; });
}

void add_analysis(boost::dynamic_properties& properties, const Idg& idg, std::span<const InstructionLatency> latencies,
                  const GraphMarks& marks) {
  add<GraphPointer>(properties, "critical_path_cycles",
                    [&marks](const GraphPointer&) { return marks.path.length.count; });
  add<Vertex>(properties, "issue_cycles", [latencies](const Vertex& v) { return latencies[v].issue.count; });
  add<Vertex>(properties, "completion_cycles", [latencies](const Vertex& v) { return latencies[v].completion.count; });
  add<Vertex>(properties, "critical", [&marks](const Vertex& v) { return marks.instructions[v].critical; });
  add<Vertex>(properties, "recurrent", [&marks](const Vertex& v) { return marks.instructions[v].recurrent; });
  const Idg::Graph& graph = idg.graph;
  add<Edge>(properties, "critical", [&](const Edge& e) { return marks.dependences[graph[e].index].critical; });
  add<Edge>(properties, "recurrent", [&](const Edge& e) { return marks.dependences[graph[e].index].recurrent; });
}

}  // namespace

std::string write_graphml(const Idg& idg, const GraphOptions& options) {
  const GraphMarks marks = graph_marks(idg, options);
  boost::dynamic_properties properties;
  add_structure(properties, idg);
  if (!options.latencies.empty()) add_analysis(properties, idg, options.latencies, marks);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  boost::write_graphml(out, idg.graph, properties, true);
  return out.str();
}

}  // namespace warpipe
