#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/issue_queue.hpp"
#include "simulators.hpp"
#include "support/drawn_cases.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

void expect_same_simulation(const random_model::Model& model) {
  const Kernel kernel = random_model::read_kernel(model);
  const Device device = random_model::read_device(model);
  const Units units = model.all_units ? Units::All : Units::One;
  RC_ASSERT(cycles(Simulator::Product, kernel, device, units) == cycles(Simulator::Reference, kernel, device, units));
  const std::int64_t issued = instructions_issued(Simulator::Product, kernel, device, units);
  RC_ASSERT(issued == instructions_issued(Simulator::Reference, kernel, device, units));
  RC_ASSERT(busy_pipelines(Simulator::Product, kernel, device, units) ==
            busy_pipelines(Simulator::Reference, kernel, device, units));
  RC_TAG(to_string(device.policy), to_string(units));
  RC_TAG(issued >= 1000 ? "1000 issues or more" : "fewer than 1000 issues");
}

void compare_product_with_reference(int cases, const random_model::Shape& shape) {
  check_property(drawn_share(cases), [&] { expect_same_simulation(*random_model::models(shape)); });
}

TEST(Differential, ProductEqualsReferenceOnSmallRandomModels) {
  compare_product_with_reference(4000, {.most_trips = 3, .most_groups = 8, .most_issues = 300});
}

/// Loads served by several levels in turn, acknowledged stores, latencies that grow with the accesses in flight.
TEST(Differential, ProductEqualsReferenceWhereTheMemoryHasLevels) {
  compare_product_with_reference(4000, {.most_trips = 5, .most_groups = 8, .most_issues = 300, .levels = true});
}

/// Whether an access gives the sectors moved by some levels, and leaves out further levels.
bool leaves_sectors_out(const random_model::Model& model) {
  const Kernel kernel = random_model::read_kernel(model);
  return std::ranges::any_of(kernel.instructions, [&](const Instruction& instruction) {
    const auto says = std::ranges::count_if(instruction.levels, [](const LevelUse& use) { return bool(use.sectors); });
    return says > 0 && says < std::ssize(model.device.levels);
  });
}

TEST(Differential, ProductEqualsReferenceByEachPolicyOnOneUnitAndOnAllWhereTheMemoryHasLevels) {
  check_property(1000, [] {
    random_model::Model model =
        *random_model::models({.most_trips = 4, .most_groups = 8, .most_issues = 200, .levels = true});
    for (const Policy policy : {Policy::FirstReady, Policy::Oldest, Policy::GreedyOldest, Policy::RoundRobin})
      for (const bool all_units : {false, true}) {
        model.device.policy = policy;
        model.all_units = all_units;
        expect_same_simulation(model);
      }
    RC_CLASSIFY(leaves_sectors_out(model));
  });
}

// Units and schedulers competing for shared pipelines and for groups, often at the same time.
random_model::Model with_many_schedulers(random_model::Model model) {
  model = random_model::in_whole_cycles(std::move(model));
  model.all_units = true;
  model.device.compute_units = std::max(model.device.compute_units, 2);
  if (model.device.schedulers) model.device.schedulers = 1 + *model.device.schedulers % 2;
  model.device.further_pipelines.resize(std::max<std::size_t>(model.device.further_pipelines.size(), 3));
  model.device.further_pipelines[0].scope = Scope::Scheduler;
  model.device.further_pipelines[1].scope = Scope::Device;
  return model;
}

// Issuing ahead of other schedulers and units is exact if the results are the same.
TEST(Differential, ProductEqualsReferenceWhereUnitsIssueAheadOfEachOther) {
  check_property(drawn_share(6000), [] {
    const random_model::Shape shape{.most_trips = 3, .most_groups = 16, .most_issues = 300};
    expect_same_simulation(with_many_schedulers(*random_model::models(shape)));
  });
}

// More warps than an issue queue keeps in a list, at one or a few ports, often all ready at once.
random_model::Model with_many_warps(random_model::Model model) {
  if (model.device.schedulers) model.device.schedulers = 1;
  model.kernel.groups = 2 * static_cast<int>(IssueQueue::kMostListed) + model.kernel.groups;
  model.kernel.concurrent_groups = model.kernel.groups - model.kernel.concurrent_groups % 20;
  return model;
}

TEST(Differential, ProductEqualsReferenceWhereManyWarpsWait) {
  check_property(1000, [] {
    const random_model::Shape shape{.most_trips = 2, .most_groups = 2, .most_issues = 12};
    random_model::Model model = with_many_warps(*random_model::models_with_any_memory(shape));
    model.all_units = false;
    model.device.compute_units = 1;
    expect_same_simulation(model);
  });
}

// Long enough for a run to repeat itself: many trips and many more groups than slots.
TEST(Differential, ProductEqualsReferenceOnLongRandomModels) {
  compare_product_with_reference(1000, {.most_trips = 60, .most_groups = 120, .most_issues = 20000});
}

// Mostly a few instructions again and again, until nothing new can happen.
TEST(Differential, ProductEqualsReferenceOnVeryLongRandomModels) {
  compare_product_with_reference(300, {.most_trips = 1000, .most_groups = 1500, .most_issues = 60000});
}

// The order and the places of groups, the groups given to the unit that stands for all, and the work of each kind.
TEST(Differential, ProductEqualsReferenceWhereGroupsDiffer) {
  compare_product_with_reference(3000, {.most_trips = 3, .most_groups = 16, .most_issues = 400, .kinds = true});
}

TEST(Differential, ProductEqualsReferenceOnLongModelsWhereTheMemoryHasLevels) {
  compare_product_with_reference(1000, {.most_trips = 200, .most_groups = 120, .most_issues = 20000, .levels = true});
}

TEST(Differential, ProductEqualsReferenceOnLongModelsWhereGroupsDiffer) {
  compare_product_with_reference(500, {.most_trips = 40, .most_groups = 200, .most_issues = 20000, .kinds = true});
}

/// The cycles of a run; nothing where warps wait for each other's signals for good.
std::optional<Ticks> cycles_if_it_ends(const std::function<Ticks()>& simulated) {
  try {
    return simulated();
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

// Of the program alone: a prediction may look at unsimulated groups, and these may wait for good.
void compare_signals_with_reference(int cases, const random_model::Shape& shape) {
  check_property(drawn_share(cases), [&] {
    const random_model::Model model = *random_model::models(shape);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    const Units units = model.all_units ? Units::All : Units::One;
    const Program program = program_of(model);
    const auto reference =
        cycles_if_it_ends([&] { return simulated_cycles(Simulator::Reference, kernel, device, units); });
    RC_ASSERT(cycles_if_it_ends([&] { return simulate(program, Skipping::Off).cycles; }) == reference);
    RC_ASSERT(cycles_if_it_ends([&] { return simulate(program, Skipping::On).cycles; }) == reference);
    RC_TAG(to_string(device.policy), to_string(units), reference ? "ends" : "waits for good");
  });
}

// The phase of an arrival depends on the order of all issues; the end of a wait, on the completion of arrivals.
TEST(Differential, ProductEqualsReferenceWithSignals) {
  compare_signals_with_reference(4000, {.most_trips = 4, .most_groups = 8, .most_issues = 300, .signals = true});
}

TEST(Differential, ProductEqualsReferenceOnLongModelsWithSignals) {
  compare_signals_with_reference(600, {.most_trips = 200, .most_groups = 120, .most_issues = 20000, .signals = true});
}

TEST(Differential, ProductEqualsReferenceWithSignalsKindsAndLevels) {
  compare_signals_with_reference(
      1000, {.most_trips = 40, .most_groups = 60, .most_issues = 3000, .kinds = true, .levels = true, .signals = true});
}

}  // namespace
}  // namespace warpipe
