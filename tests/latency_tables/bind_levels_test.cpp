#include <gmock/gmock.h>

#include "example_device.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"

// All on the device of example_levels.json at 1 GHz, where a nanosecond is a cycle:
//   l1    30 cycles, half a cycle a line, 64 bytes per cycle
//   l2   200 cycles; a sector of 32 bytes takes 0.032 cycles to read, 0.064 to write
//   dram 500 cycles; a sector of 32 bytes takes 0.08 cycles to read, 0.1 to write
//   a store is acknowledged after 300 cycles
// A load of 32 lanes x 4 bytes takes 128 / 64 = 2 cycles in l1, a cycle more than its row says.

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kL2 = 3, kMemory = 4;  // pipelines, behind alu, lsu, control

struct Level {
  const char* name;
  std::optional<double> share, sectors;
};

Instruction access_at(const std::string& op, const std::vector<Level>& levels = {}) {
  Instruction result;
  result.id = "i";
  result.op = op;
  result.where = "/body/0";
  const auto expression = [](std::optional<double> number) {
    return number ? std::optional(Expression(*number)) : std::nullopt;
  };
  for (const auto& [name, share, sectors] : levels)
    result.levels.push_back({name, expression(share), expression(sectors)});
  return result;
}

BoundInstruction bind_access(const Instruction& instruction, const Device& device = example_levels()) {
  return bind_latencies(instruction, device, {}, 1);
}

/// The time of an access at a level of example_levels(): among accesses of the other kind, dram goes at 300 GB/s, where
/// reads alone go at 400 and writes at 320.
BoundThen read(std::size_t pipeline, std::int64_t issue, std::int64_t waits, std::int64_t mixed = 0) {
  if (mixed == 0) mixed = pipeline == kMemory ? (4 * issue + 1) / 3 : issue;
  return {pipeline, Ticks{issue}, {}, Ticks{waits}, Ticks{mixed}, false};
}
BoundThen write(std::size_t pipeline, std::int64_t issue, std::int64_t waits) {
  return {pipeline, Ticks{issue}, {}, Ticks{waits}, Ticks{pipeline == kMemory ? (16 * issue + 7) / 15 : issue}, true};
}

/// The stages of all executions, served by a single level.
std::vector<BoundThen> only_stages(const BoundInstruction& bound) {
  EXPECT_EQ(bound.services.size(), 1U);
  return bound.services.front().then;
}

AccessPattern strided_lanes(double width, double stride) {
  return {Expression(width), AccessPattern::Strided{Expression(stride)}};
}

std::vector<Diagnostic> problems_of_access(const Instruction& instruction, const Device& device = example_levels()) {
  try {
    bind_access(instruction, device);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

// lambda

TEST(BindLevels, AnAccessIssuesAtLeastAsLongAsItsRowSays) {
  Device device = example_levels();
  device.ops[2].issue = Latency{{{1, 2.5}}};
  const BoundInstruction bound = bind_access(access_at("global.load"), device);
  EXPECT_EQ(bound.issue, Ticks{2500});
  EXPECT_EQ(bound.pipeline, 1U);
  EXPECT_EQ(bound.scheduler_busy, Ticks{1000});
}

TEST(BindLevels, AnInstructionsOwnIssueLatencyReplacesAllOfThem) {
  Instruction load = access_at("global.load", {{"l1", 1, {}}});
  load.issue_latency = Cycles{0.5};
  load.conflict_degree = Expression(7);
  EXPECT_EQ(bind_access(load).issue, Ticks{500});
  EXPECT_EQ(bind_access(load).completion, Ticks{29500});  // 30 + (0.5 - 1)
}

TEST(BindLevels, TheDataBanksOfTheFirstLevelServeOneWayACycle) {
  Instruction load = access_at("global.load");
  load.conflict_degree = Expression(7);
  EXPECT_EQ(bind_access(load).issue, Ticks{7000});
  EXPECT_EQ(bind_access(load).conflict_degree, 7);
  load.conflict_degree.reset();
  load.access = strided_lanes(4, 20);  // 32 words, 5 apart: 5 is odd, so each in a bank of its own; 640 bytes, 5 lines
  EXPECT_EQ(bind_access(load).conflict_degree, 1);
  EXPECT_EQ(bind_access(load).issue, Ticks{2500});  // 5 lines x 0.5
  load.access = strided_lanes(4, 16);               // 4 words apart: 4 lanes on each of 8 banks; 4 lines
  EXPECT_EQ(bind_access(load).conflict_degree, 4);
  EXPECT_EQ(bind_access(load).issue, Ticks{4000});
}

// A lane of 8 bytes reads two words of banks of 4, a lane of 16 bytes four: each beyond the first is a further pass.
TEST(BindLevels, EachWordOfABankBeyondTheFirstIsOneMorePass) {
  Device device = example_levels();
  device.memory->levels[0].bytes_per_cycle.reset();
  Instruction load = access_at("global.load.64");
  load.conflict_degree = Expression(3);
  EXPECT_EQ(bind_access(load, device).issue, Ticks{4000});
  load.access = strided_lanes(16, 16);
  load.conflict_degree = Expression(1);
  EXPECT_EQ(bind_access(load, device).issue, Ticks{4000}) << "four words";
}

TEST(BindLevels, EachLineIsLookedUp) {
  Instruction load = access_at("global.load");
  load.lines = Expression(9);
  EXPECT_EQ(bind_access(load).issue, Ticks{4500});
  load.lines.reset();
  load.transactions = Expression(29);  // of 32 bytes: 7.25 lines, so 8
  EXPECT_EQ(bind_access(load).issue, Ticks{4000});
  EXPECT_EQ(bind_access(load).transactions, 29);
}

TEST(BindLevels, TheFirstLevelYieldsItsBytesPerCycle) {
  EXPECT_EQ(bind_access(access_at("global.load")).issue, Ticks{2000});
  EXPECT_EQ(bind_access(access_at("global.load.128")).issue, Ticks{8000});  // 32 x 16 / 64
  Instruction wide = access_at("global.load.64");
  wide.access = strided_lanes(16, 0);  // the width is the access's; each lane gets its bytes
  EXPECT_EQ(bind_access(wide).issue, Ticks{8000});
}

// A warp of 32 lanes of 4 bytes fills four sectors of 32 bytes.
TEST(BindLevels, AStoreSendsItsSectorsAndAMaskForEachLineThatItWritesInPart) {
  Device device = example_levels();
  device.memory->levels[0].bytes_per_cycle.reset();
  device.memory->levels[0].cycles_per_line = Cycles{0};
  device.memory->levels[0].cycles_per_packet = Cycles{2};
  const auto issue = [&](const char* op, int sectors, int lines) {
    Instruction access = access_at(op);
    access.transactions = Expression(sectors);
    access.lines = Expression(lines);
    return bind_access(access, device).issue;
  };
  EXPECT_EQ(issue("global.store", 4, 1), Ticks{8000}) << "whole sectors";
  EXPECT_EQ(issue("global.store", 1, 1), Ticks{2000}) << "all lanes the same word";
  EXPECT_EQ(issue("global.store", 32, 8), Ticks{80000}) << "a word in each, four in a line";
  EXPECT_EQ(issue("global.store", 32, 32), Ticks{128000}) << "a word in each, one in a line";
  EXPECT_EQ(issue("global.store", 5, 2), Ticks{14000}) << "side by side, not from a sector on: two are in part";
  EXPECT_EQ(issue("global.load", 32, 8), Ticks{1000});
}

TEST(BindLevels, WhatIsNotSaidOfTheFirstLevelBindsNothing) {
  Device device = example_levels();
  device.memory->levels[0].bytes_per_cycle.reset();
  device.memory->levels[0].cycles_per_line = Cycles{0};
  EXPECT_EQ(bind_access(access_at("global.load.128"), device).issue, Ticks{1000});
}

// Lambda

TEST(BindLevels, AResultTakesTheLatencyOfItsLevelAndTheLongerIssue) {
  EXPECT_EQ(bind_access(access_at("global.load", {{"l1", 1, {}}})).completion, Ticks{31000});  // 30 + (2 - 1)
  EXPECT_EQ(bind_access(access_at("global.load", {{"l2", 1, {}}})).completion, Ticks{201000});
  EXPECT_EQ(bind_access(access_at("global.load", {{"dram", 1, {}}})).completion, Ticks{501000});
  EXPECT_EQ(bind_access(access_at("global.atomic", {{"l2", 1, {}}})).completion,
            Ticks{250000});  // 200 + 50; issue 2 as its row
}

TEST(BindLevels, AnInstructionsOwnCompletionLatencyReplacesThatOfTheLevels) {
  Instruction load = access_at("global.load", {{"l1", 0.5, {}}, {"dram", 0.5, {}}});
  load.completion_latency = Cycles{100};
  const BoundInstruction bound = bind_access(load);
  ASSERT_EQ(bound.services.size(), 2U);
  EXPECT_EQ(bound.services[0].completion, Ticks{100000});
  EXPECT_EQ(bound.services[1].completion, Ticks{100000});
}

// Services

TEST(BindLevels, SharesBecomePositionsOfSixtyFour) {
  const BoundInstruction bound =
      bind_access(access_at("global.load", {{"l1", 0.875, {}}, {"l2", 0.117, 0.5}, {"dram", 0.008, 0.03}}));
  EXPECT_EQ(bound.completion, Ticks{31000});
  EXPECT_THAT(bound.then, IsEmpty());
  // The ends are floor(56 + 0.5), floor(63.488 + 0.5), 64. At the 8 positions from l2 on, an execution takes 0.5 x 64 /
  // 8 = 4 sectors of l2; at the position of dram, 0.03 x 64 / 1 = 1.92 of dram.
  const BoundThen l2 = read(kL2, 128, 200000), dram = read(kMemory, 154, 500000);
  EXPECT_THAT(bound.services,
              ElementsAre(BoundService{0, 56, Ticks{31000}, {}}, BoundService{1, 7, Ticks{201000}, {l2}},
                          BoundService{2, 1, Ticks{501000}, {l2, dram}}));
}

TEST(BindLevels, RoundsThePositionsHalfUp) {
  const auto positions = [](double l1, double l2) {
    std::vector<std::int64_t> result;
    for (const BoundService& service : bind_access(access_at("global.load", {{"l1", l1, {}}, {"l2", l2, {}}})).services)
      result.push_back(service.positions);
    return result;
  };
  EXPECT_THAT(positions(0.5, 0.5), ElementsAre(32, 32));
  EXPECT_THAT(positions(0.0078125, 0.9921875), ElementsAre(1, 63)) << "64 x share = 0.5";
  EXPECT_THAT(positions(0.0078, 0.9922), ElementsAre(64)) << "0.4992 is no position";
}

TEST(BindLevels, OneLevelMayServeAllExecutions) {
  const BoundInstruction bound = bind_access(access_at("global.load", {{"l2", 1, 3}}));
  EXPECT_EQ(bound.completion, Ticks{201000});
  EXPECT_THAT(bound.services, ElementsAre(BoundService{1, 64, Ticks{201000}, {read(kL2, 96, 200000)}}));
}

TEST(BindLevels, NobodyWaitsAtALevelThatServesNoExecution) {
  // Write-backs, say: every execution takes its 0.25 sectors of dram.
  const BoundInstruction bound =
      bind_access(access_at("global.load", {{"l1", 0.5, {}}, {"l2", 0.5, 2}, {"dram", {}, 0.25}}));
  const BoundThen dram = read(kMemory, 20, 0);
  EXPECT_THAT(bound.services, ElementsAre(BoundService{0, 32, Ticks{31000}, {dram}},
                                          BoundService{1, 32, Ticks{201000}, {read(kL2, 128, 200000), dram}}));
}

TEST(BindLevels, AShareBelowAPositionTakesWhatIsSaidOfItAllTheSame) {
  const BoundInstruction bound =
      bind_access(access_at("global.load", {{"l1", 0.995, {}}, {"l2", {}, 0.25}, {"dram", 0.005, 0.5}}));
  EXPECT_THAT(only_stages(bound), ElementsAre(read(kL2, 8, 0), read(kMemory, 40, 0)));
}

// 64 bytes take 160 ticks at dram: 4 sectors of 32 bytes in a line are two of 64, in 4 lines each is one of its own.
TEST(BindLevels, LargerSectorsHoldThoseThatLieSideBySide) {
  Device device = example_levels();
  device.memory->levels.back().sector_bytes = 64;
  const auto issue = [&](double sectors, double lines) {
    Instruction load = access_at("global.load", {{"dram", 1, {}}});
    load.transactions = Expression(sectors);
    load.lines = Expression(lines);
    return only_stages(bind_access(load, device)).back().issue;
  };
  EXPECT_EQ(issue(4, 1), Ticks{2 * 160});
  EXPECT_EQ(issue(4, 3), Ticks{3 * 160});
  EXPECT_EQ(issue(4, 4), Ticks{4 * 160});
}

TEST(BindLevels, SectorsThatAreNotSaidAreThoseOfTheAccessWhereItComes) {
  Instruction load = access_at("global.load", {{"l1", 0.5, {}}, {"l2", 0.25, {}}, {"dram", 0.25, {}}});
  load.transactions = Expression(8);
  const BoundInstruction bound = bind_access(load);
  EXPECT_THAT(bound.services[0].then, IsEmpty());
  EXPECT_THAT(bound.services[2].then, ElementsAre(read(kL2, 256, 200000), read(kMemory, 640, 500000)));
  // A store takes the average each time: 8 x 32 / 64 and 8 x 16 / 64.
  Instruction store = load;
  store.op = "global.store";
  EXPECT_THAT(bind_access(store).then, ElementsAre(write(kL2, 256, 300000), write(kMemory, 200, 300000)));
}

TEST(BindLevels, WithoutSectorsThereIsNothingToWaitFor) {
  const BoundInstruction bound = bind_access(access_at("global.load", {{"l2", 0.5, 4}, {"dram", 0.5, 0}}));
  EXPECT_THAT(bound.services[1].then, ElementsAre(read(kL2, 128, 200000)));
}

TEST(BindLevels, AnAccessOfWhichNothingIsKnownIsServedByTheLastLevel) {
  const BoundInstruction bound = bind_access(access_at("global.load"));
  EXPECT_EQ(bound.transactions, 4);
  EXPECT_EQ(bound.completion, Ticks{501000});
  EXPECT_THAT(only_stages(bound), ElementsAre(read(kL2, 128, 200000), read(kMemory, 320, 500000)));
}

TEST(BindLevels, ALevelWithoutARateHasNoStage) {
  Device device = example_levels();
  device.memory->levels[1].read_rate = device.memory->levels[1].write_rate = std::nullopt;
  device.pipelines.resize(kL2);
  device.ops.erase(device.ops.begin() + 4);  // the atomic, which names the pipeline
  add_level_pipelines(device);
  EXPECT_THAT(only_stages(bind_access(access_at("global.load"), device)), ElementsAre(read(kL2, 320, 500000, 427)));
}

// Stores

TEST(BindLevels, AStoreEndsWhenItIsAcknowledged) {
  const BoundInstruction bound = bind_access(access_at("global.store", {{"l2", 0.5, 4}, {"dram", 0.5, 2}}));
  EXPECT_EQ(bound.completion, Ticks{300000});
  EXPECT_FALSE(bound.retires_at_issue);
  EXPECT_EQ(bound.issue, Ticks{2000});
  EXPECT_THAT(bound.services, IsEmpty());
  EXPECT_THAT(bound.then, ElementsAre(write(kL2, 256, 300000),        // 4 x 0.064
                                      write(kMemory, 200, 300000)));  // 2 x 0.1
}

TEST(BindLevels, AStoreDoesNotWaitWhereItsExecutionsDoNotCome) {
  const BoundInstruction bound = bind_access(access_at("global.store", {{"l2", 1, 4}, {"dram", {}, 1}}));
  EXPECT_THAT(bound.then, ElementsAre(write(kL2, 256, 300000), write(kMemory, 100, 0)));
}

TEST(BindLevels, AStoreThatIsNotAcknowledgedEndsWhenItHasIssued) {
  Device device = example_levels();
  device.memory->store_latency.reset();
  const BoundInstruction bound = bind_access(access_at("global.store.128"), device);
  EXPECT_EQ(bound.issue, Ticks{8000});
  EXPECT_EQ(bound.completion, Ticks{8000});
  EXPECT_THAT(bound.then, ElementsAre(write(kL2, 1024, 0), write(kMemory, 1600, 0)));
}

TEST(BindLevels, WritesGoAtTheRateOfReadsWhereNoOtherIsSaid) {
  Device device = example_levels();
  device.memory->levels[2].write_rate.reset();
  EXPECT_THAT(bind_access(access_at("global.store"), device).then,
              ElementsAre(Field(&BoundThen::issue, Ticks{256}), Field(&BoundThen::issue, Ticks{320})));
}

TEST(BindLevels, AnOpThatRetiresAtIssueIsAStore) {
  Device device = example_levels();
  device.ops[4].retires_at_issue = true;  // an atomic with an unused result
  const BoundInstruction bound = bind_access(access_at("global.atomic"), device);
  EXPECT_EQ(bound.completion, Ticks{300000});
  EXPECT_FALSE(bound.retires_at_issue);
}

// 32 sectors would fill 8 lines: 24 are additional, 0.1 cycles each.
TEST(BindLevels, LinesOfScatteredLoadsTakeTurns) {
  Device device = example_levels();
  device.memory->levels[1].line_rate = Hertz{1e10};
  Instruction load = access_at("global.load", {{"l2", 1, {}}});
  load.transactions = Expression(32);
  load.lines = Expression(32);
  EXPECT_THAT(only_stages(bind_access(load, device)), ElementsAre(read(kL2, 2400, 200000)));
  load.lines = Expression(8);
  EXPECT_THAT(only_stages(bind_access(load, device)), ElementsAre(read(kL2, 1024, 200000))) << "32 sectors x 0.032";
  load.lines = Expression(32);
  load.levels = access_at("global.load", {{"l2", 1, 16}}).levels;
  EXPECT_THAT(only_stages(bind_access(load, device)), ElementsAre(read(kL2, 1200, 200000))) << "half of the lines";
  Instruction store = access_at("global.store", {{"l2", 1, {}}});
  store.lines = Expression(32);
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 256, 300000))) << "4 sectors x 0.064";
}

// 32 sectors of 0.064 cycles each; 128 bytes would fill 4 of them.
TEST(BindLevels, LinesAndMasksOfStoresTakeTurns) {
  Device device = example_levels();
  device.memory->levels[1].store_line_rate = Hertz{1e10};
  Instruction store = access_at("global.store", {{"l2", 1, {}}});
  store.transactions = Expression(32);
  store.lines = Expression(8);
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 2560, 300000))) << "32 sectors and 8 masks";
  store.lines = Expression(32);
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 4096, 300000))) << "32 sectors and 32 masks";
  device.memory->levels[1].store_line_rate = Hertz{5e9};
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 6400, 300000))) << "32 lines of 0.2 cycles";
  store.levels = access_at("global.store", {{"l2", 1, 8}}).levels;
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 1600, 300000))) << "a quarter of them";
  store.transactions = Expression(4);
  store.lines = Expression(1);
  store.levels = access_at("global.store", {{"l2", 1, 4}}).levels;
  EXPECT_THAT(bind_access(store, device).then, ElementsAre(write(kL2, 256, 300000))) << "whole sectors have no mask";
}

// Sectors that another store sends are not sent again.
TEST(BindLevels, AStoreSendsWhatLeavesTheUnit) {
  Device device = example_levels();
  device.memory->levels[0].cycles_per_packet = Cycles{2};
  Instruction store = access_at("global.store", {{"l2", 1, 1}});
  store.transactions = Expression(16);
  store.lines = Expression(4);
  EXPECT_EQ(bind_access(store, device).issue, Ticks{2000}) << "one of 16";
  store.levels = access_at("global.store", {{"l1", 1, 16}}).levels;
  EXPECT_EQ(bind_access(store, device).issue, Ticks{2000}) << "the first level keeps it: 128 bytes of 64 a cycle";
}

TEST(BindLevels, AnAtomicTakesAtLeastItsTurns) {
  Device device = example_levels();
  device.memory->levels[1].line_rate = Hertz{1e6};  // of loads
  device.ops[4].then[0].per_turn = Cycles{0.5};
  Instruction atomic = access_at("global.atomic", {{"l2", 1, {}}});
  atomic.conflict_degree = Expression(8);
  atomic.transactions = Expression(1);
  atomic.turns = Expression(20);
  EXPECT_THAT(only_stages(bind_access(atomic, device)), ElementsAre(read(kL2, 10000, 200000)));
  atomic.turns = Expression(8);
  EXPECT_THAT(only_stages(bind_access(atomic, device)), ElementsAre(read(kL2, 7032, 200000))) << "a sector, 7 ways";
  atomic.turns.reset();
  atomic.conflict_degree.reset();
  EXPECT_THAT(only_stages(bind_access(atomic, device)), ElementsAre(read(kL2, 500, 200000))) << "a turn a sector";
}

// Atomics

TEST(BindLevels, AnAtomicIsDoneInTheFirstLevelThatAllUnitsShare) {
  const BoundInstruction bound = bind_access(access_at("global.atomic"));
  EXPECT_EQ(bound.completion, Ticks{250000});
  EXPECT_THAT(only_stages(bound), ElementsAre(read(kL2, 128, 200000)));
}

TEST(BindLevels, LanesOnOneWordTakeTurnsWhereTheRowSays) {
  Instruction atomic = access_at("global.atomic");
  atomic.conflict_degree = Expression(8);
  atomic.transactions = Expression(1);
  const BoundInstruction bound = bind_access(atomic);
  EXPECT_EQ(bound.issue, Ticks{2000}) << "not the banks of l1";
  EXPECT_THAT(only_stages(bound), ElementsAre(read(kL2, 7032, 200000)));  // 0.032 + 7 x 1
  atomic.conflict_degree.reset();
  atomic.access = strided_lanes(4, 128);  // 32 ways in banks
  EXPECT_EQ(bind_access(atomic).conflict_degree, 1) << "addresses do not say how many lanes meet on a word";

  Device device = example_levels();
  device.ops[4].then.clear();
  device.ops[4].per_conflict = Increment{Cycles{3}, Cycles{10}};
  atomic.access.reset();
  atomic.conflict_degree = Expression(8);
  EXPECT_EQ(bind_access(atomic, device).issue, Ticks{23000});        // 2 + 7 x 3
  EXPECT_EQ(bind_access(atomic, device).completion, Ticks{341000});  // 200 + 50 + 7 x 10 + (23 - 2)
  device.ops[4].per_conflict.reset();
  EXPECT_EQ(bind_access(atomic, device).issue, Ticks{8000}) << "where the row says nothing, as other accesses";
}

// The clock of the units

TEST(BindLevels, AnotherClockOfTheUnitsLeavesTheSecondsAlone) {
  Device device = example_levels();
  device.clock = Hertz{2e9};
  const BoundInstruction load =
      bind_access(access_at("global.load", {{"l1", 0.5, {}}, {"l2", {}, 2}, {"dram", 0.5, 2}}), device);
  EXPECT_EQ(load.issue, Ticks{2000});
  EXPECT_EQ(load.services[0].completion, Ticks{31000});
  EXPECT_EQ(load.services[1].completion, Ticks{1001000});  // 500 ns are 1000 cycles
  // 2 x 64 / 32 sectors where an execution comes there.
  EXPECT_THAT(load.services[1].then, ElementsAre(read(kL2, 256, 400000), read(kMemory, 640, 1000000)));
  EXPECT_EQ(bind_access(access_at("global.store"), device).completion, Ticks{600000});
}

// Old files

TEST(BindLevels, AnOpThatNamesALevelIsServedThere) {
  EXPECT_EQ(bind_access(access_at("global.load.l1")), bind_access(access_at("global.load", {{"l1", 1, {}}})));
  EXPECT_EQ(bind_access(access_at("global.load.l2.64")), bind_access(access_at("global.load.64", {{"l2", 1, {}}})));
  EXPECT_EQ(bind_access(access_at("global.load.l1", {{"dram", 1, {}}})), bind_access(access_at("global.load")))
      << "what is said wins";
}

// Problems

/// A load of some lines and sectors, and a load from shared memory in two passes, counted for other sizes.
Kernel counted_for(const AccessSizes& sizes) {
  Kernel kernel;
  kernel.file = "k.json";
  kernel.instructions = {access_at("global.load"), access_at("shared.load")};
  kernel.instructions[0].transactions = Expression(4);
  kernel.instructions[0].lines = Expression(1);
  kernel.instructions[1].conflict_degree = Expression(2);
  kernel.counted_for = sizes;
  return kernel;
}

std::vector<Diagnostic> problems_of_sizes(const Kernel& kernel, const Device& device = example_levels()) {
  try {
    require_ops(kernel, device);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

// The nearest level has sectors of 32 bytes in lines of 128, shared memory 32 banks of 4.
TEST(BindLevels, RefusesCountsThatHoldForOtherSizes) {
  EXPECT_THAT(problems_of_sizes(counted_for({})), IsEmpty());
  const auto found = problems_of_sizes(counted_for({64, 256, 16, 8}));
  EXPECT_THAT(found, ElementsAre(AllOf(
                         Field(&Diagnostic::where, "k.json: /counted_for"),
                         Field(&Diagnostic::found,
                               "found bank_bytes 8, banks 16, line_bytes 256, sector_bytes 64, and bank_bytes 4, banks "
                               "32, line_bytes 128, sector_bytes 32 on device \"example\""),
                         Field(&Diagnostic::advice, HasSubstr("import the kernel for this device")))));
  for (const AccessSizes& sizes : {AccessSizes{64}, AccessSizes{32, 64}, AccessSizes{32, 128, 64}})
    EXPECT_THAT(problems_of_sizes(counted_for(sizes)), testing::SizeIs(1));
}

TEST(BindLevels, TakesSizesThatNoCountDependsOnAsTheyAre) {
  Kernel kernel = counted_for({64, 256, 16, 8});
  for (Instruction& instruction : kernel.instructions) {
    instruction.transactions.reset();
    instruction.lines.reset();
    instruction.conflict_degree.reset();
  }
  EXPECT_THAT(problems_of_sizes(kernel), IsEmpty());
  Device without_levels = example_device();  // no lines
  kernel.instructions = {access_at("imad")};
  kernel.instructions[0].transactions = Expression(1);
  EXPECT_THAT(problems_of_sizes(kernel, without_levels), IsEmpty()) << "those of no access";
}

TEST(BindLevels, RefusesSharesThatDoNotAddUp) {
  EXPECT_THAT(problems_of_access(access_at("global.load", {{"l1", 0.5, {}}, {"l2", 0.4999995, {}}})), IsEmpty());
  const auto found = problems_of_access(access_at("global.load", {{"l1", 0.5, {}}, {"l2", 0.49, {}}}));
  EXPECT_THAT(found, ElementsAre(AllOf(Field(&Diagnostic::where, "/body/0/levels"),
                                       Field(&Diagnostic::problem, "the shares of the levels must add up to 1"),
                                       Field(&Diagnostic::found, "found 0.99"))));
  EXPECT_THAT(problems_of_access(access_at("global.load", {{"l1", {}, {}}})), testing::SizeIs(1));
  EXPECT_THAT(problems_of_access(access_at("global.store", {{"l2", {}, 4}})), testing::SizeIs(1));
}

TEST(BindLevels, RefusesALevelThatTheDeviceLacks) {
  const auto found = problems_of_access(access_at("global.load", {{"l3", 1, {}}}));
  EXPECT_THAT(found, ElementsAre(AllOf(Field(&Diagnostic::where, "/body/0/levels/l3"),
                                       Field(&Diagnostic::problem, "no level \"l3\" on device \"example\""),
                                       Field(&Diagnostic::advice, HasSubstr("one of: l1, l2, dram")))));
}

TEST(BindLevels, RefusesLessThanNothing) {
  const auto share = problems_of_access(access_at("global.load", {{"l1", 2, {}}, {"l2", -1, {}}}));
  EXPECT_THAT(share, ElementsAre(Field(&Diagnostic::where, "/body/0/levels/l2/share")));
  const auto sectors = problems_of_access(access_at("global.load", {{"l2", 1, -4}}));
  EXPECT_THAT(sectors, ElementsAre(Field(&Diagnostic::where, "/body/0/levels/l2/sectors")));
}

TEST(BindLevels, RefusesLevelsWhereThereAreNone) {
  EXPECT_THAT(problems_of_access(access_at("ffma", {{"l1", 1, {}}})),
              ElementsAre(Field(&Diagnostic::where, "/body/0/levels")));
}

TEST(BindLevels, ADeviceWithoutLevelsTakesNoNoticeOfThem) {
  Instruction load = access_at("global.load", {{"l1", 1, {}}});
  load.lines = Expression(1);
  EXPECT_THAT(problems_of_access(load, example_device()), testing::IsEmpty());
  Instruction other = access_at("ffma");
  other.lines = Expression(1);
  EXPECT_THAT(problems_of_access(other, example_device()), ElementsAre(Field(&Diagnostic::where, "/body/0/lines")));
}

TEST(BindLevels, RefusesMoreWaysThanLanes) {
  Instruction load = access_at("global.load");
  load.conflict_degree = Expression(33);
  EXPECT_THAT(problems_of_access(load), ElementsAre(Field(&Diagnostic::where, "/body/0/conflict_degree")));
}

}  // namespace
}  // namespace warpipe
