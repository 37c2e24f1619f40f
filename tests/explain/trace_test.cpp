#include "warpipe/explain/trace.hpp"

#include <gtest/gtest.h>

#include "small_models.hpp"

namespace warpipe {
namespace {

Execution lasting(Ticks since, Ticks end) {
  Execution execution;
  execution.since = since;
  execution.end = execution.drained = end;
  return execution;
}

TEST(Span, IsThatOfTheEventsAsFarAsTheyAreInTheWindow) {
  const LoweredLaunch launch = lower_launch(kernel_with(R"({"id": "i", "op": "x"})"), two_ops(), {});
  Trace trace{launch, {}, Ticks{100'000}};
  trace.recording.executions = {lasting(Ticks{5'000}, Ticks{12'000}), lasting(Ticks{20'000}, Ticks{50'000})};
  EXPECT_EQ(span_of(trace).from, Ticks{5'000});
  EXPECT_EQ(span_of(trace).to, Ticks{50'000});
  trace.recording.window.from = Ticks{10'000};
  trace.recording.window.to = Ticks{30'000};
  EXPECT_EQ(shown_part(trace), "cycles 10 to 30 of 100");
}

}  // namespace
}  // namespace warpipe
