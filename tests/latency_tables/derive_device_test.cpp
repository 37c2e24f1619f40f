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

/// The problem with a data sheet.
Diagnostic problem(const Device& base, const DataSheet& given) {
  try {
    derive_device(base, given);
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
  const Device device = derive_device(example_levels(), given);
  EXPECT_EQ(device.name, "sibling");
  EXPECT_EQ(device.title, "The sibling");
  EXPECT_EQ(device.architecture, "Example");
  EXPECT_EQ(device.compute_units, 20);
  EXPECT_EQ(device.clock, Hertz{1.5e9});
}

TEST(DeriveDevice, CarriesCyclesAndSecondsOverAsTheyAre) {
  DataSheet given = sheet();
  given.clock = Hertz{2e9};
  const Device device = derive_device(example_levels(), given);
  EXPECT_EQ(device.find_op("ffma")->completion, example_levels().find_op("ffma")->completion);
  EXPECT_EQ(device.memory->levels[0].latency, Cycles{30});
  EXPECT_EQ(device.memory->levels[1].latency_s, Seconds{2e-7});
  EXPECT_EQ(device.memory->levels[1].read_rate, BytesPerSecond{1e12});
  EXPECT_EQ(device.limits, example_levels().limits);
}

TEST(DeriveDevice, ReachesTheSamePartOfThePinRate) {
  DataSheet given = sheet();
  given.bandwidth = BytesPerSecond{1e12};  // twice that of the example: 400 and 320 of 500 GB/s
  const MemoryLevel dram = derive_device(example_levels(), given).memory->levels[2];
  EXPECT_EQ(dram.pin_rate, BytesPerSecond{1e12});
  EXPECT_EQ(dram.read_rate, BytesPerSecond{8e11});
  EXPECT_EQ(dram.write_rate, BytesPerSecond{6.4e11});
  EXPECT_THAT(dram.source->method, HasSubstr("the same part of the pin rate, 1000 GB/s, as on example, 0.8"));
}

TEST(DeriveDevice, TheRateOfL2GoesWithItsBytes) {
  DataSheet given = sheet();
  given.l2_bytes = 6291456;  // 1.5 times as many
  const MemoryLevel l2 = derive_device(example_levels(), given).memory->levels[1];
  EXPECT_EQ(l2.bytes, 6291456);
  EXPECT_EQ(l2.read_rate, BytesPerSecond{1.5e12});
  EXPECT_EQ(l2.write_rate, BytesPerSecond{7.5e11});
}

TEST(DeriveDevice, MarksWhatIsCarriedOver) {
  Device base = example_levels();
  base.ops[0].source->kind = SourceKind::Measured;
  base.ops[0].source->reference = "a chain";
  base.ops[1].source.reset();
  const Device device = derive_device(base, sheet());
  EXPECT_EQ(device.title, "sibling, from its data sheet and the table of example");
  for (const Op& op : device.ops) {
    ASSERT_TRUE(op.source) << op.name;
    EXPECT_EQ(op.source->kind, SourceKind::Estimated) << op.name;
  }
  for (const MemoryLevel& level : device.memory->levels) {
    EXPECT_EQ(level.source->kind, SourceKind::Estimated) << level.name;
    EXPECT_THAT(level.source->reference, testing::StartsWith("carried over from example: ")) << level.name;
  }
  EXPECT_EQ(device.ops[0].source->reference, "carried over from example: a chain (measured)");
  EXPECT_EQ(device.ops[1].source->reference, "carried over from example");
}

TEST(DeriveDevice, WritesAFileThatReadsBackTheSame) {
  DataSheet given = sheet();
  given.bandwidth = BytesPerSecond{7e11};
  Device device = derive_device(example_levels(), given);
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
