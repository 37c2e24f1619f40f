#include <gmock/gmock.h>

#include "problems.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Kernel read(const std::string& text) { return read_kernel_json(text, "k.json"); }

Instruction read_one(const std::string& members) {
  return read(kernel_text(R"([{"id": "a", "op": "fadd")" + members + "}]", R"("parameters": {"n": 8},)"))
      .instructions.at(0);
}

Expression parse(const std::string& text) {
  static const std::vector<std::string> kVisible{"n", "group_size"};
  return Expression::parse(text, kVisible);
}

const std::string kWhole = R"json({
  "$schema": "kernel.schema.json",
  "format": "warpipe-kernel", "version": 1.0,
  "name": "tile walk", "description": "a description", "origin": "an origin", "policy": "oldest",
  "parameters": { "n": 1024, "scale": -0.5 },
  "launch": { "group_size": "n / 4", "groups": "n / group_size", "concurrent_groups": "warps",
              "block": [16, "group_size / 16"], "grid": ["n / 512", 1, 2] },
  "resources": { "registers_per_thread": 24.0, "shared_memory_per_group": "4 * group_size" },
  "work": { "flops": "2.5 * n", "bytes": "groups * 0.5", "compulsory_bytes": "4 * n" },
  "arrays": { "x": { "bytes": "4 * n" }, "spilled": { "bytes": 16, "thread_private": true } },
  "counted_for": { "sector_bytes": 64, "banks": 16 },
  "body": [
    { "id": "index", "op": "imad", "stall": 3, "text": "i = id" },
    { "loop": "tile", "trip_count": "n / 8", "body": [
      { "id": "load", "op": "global.load.128", "after": ["index", "next"], "lines": 2,
        "access": { "width_bytes": 16, "array": "x", "past_unit": true, "address": "16 * (thread_x + n * tile)"
}
, "levels" : {
  "l2" : {"share" : 0.75, "sectors" : "n / 64"}, "l1" : { "share" : 0.25 }
}
},
      { "when": "warp < warps / 2", "body": [ { "id": "next", "op": "iadd", "after": ["load"] } ] }
    ]
},
    { "id": "store", "op": "global.store", "after": ["load"], "access": { "width_bytes": 4, "array": "spilled",
      "executions_per_warp": 1, "shift_bytes": 64, "addresses": [[0, 4], [8, null]] } }
  ]
})json";

TEST(ReadKernel, ReadsTheRoot) {
  const Kernel kernel = read(kWhole);
  EXPECT_EQ(kernel.name, "tile walk");
  EXPECT_EQ(kernel.description, "a description");
  EXPECT_EQ(kernel.origin, "an origin");
  EXPECT_EQ(kernel.policy, Policy::Oldest);
  EXPECT_EQ(kernel.file, "k.json");
  EXPECT_THAT(kernel.parameters, ElementsAre(Pair("n", 1024), Pair("scale", -0.5)));
}

TEST(ReadKernel, ReadsLaunchResourcesAndWork) {
  const Kernel kernel = read(kWhole);
  EXPECT_EQ(kernel.launch.group_size->text(), "n / 4");
  EXPECT_EQ(kernel.launch.groups->text(), "n / group_size");
  EXPECT_EQ(kernel.launch.concurrent_groups->text(), "warps");
  EXPECT_EQ(kernel.resources.registers_per_thread, Expression(24));
  EXPECT_EQ(kernel.resources.shared_memory_per_group->evaluate({{"group_size", 256}}), 1024);
  EXPECT_EQ(kernel.work.flops->evaluate({{"n", 3}}), 7.5);  // 2.5 x 3: work need not be whole
  EXPECT_EQ(kernel.work.bytes->evaluate({{"groups", 3}}), 1.5);
  EXPECT_EQ(kernel.work.compulsory_bytes->evaluate({{"n", 3}}), 12);
}

TEST(ReadKernel, ReadsArraysAndHowThreadsAndGroupsLie) {
  const Kernel kernel = read(kWhole);
  EXPECT_THAT(kernel.launch.block, ElementsAre(Expression(16), parse("group_size / 16")));
  EXPECT_THAT(kernel.launch.grid, ElementsAre(parse("n / 512"), Expression(1), Expression(2)));
  ASSERT_EQ(kernel.arrays.size(), 2U);
  EXPECT_EQ(kernel.arrays[0], (Array{"x", parse("4 * n"), false}));
  EXPECT_EQ(kernel.arrays[1], (Array{"spilled", Expression(16), true}));
}

TEST(ReadKernel, ReadsAnAddress) {
  const Instruction load = read(kWhole).instructions.at(1);
  EXPECT_EQ(load.access->width_bytes, Expression(16));
  const auto& lanes = std::get<AccessPattern::Addressed>(load.access->lanes);
  EXPECT_EQ(lanes.array, 0U);
  EXPECT_EQ(lanes.address.evaluate({{"n", 1024}, {"thread_x", 3}, {"tile", 2}}), 16 * (3 + 2048));
  EXPECT_TRUE(load.access->past_unit);
  EXPECT_FALSE(read(kWhole).instructions.at(3).access->past_unit);
}

TEST(ReadKernel, ReadsSampledAddresses) {
  const Instruction store = read(kWhole).instructions.at(3);
  EXPECT_EQ(std::get<AccessPattern::Sampled>(store.access->lanes),
            (AccessPattern::Sampled{1, 1, {{0, 4}, {8, AccessPattern::kNotActive}}, 64}));
  // By default all executions belong to a single warp.
  const auto one = read(kernel_text(R"([{"id": "a", "op": "global.load", "access":
                                     {"width_bytes": 4, "array": "x", "addresses": [[0], [4], [8]]}}])",
                                    R"("arrays": {"x": {"bytes": 64}},)"));
  EXPECT_EQ(std::get<AccessPattern::Sampled>(one.instructions[0].access->lanes).executions_per_warp, 3);
}

TEST(ReadKernel, ReadsStalls) {
  const auto instructions = read(kWhole).instructions;
  EXPECT_EQ(instructions.at(0).stall, 3);
  EXPECT_EQ(instructions.at(1).stall, 0);
}

TEST(ReadKernel, ReadsLinesAndLevels) {
  const Instruction load = read(kWhole).instructions.at(1);
  EXPECT_EQ(load.lines, Expression(2));
  ASSERT_EQ(load.levels.size(), 2U);
  EXPECT_EQ(load.levels[0], (LevelUse{"l2", Expression(0.75), parse("n / 64")}));
  EXPECT_EQ(load.levels[1], (LevelUse{"l1", Expression(0.25), std::nullopt}));
}

TEST(ReadKernel, ReadsTheSizesThatCountsHoldFor) {
  EXPECT_EQ(read(kWhole).counted_for, (AccessSizes{64, 128, 16, 4}));
  EXPECT_FALSE(read(kernel_text(R"([{"id": "a", "op": "fadd"}])")).counted_for);
}

TEST(ReadKernel, ReadsBackTheSameAsItWasWritten) {
  const Kernel kernel = read(kWhole);
  EXPECT_EQ(read(write_kernel_json(kernel)), kernel);
}

TEST(ReadKernel, NumbersInstructionsInProgramOrderAcrossBodies) {
  const Kernel kernel = read(kWhole);
  std::vector<std::string> ids;
  for (const Instruction& instruction : kernel.instructions) ids.push_back(instruction.id);
  EXPECT_THAT(ids, ElementsAre("index", "load", "next", "store"));
  ASSERT_EQ(kernel.body.size(), 3U);
  EXPECT_EQ(std::get<std::size_t>(kernel.body[0].node), 0U);
  const Loop& tile = std::get<Loop>(kernel.body[1].node);
  EXPECT_EQ(tile.name, "tile");
  EXPECT_EQ(tile.trip_count.text(), "n / 8");
  EXPECT_EQ(tile.where, "/body/1");
  EXPECT_EQ(std::get<std::size_t>(tile.body.at(0).node), 1U);
  const When& half = std::get<When>(tile.body.at(1).node);
  EXPECT_EQ(half.condition.text(), "warp < warps / 2");
  EXPECT_EQ(half.where, "/body/1/body/1");
  EXPECT_EQ(std::get<std::size_t>(half.body.at(0).node), 2U);
  EXPECT_EQ(std::get<std::size_t>(kernel.body[2].node), 3U);
}

TEST(ReadKernel, ReadsAnInstruction) {
  const Kernel kernel = read(kWhole);
  EXPECT_EQ(kernel.instructions[0].op, "imad");
  EXPECT_EQ(kernel.instructions[0].text, "i = id");
  EXPECT_THAT(kernel.instructions[0].after, IsEmpty());
  EXPECT_EQ(kernel.instructions[1].op, "global.load.128");
  EXPECT_EQ(kernel.instructions[1].where, "/body/1/body/0");
  EXPECT_EQ(kernel.instructions[2].where, "/body/1/body/1/body/0");
}

TEST(ReadKernel, AfterMayNameAnInstructionFurtherDown) {
  const Kernel kernel = read(kWhole);
  ASSERT_EQ(kernel.instructions[1].after.size(), 2U);
  EXPECT_EQ(kernel.instructions[1].after[0], (Dependence{0, Expression(1), std::nullopt}));
  EXPECT_EQ(kernel.instructions[1].after[1], (Dependence{2, Expression(1), std::nullopt}));
}

TEST(ReadKernel, AfterMayNameTheInstructionItself) {
  const Instruction chain = read_one(R"(, "after": [{"id": "a", "back": "n / 4", "latency": 2.5}, {"id": "a"}])");
  ASSERT_EQ(chain.after.size(), 2U);
  EXPECT_EQ(chain.after[0].producer, 0U);
  EXPECT_EQ(chain.after[0].back.text(), "n / 4");
  EXPECT_EQ(chain.after[0].latency, Cycles{2.5});
  EXPECT_EQ(chain.after[1], (Dependence{0, Expression(1), std::nullopt}));
}

TEST(ReadKernel, ReadsOverridesAndCounts) {
  const Instruction instruction =
      read_one(R"(, "issue_latency": 0, "completion_latency": 1e9, "conflict_degree": "n", "transactions": 4)");
  EXPECT_EQ(instruction.issue_latency, Cycles{0});
  EXPECT_EQ(instruction.completion_latency, Cycles{1e9});  // the largest allowed
  EXPECT_EQ(instruction.conflict_degree->text(), "n");
  EXPECT_EQ(instruction.transactions, Expression(4));
  const Instruction plain = read_one("");
  EXPECT_FALSE(plain.issue_latency || plain.completion_latency || plain.conflict_degree || plain.transactions);
  EXPECT_FALSE(plain.access);
}

TEST(ReadKernel, ReadsAStridedAccess) {
  const auto access = read_one(R"(, "access": {"width_bytes": 4, "stride_bytes": "-4 * n"})").access;
  ASSERT_TRUE(access);
  EXPECT_EQ(access->width_bytes, Expression(4));
  EXPECT_EQ(std::get<AccessPattern::Strided>(access->lanes).stride_bytes.text(), "-4 * n");
}

TEST(ReadKernel, ReadsABroadcast) {
  const auto access = read_one(R"(, "access": {"width_bytes": "n", "pattern": "broadcast"})").access;
  ASSERT_TRUE(access);
  EXPECT_EQ(access->width_bytes.text(), "n");
  EXPECT_TRUE(std::holds_alternative<AccessPattern::Broadcast>(access->lanes));
}

TEST(ReadKernel, ReadsLaneOffsets) {
  const auto access = read_one(R"(, "access": {"width_bytes": 8, "lane_offsets_bytes": [0, "n", -8]})").access;
  ASSERT_TRUE(access);
  const auto& offsets = std::get<AccessPattern::PerLane>(access->lanes).offsets_bytes;
  ASSERT_EQ(offsets.size(), 3U);
  EXPECT_EQ(offsets[0], Expression(0));
  EXPECT_EQ(offsets[1].text(), "n");
  EXPECT_EQ(offsets[2], Expression(-8));
}

TEST(ReadKernel, LeavesOutWhatTheFileLeavesOut) {
  const Kernel kernel = read(kernel_with(""));
  EXPECT_EQ(kernel.description, "");
  EXPECT_THAT(kernel.parameters, IsEmpty());
  EXPECT_FALSE(kernel.launch.group_size || kernel.launch.groups || kernel.launch.concurrent_groups);
  EXPECT_FALSE(kernel.resources.registers_per_thread || kernel.resources.shared_memory_per_group);
  EXPECT_FALSE(kernel.work.flops || kernel.work.bytes || kernel.work.compulsory_bytes);
}

TEST(ReadKernel, TakesAConditionThatIsNotWhole) {
  const Kernel kernel = read(kernel_text(R"([{"when": -0.5, "body": [{"id": "a", "op": "fadd"}]}])"));
  EXPECT_EQ(std::get<When>(kernel.body[0].node).condition.evaluate({}), -0.5);
}

TEST(ReadKernel, AnIdMayEqualALoopOrAParameter) {
  EXPECT_THAT(problems_of(kernel_text(R"([{"loop": "n", "trip_count": "n", "body": [{"id": "n", "op": "n"}]}])",
                                      R"("parameters": {"n": 1},)")),
              IsEmpty());
}

std::string nested(int depth) {
  std::string body = R"([{"id": "a", "op": "fadd"}])";
  for (int level = 0; level < depth; ++level) body = R"([{"when": 1, "body": )" + body + "}]";
  return kernel_text(body);
}

TEST(ReadKernel, NestsSixtyFourDeepAndNoDeeper) {
  EXPECT_THAT(problems_of(nested(64)), IsEmpty());
  std::string place = "k.json: ";
  for (int level = 0; level < 65; ++level) place += level == 0 ? "/body/0/body" : "/0/body";
  EXPECT_THAT(problems_of(nested(65)),
              ElementsAre(place + ": loops and conditions are nested more than 64 deep; flatten the kernel"));
}

}  // namespace
}  // namespace warpipe::test
