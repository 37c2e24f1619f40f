#include "warpipe/latency_tables/bind_latencies.hpp"

#include <gmock/gmock.h>

#include "example_device.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Latency constant(double cycles) { return {{{1, cycles}}}; }

/// A device with a single op, "op", for a test to shape.
Device device_with(const Op& op) {
  Device device;
  device.name = "bench";
  device.pipelines = {{"first", Scope::ComputeUnit, {}}, {"second", Scope::Device, {}}};
  device.ops = {op};
  device.ops[0].name = "op";
  return device;
}

Instruction instruction(const std::string& op = "op") {
  Instruction result;
  result.id = "i";
  result.op = op;
  result.where = "/body/0";
  return result;
}

BoundInstruction bind(const Op& op, const Instruction& bound, std::int64_t resident_warps = 1) {
  return bind_latencies(bound, device_with(op), {}, resident_warps);
}

/// The problems of binding on a device.
std::vector<Diagnostic> problems_of_binding(const Instruction& bound, const Device& device, const Values& values = {}) {
  try {
    bind_latencies(bound, device, values, 1);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(BindLatencies, TakesTheLatenciesOfTheTable) {
  const BoundInstruction bound = bind_latencies(instruction("imad"), example_device(), {}, 8);
  EXPECT_EQ(bound.pipeline, 0U);
  EXPECT_EQ(bound.issue, Ticks{2000});
  EXPECT_EQ(bound.completion, Ticks{12000});
  EXPECT_EQ(bound.scheduler_busy, Ticks{1000});
  EXPECT_TRUE(bound.then.empty());
  EXPECT_FALSE(bound.barrier);
  EXPECT_FALSE(bound.retires_at_issue);
  EXPECT_EQ(bound.conflict_degree, 1);
  EXPECT_EQ(bound.transactions, 1);
}

TEST(BindLatencies, KeepsBarriersAndStoresApart) {
  EXPECT_TRUE(bind_latencies(instruction("barrier"), example_device(), {}, 8).barrier);
  EXPECT_TRUE(bind_latencies(instruction("global.store"), example_device(), {}, 8).retires_at_issue);
}

TEST(BindLatencies, RoundsToTheNearestMilliCycleAndTheHalfUp) {
  Op op;
  op.issue = constant(0.0005);          // 0.5 + 0.5
  op.completion = constant(0.0004999);  // 0.4999 + 0.5
  EXPECT_EQ(bind(op, instruction()).issue, Ticks{1});
  EXPECT_EQ(bind(op, instruction()).completion, Ticks{0});
  op.issue = constant(1.0005);
  EXPECT_EQ(bind(op, instruction()).issue, Ticks{1001});
}

TEST(BindLatencies, InterpolatesAtTheResidentWarps) {
  const Device device = example_device();
  const auto completion = [&](std::int64_t warps) {
    return bind_latencies(instruction("global.load.measured"), device, {}, warps).completion;
  };
  EXPECT_EQ(completion(1), Ticks{400000});
  EXPECT_EQ(completion(6), Ticks{410000});   // 400 + 30 * 5 / 15
  EXPECT_EQ(completion(17), Ticks{439792});  // 430 + 470 * 1 / 48 = 439.7916...
  EXPECT_EQ(completion(80), Ticks{900000});
}

TEST(BindLatencies, AnInstructionsOwnLatencyReplacesTheTables) {
  Op op;
  op.issue = constant(3);
  op.completion = constant(9);
  Instruction own = instruction();
  own.issue_latency = Cycles{1.5};
  EXPECT_EQ(bind(op, own).issue, Ticks{1500});
  EXPECT_EQ(bind(op, own).completion, Ticks{9000});
  own.completion_latency = Cycles{0};
  EXPECT_EQ(bind(op, own).completion, Ticks{0});
}

TEST(BindLatencies, AddsTheIncrementsOnTopOfAnOverride) {
  Op op;
  op.per_conflict = Increment{Cycles{2}, Cycles{3}};
  Instruction own = instruction();
  own.issue_latency = Cycles{1};
  own.completion_latency = Cycles{10};
  own.conflict_degree = Expression(4);
  EXPECT_EQ(bind(op, own).issue, Ticks{7000});        // 1 + 3 * 2
  EXPECT_EQ(bind(op, own).completion, Ticks{19000});  // 10 + 3 * 3
  EXPECT_EQ(bind(op, own).conflict_degree, 4);
}

TEST(BindLatencies, CountsWaysFromThoseOfTheOp) {
  Op op;
  op.issue = constant(2);
  op.completion = constant(20);
  op.per_conflict = Increment{Cycles{1}, Cycles{3}};
  op.ways = 2;
  op.then = {{1, constant(4), Cycles{0}, Cycles{5}, {}}};
  const auto bound = [&](std::int64_t degree) {
    Instruction load = instruction();
    load.conflict_degree = Expression(static_cast<double>(degree));
    return bind(op, load);
  };
  for (const std::int64_t degree : {1, 2}) {
    EXPECT_EQ(bound(degree).issue, Ticks{2000});
    EXPECT_EQ(bound(degree).completion, Ticks{20000});
    EXPECT_EQ(bound(degree).then[0].issue, Ticks{4000});
    EXPECT_EQ(bound(degree).conflict_degree, degree);
  }
  EXPECT_EQ(bound(4).issue, Ticks{4000});        // 2 + 2 * 1
  EXPECT_EQ(bound(4).completion, Ticks{26000});  // 20 + 2 * 3
  EXPECT_EQ(bound(4).then[0].issue, Ticks{14000});
}

TEST(BindLatencies, CountsTransactionsFromThoseOfTheOp) {
  // global.load: issue 4, completion 400 for 4 transactions; 1 and 8 for each further transaction. dram: 1.139, 0.285.
  const auto bound = [](double transactions) {
    Instruction load = instruction("global.load");
    load.transactions = Expression(transactions);
    return bind_latencies(load, example_device(), {}, 8);
  };
  EXPECT_EQ(bound(4), bind_latencies(instruction("global.load"), example_device(), {}, 8));
  EXPECT_EQ(bound(4).transactions, 4);
  EXPECT_EQ(bound(5).issue, Ticks{5000});
  EXPECT_EQ(bound(5).completion, Ticks{408000});
  EXPECT_THAT(bound(5).then, ElementsAre(BoundThen{2, Ticks{1424}, Ticks{150000}}));
  EXPECT_EQ(bound(1).issue, Ticks{1000});
  EXPECT_EQ(bound(1).completion, Ticks{376000});
  EXPECT_THAT(bound(1).then, ElementsAre(BoundThen{2, Ticks{284}, Ticks{150000}}));  // 1.139 - 3 * 0.285
}

TEST(BindLatencies, NeverGoesBelowZero) {
  Op op;
  op.transactions = 4;
  op.issue = constant(5);
  op.completion = constant(6);
  op.per_transaction = Increment{Cycles{2}, Cycles{2}};
  op.then = {{1, constant(1), Cycles{0}, {}, Cycles{1}}};
  Instruction one = instruction();
  one.transactions = Expression(1);
  EXPECT_EQ(bind(op, one).issue, Ticks{0});       // 5 - 6
  EXPECT_EQ(bind(op, one).completion, Ticks{0});  // 6 - 6
  EXPECT_EQ(bind(op, one).then[0].issue, Ticks{0});
}

TEST(BindLatencies, LimitsToZeroOnlyAfterBothIncrements) {
  Op op;
  op.transactions = 4;
  op.issue = constant(1);
  op.per_conflict = Increment{Cycles{7}, Cycles{0}};
  op.per_transaction = Increment{Cycles{2}, Cycles{0}};
  Instruction both = instruction();
  both.conflict_degree = Expression(2);
  both.transactions = Expression(1);
  EXPECT_EQ(bind(op, both).issue, Ticks{2000});  // 1 + 7 - 6
}

TEST(BindLatencies, AddsConflictsBeforeTransactionsAndRoundsOnce) {
  // In doubles (0.0001 + 0.0006) + 0.0028 is 0.0035, 3.5 milli-cycles, which rounds to 4. Other orders give
  // 0.0034999999999999996, and rounding each part on its own 0 + 1 + 3: neither follows the rule.
  Op op;
  op.issue = constant(0.0001);
  op.per_conflict = Increment{Cycles{0.0006}, Cycles{0}};
  op.per_transaction = Increment{Cycles{0.0028}, Cycles{0}};
  op.then = {{1, constant(0.0001), Cycles{0}, Cycles{0.0006}, Cycles{0.0028}}};
  Instruction both = instruction();
  both.conflict_degree = Expression(2);
  both.transactions = Expression(2);
  EXPECT_EQ(bind(op, both).issue, Ticks{4});
  EXPECT_EQ(bind(op, both).then[0].issue, Ticks{4});

  op.per_transaction.reset();  // 0.0004 + 0.0004 = 0.8 milli-cycles; each on its own would round to 0
  op.then.clear();
  op.issue = constant(0.0004);
  op.per_conflict->issue = Cycles{0.0004};
  both.transactions.reset();
  EXPECT_EQ(bind(op, both).issue, Ticks{1});
}

TEST(BindLatencies, BindsEveryFurtherPipelineByItself) {
  Op op;
  op.per_conflict = Increment{Cycles{1}, Cycles{1}};
  op.then = {{1, {{{1, 2.0}, {5, 4.0}}}, Cycles{0.25}, Cycles{0.5}, {}}, {0, constant(3), Cycles{0.0005}, {}, {}}};
  Instruction two_ways = instruction();
  two_ways.conflict_degree = Expression(3);
  EXPECT_THAT(bind(op, two_ways, 2).then, ElementsAre(BoundThen{1, Ticks{3500}, Ticks{250}},  // 2 + 2 * 1 / 4 + 2 * 0.5
                                                      BoundThen{0, Ticks{3000}, Ticks{1}}));
}

TEST(BindLatencies, TakesTheSchedulerForItsIntervalTimesTheSlots) {
  Op op;
  op.issue_slots = 3;
  Device device = device_with(op);
  device.issue_interval = Cycles{0.3335};
  EXPECT_EQ(bind_latencies(instruction(), device, {}, 1).scheduler_busy, Ticks{1001});  // 1.0005, rounded once
  device.ops[0].issue_slots = 0;
  EXPECT_EQ(bind_latencies(instruction(), device, {}, 1).scheduler_busy, Ticks{0});
}

TEST(BindLatencies, TakesTheSchedulerForItsRegisterReadsWhereTheseTakeLonger) {
  Device device = device_with(Op{});
  Instruction reading = instruction();
  reading.register_reads = 3;
  EXPECT_EQ(bind_latencies(reading, device, {}, 1).scheduler_busy, Ticks{1000}) << "a device without register_read";
  device.register_read = Cycles{0.75};
  EXPECT_EQ(bind_latencies(reading, device, {}, 1).scheduler_busy, Ticks{2250});
  EXPECT_EQ(bind_latencies(instruction(), device, {}, 1).scheduler_busy, Ticks{1000}) << "one read: 0.75";
}

TEST(BindLatencies, FetchesCodeFromAsFarAsItReaches) {
  Device device = device_with(Op{});
  Instruction fetched = instruction();
  fetched.stall = 4;
  fetched.code_bytes = 1001;
  const auto bound = [&] { return bind_latencies(fetched, device, {}, 1); };
  EXPECT_EQ(bound().stall, 4) << "a device without far code";
  device.far_code = {{1000, 3, Cycles{1.7005}}, {2000, 7, Cycles{0.5}}};
  EXPECT_EQ(bound().stall, 4) << "its own is longer";
  EXPECT_EQ(bound().scheduler_busy, Ticks{1701}) << "rounded";
  fetched.code_bytes = 2001;
  EXPECT_EQ(bound().stall, 7);
  EXPECT_EQ(bound().scheduler_busy, Ticks{1000}) << "the interval of all instructions is longer";
  fetched.code_bytes = 1000;
  EXPECT_EQ(bound().stall, 4);
  EXPECT_EQ(bound().scheduler_busy, Ticks{1000}) << "no more than is near";
}

TEST(BindLatencies, EvaluatesFactorsWithTheValuesOfTheWarp) {
  Op op;
  op.per_conflict = Increment{Cycles{1}, Cycles{0}};
  Instruction ways = instruction();
  const std::vector<std::string> visible{"warp"};
  ways.conflict_degree = Expression::parse("1 + warp", visible);
  EXPECT_EQ(bind_latencies(ways, device_with(op), {{"warp", 5.0}}, 1).issue, Ticks{5000});
  EXPECT_EQ(bind_latencies(ways, device_with(op), {{"warp", 0.0}}, 1).issue, Ticks{0});
}

AccessPattern strided_access(double width, double stride) {
  return {Expression(width), AccessPattern::Strided{Expression(stride)}};
}

TEST(BindLatencies, AnAccessGivesTheFactorsThatTheOpTakes) {
  // Lanes 8 bytes apart: degree 2 in 32 banks of 4 bytes, 8 segments of 32 bytes.
  Op op;
  Device device = device_with(op);
  device.memory = Memory{};
  Instruction load = instruction();
  load.access = strided_access(4, 8);
  const auto factors = [&] {
    const BoundInstruction bound = bind_latencies(load, device, {}, 1);
    return std::pair{bound.conflict_degree, bound.transactions};
  };
  EXPECT_EQ(factors(), (std::pair<std::int64_t, std::int64_t>{1, 1}));
  device.ops[0].per_conflict = Increment{};
  EXPECT_EQ(factors(), (std::pair<std::int64_t, std::int64_t>{2, 1}));
  device.ops[0].then = {{1, constant(1), Cycles{0}, {}, Cycles{1}}};
  EXPECT_EQ(factors(), (std::pair<std::int64_t, std::int64_t>{2, 8}));
  device.ops[0].per_conflict.reset();
  EXPECT_EQ(factors(), (std::pair<std::int64_t, std::int64_t>{1, 8}));
}

TEST(BindLatencies, AnExplicitFactorWinsOverTheAccess) {
  Op op;
  op.per_conflict = Increment{Cycles{1}, Cycles{0}};
  op.per_transaction = Increment{Cycles{0}, Cycles{1}};
  Device device = device_with(op);
  device.memory = Memory{};
  Instruction load = instruction();
  load.access = strided_access(4, 8);
  load.conflict_degree = Expression(5);
  EXPECT_EQ(bind_latencies(load, device, {}, 1).conflict_degree, 5);
  EXPECT_EQ(bind_latencies(load, device, {}, 1).transactions, 8);
  load.transactions = Expression(2);
  EXPECT_EQ(bind_latencies(load, device, {}, 1).transactions, 2);
}

TEST(BindLatencies, RefusesAFactorThatTheOpCannotTake) {
  Op op;
  op.per_transaction = Increment{Cycles{1}, Cycles{1}};
  Instruction ways = instruction();
  ways.conflict_degree = Expression(1);  // an error even where it would change nothing
  const auto conflict = problems_of_binding(ways, device_with(op));
  ASSERT_EQ(conflict.size(), 1U);
  EXPECT_EQ(conflict[0].where, "/body/0/conflict_degree");
  EXPECT_THAT(conflict[0].problem, HasSubstr("per_conflict"));
  EXPECT_THAT(conflict[0].found, HasSubstr("device \"bench\""));

  Instruction counted = instruction();
  counted.transactions = Expression(1);
  EXPECT_TRUE(problems_of_binding(counted, device_with(op)).empty());
  ASSERT_EQ(problems_of_binding(counted, device_with({})).size(), 1U);
  EXPECT_EQ(problems_of_binding(counted, device_with({}))[0].where, "/body/0/transactions");
}

TEST(BindLatencies, RefusesAFactorBelowOne) {
  Op op;
  op.per_conflict = Increment{};
  Instruction ways = instruction();
  ways.conflict_degree = Expression(0);
  ASSERT_EQ(problems_of_binding(ways, device_with(op)).size(), 1U);
  EXPECT_EQ(problems_of_binding(ways, device_with(op))[0].where, "/body/0/conflict_degree");
}

// A bank serves the lanes of a warp, so many at most.
TEST(BindLatencies, RefusesAConflictOfMoreWaysThanAWarpHasLanes) {
  Op op;
  op.per_conflict = Increment{Cycles{1}, Cycles{1}};
  Instruction conflicting = instruction();
  Device device = device_with(op);
  device.warp_size = 8;
  conflicting.conflict_degree = Expression(8);
  EXPECT_TRUE(problems_of_binding(conflicting, device).empty());
  conflicting.conflict_degree = Expression(9);
  ASSERT_EQ(problems_of_binding(conflicting, device).size(), 1U);
  EXPECT_EQ(problems_of_binding(conflicting, device)[0].problem, "8 lanes of a warp cannot conflict 9 ways");
}

TEST(BindLatencies, RefusesAnAccessOnADeviceWithoutMemory) {
  Instruction load = instruction();
  load.access = strided_access(4, 4);
  const auto found = problems_of_binding(load, device_with({}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, "/body/0/access");
  EXPECT_THAT(found[0].problem, HasSubstr("memory"));
}

TEST(BindLatencies, NamesTheKeyOfAnAccessThatFails) {
  Device device = device_with({});
  device.memory = Memory{};
  Instruction load = instruction();
  load.access = strided_access(0, 4);
  ASSERT_EQ(problems_of_binding(load, device).size(), 1U);
  EXPECT_EQ(problems_of_binding(load, device)[0].where, "/body/0/access/width_bytes");
}

TEST(BindLatencies, RefusesALatencyThatOverflows) {
  Op op;
  op.per_transaction = Increment{Cycles{1e9}, Cycles{0}};
  Instruction scattered = instruction();
  scattered.transactions = Expression(9e6);  // 9e15 cycles, 9e18 milli-cycles: below 2^63 = 9.22e18
  EXPECT_TRUE(problems_of_binding(scattered, device_with(op)).empty());
  scattered.transactions = Expression(9.3e6);
  ASSERT_EQ(problems_of_binding(scattered, device_with(op)).size(), 1U);
  EXPECT_EQ(problems_of_binding(scattered, device_with(op))[0].where, "/body/0");
}

TEST(BindLatencies, RefusesAnOpThatTheDeviceLacks) {
  const auto found = problems_of_binding(instruction("ffmma"), example_device());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, "/body/0/op");
  EXPECT_THAT(found[0].problem, HasSubstr("no op \"ffmma\" on"));
  EXPECT_THAT(found[0].advice, HasSubstr("\"ffma\""));
}

/// A kernel of instructions in a row, with the ops given.
Kernel kernel_of(const std::vector<std::string>& ops) {
  Kernel kernel;
  kernel.file = "kernel.json";
  for (const std::string& op : ops) {
    const std::size_t index = kernel.instructions.size();
    kernel.instructions.push_back(instruction(op));
    kernel.instructions.back().where = "/body/" + std::to_string(index);
    if (index > 0) kernel.instructions.back().after.push_back({index - 1, Expression(1), std::nullopt});
    kernel.body.push_back({index});
  }
  return kernel;
}

std::vector<std::string> places(const Kernel& kernel) {
  std::vector<std::string> result;
  try {
    require_ops(kernel, example_device());
  } catch (const ModelError& error) {
    for (const Diagnostic& problem : error.diagnostics()) result.push_back(problem.where);
  }
  return result;
}

TEST(RequireOps, ListsEveryMissingOpOnce) {
  EXPECT_THAT(places(kernel_of({"imad", "ffma"})), testing::IsEmpty());
  EXPECT_THAT(places(kernel_of({"imad", "sin", "ffma", "cos", "sin"})),
              ElementsAre("kernel.json: /body/1/op", "kernel.json: /body/3/op"));
}

TEST(RequireOps, NamesAKernelThatIsInNoFile) {
  Kernel kernel = kernel_of({"sin"});
  kernel.file.clear();
  kernel.name = "waves";
  EXPECT_THAT(places(kernel), ElementsAre("kernel \"waves\": /body/0/op"));
}

TEST(RequireOps, RefusesALatencyOfItsOwnAfterABarrier) {
  Kernel kernel = kernel_of({"imad", "barrier", "ffma"});
  EXPECT_THAT(places(kernel), testing::IsEmpty());
  kernel.instructions[1].after[0].latency = Cycles{3};  // of a result awaited by the barrier
  EXPECT_THAT(places(kernel), testing::IsEmpty());
  kernel.instructions[2].after[0].latency = Cycles{3};
  EXPECT_THAT(places(kernel), ElementsAre("kernel.json: /body/2/after/0/latency"));
}

}  // namespace
}  // namespace warpipe
