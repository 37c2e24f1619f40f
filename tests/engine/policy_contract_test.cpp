#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/engine.hpp"
#include "models.hpp"
#include "policies.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"

/// The engine with any policy and observer that keeps the contract of policies.hpp and observer.hpp.

namespace warpipe {
namespace {

/// The opposite of first-ready: the latest warp to be ready.
struct LastComeFirst {
  static constexpr bool kUsesReady = true;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender& contender, const LastIssued&) { return -contender.ready; }
};

/// Uses more than it says.
struct Understated {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender& contender, const LastIssued& last) {
    return contender.order == last.order ? INT64_MIN : -contender.ready;
  }
};

struct WithoutFlags {
  static std::int64_t key(const Contender&, const LastIssued&) { return 0; }
};

static_assert(IssuePolicy<LastComeFirst> && IssuePolicy<Understated> && !IssuePolicy<WithoutFlags>);

template <class Rule>
SimulationResult simulate_under(const Program& program, bool skipping) {
  NoObserver observer;
  return Engine<Rule, NoObserver>(program, observer, skipping).run().value();
}

random_model::Model long_model() {
  return *random_model::models({.most_trips = 200, .most_groups = 200, .most_issues = 20000});
}

TEST(PolicyContract, AKeyThatUsesTheTimeOfWaitingIsSkippedExactly) {
  int with_a_period = 0;
  check_property(1000, [&] {
    const Program program = program_of(long_model());
    const SimulationResult skipping = simulate_under<LastComeFirst>(program, true);
    const SimulationResult full = simulate_under<LastComeFirst>(program, false);
    RC_ASSERT(skipping.cycles == full.cycles);
    RC_ASSERT(skipping.issued == full.issued);
    with_a_period += skipping.skipped > 0;
  });
  EXPECT_GT(with_a_period, cases_drawn(100));
}

// Warp 0 holds pipeline a for 100 of every 105 cycles. Two further warps wait for it meanwhile; the last to come goes
// first, comes back first, and goes last the next time. After each period the same two warps wait at the same step, but
// in the other order, and the last warp to leave depends on whether the trips are even.
TEST(PolicyContract, StatesThatDifferInWhoHasWaitedLongerAreNotTheSame) {
  const Device device = device_with(
      {{"hold", "a", 100, 50}, {"pause", "b", 1, 55}, {"x", "a", 1, 10}, {"y", "c", 0, 1}, {"end", "c", 0, 1000}});
  for (const int trips : {1000, 1001}) {
    const Kernel kernel = kernel_with(fmt::format(R"({{"loop": "l", "trip_count": {}, "body": [
          {{"when": "warp == 0", "body": [{{"id": "hold", "op": "hold", "after": ["pause"]}},
                                         {{"id": "pause", "op": "pause", "after": ["hold"]}}]}},
          {{"when": "warp > 0", "body": [{{"id": "x", "op": "x", "after": ["y"]}},
                                        {{"id": "y", "op": "y", "after": ["x"]}}]}}]}},
        {{"when": "warp == 1", "body": [{{"id": "end", "op": "end", "after": ["y"]}}]}})",
                                                  trips),
                                      {.warps = 3});
    const Program program = program_of(kernel, device, Units::One);
    const SimulationResult skipping = simulate_under<LastComeFirst>(program, true);
    EXPECT_EQ(skipping.cycles, simulate_under<LastComeFirst>(program, false).cycles) << trips;
    EXPECT_GT(skipping.skipped, 0);
  }
}

// Without the two undeclared uses, all its keys are equal: age decides.
TEST(PolicyContract, AKeySeesNoMoreThanThePolicySaysItUses) {
  check_property(300, [] {
    const Program program = program_of(long_model());
    const Ticks expected = simulate_under<Oldest>(program, false).cycles;
    RC_ASSERT(simulate_under<Understated>(program, false).cycles == expected);
    RC_ASSERT(simulate_under<Understated>(program, true).cycles == expected);
  });
}

/// States the defaults of NoObserver in full.
struct ExplicitObserver : NoObserver {
  static constexpr bool kWantsWarpEvents = false;
  static constexpr bool kSupportsSkipping = false;
  int issues = 0;
  void on_issued(const IssuedEvent&) { ++issues; }
};

// 1000 times x in a row: a steady state, in which no issue is notified.
TEST(ObserverContract, AFlagThatIsFalseIsAsGoodAsNone) {
  const Kernel kernel = kernel_with(R"({"loop": "l", "trip_count": 1000, "body": [{"id": "x", "op": "x"}]})");
  const Program program = program_of(kernel, device_with({{"x", "a", 10, 10}}), Units::One);
  ExplicitObserver observer;
  EXPECT_GT((Engine<Oldest, ExplicitObserver>(program, observer, true).run().value().skipped), 0);
  EXPECT_EQ(observer.issues, 0);
}

}  // namespace
}  // namespace warpipe
