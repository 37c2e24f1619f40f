#include "warpipe/graph/idg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_maker.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using After = KernelMaker::After;

const std::vector<std::string> kNames{"n", "warp"};

Expression expression(const char* text) { return Expression::parse(text, kNames); }

/// The only edge of a graph.
IdgEdge only_edge(const Idg& idg) {
  EXPECT_EQ(boost::num_edges(idg.graph), 1U);
  return idg.graph[*boost::edges(idg.graph).first];
}

TEST(Idg, AnInstructionBecomesAVertexInProgramOrder) {
  const Idg idg = build_idg(KernelMaker()
                                .instruction("index", {}, "imad", "i = blockIdx.x")
                                .instruction("load", {"index"}, "global.load")
                                .make("saxpy"),
                            {});
  EXPECT_EQ(idg.kernel, "saxpy");
  ASSERT_EQ(boost::num_vertices(idg.graph), 2U);
  EXPECT_EQ(idg.graph[0].id, "index");
  EXPECT_EQ(idg.graph[0].op, "imad");
  EXPECT_EQ(idg.graph[0].text, "i = blockIdx.x");
  EXPECT_EQ(idg.graph[1].id, "load");
  EXPECT_TRUE(idg.loops.empty());
}

TEST(Idg, AnEdgeLeadsFromTheProducerToTheConsumer) {
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {{"a", 1, Cycles{7}}}).make(), {});
  const auto edge = *boost::edges(idg.graph).first;
  EXPECT_EQ(boost::source(edge, idg.graph), 0U);
  EXPECT_EQ(boost::target(edge, idg.graph), 1U);
  EXPECT_EQ(only_edge(idg).distance, 0);
  EXPECT_FALSE(only_edge(idg).loop_carried());
  EXPECT_EQ(only_edge(idg).loop, std::nullopt);
  EXPECT_EQ(only_edge(idg).latency, Cycles{7});
}

TEST(Idg, KeepsParallelEdges) {
  // The second operand comes 3 cycles after issue, the first after the producer's completion.
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {"a", {"a", 1, Cycles{3}}}).make(), {});
  EXPECT_EQ(boost::num_edges(idg.graph), 2U);
}

TEST(Idg, KnowsTheLoopNest) {
  const Idg idg =
      build_idg(KernelMaker()
                    .instruction("before")
                    .loop("outer", expression("n / 2"),
                          [](KernelMaker& outer) {
                            outer.instruction("first");
                            outer.loop("inner", Expression(4), [](KernelMaker& inner) { inner.instruction("second"); });
                            outer.instruction("third");
                          })
                    .make(),
                {});
  ASSERT_EQ(idg.loops.size(), 2U);
  EXPECT_EQ(idg.loops[0].name, "outer");
  EXPECT_EQ(idg.loops[0].trip_count, "n / 2");
  EXPECT_EQ(idg.loops[0].parent, std::nullopt);
  EXPECT_EQ(idg.loops[0].first, 1U);
  EXPECT_EQ(idg.loops[0].last, 4U);
  EXPECT_EQ(idg.loops[1].name, "inner");
  EXPECT_EQ(idg.loops[1].parent, 0U);
  EXPECT_EQ(idg.loops[1].first, 2U);
  EXPECT_EQ(idg.loops[1].last, 3U);
  EXPECT_EQ(idg.graph[0].loop, std::nullopt);
  EXPECT_EQ(idg.graph[1].loop, 0U);
  EXPECT_EQ(idg.graph[2].loop, 1U);
  EXPECT_EQ(idg.graph[3].loop, 0U);
}

TEST(Idg, ConditionsCountAsTaken) {
  const Idg idg =
      build_idg(KernelMaker()
                    .instruction("a")
                    .when(expression("warp < 2"),
                          [](KernelMaker& outer) {
                            outer.when(expression("n > 1"), [](KernelMaker& inner) { inner.instruction("b", {"a"}); });
                          })
                    .instruction("c", {"b"})
                    .make(),
                {});
  EXPECT_THAT(idg.graph[1].conditions, testing::ElementsAre("warp < 2", "n > 1"));
  EXPECT_THAT(idg.graph[2].conditions, testing::IsEmpty());
  EXPECT_EQ(boost::num_edges(idg.graph), 2U);
}

/// In a loop: "first" and "second", a dependence from `producer` to `consumer`.
IdgEdge edge_in_loop(const std::string& producer, const std::string& consumer, double back) {
  const auto after = [&](const std::string& id) {
    return id == consumer ? std::vector<After>{{producer.c_str(), back}} : std::vector<After>{};
  };
  return only_edge(build_idg(KernelMaker()
                                 .loop("k", Expression(8),
                                       [&](KernelMaker& body) {
                                         body.instruction("first", after("first"));
                                         body.instruction("second", after("second"));
                                       })
                                 .make(),
                             {}));
}

TEST(Idg, AProducerBeforeItsConsumerIsOfTheSameIteration) {
  EXPECT_EQ(edge_in_loop("first", "second", 1).distance, 0);
  EXPECT_EQ(edge_in_loop("first", "second", 2).distance, 1);
  EXPECT_EQ(edge_in_loop("first", "second", 1).loop, 0U);
}

TEST(Idg, AProducerAtOrAfterItsConsumerIsOfAnEarlierIteration) {
  EXPECT_EQ(edge_in_loop("second", "first", 1).distance, 1);
  EXPECT_EQ(edge_in_loop("second", "first", 3).distance, 3);
  EXPECT_EQ(edge_in_loop("first", "first", 1).distance, 1);
  EXPECT_EQ(edge_in_loop("first", "first", 2).distance, 2);
  EXPECT_TRUE(edge_in_loop("first", "first", 1).loop_carried());
}

TEST(Idg, WhatNeverWaitsIsLeftOut) {
  // Outside all loops, each of these refers to an execution that does not exist.
  const Idg idg = build_idg(
      KernelMaker().instruction("a", {"a", "b"}).instruction("b", {{"a", 2}}).instruction("c", {"a"}).make(), {});
  EXPECT_EQ(only_edge(idg).back, 1);
  EXPECT_EQ(only_edge(idg).index, 0U);
}

/// An outer loop around an inner loop of `trips` with "deep"; before and after it "early" and "late" of the outer loop.
IdgEdge edge_from_deep(const std::string& consumer, double back, double trips) {
  const auto after = [&](const std::string& id) {
    return id == consumer ? std::vector<After>{{"deep", back}} : std::vector<After>{};
  };
  const Kernel kernel =
      KernelMaker()
          .loop("outer", Expression(8),
                [&](KernelMaker& outer) {
                  outer.instruction("early", after("early"));
                  outer.loop("inner", Expression(trips), [](KernelMaker& inner) { inner.instruction("deep"); });
                  outer.instruction("late", after("late"));
                })
          .make();
  return only_edge(build_idg(kernel, {}));
}

TEST(Idg, BackCountsTheExecutionsOfAProducerInADeeperLoop) {
  // "deep" runs 4 times an iteration of "outer": the last 4 are of this iteration for "late", of the previous iteration
  // for "early"; the 5th is an iteration earlier.
  EXPECT_EQ(edge_from_deep("late", 1, 4).distance, 0);
  EXPECT_EQ(edge_from_deep("late", 4, 4).distance, 0);
  EXPECT_EQ(edge_from_deep("late", 5, 4).distance, 1);
  EXPECT_EQ(edge_from_deep("early", 1, 4).distance, 1);
  EXPECT_EQ(edge_from_deep("early", 4, 4).distance, 1);
  EXPECT_EQ(edge_from_deep("early", 5, 4).distance, 2);
  EXPECT_EQ(edge_from_deep("early", 1, 4).loop, 0U);
}

TEST(Idg, ALoopThatNeverRunsCountsAsRunOnce) {
  EXPECT_EQ(edge_from_deep("late", 1, 0).distance, 0);
  EXPECT_EQ(edge_from_deep("late", 2, 0).distance, 1);
}

TEST(Idg, AProducerInAnEarlierLoopIsWaitedForAfterIt) {
  // No loop is around both. The third last of 4 executions exists, the fifth last does not.
  const auto edges = [](double back) {
    return boost::num_edges(build_idg(KernelMaker()
                                          .loop("k", Expression(4), [](KernelMaker& body) { body.instruction("a"); })
                                          .instruction("b", {{"a", back}})
                                          .make(),
                                      {})
                                .graph);
  };
  EXPECT_EQ(edges(3), 1U);
  EXPECT_EQ(edges(4), 1U);
  EXPECT_EQ(edges(5), 0U);
}

TEST(Idg, AConsumerInADeeperLoopWaitsForTheSameIterationOfTheOuterOne) {
  const Idg idg = build_idg(
      KernelMaker()
          .loop("outer", Expression(8),
                [](KernelMaker& outer) {
                  outer.instruction("a");
                  outer.loop("inner", Expression(4), [](KernelMaker& inner) { inner.instruction("b", {{"a", 2}}); });
                })
          .make(),
      {});
  // "a" runs once an iteration of "outer", however often "b" does: its second last execution is an iteration old.
  EXPECT_EQ(only_edge(idg).distance, 1);
  EXPECT_EQ(only_edge(idg).loop, 0U);
}

TEST(Idg, SiblingLoopsMeetInTheLoopAroundThem) {
  const Idg idg =
      build_idg(KernelMaker()
                    .loop("outer", Expression(8),
                          [](KernelMaker& outer) {
                            outer.loop("x", Expression(2), [](KernelMaker& inner) { inner.instruction("a", {"b"}); });
                            outer.loop("y", Expression(2), [](KernelMaker& inner) { inner.instruction("b"); });
                          })
                    .make(),
                {});
  EXPECT_EQ(only_edge(idg).loop, 0U);
  EXPECT_EQ(only_edge(idg).distance, 1);
}

TEST(Idg, EvaluatesBackWithTheValuesGiven) {
  const Kernel kernel = KernelMaker()
                            .loop("k", Expression(8),
                                  [](KernelMaker& body) {
                                    body.instruction("a", {{"a", expression("n / 2")}});
                                  })
                            .make();
  EXPECT_EQ(only_edge(build_idg(kernel, {{"n", 6}})).distance, 3);
}

TEST(Idg, ABackThatIsNotWholeTellsItsPlace) {
  Kernel kernel = KernelMaker()
                      .loop("k", Expression(8),
                            [](KernelMaker& body) {
                              body.instruction("a", {{"a", expression("n / 2")}});
                            })
                      .make();
  kernel.file = "bad.json";
  try {
    build_idg(kernel, {{"n", 5}});
    FAIL() << "n / 2 = 2.5 is not whole";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().front().where, "bad.json: /a/after/0/back");
    EXPECT_THAT(error.what(), testing::HasSubstr("2.5"));
  }
  EXPECT_THROW(build_idg(kernel, {{"n", 0}}), ModelError) << "back is at least 1";
  EXPECT_THROW(build_idg(kernel, {}), ModelError) << "n has no value";
}

}  // namespace
}  // namespace warpipe
