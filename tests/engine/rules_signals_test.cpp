#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "models.hpp"
#include "simulators.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"

/// Rule 7 of the model: signals.

namespace warpipe {
namespace {

class SignalRules : public testing::TestWithParam<Simulator> {
 protected:
  /// @param signals  as a kernel file has them
  static Kernel kernel_of(std::string_view signals, std::string_view body, int warps, int groups = 1) {
    return read_kernel_json(
        fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "k", "signals": {{{}}}, "launch":
            {{"group_size": {}, "groups": {}, "concurrent_groups": {}}}, "body": [{}]}})",
                    signals, 32 * warps, groups, groups, body),
        "k.json");
  }
  static std::string cycles_of(const Kernel& kernel, const Device& device, Units units = Units::One) {
    return cycles(GetParam(), kernel, device, units);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, SignalRules, both_simulators(), name_of_simulator);

/// A copy takes 100 cycles and its pipeline 10, work takes 30, and a wait none.
Device device_of_copies() { return device_with({{"copy", "a", 10, 100}, {"work", "b", 30, 30}, {"wait", "c", 0, 0}}); }

constexpr auto kProducer = R"({"when": "warp == 0", "body": [{"loop": "p", "trip_count": 4, "body": [
    {"id": "free", "op": "wait", "awaits": "empty"}, {"id": "copy", "op": "copy", "arrives": "full"}]}]})";
constexpr auto kConsumer = R"({"when": "warp == 1", "body": [{"loop": "c", "trip_count": 4, "body": [
    {"id": "there", "op": "wait", "awaits": "full"}, {"id": "work", "op": "work", "arrives": "empty"}]}]})";

// A single buffer: each of the four rounds is a copy and the work on it, 4 x (100 + 30).
TEST_P(SignalRules, WithOneBufferCopiesAndWorkAlternate) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1}, "empty": {"arrivals": 1, "open": 1})",
                                  std::string(kProducer) + "," + kConsumer, 2);
  EXPECT_EQ(cycles_of(kernel, device_of_copies()), "520");
}

// Two: copies issue at 0 and 10; work is done at 130 and 160; copies into the two buffers at 130 and 160 are there at
// 230 and 260, work on them is done at 260 and 290.
TEST_P(SignalRules, WithTwoBuffersTheyOverlap) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1}, "empty": {"arrivals": 1, "open": 2})",
                                  std::string(kProducer) + "," + kConsumer, 2);
  EXPECT_EQ(cycles_of(kernel, device_of_copies()), "290");
}

// With four, no copy waits for a free buffer: copies at 0 to 30, the first there at 100, and work in a row.
TEST_P(SignalRules, WithEnoughBuffersOnlyTheFirstCopyIsWaitedFor) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1}, "empty": {"arrivals": 1, "open": 4})",
                                  std::string(kProducer) + "," + kConsumer, 2);
  EXPECT_EQ(cycles_of(kernel, device_of_copies()), "220");
}

// The copies of warps 0 and 1 issue at 0 and 10, and are there at 100 and 110: both have to be.
TEST_P(SignalRules, APhaseIsCompleteWithTheLatestOfItsArrivals) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": "warps - 1"})", R"(
      {"when": "warp < 2", "body": [{"id": "copy", "op": "copy", "arrives": "full"}]},
      {"when": "warp == 2", "body": [{"id": "work", "op": "work", "awaits": "full"}]})",
                                  3);
  EXPECT_EQ(cycles_of(kernel, device_of_copies()), "140");
}

// A phase is not complete before its predecessor: the slow first copy holds back the second, there at 20.
TEST_P(SignalRules, PhasesAreCompleteInOrder) {
  const Device device = device_with({{"slow", "a", 10, 100}, {"fast", "a", 10, 10}, {"wait", "c", 0, 0}});
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1})", R"(
      {"when": "warp == 0", "body": [{"id": "s", "op": "slow", "arrives": "full"}, {"id": "f", "op": "fast", "arrives": "full"}]},
      {"when": "warp == 1", "body": [{"loop": "l", "trip_count": 2, "body": [{"id": "w", "op": "wait", "awaits": "full"}]},
                                     {"id": "y", "op": "fast"}]})",
                                  2);
  EXPECT_EQ(cycles_of(kernel, device), "110");
}

// Two arrivals of a phase of three never complete it: nothing is waited for.
TEST_P(SignalRules, AWaitForAPhaseThatWillNeverBeCompleteIsNone) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 3})", R"(
      {"when": "warp < 2", "body": [{"id": "copy", "op": "copy", "arrives": "full"}]},
      {"when": "warp == 2", "body": [{"id": "work", "op": "work", "awaits": "full"}]})",
                                  3);
  EXPECT_EQ(cycles_of(kernel, device_of_copies()), "110");
}

// The copies of two groups issue at 0 and 10; the work of the second waits for its own, until 110.
TEST_P(SignalRules, EachGroupHasItsOwnSignals) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1})", R"(
      {"when": "warp == 0", "body": [{"id": "copy", "op": "copy", "arrives": "full"}]},
      {"when": "warp == 1", "body": [{"id": "work", "op": "work", "awaits": "full"}]})",
                                  2, 2);
  EXPECT_EQ(cycles_of(kernel, device_with({{"copy", "a", 10, 100}, {"work", "b", 1, 30}})), "140");
}

// The arrival of a store is there at its completion, though the store retires at issue.
TEST_P(SignalRules, AnArrivalThatRetiresAtIssueCountsFromItsCompletion) {
  const Device device = device_with({{"store", "a", 8, 50, R"({"retires_at": "issue"})"}, {"work", "b", 30, 30}});
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1})", R"(
      {"when": "warp == 0", "body": [{"id": "s", "op": "store", "arrives": "full"}]},
      {"when": "warp == 1", "body": [{"id": "y", "op": "work", "awaits": "full"}]})",
                                  2);
  EXPECT_EQ(cycles_of(kernel, device), "80");
}

TEST_P(SignalRules, WarpsThatWaitForEachOtherForGoodAreAnError) {
  const Kernel kernel = kernel_of(R"("full": {"arrivals": 1})",
                                  R"({"id": "copy", "op": "copy", "awaits": "full", "arrives": "full"})", 1);
  EXPECT_THROW(cycles_of(kernel, device_of_copies()), ModelError);
}

TEST(Signals, AnErrorNamesTheSignalThatNeverComes) {
  const Kernel kernel = read_kernel_json(
      R"({"format": "warpipe-kernel", "version": 1, "name": "k", "signals": {"full": {"arrivals": 1}},
          "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
          "body": [{"id": "copy", "op": "copy", "awaits": "full", "arrives": "full"}]})",
      "k.json");
  try {
    simulate(program_of(kernel, device_of_copies()));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("signal full"));
  }
}

// Warp 1 comes at 0, and the copy is there at 100.
TEST(Signals, TheTimeOfAWaitIsChargedAsThatAtABarrier) {
  const Kernel kernel = read_kernel_json(
      R"({"format": "warpipe-kernel", "version": 1, "name": "k", "signals": {"full": {"arrivals": 1}},
          "launch": {"group_size": 64, "groups": 1, "concurrent_groups": 1},
          "body": [{"when": "warp == 0", "body": [{"id": "copy", "op": "copy", "arrives": "full"}]},
                   {"when": "warp == 1", "body": [{"id": "work", "op": "work", "awaits": "full"}]}]})",
      "k.json");
  const Program program = program_of(kernel, device_of_copies());
  const ObservedRun run = observe(program, {.stalls = true}, Skipping::On);
  const auto barrier = static_cast<std::size_t>(Stall::Barrier);
  EXPECT_EQ(run.stalls->units[0][barrier], Ticks{100'000});
  EXPECT_EQ(run.stalls->steps[1][0].times[barrier], Ticks{100'000});
}

}  // namespace
}  // namespace warpipe
