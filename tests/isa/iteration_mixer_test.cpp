#include "kernel/iteration_mixer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpipe::isa {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// A loop with a block and a loop in it, whose block runs in every other iteration.
TEST(IterationMixer, RunsAllAsOftenAsTheIterationsThatItMixes) {
  const NaturalLoop inner{1, "inner", {{std::uint32_t{1}}, {std::uint32_t{2}}}};
  const NaturalLoop outer{0, "outer", {{std::uint32_t{0}}, {inner}}};
  TracePool pool;
  std::map<std::uint32_t, std::set<std::uint32_t>> made_from;
  const auto with = pool.add(TraceRecord{1, {1, 1}}), without = pool.add(TraceRecord{1, {1, 0}});
  const std::int64_t five = pool.add(LoopTrace{{with, 3}, {without, 2}}), two = pool.add(LoopTrace{{without, 2}});
  ASSERT_EQ(five, 0);  // index 0 is a trace like any other
  const auto a = pool.add(TraceRecord{0, {1, five}}), b = pool.add(TraceRecord{0, {1, two}}),
             c = pool.add(TraceRecord{0, {1, -1}});
  const auto mixed = IterationMixer(pool, made_from).mix(outer, {{a, 1}, {b, 1}, {c, 1}}, 32);
  // 7 iterations of the inner loop in 3 of the outer: 3, 2 and 2; its second block runs 3 times, once in each.
  ASSERT_EQ(mixed.size(), 2U);
  std::vector<std::int64_t> iterations, inner_runs, second_runs;
  for (const auto& [record, times] : mixed) {
    iterations.push_back(times);
    EXPECT_EQ(pool.record(record).items[0], 1);
    EXPECT_THAT(made_from[record], UnorderedElementsAre(a, b, c));
    inner_runs.push_back(0);
    second_runs.push_back(0);
    for (const auto& [iteration, count] : pool.trace(pool.record(record).items[1])) {
      inner_runs.back() += count;
      second_runs.back() += pool.record(iteration).items[1] * count;
    }
  }
  EXPECT_THAT(iterations, ElementsAre(1, 2));
  EXPECT_THAT(inner_runs, ElementsAre(3, 2));
  EXPECT_THAT(second_runs, ElementsAre(1, 1));
}

}  // namespace
}  // namespace warpipe::isa
