#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "example_device.hpp"

namespace warpipe {
namespace {

Device read_back(const Device& device) { return read_device_json(write_device_json(device), device.file); }

TEST(WriteDevice, WritesTheExampleSoThatItReadsBackTheSame) {
  const Device device = example_device();
  EXPECT_EQ(read_back(device), device);
}

TEST(WriteDevice, WritesTheLevelsAndNotTheirPipelines) {
  const Device device = example_levels();
  EXPECT_EQ(read_back(device), device);
  EXPECT_THAT(write_device_json(device), testing::HasSubstr(R"(  "pipelines": {
    "alu": {
      "scope": "scheduler"
    },
    "lsu": {},
    "control": {}
  },)"));
}

TEST(WriteDevice, LeavesOutWhatHasItsDefault) {
  Device device;
  device.name = "small";
  device.pipelines = {{"alu", Scope::ComputeUnit, {}}};
  device.ops.resize(1);
  device.ops[0].name = "iadd";
  device.ops[0].issue = {{{1, 0.5}}};
  device.ops[0].completion = {{{1, 4.0}}};
  EXPECT_EQ(write_device_json(device), R"({
  "format": "warpipe-device",
  "version": 1,
  "name": "small",
  "compute_units": 1,
  "clock_hz": 1000000000,
  "warp_size": 32,
  "pipelines": {
    "alu": {}
  },
  "ops": {
    "iadd": {
      "pipeline": "alu",
      "issue": 0.5,
      "completion": 4
    }
  }
}
)");
}

TEST(WriteDevice, WritesNumbersInTheirShortestForm) {
  Device device = example_device();
  device.clock = Hertz{1.7e9};
  device.group_launch_latency = Cycles{0.1};
  device.launch_overhead = Seconds{4e-6};
  const std::string text = write_device_json(device);
  EXPECT_THAT(text, testing::HasSubstr("\"clock_hz\": 1700000000,"));
  EXPECT_THAT(text, testing::HasSubstr("\"group_launch_latency\": 0.1,"));
  EXPECT_THAT(text, testing::HasSubstr("\"launch_overhead_s\": 4e-06,"));
  EXPECT_THAT(text, testing::HasSubstr("\"issue\": 1.139,"));
}

TEST(WriteDevice, KeepsASinglePointThatIsNotAtOneWarp) {
  Device device = example_device();
  device.ops[0].completion = {{{16, 7.0}}};
  EXPECT_EQ(read_back(device), device);
}

// A random device. These draw inside a property, so RapidCheck shrinks every choice.

bool coin() { return *rc::gen::arbitrary<bool>(); }

std::size_t below(std::size_t count) { return *rc::gen::inRange<std::size_t>(0, count); }

std::int64_t whole(std::int64_t least) {
  return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(least, 100),
                         rc::gen::inRange<std::int64_t>(least, kLargestWhole + 1));
}

/// Any double from 0 to the most that a file may hold: all 53 bits, at any scale.
Cycles cycles() {
  const double fraction = static_cast<double>(*rc::gen::inRange<std::int64_t>(0, kLargestWhole));
  return Cycles{std::min(std::ldexp(fraction, *rc::gen::inRange(-1000, -20)), 1e9)};
}

std::string text() {
  return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc XYZ 012 \"\\/\n\t{}[]~")));
}

template <class Draw>
auto maybe(Draw draw) {
  return coin() ? std::optional{draw()} : std::nullopt;
}

std::optional<std::int64_t> maybe_whole() {
  return maybe([] { return whole(0); });
}

std::optional<Increment> maybe_increment() {
  return maybe([] { return Increment{cycles(), cycles()}; });
}

Latency latency() {
  Latency drawn{{}};
  std::int64_t residents = 0;
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    residents += 1 + static_cast<std::int64_t>(below(40));
    drawn.points.emplace_back(residents, cycles().count);
  }
  return drawn;
}

Limits limits() {
  Limits drawn;
  for (auto* limit :
       {&drawn.warps_per_unit, &drawn.groups_per_unit, &drawn.threads_per_group, &drawn.registers_per_unit,
        &drawn.registers_per_thread, &drawn.shared_memory_per_unit, &drawn.shared_memory_per_group})
    *limit = maybe_whole();
  for (auto* granularity : {&drawn.register_allocation, &drawn.shared_memory_allocation, &drawn.warp_allocation})
    *granularity = whole(1);
  drawn.shared_memory_reserved_per_group = whole(0);
  return drawn;
}

Source source() { return {static_cast<SourceKind>(below(8)), text(), text(), text(), text()}; }

/// A source with an interval around a number of the row that it stands in.
Source source_of(const std::string& key, double value) {
  Source drawn = source();
  if (coin()) drawn.intervals[key] = {value * 0.5, value * 2};
  if (coin()) drawn.uncalibrated[key] = cycles().count;
  return drawn;
}

BytesPerSecond rate() { return {cycles().count + 1}; }

/// Of a unit, of a die or of the device, as the levels before it allow.
MemoryLevel level(std::size_t index, LevelScope scope, bool is_last) {
  MemoryLevel drawn;
  drawn.name = "level" + std::to_string(index);
  drawn.scope = scope;
  drawn.sector_bytes = 1 + static_cast<std::int64_t>(below(64));
  drawn.line_bytes = drawn.sector_bytes * (1 + static_cast<std::int64_t>(below(8)));
  drawn.write = coin() ? WritePolicy::Through : WritePolicy::Back;
  drawn.ways = 1 + static_cast<std::int64_t>(below(32));
  if (scope == LevelScope::ComputeUnit) {
    drawn.holds_shared_memory = coin();
    drawn.latency = cycles();
    drawn.cycles_per_line = cycles();
    if (coin()) drawn.bytes_per_cycle = cycles().count + 1;
  } else {
    drawn.parts = 1 + static_cast<std::int64_t>(below(4));
    drawn.latency_s = Seconds{std::min(cycles().count, 1.0)};
    drawn.read_rate = maybe(rate);
    if (drawn.read_rate) drawn.write_rate = maybe(rate);
    if (drawn.read_rate) drawn.mixed_rate = maybe(rate);
    drawn.pin_rate = maybe(rate);
  }
  if (!is_last) drawn.bytes = std::min(drawn.line_bytes * drawn.ways * drawn.parts + whole(1), kLargestWhole);
  drawn.masked_writes = is_last && coin();
  if (!is_last && coin())
    drawn.dirty_bytes = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(drawn.line_bytes)));
  if (!is_last) drawn.source = maybe([&] { return source_of("bytes", static_cast<double>(*drawn.bytes)); });
  return drawn;
}

std::vector<MemoryLevel> levels() {
  std::vector<MemoryLevel> drawn;
  int scope = static_cast<int>(below(2));
  for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
    const bool is_last = i + 1 == count;
    scope = std::min(2, std::max(scope, is_last ? 1 : 0) + static_cast<int>(below(2)));
    drawn.push_back(level(i, static_cast<LevelScope>(scope), is_last));
  }
  return drawn;
}

Memory memory() {
  Memory drawn{std::nullopt, whole(1), whole(1), whole(1)};
  if (coin()) {
    drawn.levels = levels();
    drawn.transaction_bytes = drawn.levels.front().sector_bytes;
    drawn.store_latency = maybe([] { return Seconds{std::min(cycles().count, 1.0)}; });
  } else if (coin()) {
    drawn.bandwidth = rate();
  }
  return drawn;
}

Op op(std::size_t index, std::size_t pipelines) {
  Op drawn;
  drawn.name = "op" + std::string(coin() ? ".x" : "_") + std::to_string(index);
  drawn.pipeline = below(pipelines);
  drawn.issue = latency();
  drawn.completion = latency();
  drawn.per_conflict = maybe_increment();
  drawn.per_transaction = maybe_increment();
  drawn.transactions = whole(1);
  drawn.issue_slots = whole(0);
  drawn.barrier = coin();
  if (!drawn.barrier) {
    drawn.retires_at_issue = coin();
    for (std::size_t left = below(3); left > 0; --left)
      drawn.then.push_back({below(pipelines), latency(), cycles(), maybe(cycles), maybe(cycles)});
  }
  drawn.source = maybe([&] { return source_of("issue_slots", static_cast<double>(drawn.issue_slots)); });
  if (drawn.source && drawn.issue_slots == 1) drawn.source = source();  // the file leaves out what is default
  return drawn;
}

/// An access to the memory of a device with levels.
Op access_op(const std::string& name, std::size_t pipelines) {
  Op drawn;
  drawn.name = name;
  drawn.pipeline = below(pipelines);
  drawn.issue = latency();
  drawn.completion = latency();
  drawn.retires_at_issue = coin();
  drawn.source = maybe(source);
  return drawn;
}

Device device() {
  Device drawn;
  drawn.name = text();
  drawn.title = text();
  drawn.architecture = text();
  drawn.file = "random.json";
  drawn.compute_units = whole(1);
  drawn.clock = Hertz{cycles().count + 1};
  drawn.warp_size = whole(1);
  drawn.dies =
      1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(std::min<std::int64_t>(drawn.compute_units, 8))));
  drawn.limits = limits();
  if (coin()) drawn.schedulers = whole(1);
  drawn.issue_interval = cycles();
  drawn.warp_interval = cycles();
  drawn.policy = static_cast<Policy>(below(4));
  drawn.memory = maybe(memory);
  drawn.group_launch_latency = cycles();
  drawn.group_dispatch_interval = cycles();
  drawn.launch_overhead = Seconds{cycles().count};
  drawn.launch_interval = Seconds{cycles().count};
  if (coin()) drawn.launch_gap = Seconds{cycles().count};
  for (std::size_t i = 0, count = 1 + below(4); i < count; ++i)
    drawn.pipelines.push_back({"p" + std::to_string(i), static_cast<Scope>(below(3)), maybe(cycles)});
  const std::size_t pipelines = drawn.pipelines.size();  // those of levels only accesses take
  add_level_pipelines(drawn);
  if (drawn.memory && !drawn.memory->levels.empty())
    for (const char* name : {"global.load", "global.store.64"})
      drawn.ops.push_back(access_op(name, drawn.pipelines.size()));
  for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) drawn.ops.push_back(op(i, pipelines));
  if (coin()) drawn.sources.emplace("clock_hz", source_of("clock_hz", drawn.clock.count));
  if (coin()) drawn.sources.emplace("compute_units", source());
  return drawn;
}

RC_GTEST_PROP(WriteDevice, WritesAnyDeviceSoThatItReadsBackTheSame, ()) {
  const Device drawn = device();
  RC_ASSERT(read_back(drawn) == drawn);
}

}  // namespace
}  // namespace warpipe
