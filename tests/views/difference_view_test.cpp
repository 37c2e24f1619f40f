#include "warpipe/views/difference_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

StallTimes times(Stall one, std::int64_t cycles, Stall other, std::int64_t other_cycles) {
  StallTimes all{};
  all[static_cast<std::size_t>(one)] = Ticks{1000 * cycles};
  all[static_cast<std::size_t>(other)] = Ticks{1000 * other_cycles};
  return all;
}

/// 2000 cycles at 1 GHz: 1600 for the pipeline, 400 for a result.
Outcome naive() {
  Outcome run;
  run.kernel = "naive";
  run.device = "tiny";
  run.cycles = Ticks{2'000'000};
  run.time = Seconds{2e-6};
  run.clock = Hertz{1e9};
  run.limiter = "pipeline memory";
  run.launch = {{"n", "64"}, {"resident warps", "32"}};
  run.bounds = {{"pipeline memory", Ticks{1'900'000}}, {"latency", Ticks{440'000}}};
  run.utilizations = {{"memory", 0.95}, {"fp", 0.1}};
  run.warp_time = Ticks{2'000'000};
  run.times = times(Stall::Pipeline, 1600, Stall::Result, 400);
  run.instructions = {
      {"load", "global.load", Ticks{8'000}, Ticks{400'000}, 64, times(Stall::Pipeline, 1600, Stall::Result, 0), {}},
      {"fma",
       "ffma",
       Ticks{1'000},
       Ticks{18'000},
       64,
       times(Stall::Pipeline, 0, Stall::Result, 400),
       {{"load", Ticks{400'000}}}},
      {"gone", "iadd", Ticks{1'000}, Ticks{6'000}, 64, {}, {}}};
  return run;
}

/// 1500 cycles: two warps, 600 for the pipeline, 880 for the result, 20 for the instruction that is new, on the mean.
Outcome padded() {
  Outcome run = naive();
  run.kernel = "padded";
  run.cycles = Ticks{1'500'000};
  run.time = Seconds{1.5e-6};
  run.limiter = "latency";
  run.launch = {{"n", "64"}, {"resident warps", "64"}, {"pad", "1"}};
  run.bounds = {{"pipeline memory", Ticks{950'000}}, {"latency", Ticks{440'000}}, {"schedulers", Ticks{64'000}}};
  run.utilizations = {{"memory", 0.633}, {"fp", 0.1}};
  run.warp_time = Ticks{3'000'000};
  run.times = times(Stall::Pipeline, 1240, Stall::Result, 1760);
  run.instructions[0].issue = Ticks{4'000};
  run.instructions[0].times = times(Stall::Pipeline, 1200, Stall::Result, 0);
  run.instructions[1].times = times(Stall::Pipeline, 0, Stall::Result, 1760);
  run.instructions[1].waits_for = {{"load", Ticks{1'760'000}}};
  run.instructions[2] = {"pad", "imad", Ticks{1'000}, Ticks{6'000}, 64, times(Stall::Pipeline, 40, Stall::Result, 0),
                         {}};
  return run;
}

Difference example() { return difference(naive(), padded()); }

TEST(DifferenceView, TextReadsAsInTheGoldenFile) { expect_golden("difference.txt", write_text(example())); }
TEST(DifferenceView, JsonReadsAsInTheGoldenFile) { expect_golden("difference.json", write_json(example())); }

TEST(DifferenceView, LeavesOutWhatIsTheSame) {
  const std::string text = write_text(difference(naive(), naive()));
  EXPECT_THAT(text, HasSubstr("B takes as long as A.\n"));
  for (const char* table : {"Stalls", "Accounts for it", "Instructions", "Bounds", "Pipelines", "Launch"})
    EXPECT_THAT(text, Not(HasSubstr(table)));
}

TEST(DifferenceView, SaysWhatWasSavedWithoutStalls) {
  auto a = naive();
  a.warp_time.reset();
  EXPECT_THAT(write_text(difference(a, padded())), HasSubstr("A was saved without stalls"));
  EXPECT_THAT(write_text(difference(a, a)), HasSubstr("Both were saved without stalls"));
  EXPECT_THAT(write_text(example()), Not(HasSubstr("saved without")));
}

TEST(DifferenceView, ARunOfNoTimeHasNoShares) {
  Outcome none;
  const std::string text = write_text(difference(none, padded()));
  EXPECT_THAT(text, HasSubstr("B takes 1.5 us more.\n"));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace warpipe::test
