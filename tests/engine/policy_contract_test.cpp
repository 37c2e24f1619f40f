#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.hpp"
#include "players.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/engine/engine.hpp"
#include "warpipe/engine/policies/oldest.hpp"

/// What the engine makes of any policy and observer that keeps the contract of policy.hpp and observer.hpp.

namespace warpipe {
namespace {

/// The opposite of first-ready: who has waited least.
struct LastComeFirst {
  static constexpr bool kUsesReady = true;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender& contender, const LastIssued&) { return -contender.ready; }
};

/// Looks at more than it says.
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
RunResult play_under(const Program& program, bool leap) {
  NoObserver nobody;
  return Engine<Rule, NoObserver>(program, nobody, leap).run();
}

random_model::Model long_model() {
  return *random_model::models({.most_trips = 200, .most_groups = 200, .most_issues = 20000});
}

TEST(PolicyContract, AKeyThatUsesTheTimeOfWaitingIsLeaptExactly) {
  int skipping = 0;
  check_property(1000, [&] {
    const Program program = program_of(long_model());
    const RunResult leapt = play_under<LastComeFirst>(program, true);
    const RunResult played = play_under<LastComeFirst>(program, false);
    RC_ASSERT(leapt.cycles == played.cycles);
    RC_ASSERT(leapt.issued == played.issued);
    skipping += leapt.skipped > 0;
  });
  EXPECT_GT(skipping, 100);
}

// Warp 0 holds pipeline a for 100 of every 105 cycles. The other two wait for it meanwhile, and the one that came last
// goes first, comes back first, and goes last the next time: after each round the same two warps wait at the same
// place, but in the other order, and which of them is the last to leave depends on whether the trips are even.
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
    const RunResult leapt = play_under<LastComeFirst>(program, true);
    EXPECT_EQ(leapt.cycles, play_under<LastComeFirst>(program, false).cycles) << trips;
    EXPECT_GT(leapt.skipped, 0);
  }
}

// Without the two that it does not say it uses, all its keys are equal: age decides.
TEST(PolicyContract, AKeySeesNoMoreThanThePolicySaysItUses) {
  check_property(300, [] {
    const Program program = program_of(long_model());
    const Ticks expected = play_under<Oldest>(program, false).cycles;
    RC_ASSERT(play_under<Understated>(program, false).cycles == expected);
    RC_ASSERT(play_under<Understated>(program, true).cycles == expected);
  });
}

/// Says in full what NoObserver is.
struct DeafObserver : NoObserver {
  static constexpr bool kHearsWarps = false;
  static constexpr bool kLeaps = false;
  int heard = 0;
  void on_issued(const IssuedEvent&) { ++heard; }
};

// 1000 times x, one after the other: a steady state, which nobody listens to.
TEST(ObserverContract, AFlagThatIsFalseIsAsGoodAsNone) {
  const Kernel kernel = kernel_with(R"({"loop": "l", "trip_count": 1000, "body": [{"id": "x", "op": "x"}]})");
  const Program program = program_of(kernel, device_with({{"x", "a", 10, 10}}), Units::One);
  DeafObserver observer;
  EXPECT_GT((Engine<Oldest, DeafObserver>(program, observer, true).run().skipped), 0);
  EXPECT_EQ(observer.heard, 0);
}

}  // namespace
}  // namespace warpipe
