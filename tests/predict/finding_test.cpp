// Where the limit of shipped kernels comes from, as their text says it.
#include "warpipe/predict/finding.hpp"

#include <gtest/gtest.h>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe::test {
namespace {

using Cause = Finding::Cause;

template <class Read>
auto shipped(const std::string& folder, const std::string& name, const Read& read) {
  const auto file = in_sources(folder) + name + ".json";
  return read(read_text_file(file), file);
}

Kernel kernel(const std::string& name) { return shipped("kernels/data/", name, read_kernel_json); }
Device device(const std::string& name) { return shipped("latency_tables/data/", name, read_device_json); }

Finding found(const std::string& kernel_name, const std::string& device_name, const LaunchOptions& options = {}) {
  const auto launch = lower_launch(kernel(kernel_name), device(device_name), options);
  return find_cause(launch, predict(launch));
}

// Lanes of a warp are on 16 rows, two words in each: 8 bytes of a sector of 32. As neighbours 128 bytes are 4 sectors.
TEST(Finding, SectorsThatAreUsedInPart) {
  const auto finding = found("array_add_not_coalesced", "gtx1060");
  EXPECT_EQ(finding.cause, Cause::Scattered);
  EXPECT_EQ(finding.place, "load_a");
  EXPECT_DOUBLE_EQ(finding.amount, 8);
  EXPECT_EQ(finding.of, 32);
  ASSERT_TRUE(finding.change);
}

// The same sectors lie in caches for the next warps, and DRAM moves each byte once: three arrays of 4 MiB.
TEST(Finding, NoSectorsThatCachesKeepForOthers) {
  const auto finding = found("array_add_not_coalesced", "v100");
  ASSERT_EQ(finding.limit, "pipeline dram");
  EXPECT_EQ(finding.cause, Cause::Bytes);
  EXPECT_NEAR(finding.amount, 3 << 22, 1);
  EXPECT_NEAR(finding.of, 3 << 22, 1);
  EXPECT_FALSE(finding.change);
}

// Every fourth word is read, and no other access reads the rest.
TEST(Finding, SectorsOfWhichNobodyUsesTheRest) {
  LaunchOptions options;
  options.parameters["stride"] = 4;
  const auto finding = found("strided_copy", "v100", options);
  EXPECT_EQ(finding.limit, "pipeline dram");
  EXPECT_EQ(finding.cause, Cause::Scattered);
  EXPECT_NEAR(finding.amount, 8, 0.01);
}

// Both words of each pair are read, one after the other: the second finds its sectors in level 1.
TEST(Finding, NoSectorsOfWhichAnotherAccessUsesTheRest) {
  const auto pairs = read_kernel_json(R"json({"format": "warpipe-kernel", "version": 1, "name": "pairs",
    "launch": {"group_size": 256, "groups": 65536}, "arrays": {"p": {"bytes": 134217728}},
    "body": [{"id": "x", "op": "global.load", "access": {"width_bytes": 4, "array": "p",
                "address": "8 * (256 * group + thread_x)"}},
             {"id": "y", "op": "global.load", "access": {"width_bytes": 4, "array": "p",
                "address": "8 * (256 * group + thread_x) + 4"}}]})json",
                                      "pairs.json");
  const auto launch = lower_launch(pairs, device("v100"), {});
  const auto finding = find_cause(launch, predict(launch));
  ASSERT_EQ(finding.limit, "pipeline dram");
  EXPECT_EQ(finding.cause, Cause::Bytes);
}

// A column of a tile of 32 x 32 words: all in the same bank.
TEST(Finding, BankConflicts) {
  const auto finding = found("transpose_conflicts", "v100");
  EXPECT_EQ(finding.cause, Cause::Conflicts);
  EXPECT_EQ(finding.op, "shared.load");
  EXPECT_DOUBLE_EQ(finding.amount, 32);
  ASSERT_TRUE(finding.change);
  EXPECT_EQ(finding.change->options.conflict_degree.size(), 4U) << "each of the four loads";
}

TEST(Finding, UnitsWithoutAGroup) {
  const auto finding = found("pointer_chase", "v100");
  EXPECT_EQ(finding.cause, Cause::Groups);
  EXPECT_EQ(finding.amount, 1);
  EXPECT_EQ(finding.of, 80);
}

TEST(Finding, TheLineWithMostOfThePipeline) {
  const auto finding = found("coulomb3d", "v100");
  EXPECT_EQ(finding.limit, "pipeline sfu");
  EXPECT_EQ(finding.cause, Cause::Line);
  EXPECT_EQ(finding.place, "root");
  EXPECT_GT(finding.amount, 0.99);
}

// A group of 32 threads on each of 80 units: a warp alone.
TEST(Finding, FewerWarpsThanHideLatency) {
  LaunchOptions options;
  options.concurrent_groups = 1;
  options.group_size = 32;
  const auto finding = found("saxpy", "v100", options);
  ASSERT_EQ(finding.limit, "latency");
  EXPECT_EQ(finding.cause, Cause::Warps);
  EXPECT_EQ(finding.amount, 1);
  EXPECT_EQ(finding.of, 64);
  EXPECT_EQ(finding.op, "global.load") << "that a warp alone waits for";
  EXPECT_GT(finding.share, 0.5);
}

}  // namespace
}  // namespace warpipe::test
