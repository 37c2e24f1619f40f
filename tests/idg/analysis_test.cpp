#include "warpipe/graph/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "kernel_maker.hpp"
#include "warpipe/graph/idg.hpp"

namespace warpipe {
namespace {

using After = KernelMaker::After;
using testing::ElementsAre;
using testing::IsEmpty;

/// Latencies of completion, in program order; each issues in a cycle.
std::vector<InstructionLatency> completions(const std::vector<double>& cycles) {
  std::vector<InstructionLatency> latencies;
  for (const double completion : cycles) latencies.push_back({Cycles{1}, Cycles{completion}});
  return latencies;
}

std::vector<std::string> ids(const Idg& idg, const std::vector<std::size_t>& instructions) {
  std::vector<std::string> names;
  for (const std::size_t i : instructions) names.push_back(idg.graph[i].id);
  return names;
}

Idg loop_of(const KernelMaker::Body& body) {
  return build_idg(KernelMaker().loop("k", Expression(100), body).make(), {});
}

Recurrence only_recurrence(const Idg& idg, const std::vector<double>& cycles) {
  const auto found = recurrences(idg, completions(cycles));
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Recurrence{} : found.front();
}

TEST(CriticalPath, OfTheWorkedExampleOfTheModel) {
  // index 6, two loads of 400 after it, a multiply-add of 18 after both, a store that ends when it has issued, at 8: 6
  // + 400 + 18 + 8 = 432. (The 440 of the model hold 8 more, while the second load waits for its pipeline.)
  const Idg idg = build_idg(KernelMaker()
                                .instruction("index")
                                .instruction("load_x", {"index"})
                                .instruction("load_y", {"index"})
                                .instruction("fma", {"load_x", "load_y"})
                                .instruction("store", {"fma"})
                                .make(),
                            {});
  const std::vector<InstructionLatency> latencies{{Cycles{1}, Cycles{6}},
                                                  {Cycles{8}, Cycles{400}},
                                                  {Cycles{8}, Cycles{400}},
                                                  {Cycles{1}, Cycles{18}},
                                                  {Cycles{8}, Cycles{0}, true}};
  const CriticalPath path = critical_path(idg, latencies);
  EXPECT_EQ(path.length, Cycles{432});
  EXPECT_THAT(ids(idg, path.instructions), ElementsAre("index", "load_x", "fma", "store"));
  EXPECT_THAT(path.dependences, ElementsAre(0U, 2U, 4U));
}

TEST(CriticalPath, EndsWhereTheLastResultIsComplete) {
  // b ends at 5 + 2 = 7, the independent c at 9.
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {"a"}).instruction("c").make(), {});
  const CriticalPath path = critical_path(idg, completions({5, 2, 9}));
  EXPECT_EQ(path.length, Cycles{9});
  EXPECT_THAT(ids(idg, path.instructions), ElementsAre("c"));
  EXPECT_THAT(path.dependences, IsEmpty());
}

TEST(CriticalPath, TakesTheLatencyOfTheEdgeWhereItHasOne) {
  // b waits 50 for a instead of 5, and then takes 2.
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {"a", {"a", 1, Cycles{50}}}).make(), {});
  const CriticalPath path = critical_path(idg, completions({5, 2}));
  EXPECT_EQ(path.length, Cycles{52});
  EXPECT_THAT(path.dependences, ElementsAre(1U));
}

TEST(CriticalPath, AnEdgeMayAlsoShortenTheProducer) {
  // b waits 1 for a, and takes 2; a's own result is complete at 5.
  const Idg idg = build_idg(KernelMaker().instruction("a").instruction("b", {{"a", 1, Cycles{1}}}).make(), {});
  EXPECT_EQ(critical_path(idg, completions({5, 2})).length, Cycles{5});
}

TEST(CriticalPath, LeavesOutWhatALoopCarries) {
  // A single pass: load 10, then add 4; the add of the previous iteration does not count.
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("load").instruction("add", {"load", "add"}); });
  EXPECT_EQ(critical_path(idg, completions({10, 4})).length, Cycles{14});
}

TEST(CriticalPath, OfNoInstructionsIsEmpty) {
  const Idg idg = build_idg(KernelMaker().loop("k", Expression(3), [](KernelMaker&) {}).make(), {});
  const CriticalPath path = critical_path(idg, {});
  EXPECT_EQ(path.length, Cycles{0});
  EXPECT_THAT(path.instructions, IsEmpty());
}

TEST(Recurrences, AChainThroughEveryIterationTakesItsLatency) {
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("fma", {"fma"}); });
  const Recurrence found = only_recurrence(idg, {4});
  EXPECT_EQ(found.loop, 0U);
  EXPECT_EQ(found.per_iteration, Cycles{4});
  EXPECT_THAT(ids(idg, found.instructions), ElementsAre("fma"));
  EXPECT_THAT(found.dependences, ElementsAre(0U));
}

TEST(Recurrences, TwoInterleavedChainsTakeHalf) {
  // back 2: iterations i and i + 2 are chained, so two iterations go on at once: 4 cycles / 2 iterations.
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("fma", {{"fma", 2}}); });
  EXPECT_EQ(only_recurrence(idg, {4}).per_iteration, Cycles{2});
}

TEST(Recurrences, ACycleOfTwoInstructionsAddsTheirLatencies) {
  // multiply waits for the add of the iteration before, add for the multiply of its own: (4 + 6) / 1.
  const Idg idg =
      loop_of([](KernelMaker& body) { body.instruction("multiply", {"add"}).instruction("add", {"multiply"}); });
  const Recurrence found = only_recurrence(idg, {4, 6});
  EXPECT_EQ(found.per_iteration, Cycles{10});
  EXPECT_THAT(ids(idg, found.instructions), ElementsAre("multiply", "add"));
  EXPECT_THAT(found.dependences, ElementsAre(1U, 0U));  // the second edge leaves multiply
}

TEST(Recurrences, TheSlowestCycleOfAComponentCounts) {
  // Through a alone: 9 / 1. Through a and b: (9 + 7) / 2 = 8, as b is waited for two iterations later.
  const Idg slow_alone = loop_of([](KernelMaker& body) {
    body.instruction("a", {"a", {"b", 2}}).instruction("b", {"a"});
  });
  EXPECT_EQ(only_recurrence(slow_alone, {9, 7}).per_iteration, Cycles{9});
  EXPECT_THAT(only_recurrence(slow_alone, {9, 7}).instructions, ElementsAre(0U));
  // With b of 12: (9 + 12) / 2 = 10.5.
  EXPECT_EQ(only_recurrence(slow_alone, {9, 12}).per_iteration, Cycles{10.5});
  EXPECT_THAT(only_recurrence(slow_alone, {9, 12}).instructions, ElementsAre(0U, 1U));
}

TEST(Recurrences, AreToldApartByAThousandthOfACycle) {
  // 400.001 and 400 differ by less than Boost's default precision.
  const Idg idg = loop_of([](KernelMaker& body) {
    body.instruction("a", {"a", "b"}).instruction("b", {{"a", 2}, "b"});
  });
  // a alone: 400; b alone: 400.001; both: 800.001 over an iteration back and one for back 2 = 2 iterations.
  const Recurrence found = only_recurrence(idg, {400, 400.001});
  EXPECT_EQ(found.per_iteration, Cycles{400.001});
  EXPECT_THAT(found.instructions, ElementsAre(1U));
}

TEST(Recurrences, TakeTheLatencyOfTheEdgeWhereItHasOne) {
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("mma", {{"mma", 1, Cycles{2}}}); });
  EXPECT_EQ(only_recurrence(idg, {33}).per_iteration, Cycles{2});
}

TEST(Recurrences, ALoopWithoutCarriedDependencesHasNone) {
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("load").instruction("add", {"load"}); });
  EXPECT_THAT(recurrences(idg, completions({400, 4})), IsEmpty());
}

TEST(Recurrences, WithoutLatencyAreLeftOut) {
  const Idg idg = loop_of([](KernelMaker& body) { body.instruction("move", {"move"}); });
  EXPECT_THAT(recurrences(idg, completions({0})), IsEmpty());
}

TEST(Recurrences, IndependentOnesAreAllTold) {
  const Idg idg = loop_of([](KernelMaker& body) {
    body.instruction("i", {"i"}).instruction("load", {"i"}).instruction("sum", {"sum", "load"});
  });
  const auto found = recurrences(idg, completions({6, 400, 4}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].per_iteration, Cycles{6});
  EXPECT_EQ(found[1].per_iteration, Cycles{4});
  EXPECT_THAT(ids(idg, found[1].instructions), ElementsAre("sum"));
}

TEST(Recurrences, OfATiledMatrixMultiplication) {
  // Tiles: load a tile, wait, multiply it element by element, wait. The accumulator is a chain of the inner loop; the
  // outer loop is held by the buffer: the load of the next tile waits for the barrier after the products of this tile.
  const Idg idg = build_idg(KernelMaker()
                                .instruction("zero")
                                .loop("tiles", Expression(32),
                                      [](KernelMaker& tiles) {
                                        tiles.instruction("load", {"consumed"}).instruction("filled", {"load"});
                                        tiles.loop("k", Expression(16), [](KernelMaker& k) {
                                          k.instruction("read", {"filled"}).instruction("fma", {"zero", "read", "fma"});
                                        });
                                        tiles.instruction("consumed", {"fma"});
                                      })
                                .instruction("store", {"fma"})
                                .make(),
                            {});
  // zero, load, filled, read, fma, consumed, store
  const auto found = recurrences(idg, completions({4, 400, 30, 25, 4, 30, 0}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].loop, 0U);
  // load 400 + filled 30 + read 25 + fma 4 + consumed 30; of the 16 products the graph knows the last
  EXPECT_EQ(found[0].per_iteration, Cycles{489});
  EXPECT_THAT(ids(idg, found[0].instructions), ElementsAre("load", "filled", "read", "fma", "consumed"));
  EXPECT_EQ(found[1].loop, 1U);
  EXPECT_EQ(found[1].per_iteration, Cycles{4});
  EXPECT_THAT(ids(idg, found[1].instructions), ElementsAre("fma"));
}

TEST(Recurrences, OfAnInnerLoopAreNotThoseOfTheOuterOne) {
  const Idg idg = build_idg(KernelMaker()
                                .loop("outer", Expression(8),
                                      [](KernelMaker& outer) {
                                        outer.loop("inner", Expression(8),
                                                   [](KernelMaker& inner) { inner.instruction("fma", {"fma"}); });
                                      })
                                .make(),
                            {});
  const Recurrence found = only_recurrence(idg, {4});
  EXPECT_EQ(found.loop, 1U);
}

/// The slowest cycle of a loop by trying all simple cycles; 0 where there is none.
double slowest_by_trial(const Idg& idg, const std::vector<InstructionLatency>& latencies) {
  double slowest = 0;
  std::vector<bool> visited(boost::num_vertices(idg.graph));
  std::function<void(std::size_t, std::size_t, double, double)> walk = [&](std::size_t start, std::size_t at,
                                                                           double latency, double distance) {
    for (auto [edge, end] = boost::out_edges(at, idg.graph); edge != end; ++edge) {
      const std::size_t next = boost::target(*edge, idg.graph);
      const double cycles = latency + latencies[at].completion.count;
      const double iterations = distance + static_cast<double>(idg.graph[*edge].distance);
      if (next == start) slowest = std::max(slowest, cycles / iterations);
      if (next <= start || visited[next]) continue;
      visited[next] = true;
      walk(start, next, cycles, iterations);
      visited[next] = false;
    }
  };
  for (std::size_t start = 0; start < visited.size(); ++start) walk(start, start, 0, 0);
  return slowest;
}

RC_GTEST_PROP(Recurrences, AreTheSlowestOfAllCyclesOfARandomLoop, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::vector<double> cycles;
  const Idg idg = loop_of([&](KernelMaker& body) {
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<After> after;
      for (const auto producer : *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, count)))
        if (after.size() < 3) after.emplace_back(("v" + std::to_string(producer)).c_str(), *rc::gen::inRange(1, 4));
      body.instruction("v" + std::to_string(i), after);
      cycles.push_back(*rc::gen::inRange(0, 500));
    }
  });
  double slowest = 0;
  for (const Recurrence& recurrence : recurrences(idg, completions(cycles)))
    slowest = std::max(slowest, recurrence.per_iteration.count);
  const double expected = slowest_by_trial(idg, completions(cycles));
  RC_ASSERT(std::abs(slowest - expected) <= 1e-9 * expected);
}

}  // namespace
}  // namespace warpipe
