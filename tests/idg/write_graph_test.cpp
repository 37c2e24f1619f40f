#include "warpipe/graph/write_graph.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernel_maker.hpp"
#include "warpipe/graph/idg.hpp"

namespace warpipe {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

// Quotes, a backslash, an entity, a line break, a control character, two bytes of UTF-8.
constexpr const char* kNastyText = "x[i] < \"y\" && \\n &lt;\nnext\x01é";

/// A loop with a sum: load 400 in each iteration, add 4 to the sum; then a store of 8, awaited by no instruction. The
/// ids are words of the DOT language where possible.
Kernel sum_kernel() {
  const std::vector<std::string> names{"n", "warp"};
  return KernelMaker()
      .instruction("node", {}, "imad", kNastyText)
      .loop("k", Expression::parse("n / 2", names),
            [](KernelMaker& body) {
              body.instruction("load", {"node"}, "global.load");
              body.instruction("sum", {{"load", 1, Cycles{390.5}}, "sum"}, "fadd");
            })
      .when(Expression::parse("warp == 0", names),
            [](KernelMaker& body) { body.instruction("edge", {"sum"}, "global.store"); })
      .make("sum \"1\"");
}

const std::vector<InstructionLatency> kLatencies{
    {Cycles{1}, Cycles{6}}, {Cycles{8}, Cycles{400}}, {Cycles{1.5}, Cycles{4}}, {Cycles{8}, Cycles{0}, true}};

Idg sum_graph() { return build_idg(sum_kernel(), {}); }

bool has_tool(const std::string& tool) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", tool).c_str()) == 0;
}

/// The output of a program that reads `input`, to either stream, and whether it ended with status 0.
std::pair<bool, std::string> run_on(const std::string& command, const std::string& input) {
  const std::string path = fmt::format("{}warpipe_graph_{}", testing::TempDir(), getpid());
  std::ofstream(path, std::ios::binary) << input;
  const int status = std::system(fmt::format("{0} < {1} > {1}.out 2>&1", command, path).c_str());
  std::ifstream printed(path + ".out", std::ios::binary);
  const std::string output{std::istreambuf_iterator<char>(printed), {}};
  std::remove(path.c_str());
  std::remove((path + ".out").c_str());
  return {status == 0, output};
}

TEST(WriteDot, ShowsLoopsAsFramesAndLoopCarriedDependencesDashed) {
  EXPECT_EQ(write_dot(sum_graph()), R"(digraph G {
label="sum \"1\"";
labelloc=t;
node [shape=box];
subgraph cluster_0 {
  label="loop k, trip count n / 2";
  i_load;
  i_sum;
}
i_node [label="node\nimad\nx[i] < \"y\" &amp;&amp; \\n &amp;lt;\nnext é"];
i_load [label="load\nglobal.load"];
i_sum [label="sum\nfadd"];
i_edge [label="edge\nglobal.store\nwhen warp == 0"];
i_node->i_load ;
i_load->i_sum [label="latency 390.5"];
i_sum->i_sum [label="+1", style=dashed];
i_sum->i_edge ;
}
)");
}

TEST(WriteDot, ColoursTheCriticalPathAndRecurrences) {
  // Path: 6 + 390.5 (the edge's own) + 4 + 8 (the store ends when issued) = 408.5. Recurrence: the sum, 4 an iteration.
  EXPECT_EQ(write_dot(sum_graph(), {kLatencies}), R"(digraph G {
label="sum \"1\"\ncritical path: 408.5 cycles";
labelloc=t;
node [shape=box];
subgraph cluster_0 {
  label="loop k, trip count n / 2\nrecurrence: 4 cycles per iteration";
  i_load;
  i_sum;
}
i_node [label="node\nimad\nx[i] < \"y\" &amp;&amp; \\n &amp;lt;\nnext é\nissue 1, completion 6", color="#c0392b"];
i_load [label="load\nglobal.load\nissue 8, completion 400", color="#c0392b"];
i_sum [label="sum\nfadd\nissue 1.5, completion 4", color="#c0392b", style=filled, fillcolor="#d6eaf8"];
i_edge [label="edge\nglobal.store\nwhen warp == 0\nissue 8, completion 0", color="#c0392b"];
i_node->i_load [color="#c0392b"];
i_load->i_sum [label="latency 390.5", color="#c0392b"];
i_sum->i_sum [label="+1", style=dashed, color="#2471a3"];
i_sum->i_edge [color="#c0392b"];
}
)");
}

TEST(WriteDot, FramesOfInnerLoopsLieInThoseOfOuterOnes) {
  const Idg idg = build_idg(KernelMaker()
                                .loop("outer", Expression(8),
                                      [](KernelMaker& outer) {
                                        outer.loop("x", Expression(2), [](KernelMaker& x) { x.instruction("a"); });
                                        outer.loop("y", Expression(2), [](KernelMaker& y) { y.instruction("b"); });
                                      })
                                .make(),
                            {});
  EXPECT_THAT(write_dot(idg), HasSubstr(R"(subgraph cluster_0 {
  label="loop outer, trip count 8";
  subgraph cluster_1 {
    label="loop x, trip count 2";
    i_a;
  }
  subgraph cluster_2 {
    label="loop y, trip count 2";
    i_b;
  }
}
)"));
}

TEST(WriteDot, ADependenceOnThePathAndARecurrenceHasBothColours) {
  // multiply and add wait for each other: the edge of an iteration is on the path 4 + 6 too.
  const Idg idg = build_idg(
      KernelMaker()
          .loop("k", Expression(8),
                [](KernelMaker& body) { body.instruction("multiply", {"add"}).instruction("add", {"multiply"}); })
          .make(),
      {});
  const std::vector<InstructionLatency> latencies{{Cycles{1}, Cycles{4}}, {Cycles{1}, Cycles{6}}};
  EXPECT_THAT(write_dot(idg, {latencies}), HasSubstr("i_multiply->i_add [color=\"#c0392b:#2471a3\"];"));
}

TEST(WriteDot, IsReadByGraphviz) {
  if (!has_tool("dot")) GTEST_SKIP() << "dot of Graphviz was not found: that it reads our files is not tested here";
  const auto [done, svg] = run_on("dot -Tsvg", write_dot(sum_graph(), {kLatencies}));
  ASSERT_TRUE(done) << svg;
  EXPECT_THAT(svg, Not(HasSubstr("Warning")));
  EXPECT_THAT(svg, HasSubstr(">x[i] &lt; &quot;y&quot; &amp;&amp; \\n &amp;lt;</text>"))
      << "the text as it was written";
  EXPECT_THAT(svg, HasSubstr("<title>i_sum&#45;&gt;i_sum</title>"));
}

TEST(WriteGraphJson, ListsLoopsInstructionsAndDependencesById) {
  EXPECT_EQ(Json::parse(write_graph_json(sum_graph())), Json::parse(R"({
    "format": "warpipe-graph", "version": 1, "kernel": "sum \"1\"",
    "loops": [{"loop": "k", "trip_count": "n / 2", "inside": null}],
    "instructions": [
      {"id": "node", "op": "imad", "loop": null, "text": "x[i] < \"y\" && \\n &lt;\nnext\u0001é"},
      {"id": "load", "op": "global.load", "loop": "k"},
      {"id": "sum", "op": "fadd", "loop": "k"},
      {"id": "edge", "op": "global.store", "loop": null, "when": ["warp == 0"]}
    ],
    "dependences": [
      {"producer": "node", "consumer": "load", "loop": null, "back": 1, "distance": 0},
      {"producer": "load", "consumer": "sum", "loop": "k", "back": 1, "distance": 0, "latency_cycles": 390.5},
      {"producer": "sum", "consumer": "sum", "loop": "k", "back": 1, "distance": 1},
      {"producer": "sum", "consumer": "edge", "loop": null, "back": 1, "distance": 0}
    ]})"));
}

TEST(WriteGraphJson, TellsTheAnalysisWhereLatenciesAreKnown) {
  const Json graph = Json::parse(write_graph_json(sum_graph(), {kLatencies}));
  EXPECT_EQ(graph["critical_path"],
            Json::parse(R"({"cycles": 408.5, "instructions": ["node", "load", "sum", "edge"]})"));
  EXPECT_EQ(graph["recurrences"],
            Json::parse(R"([{"loop": "k", "cycles_per_iteration": 4, "instructions": ["sum"]}])"));
  EXPECT_EQ(graph["instructions"][2]["issue_cycles"], 1.5);
}

TEST(WriteGraphJson, WritesDoublesInTheirShortestForm) {
  // 0.1 + 0.2 is 0.30000000000000004 in double precision; 4 is not 4.0.
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {"a"}).make(), {});
  const std::vector<InstructionLatency> latencies{{Cycles{4}, Cycles{0.1}}, {Cycles{4}, Cycles{0.2}}};
  const std::string text = write_graph_json(idg, {latencies});
  EXPECT_THAT(text, HasSubstr("\"cycles\": 0.3,"));
  EXPECT_THAT(text, HasSubstr("\"issue_cycles\": 4,"));
}

TEST(WriteGraph, GivesTheSameBytesEachTime) {
  const Idg idg = sum_graph();
  const Idg again = sum_graph();
  EXPECT_EQ(write_dot(idg, {kLatencies}), write_dot(again, {kLatencies}));
  EXPECT_EQ(write_graph_json(idg, {kLatencies}), write_graph_json(again, {kLatencies}));
}

}  // namespace
}  // namespace warpipe
