#include "warpipe/engine/observe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"

/// Observers together see the same as each alone.

namespace warpipe {
namespace {

struct Observed {
  ObservedRun run;
  std::vector<PathLink> links;
};

Observed observe_all(const Program& program, const Window& window) {
  Observed all;
  const auto add = [&](const PathLink& link) { all.links.push_back(link); };
  all.run = observe(program, {.stalls = true, .residency_buckets = 9, .on_path_link = add, .window = window});
  return all;
}

bool same(const Residency& a, const Residency& b) {
  return a.width == b.width && a.occupied == b.occupied && a.total == b.total && a.peak == b.peak && a.tail == b.tail;
}

bool same(const Recording& a, const Recording& b) {
  return a.window == b.window && a.operands == b.operands && a.is_cut == b.is_cut &&
         a.groups.size() == b.groups.size() &&
         std::ranges::equal(a.executions, b.executions, [](const Execution& one, const Execution& other) {
           return one.warp_slot == other.warp_slot && one.step == other.step && one.group == other.group &&
                  one.issue == other.issue && one.held == other.held && one.drained == other.drained &&
                  one.end == other.end;
         });
}

Window window_of(Ticks cycles) {
  Window window;
  window.from.count = cycles.count / 4;
  window.to.count = *rc::gen::inRange<std::int64_t>(window.from.count, cycles.count + 2);
  window.last_group = *rc::gen::inRange(0, 10);
  return window;
}

TEST(Observe, GivesTogetherWhatItGivesAlone) {
  check_property(300, [] {
    const Program program =
        program_of(*random_model::models_with_any_memory({.most_trips = 40, .most_groups = 40, .most_issues = 3000}));
    const SimulationResult result = simulate(program);
    const Window window = window_of(result.cycles);
    const Observed all = observe_all(program, window);
    const ObservedRun& run = all.run;
    RC_ASSERT(run.result.cycles == result.cycles);
    RC_ASSERT(run.result.issued == result.issued);
    RC_ASSERT(run.stalls == observe(program, {.stalls = true}).stalls);
    RC_ASSERT(same(*run.residency, *observe(program, {.residency_buckets = 9}).residency));
    RC_ASSERT(same(*run.recording, *observe(program, {.window = window}).recording));
    std::size_t alone = 0;
    observe(program, {.on_path_link = [&](const PathLink& link) {
              RC_ASSERT(all.links.at(alone).to == link.to && all.links.at(alone).edge == link.edge);
              ++alone;
            }});
    RC_ASSERT(all.links.size() == alone);
  });
}

TEST(Observe, IsASimulationWhereNothingIsWanted) {
  const auto program =
      program_of(kernel_with(R"({"loop": "l", "trip_count": 1000, "body": [{"id": "i", "op": "x", "after": ["i"]}]})"),
                 device_with({{"x", "a", 1, 10}}));
  const ObservedRun run = observe(program, {});
  EXPECT_EQ(run.result, simulate(program));
  EXPECT_FALSE(run.stalls || run.residency || run.recording);
}

}  // namespace
}  // namespace warpipe
