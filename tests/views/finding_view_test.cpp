#include "warpipe/views/finding_view.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpipe {
namespace {

using Cause = Finding::Cause;

Finding of(Cause cause, const std::string& limit, double amount = 0, double whole = 0) {
  Finding finding;
  finding.cause = cause;
  finding.limit = limit;
  finding.place = "a.cu:7";
  finding.op = "global.store";
  finding.amount = amount;
  finding.of = whole;
  finding.share = 0.7;
  finding.change = Finding::Change{{}, {}, "as neighbours"};
  return finding;
}

std::string said(const Finding& finding, const std::optional<Seconds>& changed = {}) {
  return sentence(finding, Seconds{2e-5}, changed);
}

TEST(FindingView, SaysEachCause) {
  EXPECT_EQ(said(of(Cause::Scattered, "pipeline l2", 4, 32)),
            "Limited by the pipeline l2: stores of a.cu:7 use 4 of 32 bytes of each sector.");
  auto shared = of(Cause::Conflicts, "pipeline lsu", 31.96);
  shared.op = "shared.load.128";
  EXPECT_EQ(said(shared), "Limited by the load-store unit: shared loads of a.cu:7 have bank conflicts, 32 ways.");
  EXPECT_EQ(said(of(Cause::Bytes, "pipeline dram", 3e6, 3e6)), "Limited by DRAM: 3 MB go through it, each byte once.");
  EXPECT_EQ(said(of(Cause::Bytes, "pipeline dram", 9e6, 3e6)),
            "Limited by DRAM: 9 MB go through it, each byte 3 times, most by stores of a.cu:7.");
  EXPECT_EQ(said(of(Cause::Bytes, "pipeline dram", 9e6)), "Limited by DRAM: 9 MB go through it.");
  auto product = of(Cause::Line, "pipeline fp32", 0.992);
  product.op = "ffma";
  EXPECT_EQ(said(product), "Limited by the pipeline fp32: 99.2 % of its time for ffma of a.cu:7.");
  product.place.clear();
  EXPECT_EQ(said(product), "Limited by the pipeline fp32: 99.2 % of its time for ffma.");
  product.op.clear();
  product.place = "a.cu:7";
  EXPECT_EQ(said(product), "Limited by the pipeline fp32: 99.2 % of its time for instructions of a.cu:7.");
  auto warps = of(Cause::Warps, "latency", 8, 64);
  warps.why = "64 registers per thread leave room for 1 group";
  EXPECT_EQ(
      said(warps),
      "Limited by latency: 8 of 64 warps reside on a unit: 64 registers per thread leave room for 1 group; 70.0 % "
      "of the wait is for stores of a.cu:7.");
  warps.thread_private = true;
  warps.why.clear();
  EXPECT_EQ(said(warps),
            "Limited by latency: 8 of 64 warps reside on a unit; 70.0 % of the wait is for thread-private stores of "
            "a.cu:7.");
  EXPECT_EQ(said(of(Cause::Groups, "latency", 2, 80)), "Limited by latency: 2 groups for 80 units.");
  EXPECT_EQ(said(of(Cause::Rounds, "schedulers", 133, 132)),
            "Limited by the schedulers: 133 groups for 132 units, so that some have one more than others.");
  EXPECT_EQ(said(of(Cause::Starts, "group dispatch", 9000, 32)),
            "Limited by group dispatch: 9000 groups of 32 threads start one after the other.");
  EXPECT_EQ(said(of(Cause::Lanes, "schedulers", 1.02, 32)),
            "Limited by the schedulers: 1 of 32 lanes compute, most of the time in a.cu:7.");
  EXPECT_EQ(said(of(Cause::Doubles, "pipeline fp64", 0.99)),
            "Limited by the pipeline fp64: 99.0 % of its time for doubles of a.cu:7, where floats come in or go out.");
  EXPECT_EQ(said(of(Cause::None, "schedulers")), "Limited by the schedulers.");
}

TEST(FindingView, SaysAnEstimateWhereItIsWorthIt) {
  const auto scattered = of(Cause::Scattered, "pipeline l2", 4, 32);
  EXPECT_EQ(said(scattered, Seconds{8e-6}),
            "Limited by the pipeline l2: stores of a.cu:7 use 4 of 32 bytes of each sector; as neighbours about 8 us "
            "(-60.0 %, an estimate).");
  EXPECT_EQ(said(scattered, Seconds{1.95e-5}), said(scattered)) << "2.5 %";
  EXPECT_EQ(said(scattered, Seconds{3e-5}), said(scattered)) << "slower";
}

TEST(FindingView, IsAnObjectForPrograms) {
  const auto json =
      nlohmann::json::parse(finding_json(of(Cause::Scattered, "pipeline l2", 4, 32), Seconds{2e-5}, Seconds{8e-6}));
  EXPECT_EQ(json.at("limit"), "pipeline l2");
  EXPECT_EQ(json.at("cause"), "scattered");
  EXPECT_EQ(json.at("place"), "a.cu:7");
  EXPECT_EQ(json.at("op"), "global.store");
  EXPECT_EQ(json.at("estimate_s"), 8e-6);
  EXPECT_EQ(json.at("sentence"), said(of(Cause::Scattered, "pipeline l2", 4, 32), Seconds{8e-6}));
}

}  // namespace
}  // namespace warpipe
