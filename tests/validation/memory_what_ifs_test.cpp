#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "files.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/predict/predict.hpp"

/// T5: a kernel programmer's first trials with memory, in the published direction.

namespace warpipe::validation {
namespace {

Prediction run(const std::string& kernel, const std::string& device, const LaunchOptions& options) {
  return predict(shipped_kernel(kernel), shipped_device(device), options);
}

LaunchOptions with(const std::string& parameter, double value) {
  LaunchOptions options;
  options.parameters[parameter] = value;
  return options;
}

double cycles(const Prediction& prediction) { return to_cycles(prediction.cycles).count; }

// ---- wide loads

// 24, 32 and 48 registers per thread, 768, 1024 and 1536 a warp of 16384 a scheduler: 16 (of 21), 16 and 10 warps.
TEST(WideLoads, TakeRegistersAndOccupancyWithThem) {
  const std::int64_t registers[] = {24, 32, 48}, residents[] = {64, 64, 40};
  for (int i = 0; i < 3; ++i) {
    const Prediction prediction = run("scale_wide", "v100", with("words", std::exp2(i)));
    EXPECT_EQ(prediction.launch.registers_per_thread, registers[i]);
    EXPECT_EQ(prediction.launch.resident_warps, residents[i]);
  }
}

TEST(WideLoads, IssueFewerInstructionsForTheSameBytes) {
  // 1 word: 5 + 4 loads + 4 scalings + 4 stores for 4 words; 4 words: 5 + 4 + 16 + 4 for 16
  const double one = static_cast<double>(run("scale_wide", "v100", with("words", 1)).instructions_issued);
  const double four = static_cast<double>(run("scale_wide", "v100", with("words", 4)).instructions_issued);
  EXPECT_NEAR(four / one, (29.0 / 16) / (17.0 / 4), 0.02);  // ceil(groups / 80 units) differs a little
}

TEST(WideLoads, HideMoreLatencyWhereFewGroupsAreResident) {
  for (const char* device : {"v100", "gtx1060", "a100", "rtx2070"}) {
    LaunchOptions narrow = with("words", 1), wide = with("words", 4);
    narrow.concurrent_groups = wide.concurrent_groups = 1;
    narrow.group_size = wide.group_size = 64;  // two warps: memory is not near its rate
    EXPECT_LT(cycles(run("scale_wide", device, wide)), 0.95 * cycles(run("scale_wide", device, narrow))) << device;
  }
}

// ---- launch bounds: registers against resident groups

/// Growth of a trip of the inner loop for a single warp where every load takes a cycle longer.
double exposed_latencies(int version) {
  constexpr double kTrips = 32, kLonger = 100;
  const auto alone = [version](double latency) {
    LaunchOptions options = with("version", version);
    options.parameters["trips"] = kTrips;
    options.groups = 1;
    options.group_size = 32;
    options.set.push_back({"l2.latency_s", latency / shipped_device("v100").clock.count});
    return cycles(run("register_reuse", "v100", options));
  };
  return (alone(200 + kLonger) - alone(200)) / (kTrips * kLonger);
}

TEST(LaunchBounds, ThreeBuildsExposeEightSixAndThreeLatencies) {
  constexpr double kRounding = 1e-4;  // slowdown of memory under the load of this warp
  EXPECT_NEAR(exposed_latencies(0), 8, kRounding);
  EXPECT_NEAR(exposed_latencies(1), 6, kRounding);
  EXPECT_NEAR(exposed_latencies(2), 3, kRounding);
}

TEST(LaunchBounds, ThreeBuildsTake40And36And44Registers) {
  const std::int64_t registers[] = {40, 36, 44}, residents[] = {48, 48, 40};
  for (int version = 0; version < 3; ++version) {
    const Prediction prediction = run("register_reuse", "v100", with("version", version));
    EXPECT_EQ(prediction.launch.registers_per_thread, registers[version]);
    EXPECT_EQ(prediction.launch.resident_warps, residents[version]);
  }
}

// Published: 1.64 times as fast with wide loads, 1.77 with launch bounds. The third build is fastest although fewer of
// its groups are resident.
TEST(LaunchBounds, ThreeBuildsComeOutInThePublishedOrderOnEveryDeviceWithACache) {
  for (const char* device : {"v100", "a100", "h100", "gtx1060", "rtx2070", "gtx480", "mi210"}) {
    const double plain = cycles(run("register_reuse", device, with("version", 0)));
    const double wide = cycles(run("register_reuse", device, with("version", 1)));
    const double bounded = cycles(run("register_reuse", device, with("version", 2)));
    EXPECT_GT(plain, 1.2 * wide) << device;
    EXPECT_GT(wide, 1.05 * bounded) << device;
  }
}

// ---- coalescing

struct Layout {
  double offset, stride;
  std::int64_t segments;
};
const Layout kLayouts[] = {{0, 1, 4}, {1, 1, 5}, {0, 2, 8}};

TEST(Coalescing, AlignedMisalignedAndEverySecondWordTouch4And5And8Segments) {
  const Memory memory;
  for (const Layout& layout : kLayouts) {
    LaneAccess access;
    for (int lane = 0; lane < 32; ++lane)
      access.offsets_bytes.push_back(4 * static_cast<std::int64_t>(layout.offset + layout.stride * lane));
    EXPECT_EQ(transactions(access, memory), layout.segments);
  }
}

// The segments that follow from the kernel's address against the segments of the lanes, for the offsets and strides of
// a programmer's trials.
TEST(Coalescing, StridedCopyTouchesTheSegmentsOfItsLanes) {
  const Kernel kernel = shipped_kernel("strided_copy");
  for (int offset = 0; offset < 16; ++offset)
    for (int stride = 1; stride <= 64; ++stride) {
      LaneAccess access;
      for (int lane = 0; lane < 32; ++lane) access.offsets_bytes.push_back(4 * (offset + stride * lane));
      Values values = kernel.parameters;
      values["offset"] = offset;
      values["stride"] = stride;
      values["group_size"] = 256;
      int accesses = 0;
      for (const Instruction& instruction : kernel.instructions)
        if (instruction.access) {
          const LaneAccess found = lane_access(*instruction.access, values, 32, launch_shape(kernel, values));
          EXPECT_EQ(transactions(found, Memory{}), transactions(access, Memory{})) << offset << " " << stride;
          ++accesses;
        }
      EXPECT_EQ(accesses, 2);
    }
}

// Read, changed and written back. With stride 2 a warp's 8 segments are used in half. Of the 5 segments of a warp that
// starts off the alignment a cache still holds a segment read by its neighbour: memory sees four. The array is large
// enough for the content of the caches at the end not to count.
TEST(Coalescing, TimeGoesWithTheSegmentsThatNoNeighbourReadsWhereMemoryIsFull) {
  for (const char* device : {"v100", "gtx1060", "a100"}) {
    const auto time = [&](const Layout& layout) {
      LaunchOptions options = with("n", 1 << 28);
      options.parameters["offset"] = layout.offset;
      options.parameters["stride"] = layout.stride;
      return cycles(run("strided_copy", device, options));
    };
    const double aligned = time(kLayouts[0]);
    EXPECT_NEAR(time(kLayouts[1]) / aligned, 1, 0.03) << device;
    EXPECT_NEAR(time(kLayouts[2]) / aligned, 2, 0.06) << device;
  }
}

// ---- bank conflicts

TEST(BankConflicts, PaddingByAColumnTakesColumnsFrom32WaysToOne) {
  for (const auto& [pitch, degree] : {std::pair(32, 32), std::pair(33, 1)}) {
    LaneAccess column;
    for (int lane = 0; lane < 32; ++lane) column.offsets_bytes.push_back(4 * pitch * lane);
    EXPECT_EQ(bank_conflict_degree(column, Memory{}), degree);
  }
}

// Padding saves the excess of the conflicts' time over DRAM's: much on GTX 1060 and A100, next to nothing on V100,
// where both take as long.
TEST(BankConflicts, PaddedTransposeIsFasterWithTheSameBytesMoved) {
  const std::map<std::string, double> least_gain{{"v100", 1.01}, {"gtx1060", 1.2}, {"a100", 1.4}};
  for (const auto& [device, gain] : least_gain) {
    const Prediction padded = run("transpose_padded", device, {}), plain = run("transpose_conflicts", device, {});
    EXPECT_EQ(padded.launch.bytes, plain.launch.bytes);
    EXPECT_EQ(padded.instructions_issued, plain.instructions_issued);
    EXPECT_GT(cycles(plain), gain * cycles(padded)) << device;
  }
}

// Without conflicts the tile's four reads take a pass each; with them 32: the shared pipeline alone is then the limit.
TEST(BankConflicts, UnpaddedTransposeIsLimitedBySharedMemory) {
  const Prediction plain = run("transpose_conflicts", "gtx1060", {});
  EXPECT_EQ(limiter_name(plain), "pipeline shared");
  EXPECT_NE(limiter_name(run("transpose_padded", "gtx1060", {})), "pipeline shared");
}

}  // namespace
}  // namespace warpipe::validation
