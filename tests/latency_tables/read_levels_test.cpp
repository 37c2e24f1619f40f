#include <gmock/gmock.h>

#include <stdexcept>

#include "bad_file.hpp"
#include "example_device.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

const Source kSource{SourceKind::Estimated, "example", "", "", ""};

/// All problems found by reading the example with a place of its text changed.
std::vector<Diagnostic> problems_with(const std::string& text, const std::string& replacement) {
  std::string changed = example_levels_text();
  const auto at = changed.find(text);
  if (at == std::string::npos) throw std::logic_error("the example does not hold " + text);
  try {
    read_device_json(changed.replace(at, text.size(), replacement), "device.json");
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(ReadLevels, ReadsTheLevelsOfTheExample) {
  MemoryLevel l1;
  l1.name = "l1";
  l1.scope = LevelScope::ComputeUnit;
  l1.bytes = 131072;
  l1.holds_shared_memory = true;
  l1.ways = 4;
  l1.write = WritePolicy::Through;
  l1.latency = Cycles{30};
  l1.cycles_per_line = Cycles{0.5};
  l1.bytes_per_cycle = 64;
  l1.source = kSource;
  MemoryLevel l2;
  l2.name = "l2";
  l2.bytes = 4194304;
  l2.parts = 2;
  l2.latency_s = Seconds{2e-7};
  l2.read_rate = BytesPerSecond{1e12};
  l2.write_rate = BytesPerSecond{5e11};
  l2.source = kSource;
  MemoryLevel dram;
  dram.name = "dram";
  dram.line_bytes = 64;
  dram.latency_s = Seconds{5e-7};
  dram.read_rate = BytesPerSecond{4e11};
  dram.write_rate = BytesPerSecond{3.2e11};
  dram.mixed_rate = BytesPerSecond{3e11};
  dram.pin_rate = BytesPerSecond{5e11};
  dram.source = kSource;
  const Memory memory = *example_levels().memory;
  EXPECT_THAT(memory.levels, ElementsAre(l1, l2, dram));
  EXPECT_EQ(memory.store_latency, Seconds{3e-7});
  EXPECT_EQ(memory.bandwidth, std::nullopt);
}

TEST(ReadLevels, GivesWhatIsMissingItsDefault) {
  const Device device = read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "small", "compute_units": 4, "clock_hz": 1e9, "warp_size": 32,
    "memory": {"levels": [{"name": "dram", "latency_s": 4e-7}]},
    "pipelines": {"lsu": {}}, "ops": {"global.load": {"pipeline": "lsu", "issue": 1}}})",
                                         "");
  MemoryLevel dram;
  dram.name = "dram";
  dram.latency_s = Seconds{4e-7};
  EXPECT_THAT(device.memory->levels, ElementsAre(dram));
  EXPECT_EQ(device.memory->store_latency, std::nullopt);
  EXPECT_EQ(device.dies, 1);
  EXPECT_EQ(device.ops[0].completion, Latency{});
  EXPECT_THAT(device.pipelines, ElementsAre(Pipeline{"lsu", Scope::ComputeUnit, {}})) << "without a rate, no pipeline";
}

TEST(ReadLevels, GivesTheDeviceAPipelineForEachRateBehindThoseOfTheFile) {
  const Device device = example_levels();
  EXPECT_THAT(device.pipelines,
              ElementsAre(Pipeline{"alu", Scope::Scheduler, {}}, Pipeline{"lsu", Scope::ComputeUnit, {}},
                          Pipeline{"control", Scope::ComputeUnit, {}}, Pipeline{"l2", Scope::Device, {}, 1},
                          Pipeline{"dram", Scope::Device, {}, 2}));
  EXPECT_EQ(device.find_op("global.atomic")->then.at(0).pipeline, 3U);
}

TEST(ReadLevels, ReadsTheDies) {
  EXPECT_THAT(problems_with("\"warp_size\": 32", "\"warp_size\": 32, \"dies\": 10"), IsEmpty());
  const auto found = problems_with("\"warp_size\": 32", "\"warp_size\": 32, \"dies\": 11");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, "device.json: /dies");
}

TEST(ReadLevels, TakesTransactionsForSectorsOfTheNearestLevel) {
  std::string text = example_levels_text();
  const std::string given = "\"transaction_bytes\": 32";
  text.replace(text.find(given), given.size(), "\"transaction_bytes\": 64");
  const Memory memory = *read_device_json(text, "device.json").memory;
  EXPECT_EQ(memory.transaction_bytes, 64);
  EXPECT_EQ(memory.levels[0].sector_bytes, 64);
  EXPECT_EQ(memory.levels[1].sector_bytes, 32);
  EXPECT_FALSE(memory.levels[2].masked_writes);
}

TEST(ReadLevels, LetsARowOfAWidthStandBesideTheOther) {
  EXPECT_THAT(problems_with("\"ffma\"", "\"global.load.128\""), IsEmpty());
}

TEST(ReadLevels, ReportsAllProblemsAtOnce) {
  std::vector<std::string> places;
  for (const Diagnostic& problem : problems_with("\"latency\": 30, \"cycles_per_line\": 0.5,",
                                                 "\"latency_s\": -1, \"cycles_per_line\": -1, \"size\": 1,"))
    places.push_back(problem.where);
  EXPECT_THAT(places, testing::UnorderedElementsAre(
                          "device.json: /memory/levels/0/size", "device.json: /memory/levels/0",
                          "device.json: /memory/levels/0/cycles_per_line", "device.json: /memory/levels/0/latency_s",
                          "device.json: /memory/levels/0/latency_s"));
}

/// A wrong place in the example, and the only problem.
class ReadBadLevels : public testing::TestWithParam<BadFile> {};

TEST_P(ReadBadLevels, NamesThePlaceTheProblemAndTheWayOut) {
  const BadFile& bad = GetParam();
  EXPECT_THAT(problems_with(bad.text, bad.replacement),
              ElementsAre(AllOf(Field(&Diagnostic::where, "device.json: " + bad.where),
                                Field(&Diagnostic::problem, HasSubstr(bad.problem)))));
}

const BadFile kBadFile[] = {
    {"NoName", "\"name\": \"dram\", ", "", "/memory/levels/2", "the key \"name\" is missing"},
    {"NameWithADot", "\"name\": \"dram\"", "\"name\": \"d.ram\"", "/memory/levels/2/name", "letters, digits and _"},
    {"NameTwice", "\"name\": \"dram\"", "\"name\": \"l1\"", "/memory/levels/2/name",
     "two levels cannot both be \"l1\""},
    {"UnknownScope", "\"line_bytes\": 64,", "\"line_bytes\": 64, \"scope\": \"unit\",", "/memory/levels/2/scope",
     "must be one of compute_unit, die, device"},
    {"NoBytes", "\"bytes\": 4194304, ", "", "/memory/levels/1", "the key \"bytes\" is missing"},
    {"BytesOfDram", "\"line_bytes\": 64,", "\"line_bytes\": 64, \"bytes\": 1048576,", "/memory/levels/2/bytes",
     "the last level is the memory behind the caches"},
    {"PartOfALine", "\"line_bytes\": 64,", "\"line_bytes\": 48,", "/memory/levels/2",
     "a line of 48 bytes cannot be made of sectors of 32"},
    {"TooManyWays", "\"ways\": 16", "\"ways\": 16385", "/memory/levels/1",
     "4194304 bytes cannot hold 16385 ways of 128 bytes in each of 2 parts"},
    {"MoreToWriteThanItHolds", "\"ways\": 16", "\"ways\": 16, \"dirty_bytes\": 4194305", "/memory/levels/1",
     "4194305 bytes that are not written yet cannot lie in 4194304"},
    {"FlagAsNumber", "\"holds_shared_memory\": true", "\"holds_shared_memory\": 1",
     "/memory/levels/0/holds_shared_memory", "true or false is expected"},
    {"UnknownPolicy", "\"through\"", "\"around\"", "/memory/levels/0/write", "must be one of through, back"},
    {"NoLatency", "\"latency\": 30, ", "", "/memory/levels/0", "the key \"latency\" is missing"},
    {"LatencyInCycles", "\"latency_s\": 5e-7", "\"latency_s\": 500", "/memory/levels/2/latency_s", "a number from 0"},
    {"NoLatencyBeyondTheUnit", "\"latency_s\": 2e-7, ", "", "/memory/levels/1", "the key \"latency_s\" is missing"},
    {"SecondsOfAUnit", "\"latency\": 30,", "\"latency\": 30, \"latency_s\": 1e-7,", "/memory/levels/0/latency_s",
     "a level of scope compute_unit cannot have \"latency_s\""},
    {"CyclesBeyondTheUnit", "\"latency_s\": 5e-7", "\"latency_s\": 5e-7, \"cycles_per_line\": 1",
     "/memory/levels/2/cycles_per_line", "a level of scope device cannot have \"cycles_per_line\""},
    {"StoppedMemory", "\"read_bytes_per_s\": 4e11", "\"read_bytes_per_s\": 0", "/memory/levels/2/read_bytes_per_s",
     "a rate must be above 0"},
    {"WritesAlone", "\"read_bytes_per_s\": 4e11, \"write_bytes_per_s\": 3.2e11, \"mixed_bytes_per_s\": 3e11",
     "\"write_bytes_per_s\": 3.2e11", "/memory/levels/2/write_bytes_per_s",
     "a level with another rate must have one of reads"},
    {"MixedAlone", "\"read_bytes_per_s\": 4e11, \"write_bytes_per_s\": 3.2e11, \"mixed_bytes_per_s\": 3e11",
     "\"mixed_bytes_per_s\": 3e11", "/memory/levels/2/mixed_bytes_per_s",
     "a level with another rate must have one of reads"},
    {"LinesAlone", "\"read_bytes_per_s\": 4e11, \"write_bytes_per_s\": 3.2e11, \"mixed_bytes_per_s\": 3e11",
     "\"lines_per_s\": 3e9", "/memory/levels/2/lines_per_s", "a level with another rate must have one of reads"},
    {"ManyJoinedUnits", "\"read_bytes_per_s\": 4e11", "\"read_bytes_per_s\": 4e11, \"joined_units\": 33",
     "/memory/levels/2", "33 units load together"},
    {"BandwidthBesideLevels", "\"transaction_bytes\": 32", "\"transaction_bytes\": 32, \"bandwidth_bytes_per_s\": 5e11",
     "/memory/bandwidth_bytes_per_s", "a memory with levels cannot have a bandwidth of its own"},
    {"TransactionIsNoSector", "\"name\": \"l1\"", "\"name\": \"l1\", \"sector_bytes\": 64", "/memory/transaction_bytes",
     "a transaction must be a sector of the nearest level, 64 bytes"},
    {"MaskedCache", "\"name\": \"l2\"", "\"name\": \"l2\", \"masked_writes\": true", "/memory/levels/1/masked_writes",
     "only the memory behind the caches"},
    {"PipelineOfALevel", "\"control\": { }", "\"control\": { }, \"dram\": { \"scope\": \"device\" }", "/pipelines/dram",
     "is the name of a level of the memory"},
    {"LevelInAnOp", "\"ffma\"", "\"global.load.l1.64\"", "/ops/global.load.l1.64", "names a level of the memory"},
    {"TransactionsOfALoad", "\"global.load\": { ", "\"global.load\": { \"transactions\": 4, ",
     "/ops/global.load/transactions", "cannot have \"transactions\" where the memory has levels"},
    {"IncrementOfAStore", "\"global.store\": { ", "\"global.store\": { \"per_transaction\": { \"issue\": 1 }, ",
     "/ops/global.store/per_transaction", "cannot have \"per_transaction\" where the memory has levels"},
    {"LoadThatGoesOn", "\"global.load\": { ", "\"global.load\": { \"then\": [], ", "/ops/global.load/then",
     "cannot have \"then\" where the memory has levels"},
    {"ArithmeticAtALevel", "\"pipeline\": \"alu\"", "\"pipeline\": \"dram\"", "/ops/ffma/pipeline",
     "\"ffma\" cannot take the pipeline of a level of the memory"},
    {"ArithmeticThatGoesOnToALevel", "\"pipeline\": \"alu\"",
     "\"pipeline\": \"alu\", \"then\": [ { \"pipeline\": \"l2\", \"issue\": 3 } ]", "/ops/ffma/then",
     "\"ffma\" cannot take the pipeline of a level of the memory"},
    {"AtomicElsewhere", "\"pipeline\": \"l2\"", "\"pipeline\": \"control\"", "/ops/global.atomic/then",
     "more of their pipelines by \"issue\", \"per_conflict\" and \"per_turn\" only"},
    {"AtomicLater", "\"per_conflict\": 1", "\"after\": 1", "/ops/global.atomic/then", "and \"per_turn\" only"},
};

INSTANTIATE_TEST_SUITE_P(Levels, ReadBadLevels, testing::ValuesIn(kBadFile),
                         [](const auto& bad) { return bad.param.name; });

TEST(ReadLevels, RefusesLevelsInTheWrongOrder) {
  const auto found = problems_with("\"bytes\": 4194304,", "\"bytes\": 4194304, \"scope\": \"compute_unit\",");
  EXPECT_THAT(found, testing::Contains(Field(&Diagnostic::problem, HasSubstr("cannot have \"latency_s\""))));
  const auto first = problems_with("\"scope\": \"compute_unit\", ", "");
  EXPECT_THAT(first, testing::Contains(Field(&Diagnostic::problem, HasSubstr("scope device cannot have \"latency\""))));
  const auto behind = problems_with("\"name\": \"dram\",", "\"name\": \"dram\", \"scope\": \"die\",");
  EXPECT_THAT(behind,
              ElementsAre(Field(&Diagnostic::problem, "a level of scope die cannot stand behind one of scope device")));
}

TEST(ReadLevels, RefusesWhatOnlyLevelsGiveAMeaning) {
  const std::string head = R"({"format": "warpipe-device", "version": 1, "name": "small", "compute_units": 4,
    "clock_hz": 1e9, "warp_size": 32, "memory": )";
  const std::string tail =
      R"(, "pipelines": {"lsu": {}}, "ops": {"iadd": {"pipeline": "lsu", "issue": 1, "completion": 4}}})";
  for (const char* memory : {R"({"store_latency_s": 1e-7})", R"({"levels": []})"}) try {
      read_device_json(head + memory + tail, "device.json");
      FAIL() << memory;
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().size(), 1U) << memory;
    }
}

TEST(BandwidthOf, IsTheReadRateOfTheLastLevel) {
  Device device = example_levels();
  EXPECT_EQ(bandwidth_of(device), BytesPerSecond{4e11});
  device.memory->levels.back().read_rate.reset();
  EXPECT_EQ(bandwidth_of(device), std::nullopt);
  EXPECT_EQ(bandwidth_of(example_device()), BytesPerSecond{192e9});
  EXPECT_EQ(bandwidth_of(Device{}), std::nullopt);
}

TEST(LatencyOf, IsInCyclesOfTheUnits) {
  const std::vector<MemoryLevel> levels = example_levels().memory->levels;
  EXPECT_EQ(latency_of(levels[0], Hertz{2e9}), Cycles{30});
  EXPECT_EQ(latency_of(levels[1], Hertz{2e9}), Cycles{400});  // 200 ns
}

TEST(FindOp, TakesTheRowWithoutWidthAndLevel) {
  const Device device = example_levels();
  const Op* load = device.find_op("global.load");
  ASSERT_NE(load, nullptr);
  for (const char* name : {"global.load.128", "global.load.l1", "global.load.l2.64", "global.load.64.l2"})
    EXPECT_EQ(device.find_op(name), load) << name;
  EXPECT_EQ(device.find_op("global.store.64"), device.find_op("global.store"));
  for (const char* name : {"global.load.l3", "global.load.dma", "global.load.", "global.load.64.64", "global.loadx",
                           "global.load.0", "shared.load.64", "global"})
    EXPECT_EQ(device.find_op(name), nullptr) << name;
}

TEST(FindOp, PrefersARowOfTheNameItself) {
  Device device = example_levels();
  device.ops.push_back(*device.find_op("global.load"));
  device.ops.back().name = "global.load.128";
  EXPECT_EQ(device.find_op("global.load.128"), &device.ops.back());
  EXPECT_NE(device.find_op("global.load.64"), &device.ops.back());
}

TEST(FindOp, TakesNamesAsTheyStandWithoutLevels) { EXPECT_EQ(example_device().find_op("global.load.128"), nullptr); }

}  // namespace
}  // namespace warpipe
