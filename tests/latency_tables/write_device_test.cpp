#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "device_keys.hpp"
#include "example_device.hpp"

namespace warpipe {

using namespace detail;

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

/// Any double from 0 to the most allowed in a file: all 53 bits, at any scale.
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

Latency latency() {
  Latency drawn{{}};
  std::int64_t residents = 0;
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    residents += 1 + static_cast<std::int64_t>(below(40));
    drawn.points.emplace_back(residents, cycles().count);
  }
  return drawn;
}

template <class Value>
Value draw_value(const Traits& traits) {
  if constexpr (std::is_same_v<Value, std::string>)
    return text();
  else if constexpr (std::is_same_v<Value, std::int64_t>)
    return whole(traits.least);
  else if constexpr (std::is_same_v<Value, Seconds>)
    return {std::min(cycles().count, traits.most_seconds)};
  else if constexpr (kIsRate<Value>)
    return Value{cycles().count + 1};
  else if constexpr (std::is_same_v<Value, Cycles>)
    return cycles();
  else if constexpr (std::is_same_v<Value, Latency>)
    return latency();
  else if constexpr (std::is_same_v<Value, Increment>)
    return {cycles(), cycles()};
  else if constexpr (std::is_same_v<Value, bool>)
    return coin();
  else {
    const auto words = words_of(traits, Value{});
    return words[below(words.size())].second;
  }
}

/// Draws every possible value under the keys of an object, but for sources.
template <class Keys, class Object>
void draw(const Keys& keys, Object& object) {
  const Object asked = object;  // its scope, also drawn, tells the keys of a level
  for (const auto& key : keys)
    visit_field(key, [&](auto field) {
      using Value = decltype(content_of(field));
      using Kept = std::remove_cvref_t<decltype(object.*field)>;
      if constexpr (!std::is_same_v<Value, Source>)
        if (has(asked, key) && (std::is_same_v<Value, Kept> || coin())) object.*field = draw_value<Value>(key.traits);
    });
}

Source source() { return {static_cast<SourceKind>(below(8)), text(), text(), text(), text()}; }

/// A source with an interval around a number of its row.
Source source_of(const std::string& key, double value) {
  Source drawn = source();
  if (coin()) drawn.intervals[key] = {value * 0.5, value * 2};
  if (coin()) drawn.uncalibrated[key] = cycles().count;
  return drawn;
}

/// Of a unit, of a die or of the device, as the levels before it allow.
MemoryLevel level(std::size_t index, LevelScope scope, bool is_last) {
  MemoryLevel drawn;
  drawn.scope = scope;
  draw(kKeysOfLevel, drawn);
  drawn.name = "level" + std::to_string(index);
  drawn.scope = scope;
  drawn.sector_bytes = 1 + static_cast<std::int64_t>(below(64));
  drawn.line_bytes = drawn.sector_bytes * (1 + static_cast<std::int64_t>(below(8)));
  drawn.ways = 1 + static_cast<std::int64_t>(below(32));
  drawn.parts = scope == LevelScope::ComputeUnit ? 1 : 1 + static_cast<std::int64_t>(below(4));
  drawn.joined_units = std::min<std::int64_t>(drawn.joined_units, 32);
  if (!drawn.read_rate) {
    drawn.write_rate = drawn.mixed_rate = std::nullopt;
    drawn.line_rate = drawn.store_line_rate = std::nullopt;
  }
  drawn.bytes.reset();
  drawn.dirty_bytes.reset();
  if (!is_last) drawn.bytes = std::min(drawn.line_bytes * drawn.ways * drawn.parts + whole(1), kLargestWhole);
  drawn.masked_writes = is_last && drawn.masked_writes;
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
  Memory drawn;
  draw(kKeysOfMemory, drawn);
  if (coin()) {
    drawn.levels = levels();
    drawn.transaction_bytes = drawn.levels.front().sector_bytes;
    drawn.bandwidth.reset();
  } else {
    drawn.store_latency.reset();
  }
  return drawn;
}

Op op(std::size_t index, std::size_t pipelines) {
  Op drawn;
  drawn.name = "op" + std::string(coin() ? ".x" : "_") + std::to_string(index);
  drawn.pipeline = below(pipelines);
  draw(kKeysOfOp, drawn);
  if (drawn.barrier)
    drawn.retires_at_issue = false;
  else
    for (std::size_t left = below(3); left > 0; --left) {
      draw(kKeysOfThen, drawn.then.emplace_back());
      drawn.then.back().pipeline = below(pipelines);
    }
  drawn.source = maybe([&] { return source_of("issue_slots", static_cast<double>(drawn.issue_slots)); });
  if (drawn.source && drawn.issue_slots == 1) drawn.source = source();  // the file leaves out defaults
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
  draw(kKeysOfDevice, drawn);
  draw(kKeysOfIssue, drawn);
  draw(kKeysOfLimits, drawn.limits);
  drawn.file = "random.json";
  drawn.dies =
      1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(std::min<std::int64_t>(drawn.compute_units, 8))));
  drawn.memory = maybe(memory);
  for (std::size_t i = 0, count = 1 + below(4); i < count; ++i)
    drawn.pipelines.push_back({"p" + std::to_string(i), static_cast<Scope>(below(3)), maybe(cycles)});
  const std::size_t pipelines = drawn.pipelines.size();  // only accesses take the pipelines of levels
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
