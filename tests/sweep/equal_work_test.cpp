#include "warpipe/sweep/equal_work.hpp"
#include "support/folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "warpipe/code/module.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// An entry of work.cu, where the sweep starts.
struct Start {
  const char* entry;
  isa::Dimensions block, grid;
  std::map<std::string, std::string> arguments;
  std::map<std::string, std::string> addresses = {};
};

SweepKernel kernel_of(const Start& start, const std::string& path = in_sources("tests/sweep/work.ptx")) {
  isa::ImportOptions options;
  options.entry = start.entry;
  options.launch.block = start.block;
  options.launch.grid = start.grid;
  options.launch.arguments = start.arguments;
  for (const auto& [name, text] : start.addresses) isa::parse_pattern(text, options.launch.addresses[name]);
  return {code::read_module(read_text_file(path), path), options};
}

Device ampere() {
  const std::string path = in_sources("latency_tables/data/a100.json");
  return read_device_json(read_text_file(path), path);
}

struct Swept {
  std::vector<Variation> variations;
  std::vector<SweepPoint> points;
  std::vector<EqualWork> works;
  /// "2: 256": how many points do the same work, and the fastest of them.
  std::vector<std::string> shown() const {
    std::vector<std::string> all;
    for (const auto& work : works) {
      std::string text = std::to_string(work.points) + ":";
      for (const auto& value : work.fastest->values) text += " " + to_string(value);
      all.push_back(text);
    }
    return all;
  }
};

Swept sweep(const SweepKernel& kernel, const std::vector<std::string>& vary) {
  Swept swept;
  for (const auto& text : vary) swept.variations.push_back(parse_import_variation(text).value());
  swept.points = run_sweep(kernel, ampere(), {}, swept.variations, 1);
  for (const auto& point : swept.points) EXPECT_EQ(point.error, "");
  swept.works = equal_work(swept.variations, swept.points);
  return swept;
}

Swept sweep(const Start& start, const std::vector<std::string>& vary) { return sweep(kernel_of(start), vary); }

const isa::ArrayReach& reach(const SweepPoint& point, const std::string& name) {
  for (const auto& array : *point.arrays)
    if (array.name == name) return array;
  throw std::runtime_error("no array " + name);
}

// Ten sweeps with a known winner. Of equal work, five:

// A unit of 64 warps holds 32 groups: groups of a single warp use half of its warps, and half of the requests under
// way.
TEST(EqualWork, IsThatOfAnyBlockThatTheSourceFollows) {
  EXPECT_THAT(sweep({"copy", {256, 1, 1}, {4096, 1, 1}, {{"2", "1048576"}}}, {"block=32,128"}).shown(),
              ElementsAre("2: 128"));
}

// A single group keeps a unit of 108 busy.
TEST(EqualWork, IsThatOfAnyGridOverWhichALoopStrides) {
  const auto swept = sweep({"sum", {256, 1, 1}, {1, 1, 1}, {{"2", "262144"}}}, {"grid=1,108"});
  EXPECT_THAT(swept.shown(), ElementsAre("2: 108"));
  EXPECT_EQ(reach(swept.points[0], "sum_param_1").read, 4 * 262144);
  EXPECT_EQ(reach(swept.points[1], "sum_param_1").read, 4 * 262144);
  EXPECT_TRUE(reach(swept.points[1], "sum_param_0").is_result);
}

// Each row is read by 256 threads at a time, or by 32.
TEST(EqualWork, IsThatOfAGroupARowWhoeverReadsIt) {
  EXPECT_THAT(sweep({"rows", {256, 1, 1}, {2048, 1, 1}, {{"2", "4096"}}}, {"block=256,32", "grid=2048"}).shown(),
              ElementsAre("2: 256 2048"));
}

// Rows of 4 bytes are 8 transactions for each of 32 lanes. The rims, 1000 = 31.25 x 32, are covered by more or less.
TEST(EqualWork, IsThatOfGuardedBlocksOfAnyShape) {
  const Start start{"scale", {32, 8, 1}, {32, 125, 1}, {{"2", "1000"}, {"3", "1000"}, {"4", "1024"}}};
  EXPECT_THAT(sweep(start, {"block=32x8,128x2,1x256"}).shown().front(), testing::StartsWith("3: "));
  const auto swept = sweep(start, {"block=1x256,32x8"});
  EXPECT_THAT(swept.shown(), ElementsAre("2: 32x8"));
  // A rim that does as all others do counts as a whole group: 1024 of 1000 columns at most.
  for (const auto& point : swept.points) {
    EXPECT_GE(reach(point, "scale_param_1").read, 0.99 * 4 * 1000 * 1000);
    EXPECT_LE(reach(point, "scale_param_1").read, 4 * 1024 * 1000);
  }
}

// The addresses read by the lanes of a gather are unknown; as many lanes read.
TEST(EqualWork, IsThatOfAsManyLanesWhereAddressesAreNotKnown) {
  const Start start{"gather", {256, 1, 1}, {4096, 1, 1}, {{"3", "1048576"}}, {{"gather_param_1", "random:4194304"}}};
  const auto swept = sweep(start, {"block=32,256"});
  EXPECT_THAT(swept.shown(), ElementsAre("2: 256"));
  EXPECT_TRUE(swept.works.front().by_lanes);
}

// Of unequal work, five, whose "fastest" would do a part of the work:

// Each tile of 32 x 32 is for 32 x 8 threads: with 8 along x a quarter of the columns is copied.
TEST(EqualWork, IsNotThatOfABlockThatATileDoesNotFollow) {
  const Start start{"transpose", {32, 8, 1}, {32, 32, 1}, {{"2", "1024"}, {"3", "1024"}}};
  const auto swept = sweep(start, {"block=32x8,8x32", "grid=32x32"});
  EXPECT_THAT(swept.works, SizeIs(2));
  const std::string in = "transpose_param_1", out = "transpose_param_0";
  EXPECT_EQ(reach(swept.points[0], in).read, 4 * 1024 * 1024);
  EXPECT_EQ(reach(swept.points[0], out).written, 4 * 1024 * 1024);
  EXPECT_NEAR(reach(swept.points[1], in).read, 1024 * 1024, 20000);
  EXPECT_NEAR(reach(swept.points[1], out).written, 1024 * 1024, 20000);
  EXPECT_LT(swept.points[1].prediction->time, swept.points[0].prediction->time);
}

TEST(EqualWork, IsNotThatOfABlockThatAStrideDoesNotFollow) {
  const auto swept = sweep({"sum_by_256", {256, 1, 1}, {108, 1, 1}, {{"2", "1048576"}}}, {"block=256,64"});
  EXPECT_THAT(swept.works, SizeIs(2));
  EXPECT_EQ(reach(swept.points[0], "sum_by_256_param_1").read, 4 * 1048576);
}

// Each lane adds, and lanes without an element add too: the bytes read tell the work. Another n is other additions.
TEST(HighestThroughput, IsOfBytesWhereArraysTellTheWork) {
  const Start start{"sum_by_256", {256, 1, 1}, {108, 1, 1}, {{"2", "1048576"}}};
  const auto by_block = sweep(start, {"block=256,64"}), by_size = sweep(start, {"arg.2=1048576,65536"});
  EXPECT_EQ(throughput_of(by_block.points[0], by_block.variations).unit, "GB/s");
  EXPECT_EQ(throughput_of(by_size.points[0], by_size.variations).unit, "GFLOP/s");
  EXPECT_EQ(highest_throughput(by_block.points, by_block.variations), &by_block.points[0]);
}

TEST(EqualWork, IsNotThatOfABlockThatTheElementsOfAThreadDoNotFollow) {
  const auto swept = sweep({"pairs", {256, 1, 1}, {2048, 1, 1}, {}}, {"block=256,128", "grid=2048"});
  EXPECT_THAT(swept.works, SizeIs(2));
  EXPECT_EQ(reach(swept.points[0], "pairs_param_0").written, 4 * 1048576);
  EXPECT_NEAR(reach(swept.points[1], "pairs_param_0").written, 4 * 524288, 40000);  // by samples: half of all
}

TEST(EqualWork, IsNotThatOfATileOfSharedMemoryOfWhichRowsAreLeftOut) {
  const std::string path = in_sources("kernels/cuda/ptx/sm_80/mmul.ptx");
  EXPECT_THAT(sweep(kernel_of({"mmul16", {16, 16, 1}, {32, 32, 1}, {{"0", "512"}}}, path), {"block=16x16,16x4"}).works,
              SizeIs(2));
}

// A group a row, as many groups as hold the threads: four times the rows.
TEST(EqualWork, IsNotThatOfMoreRows) {
  const auto swept = sweep({"rows", {256, 1, 1}, {512, 1, 1}, {{"2", "4096"}}}, {"block=256,64"});
  EXPECT_THAT(swept.works, SizeIs(2));
  EXPECT_EQ(reach(swept.points[0], "rows_param_1").read, 512 * 4 * 4096);
  EXPECT_EQ(reach(swept.points[1], "rows_param_1").read, 4 * 512 * 4 * 4096);
}

// Each sector is reached by both.
TEST(EqualWork, IsOfBytesAndNotOfSectors) {
  const auto swept = sweep({"columns", {8, 32, 1}, {128, 128, 1}, {{"2", "1024"}}}, {"block=8x32,4x32", "grid=128x32"});
  EXPECT_THAT(swept.works, SizeIs(2));
  EXPECT_EQ(reach(swept.points[0], "columns_param_1").read, 4 * 1024 * 1024);
  EXPECT_EQ(reach(swept.points[1], "columns_param_1").read, 2 * 1024 * 1024);
}

// 32768 columns of 256 elements, a group each; eight groups next to each other share each sector, and the groups looked
// at mostly are no neighbours. With rows twice as far apart the array is twice as large, and as much is read.
TEST(ArrayReach, CountsWhatNeighbouringGroupsShareOnce) {
  for (const char* pitch : {"32768", "65536"}) {
    const auto kernel = kernel_of({"by_column", {256, 1, 1}, {32768, 1, 1}, {{"2", pitch}}}).first({});
    EXPECT_EQ(kernel->kernel.work.compulsory_bytes, Expression(2.0 * 4 * 256 * 32768)) << pitch;
    EXPECT_THAT(predict(kernel->kernel, ampere(), {}).warnings, Not(Contains(HasSubstr("compulsory")))) << pitch;
  }
}

// A grid of 10^9 groups is counted without a visit to each.
TEST(ArrayReach, IsCountedForAnyNumberOfGroups) {
  const auto kernel = kernel_of({"copy", {1024, 1, 1}, {1 << 20, 1024, 1}, {{"2", "1073741824"}}}).first({});
  for (const auto& array : *kernel->arrays) {
    EXPECT_EQ(array.read + array.written, 4.0 * 1073741824);
    EXPECT_TRUE(array.is_counted);
  }
}

/// A point with a time and the bytes it reads.
SweepPoint point(double value, double time, double read) {
  SweepPoint made{{value}, Prediction{}, "", {}};
  made.prediction->time = Seconds{time};
  made.arrays = std::make_shared<const std::vector<isa::ArrayReach>>(std::vector<isa::ArrayReach>{{"x", read}});
  return made;
}

const std::vector<Variation> kGrid{{"grid", Variation::Kind::Grid, "", {}}};

// 3 %: 1.03 s is no slower than 1 s as far as the model can tell, 1.04 s is.
TEST(EqualWork, NamesTiesWithinTheErrorOfTheModel) {
  const std::vector<SweepPoint> points{point(1, 1.03, 64), point(2, 1, 64), point(3, 1.04, 64), point(4, 1, 32)};
  const auto works = equal_work(kGrid, points);
  ASSERT_THAT(works, SizeIs(2));
  EXPECT_EQ(works[0].fastest, &points[1]);
  EXPECT_THAT(works[0].ties, ElementsAre(&points[0]));
  EXPECT_THAT(works[1].ties, IsEmpty());
}

// 98 % of the bytes are the same work, rounded another way; 97 % are not.
TEST(EqualWork, MayBeRounded) {
  EXPECT_THAT(equal_work(kGrid, {point(1, 1, 1000), point(2, 1, 980)}), SizeIs(1));
  EXPECT_THAT(equal_work(kGrid, {point(1, 1, 1000), point(2, 1, 970)}), SizeIs(2));
}

TEST(Cost, OfBlocksAndGridsIsTheTimeOfAByte) {
  const auto one = point(1, 3, 6);
  EXPECT_EQ(cost_of(3, one.prediction->launch, one.arrays, kGrid), 0.5);
}

TEST(WithoutEffect, AreNumbersWhoseValuesAllTakeTheSameTime) {
  const std::vector<Variation> two{{"a", Variation::Kind::DeviceNumber, "a", {}},
                                   {"b", Variation::Kind::DeviceNumber, "b", {}}};
  const auto at = [](double a, double b, double seconds) {
    SweepPoint made{{a, b}, Prediction{}, "", {}};
    made.prediction->time = Seconds{seconds};
    return made;
  };
  std::vector<SweepPoint> points{at(1, 1, 10), at(1, 2, 20), at(2, 1, 10), at(2, 2, 20)};
  EXPECT_THAT(without_effect(two, points), ElementsAre("a"));
  points.back().prediction->time = Seconds{21};
  EXPECT_THAT(without_effect(two, points), IsEmpty());
  EXPECT_THAT(without_effect(two, {points.front()}), IsEmpty()) << "one value is no variation";
  const std::vector<Variation> work{{"n", Variation::Kind::Parameter, "n", {}}};
  EXPECT_THAT(without_effect(work, {points[0], points[0]}), IsEmpty()) << "other work may take as long";
}

}  // namespace
}  // namespace warpipe
