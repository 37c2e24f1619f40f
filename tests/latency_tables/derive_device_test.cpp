#include "warpipe/latency_tables/derive_device.hpp"

#include <gmock/gmock.h>

#include "example_device.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::HasSubstr;

DataSheet sheet() {
  DataSheet result;
  result.name = "sibling";
  return result;
}

/// The example with 20 units, a clock of 2 GHz, L2 of 3 TB/s and 250 cycles from group to group.
Device other_device() {
  return with_values(example_levels(),
                     {{"/name", std::string("other")},
                      {"/compute_units", 20.0},
                      {"/clock_hz", 2e9},
                      {"/group_launch_latency", 250.0},
                      {"memory/levels/l2/read_bytes_per_s", 3e12}},
                     "other.json");
}

Device derived(const Device& base, const DataSheet& given) {
  return derive_device(base, given, [](const std::string& name) {
    EXPECT_EQ(name, "other");
    return other_device();
  });
}

/// The problem with a data sheet.
Diagnostic problem(const Device& base, const DataSheet& given) {
  try {
    derived(base, given);
  } catch (const ModelError& error) {
    return error.diagnostics().front();
  }
  return {};
}

TEST(DeriveDevice, TakesWhatTheDataSheetSays) {
  DataSheet given = sheet();
  given.title = "The sibling";
  given.units = 20;
  given.clock = Hertz{1.5e9};
  const Device device = derived(example_levels(), given);
  EXPECT_EQ(device.name, "sibling");
  EXPECT_EQ(device.title, "The sibling");
  EXPECT_EQ(device.architecture, "Example");
  EXPECT_EQ(device.compute_units, 20);
  EXPECT_EQ(device.clock, Hertz{1.5e9});
}

TEST(DeriveDevice, CarriesCyclesAndSecondsOverAsTheyAre) {
  DataSheet given = sheet();
  given.clock = Hertz{2e9};
  const Device device = derived(example_levels(), given);
  EXPECT_EQ(device.find_op("ffma")->completion, example_levels().find_op("ffma")->completion);
  EXPECT_EQ(device.memory->levels[0].latency, Cycles{30});
  EXPECT_EQ(device.memory->levels[1].latency_s, Seconds{2e-7});
  EXPECT_EQ(device.memory->levels[1].read_rate, BytesPerSecond{1e12});
  EXPECT_EQ(device.limits, example_levels().limits);
}

// 1.5 of 2 GHz are three quarters. The base keeps the example's clock.
TEST(DeriveDevice, AClockThatAPipelineLeavesIsTheSamePartUnlessTheSheetSaysIt) {
  Device base = example_levels();
  Source maker;
  maker.kind = SourceKind::Documented;
  maker.reference = "leaflet";
  base.pipelines[0].clock = Hertz{base.clock.count * 0.75};
  base.pipelines[0].source = maker;
  DataSheet given = sheet();
  given.clock = Hertz{2e9};
  const Pipeline carried = derived(base, given).pipelines[0];
  EXPECT_EQ(carried.clock, Hertz{1.5e9});
  EXPECT_EQ(carried.source->kind, SourceKind::Carried);
  EXPECT_THAT(carried.source->reference, HasSubstr("leaflet"));
  given.facts.push_back({{{"pipelines/" + carried.name + "/clock_hz", 1.6e9}}, {}, maker});
  const Pipeline said = derived(base, given).pipelines[0];
  EXPECT_EQ(said.clock, Hertz{1.6e9});
  EXPECT_THAT(said.source->reference, HasSubstr("clock_hz (documented): leaflet"));
}

TEST(DeriveDevice, ReachesTheSamePartOfThePinRate) {
  DataSheet given = sheet();
  given.bandwidth = BytesPerSecond{1e12};  // twice the example's: 400 and 320 of 500 GB/s
  const MemoryLevel dram = derived(example_levels(), given).memory->levels[2];
  EXPECT_EQ(dram.pin_rate, BytesPerSecond{1e12});
  EXPECT_EQ(dram.read_rate, BytesPerSecond{8e11});
  EXPECT_EQ(dram.write_rate, BytesPerSecond{6.4e11});
  EXPECT_THAT(dram.source->reference, HasSubstr("the same part of the pin rate, 1000 GB/s, as on example, 0.8"));
  EXPECT_EQ(dram.source->intervals.at("read_bytes_per_s"), (Interval{8e11, 9.9e11})) << "81 to 99 %, and the rate";
}

TEST(DeriveDevice, TheRateOfL2GoesWithItsBytes) {
  DataSheet given = sheet();
  given.l2_bytes = 6291456;  // 1.5 times as many
  const MemoryLevel l2 = derived(example_levels(), given).memory->levels[1];
  EXPECT_EQ(l2.bytes, 6291456);
  EXPECT_EQ(l2.read_rate, BytesPerSecond{1.5e12});
  EXPECT_EQ(l2.write_rate, BytesPerSecond{7.5e11});
}

TEST(DeriveDevice, MarksWhatIsCarriedOver) {
  Device base = example_levels();
  base.ops[0].source->kind = SourceKind::Measured;
  base.ops[0].source->reference = "a chain";
  base.ops[1].source.reset();
  const Device device = derived(base, sheet());
  EXPECT_EQ(device.title, "sibling, from its data sheet and the table of example");
  for (const Op& op : device.ops) {
    ASSERT_TRUE(op.source) << op.name;
    EXPECT_EQ(op.source->kind, SourceKind::Carried) << op.name;
  }
  for (const MemoryLevel& level : device.memory->levels) {
    EXPECT_EQ(level.source->kind, SourceKind::Carried) << level.name;
    EXPECT_THAT(level.source->reference, testing::StartsWith("carried over from example: ")) << level.name;
  }
  EXPECT_EQ(device.ops[0].source->reference, "carried over from example: a chain (measured)");
  EXPECT_EQ(device.ops[1].source->reference, "carried over from example");
}

TEST(DeriveDevice, WhatIsCarriedOverTwiceSaysSoOnce) {
  DataSheet second = sheet();
  second.name = "cousin";
  const Device device = derived(derived(example_levels(), sheet()), second);
  EXPECT_EQ(device.ops[0].source->reference, "carried over from example: example (estimated)");
}

TEST(DeriveDevice, OfADeviceThatIsMadeUpIsMadeUp) {
  Device base = example_levels();
  base.ops[0].source = Source{SourceKind::Given, "a study", "", {}, {}};
  EXPECT_EQ(derived(base, sheet()).ops[0].source, base.ops[0].source);
}

TEST(DeriveDevice, NamesTheDevicesThatNumbersAreCarriedFrom) {
  Device device = derived(example_levels(), sheet());
  EXPECT_THAT(devices_carried_from(example_levels()), testing::IsEmpty());
  EXPECT_THAT(devices_carried_from(device), testing::ElementsAre("example"));
  // From another device: a few numbers, so it comes second though it is called before.
  device.ops[0].source->reference = "carried over from another";
  // A free text about a number counted as estimated is no sibling.
  device.ops[1].source = Source{SourceKind::Estimated, "carried over from Fermi: 34", "", "", ""};
  EXPECT_THAT(devices_carried_from(device), testing::ElementsAre("example", "another"));
}

TEST(DeriveDevice, LeavesIntervalsWhereTheyWereFound) {
  Device base = example_levels();
  base.ops[0].source->intervals["issue"] = {0.9, 1.1};
  base.sources["launch_overhead_s"] = {
      SourceKind::Measured, "a run", "", "", "", {{"launch_overhead_s", {3e-6, 5e-6}}}};
  const Device device = derived(base, sheet());
  EXPECT_THAT(device.ops[0].source->intervals, testing::IsEmpty());
  EXPECT_THAT(device.sources.at("launch_overhead_s").intervals, testing::IsEmpty());
  EXPECT_EQ(device.sources.at("launch_overhead_s").reference, "carried over from example: a run (measured)");
  EXPECT_EQ(device.sources.at("memory.store_latency_s").kind, SourceKind::Carried);
}

// facts

/// A data sheet with a single statement.
DataSheet saying(std::vector<std::pair<std::string, DeviceValue>> values, SourceKind kind = SourceKind::Measured) {
  DataSheet result = sheet();
  result.file = "sibling.json";
  Source source;
  source.kind = kind;
  source.reference = "a chase";
  result.facts.push_back({std::move(values), {}, source});
  return result;
}

TEST(DeriveDevice, TakesFactsByTheirPlaces) {
  const Device device =
      derived(example_levels(),
              saying({{"/compute_units", 20.0}, {"ops/ffma/completion", 4.0}, {"memory/levels/l2/scope", "die"}}));
  EXPECT_EQ(device.compute_units, 20);
  EXPECT_EQ(device.sources.at("compute_units").kind, SourceKind::Measured);
  EXPECT_EQ(device.sources.at("compute_units").reference, "a chase");
  EXPECT_EQ(device.find_op("ffma")->completion, Latency({{{1, 4.0}}}));
  EXPECT_EQ(device.memory->levels[1].scope, LevelScope::Die);
}

TEST(DeriveDevice, ARowWithFactsSaysWhichNumbersAreCarriedOver) {
  const Device device = derived(example_levels(), saying({{"memory/levels/l2/latency_s", 1e-7}}));
  const Source& source = *device.memory->levels[1].source;
  EXPECT_EQ(source.kind, SourceKind::Carried) << "the weakest";
  EXPECT_EQ(source.reference, "latency_s (measured): a chase; the rest carried over from example: example (estimated)");
}

TEST(DeriveDevice, AFactGoesBeforeWhatWouldFollow) {
  DataSheet given =
      saying({{"memory/levels/dram/pin_bytes_per_s", 1e12}, {"memory/levels/dram/read_bytes_per_s", 9e11}});
  given.facts[0].source.intervals["memory/levels/dram/read_bytes_per_s"] = {8.8e11, 9.1e11};
  const MemoryLevel dram = derived(example_levels(), given).memory->levels[2];
  EXPECT_EQ(dram.read_rate, BytesPerSecond{9e11});
  EXPECT_EQ(dram.source->intervals.at("read_bytes_per_s"), (Interval{8.8e11, 9.1e11}));
  EXPECT_EQ(dram.write_rate, BytesPerSecond{6.4e11}) << "as 320 of 500";
}

TEST(DeriveDevice, WhatIsGivenBesideTheFactsGoesBeforeThem) {
  DataSheet given = saying({{"/compute_units", 20.0}});
  given.units = 30;
  const Device device = derived(example_levels(), given);
  EXPECT_EQ(device.compute_units, 30);
  EXPECT_EQ(device.sources.at("compute_units").kind, SourceKind::Estimated);
}

// quotes

/// A data sheet with the numbers of another device at places.
DataSheet quoting(std::vector<std::pair<std::string, Quote>> quotes) {
  DataSheet result = saying({{"/compute_units", 15.0}});
  result.facts.push_back({{}, std::move(quotes), {SourceKind::Estimated, "that of other", "", "", ""}});
  return result;
}

TEST(DeriveDevice, QuotesANumberOfAnotherDevice) {
  const Device device = derived(example_levels(), quoting({{"/group_launch_latency", {"other", {}, {}}}}));
  EXPECT_EQ(device.group_launch_latency, Cycles{250});
  EXPECT_EQ(device.sources.at("group_launch_latency").reference, "that of other");
  EXPECT_EQ(device.sources.at("group_launch_latency").kind, SourceKind::Estimated);
}

TEST(DeriveDevice, AQuoteGoesInProportionToOtherNumbers) {
  // 3 TB/s of 20 units at 2 GHz are 1.125 TB/s of 15 units, as the data sheet says, at 1 GHz, as the sibling has it.
  const std::string place = "memory/levels/l2/read_bytes_per_s";
  const Device device =
      derived(example_levels(), quoting({{place, {"other", {"/compute_units", "/clock_hz"}, Interval{0.8, 1.2}}}}));
  const MemoryLevel& l2 = device.memory->levels[1];
  EXPECT_EQ(l2.read_rate, BytesPerSecond{1.125e12});
  EXPECT_EQ(l2.source->intervals.at("read_bytes_per_s"), (Interval{9e11, 1.35e12}));
}

TEST(DeriveDevice, RefusesAQuoteOfWhatTheOtherDeviceLacks) {
  try {
    derived(example_levels(), quoting({{"memory/levels/l3/bytes", {"other", {}, {}}}}));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().front().where, "sibling.json");
    EXPECT_EQ(error.diagnostics().front().problem,
              "other has no number \"memory/levels/l3/bytes\" that could be quoted");
  }
}

TEST(DeriveDevice, AddsRowsAndLevels) {
  const Device device = derived(example_levels(), saying({{"pipelines/tensor/scope", "scheduler"},
                                                          {"ops/mma/pipeline", "tensor"},
                                                          {"ops/mma/issue", 16.0},
                                                          {"ops/mma/completion", 32.0},
                                                          {"memory/levels/l3/bytes", 67108864.0},
                                                          {"memory/levels/l3/latency_s", 3e-7}}));
  ASSERT_EQ(device.memory->levels.size(), 4U);
  EXPECT_EQ(device.memory->levels[2].name, "l3") << "in front of the memory";
  EXPECT_EQ(device.memory->levels[2].source->kind, SourceKind::Measured) << "nothing of it is carried over";
  ASSERT_NE(device.find_op("mma"), nullptr);
  EXPECT_EQ(device.find_op("mma")->source->reference, "pipeline, issue, completion (measured): a chase");
}

TEST(DeriveDevice, RefusesFactsThatMakeNoDevice) {
  const auto wrong = [](const std::string& path, DeviceValue value) {
    try {
      derived(example_levels(), saying({{path, std::move(value)}}));
    } catch (const InputError& error) {
      return error.diagnostics().front().where + ": " + error.diagnostics().front().problem;
    }
    return std::string("nothing");
  };
  EXPECT_THAT(wrong("memory/levels/l2/byts", 1.0), HasSubstr("sibling.json: /memory/levels/1/byts: "));
  EXPECT_THAT(wrong("/compute_units", "many"), HasSubstr("sibling.json: /compute_units: "));
  EXPECT_THAT(wrong("/compute_units/l1", 1.0), HasSubstr("sibling.json: \"/compute_units/l1\" is no place"));
  EXPECT_THAT(wrong("memory/levels/dram", 1.0), HasSubstr("sibling.json: \"memory/levels/dram\" is no place"));
}

// the file of a data sheet

TEST(ReadDataSheet, ReadsWhatIsThere) {
  const DataSheet read = read_data_sheet_json(R"({
    "format": "warpipe-data-sheet", "version": 1, "name": "new", "title": "A new one", "architecture": "Example 2",
    "sibling": "example",
    "facts": [ { "values": { "/clock_hz": 2e9, "memory/levels/l2/scope": "die" },
                 "source": { "kind": "documented", "reference": "leaflet", "intervals": { "/clock_hz": [1e9, 3e9] } } },
               { "values": { "/launch_overhead_s": { "from": "old", "by": ["/clock_hz"], "within": [0.5, 2] } },
                 "source": { "kind": "estimated", "reference": "as old" } } ]
  })",
                                              "new.json");
  EXPECT_EQ(read.file, "new.json");
  EXPECT_EQ(read.name, "new");
  EXPECT_EQ(read.title, "A new one");
  EXPECT_EQ(read.architecture, "Example 2");
  EXPECT_EQ(read.sibling, "example");
  Facts expected{{{"/clock_hz", 2e9}, {"memory/levels/l2/scope", "die"}}, {}, {}};
  expected.source.kind = SourceKind::Documented;
  expected.source.reference = "leaflet";
  expected.source.intervals["/clock_hz"] = {1e9, 3e9};
  Facts quoted{{}, {{"/launch_overhead_s", {"old", {"/clock_hz"}, Interval{0.5, 2}}}}, {}};
  quoted.source.kind = SourceKind::Estimated;
  quoted.source.reference = "as old";
  EXPECT_EQ(read.facts, (std::vector<Facts>{expected, quoted}));
}

TEST(ReadDataSheet, NamesThePlacesOfAllProblems) {
  std::string found;
  try {
    read_data_sheet_json(R"({ "format": "warpipe-data-sheet", "version": 1, "name": "new", "facts": [
      { "values": { "/clock_hz": [1] }, "source": { "kind": "told" } }, { "values": {}, "sources": {} } ] })",
                         "new.json");
  } catch (const InputError& error) {
    for (const Diagnostic& each : error.diagnostics()) found += to_string(each) + "\n";
  }
  EXPECT_THAT(found, HasSubstr("sibling"));
  EXPECT_THAT(found, HasSubstr("new.json: /facts/0/values/"));
  EXPECT_THAT(found, HasSubstr("new.json: /facts/0/source/kind"));
  EXPECT_THAT(found, HasSubstr("reference"));
  EXPECT_THAT(found, HasSubstr("new.json: /facts/1/sources"));
}

TEST(DeriveDevice, WritesAFileThatReadsBackTheSame) {
  DataSheet given = sheet();
  given.bandwidth = BytesPerSecond{7e11};
  Device device = derived(example_levels(), given);
  EXPECT_EQ(read_device_json(write_device_json(device), device.file), device);
}

TEST(DeriveDevice, RefusesABaseWithoutWhatItNeeds) {
  EXPECT_EQ(problem(example_device(), sheet()).where, "`base`");
  DataSheet given = sheet();
  given.bandwidth = BytesPerSecond{1e12};
  Device base = example_levels();
  base.memory->levels[2].pin_rate.reset();
  EXPECT_EQ(problem(base, given).where, "`bandwidth`");
  given = sheet();
  given.l2_bytes = 1048576;
  base = example_levels();
  base.memory->levels[1].name = "llc";
  EXPECT_EQ(problem(base, given).where, "`l2_bytes`");
}

}  // namespace
}  // namespace warpipe
