#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <future>
#include <vector>

#include "models.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "support/reference_engine.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using random_model::Model;

constexpr random_model::Shape kSmall{.most_trips = 3, .most_groups = 8, .most_issues = 300};

Units units_of(const Model& model) { return model.all_units ? Units::All : Units::One; }

reference::Launch launch_of(const Model& model, const Kernel& kernel, const Device& device) {
  return reference::launch_of(kernel, device, model.all_units ? reference::Mode::AllUnits : reference::Mode::OneUnit);
}

class Properties : public testing::TestWithParam<Simulator> {};

INSTANTIATE_TEST_SUITE_P(Simulators, Properties, both_simulators(), name_of_simulator);

// Rule 10.1: W warps, each going N rounds through k chains, on a single pipeline.
struct Chains {
  int chains, warps, rounds, issue, completion;
};

Kernel kernel_of(const Chains& chains) {
  std::string body;
  for (int i = 0; i < chains.chains; ++i)
    body += fmt::format(R"({}{{"id": "c{}", "op": "x", "after": ["c{}"]}})", i == 0 ? "" : ", ", i, i);
  return kernel_with(fmt::format(R"({{"loop": "rounds", "trip_count": {}, "body": [{}]}})", chains.rounds, body),
                     {.warps = chains.warps});
}

Device device_of(const Chains& chains, Policy policy) {
  Device device = device_with({{"x", "a", static_cast<double>(chains.issue), static_cast<double>(chains.completion)}});
  device.policy = policy;
  return device;
}

// cycles = (N-1) max(Lambda, W k lambda) + (W k - 1) lambda + Lambda
std::int64_t closed_form(const Chains& c) {
  const int all = c.warps * c.chains;
  return (c.rounds - 1) * std::max(c.completion, all * c.issue) + (all - 1) * c.issue + c.completion;
}

TEST_P(Properties, ChainsOnOnePipelineTakeTheTimeOfTheClosedForm) {
  check_property(300, [] {
    const auto draw = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
    Chains chains{draw(1, 5), draw(1, 8), draw(1, 12), draw(0, 6), 0};
    chains.completion = chains.issue + draw(0, 60);
    const auto policy = *rc::gen::element(Policy::FirstReady, Policy::RoundRobin);
    RC_ASSERT(simulated_cycles(GetParam(), kernel_of(chains), device_of(chains, policy), Units::One) ==
              (Ticks{closed_form(chains) * kTicksPerCycle}));
  });
}

// Rule 10.4: only the number of groups that fit at a time changes, to more than there are.
TEST_P(Properties, MoreSlotsThanGroupsOfAUnitChangeNothing) {
  check_property(200, [] {
    Model model = *random_model::models_with_any_memory(kSmall);
    const int groups = model.kernel.groups, units = model.device.compute_units;
    model.kernel.concurrent_groups = (groups + units - 1) / units;
    Model more = model;
    more.kernel.concurrent_groups += *rc::gen::inRange(1, 100);
    const auto cycles = [&](const Model& m) {
      return simulated_cycles(GetParam(), random_model::read_kernel(m), random_model::read_device(m), units_of(m));
    };
    RC_ASSERT(cycles(more) == cycles(model));
  });
}

/// Whether the fair share of a device pipeline, Ntotal / N, leaves whole cycles whole milli-cycles.
bool share_rounds_nothing(const Model& model) {
  const int groups = model.kernel.groups, units = model.device.compute_units;
  return model.all_units || kTicksPerCycle * groups % ((groups + units - 1) / units) == 0;
}

// Rule 10.4: all times are multiplied, the intervals with their defaults among them, and nothing is rounded.
TEST_P(Properties, AllTimesTimesAWholeNumberGiveThatManyTimesTheCycles) {
  check_property(200, [] {
    const Model model = random_model::in_whole_cycles(*random_model::models(kSmall));
    RC_PRE(share_rounds_nothing(model));
    const std::int64_t factor = *rc::gen::inRange<std::int64_t>(2, kMostStall / random_model::kLongestStall + 1);
    const auto cycles = [&](const Model& m) {
      return simulated_cycles(GetParam(), random_model::read_kernel(m), random_model::read_device(m), units_of(m));
    };
    RC_ASSERT(cycles(random_model::times(model, factor)).count == factor * cycles(model).count);
  });
}

// Rule 10.2.
TEST(Bounds, NoRunIsShorterThanWhatOnePipelineInstanceHasToDo) {
  check_property(500, [] {
    const Model model = *random_model::models_with_any_memory(kSmall);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    const auto outcome = reference::simulate(kernel, device, launch_of(model, kernel, device));
    const Ticks cycles = simulated_cycles(Simulator::Product, kernel, device, units_of(model));
    for (const reference::InstanceUse& instance : outcome.instances)
      if (instance.completion_covers_issue) RC_ASSERT(cycles >= instance.busy);
  });
}

// Rule 10.3: a slot takes at least ceil(ceil(Ntotal / P) / slots) groups in turn.
TEST(Bounds, NoRunIsShorterThanItsRoundsOfAnyOneWarpAlone) {
  check_property(300, [] {
    const Model model = *random_model::models(kSmall);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    const reference::Launch launch = launch_of(model, kernel, device);
    const std::int64_t slots = reference::slots(device, launch);
    const std::int64_t rounds = (reference::groups_per_unit(device, launch) + slots - 1) / slots;
    const Ticks cycles = simulated_cycles(Simulator::Product, kernel, device, units_of(model));
    for (std::int64_t warp = 0; warp < reference::warps_per_group(device, launch); ++warp)
      RC_ASSERT(cycles.count >= rounds * reference::warp_alone(kernel, device, launch, warp).count);
  });
}

// Rule 10.3, where warps with equal instructions take different times.
TEST(Bounds, NoRunIsShorterThanAnyOneWarpOfItAlone) {
  check_property(300, [] {
    random_model::Shape shape = kSmall;
    shape.levels = true;
    const Model model = *random_model::models(shape);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    reference::Launch launch = launch_of(model, kernel, device);
    const std::int64_t warps = reference::warps_per_group(device, launch);
    const Ticks cycles = simulated_cycles(Simulator::Product, kernel, device, units_of(model));
    const std::int64_t groups = model.all_units ? launch.groups : reference::groups_per_unit(device, launch);
    for (launch.first_age = 0; launch.first_age < groups; ++launch.first_age)
      for (std::int64_t warp = 0; warp < warps; ++warp)
        RC_ASSERT(cycles >= reference::warp_alone(kernel, device, launch, warp));
  });
}

// The product's own bounds.
void expect_no_run_shorter_than_its_bounds(const random_model::Shape& shape) {
  check_property(500, [&] {
    const Model model = *random_model::models_with_any_memory(shape);
    LaunchOptions options;
    options.units = units_of(model);
    const Prediction prediction = predict(random_model::read_kernel(model), random_model::read_device(model), options);
    for (const Bound& bound : prediction.bounds) {
      RC_LOG() << bound.name << ": " << format_cycles(bound.cycles) << " of " << format_cycles(prediction.cycles)
               << "\n";
      RC_ASSERT(prediction.cycles >= bound.cycles);
    }
  });
}

TEST(Bounds, NoRunIsShorterThanABoundOfItsPrediction) { expect_no_run_shorter_than_its_bounds(kSmall); }

TEST(Bounds, NoRunOfGroupsThatDifferIsShorterThanABoundOfItsPrediction) {
  random_model::Shape shape = kSmall;
  shape.kinds = true;
  shape.most_groups = 20;
  expect_no_run_shorter_than_its_bounds(shape);
}

// Rule 10.6, also while other runs go on beside it.
TEST(Determinism, TheSameInputGivesTheSameCyclesOnAnyNumberOfThreads) {
  check_property(50, [] {
    const Model model = *random_model::models_with_any_memory(kSmall);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    const auto run = [&] { return simulated_cycles(Simulator::Product, kernel, device, units_of(model)); };
    std::vector<std::future<Ticks>> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(std::async(std::launch::async, run));
    const Ticks alone = run();
    for (auto& other : runs) RC_ASSERT(other.get() == alone);
  });
}

}  // namespace
}  // namespace warpipe
