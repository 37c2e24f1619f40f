#include "warpipe/accuracy/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "calibration_models.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

const std::vector<std::string> kAdd{"add.issue", "add.completion"};

/// Chains of add from a single waiting warp (24 cycles a round) to a full pipeline (16 x 4 x 4 = 256 cycles a round).
std::vector<Cell> full_range() { return cells({1, 2, 4, 8, 16}, "chains", {1, 2, 3, 4}); }

std::string refusal(const Kernel& kernel, const std::vector<Measurement>& rows, const std::vector<std::string>& fit) {
  return message_of<ModelError>([&] { calibrated(kernel, rows, request(fit)); });
}

TEST(Calibrate, SolvesPlainChainsInClosedForm) {
  const auto result = calibrated(chains_kernel(), simulated(chains_kernel(), full_range(), 0), request(kAdd));
  EXPECT_TRUE(result.closed_form);
  ASSERT_THAT(result.values, SizeIs(2));
  EXPECT_EQ(result.values[0].start, 7);
  EXPECT_NEAR(result.values[0].value, 4, 1e-3);
  EXPECT_NEAR(result.values[1].value, 24, 1e-3);
  EXPECT_EQ(result.device.find_op("add")->issue.points.front().second, result.values[0].value);
}

TEST(Calibrate, SearchesWhatIsNoPlainChain) {
  const auto rows = simulated(mix_kernel(), cells({1, 4, 16}, "adds", {1, 8, 32}), 0);
  const auto result = calibrated(mix_kernel(), rows, request({"add.issue", "add.completion", "load.completion"}));
  EXPECT_FALSE(result.closed_form);
  EXPECT_NEAR(result.values[0].value, 4, 0.02);
  EXPECT_NEAR(result.values[1].value, 24, 0.1);
  EXPECT_NEAR(result.values[2].value, 400, 4);
}

TEST(Calibrate, FitsAnIncrementThatTheTableLacks) {
  // 16 warps of independent loads keep the pipeline busy: 8 cycles each, and a cycle for each further way.
  const auto kernel = kernel_file(R"("parameters": {"degree": 1}, "launch": {"group_size": 512, "groups": 1},)",
                                  R"({"loop": "round", "trip_count": 50, "body": [
                                       {"id": "load", "op": "load", "conflict_degree": "degree"}]})");
  const auto rows = simulated(kernel, cells({16}, "degree", {1, 2, 4, 8, 16, 32}), 0);
  auto device = known_device();
  device.ops[1].per_conflict.reset();
  const auto result = calibrate(
      rows, [&](const std::string&) { return kernel; }, device, request({"load.per_conflict.issue"}));
  EXPECT_EQ(result.values.at(0).start, 0);
  EXPECT_NEAR(result.values.at(0).value, 1, 0.01);
}

TEST(Calibrate, FitsPointsOverResidentWarps) {
  // Dependent loads: with W warps a round takes max(Lambda, 8 W), and Lambda is 400 + 5 (W - 1) here.
  std::vector<Measurement> rows;
  for (const int warps : {1, 5, 9, 13, 17, 21}) {
    Measurement row;
    row.kernel = "k";
    row.options.group_size = 32 * warps;
    row.value = 49 * (400 + 5 * (warps - 1)) + (warps - 1) * 8 + 400 + 5 * (warps - 1);
    rows.push_back(row);
  }
  const auto load_only = kernel_file(R"("launch": {"group_size": 32, "groups": 1},)",
                                     R"({"loop": "round", "trip_count": 50, "body": [
                                          {"id": "load", "op": "load", "after": ["load"]}]})");
  const auto result = calibrate(
      rows, [&](const std::string&) { return load_only; }, known_device(), request({"load.completion=1,21"}));
  EXPECT_EQ(result.values[1].name, "load.completion@21");
  EXPECT_NEAR(result.values[0].value, 400, 1);
  EXPECT_NEAR(result.values[1].value, 500, 1);
  ASSERT_THAT(result.device.find_op("load")->completion.points, SizeIs(2));
}

TEST(Calibrate, RefusesDataWithoutASaturatedRow) {
  // Up to 1 warp x 4 chains: a round takes 24 cycles, and the pipeline 16 of them at most.
  const auto text = refusal(chains_kernel(), simulated(chains_kernel(), cells({1}, "chains", {1, 2, 3, 4}), 0), kAdd);
  EXPECT_THAT(text, AllOf(HasSubstr("add.issue"), HasSubstr("no saturated row"), HasSubstr("more resident warps")));
  EXPECT_THAT(text, Not(HasSubstr("add.completion")));
}

// 2 warps x 64 additions keep the pipeline busy for 512 cycles of a round of 400 + 64 x 24.
TEST(Calibrate, RefusesDataWithoutASaturatedRowWhateverTheNoise) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const auto rows = simulated(mix_kernel(), cells({1, 2}, "adds", {1, 4, 16, 64}), 0.02, seed);
    const auto text = refusal(mix_kernel(), rows, {"add.issue", "add.completion", "load.completion"});
    EXPECT_THAT(text, AllOf(HasSubstr("add.issue"), HasSubstr("no saturated row"))) << "seed " << seed;
  }
}

TEST(Calibrate, RefusesDataWithoutALatencyBoundRow) {
  // From 8 warps x 1 chain on the pipeline is busy 32 cycles a round, longer than the 24 of a chain.
  const auto rows = simulated(chains_kernel(), cells({8, 16, 32}, "chains", {1, 2, 4}), 0.01);
  EXPECT_THAT(refusal(chains_kernel(), rows, kAdd),
              AllOf(HasSubstr("add.completion"), HasSubstr("no latency-bound row"), HasSubstr("few resident warps")));
}

TEST(Calibrate, RefusesParametersThatMoveTogether) {
  // An addition a load: only the sum of the two latencies is seen.
  const auto rows = simulated(mix_kernel(), cells({1, 2, 3, 4}, "trips", {10, 20}), 0);
  EXPECT_THAT(refusal(mix_kernel(), rows, {"load.completion", "add.completion"}),
              AllOf(HasSubstr("load.completion"), HasSubstr("moves together with add.completion")));
}

TEST(Calibrate, RefusesAnOpThatNoRowRuns) {
  const auto rows = simulated(chains_kernel(), full_range(), 0);
  EXPECT_THAT(refusal(chains_kernel(), rows, {"add.issue", "unused.completion"}),
              AllOf(HasSubstr("unused.completion"), HasSubstr("no row runs unused")));
}

TEST(Calibrate, RefusesAsManyValuesAsRows) {
  const auto rows = simulated(chains_kernel(), cells({1, 16}, "chains", {1}), 0);
  EXPECT_THAT(refusal(chains_kernel(), rows, kAdd), HasSubstr("found 2 rows for 2 values"));
}

TEST(Calibrate, NamesTheLineOfARowThatCannotBePredicted) {
  auto rows = simulated(chains_kernel(), full_range(), 0);
  rows[3].options.parameters["chainz"] = 2;
  EXPECT_THAT(refusal(chains_kernel(), rows, kAdd), AllOf(HasSubstr("line 5"), HasSubstr("chainz")));
}

TEST(Calibrate, RefusesALaunchOptionThatSetsWhatIsFitted) {
  auto wanted = request(kAdd);
  wanted.launch.scale.push_back({"add", 2});
  const auto rows = simulated(chains_kernel(), full_range(), 0);
  EXPECT_THAT(message_of<UsageError>([&] { calibrated(chains_kernel(), rows, wanted); }), HasSubstr("`scale add`"));
}

TEST(Calibrate, ScoresTheRowsThatAreHeldOutApart) {
  auto wanted = request(kAdd);
  wanted.hold_out = 2;
  auto rows = simulated(chains_kernel(), full_range(), 0);
  for (std::size_t i = 1; i < rows.size(); i += 2) rows[i].value *= 2;  // every second row is wrong by half
  const auto result = calibrated(chains_kernel(), rows, wanted);
  EXPECT_NEAR(result.values[0].value, 4, 1e-3) << "rows that are held out are not fitted";
  ASSERT_THAT(result.held_out.after.rows, SizeIs(10));
  EXPECT_EQ(result.held_out.after.rows[0].measurement.line, 3U);
  EXPECT_NEAR(result.held_out.after.predicted.at(0).bias_percent, -50, 0.01);
  EXPECT_NEAR(result.fitted.after.predicted.at(0).mean_absolute_percent, 0, 0.01);
  EXPECT_GT(result.fitted.before.predicted.at(0).mean_absolute_percent, 10);
}

TEST(Calibrate, SaysInTheSourceThatAndHowAnOpWasFitted) {
  const auto result = calibrated(chains_kernel(), simulated(chains_kernel(), full_range(), 0.01), request(kAdd));
  const Source& source = *result.device.find_op("add")->source;
  EXPECT_EQ(source.kind, SourceKind::Fitted);
  EXPECT_THAT(source.reference, HasSubstr("m.csv"));
  EXPECT_THAT(source.method, AllOf(HasSubstr("issue "), HasSubstr("completion "), HasSubstr("of 20 rows"),
                                   HasSubstr("measured: a chain")));
  EXPECT_EQ(result.device.find_op("load")->source, known_device().find_op("load")->source);
}

/// A unit at 1 GHz whose memory answers after 400 ns and yields 16 bytes per cycle: a load of 128 bytes takes 8.
Device device_with_levels() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "known", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "limits": {"groups_per_unit": 1, "warps_per_unit": 64},
    "memory": {"levels": [{"name": "dram", "latency_s": 4e-7, "read_bytes_per_s": 16e9,
                           "source": {"kind": "measured", "reference": "a chase"}}]},
    "pipelines": {"lsu": {}},
    "ops": {"global.load": {"pipeline": "lsu", "issue": 1}}})",
                          "known.json");
}

TEST(Calibrate, FitsTheNumbersOfALevelAndSaysSoInItsSource) {
  const auto loads = kernel_file(R"("launch": {"group_size": 32, "groups": 1},)",
                                 R"({"loop": "round", "trip_count": 50, "body": [
                                      {"id": "load", "op": "global.load", "after": ["load"]}]})");
  std::vector<Measurement> rows;
  for (const int warps : {1, 2, 4, 8, 40, 60, 64}) {
    Measurement row;
    row.kernel = "k";
    row.options.group_size = 32 * warps;
    row.value = to_cycles(predict(loads, device_with_levels(), row.options).cycles).count;
    rows.push_back(row);
  }
  Device start = device_with_levels();
  start.memory->levels[0].latency_s = Seconds{3e-7};
  start.memory->levels[0].read_rate = BytesPerSecond{25e9};
  const auto result = calibrate(
      rows, [&](const std::string&) { return loads; }, start, request({"dram.latency_s", "dram.read_bytes_per_s"}));
  EXPECT_NEAR(result.values[0].value, 4e-7, 4e-9);
  EXPECT_NEAR(result.values[1].value, 16e9, 16e7);
  const MemoryLevel& dram = result.device.memory->levels[0];
  EXPECT_EQ(dram.latency_s.count, result.values[0].value);
  EXPECT_EQ(dram.source->kind, SourceKind::Fitted);
  EXPECT_THAT(dram.source->method,
              AllOf(HasSubstr("latency_s "), HasSubstr("read_bytes_per_s "), HasSubstr("measured: a chase")));
  EXPECT_EQ(result.device.find_op("global.load")->source, std::nullopt);
}

TEST(Calibrate, DoesNotDependOnTheNumberOfThreads) {
  const auto rows = simulated(mix_kernel(), cells({1, 4, 16}, "adds", {1, 8, 32}), 0.02);
  auto wanted = request({"add.issue", "add.completion", "load.completion"});
  wanted.threads = 1;
  const auto one = calibrated(mix_kernel(), rows, wanted);
  wanted.threads = 0;
  const auto many = calibrated(mix_kernel(), rows, wanted);
  EXPECT_EQ(write_device_json(one.device), write_device_json(many.device));
}

TEST(Calibrate, DoesNotLetOneBadRowDrawTheOthersAfterIt) {
  auto rows = simulated(mix_kernel(), cells({1, 2, 4, 16}, "adds", {1, 8, 32}), 0);
  rows[4].value *= 3;
  const auto result = calibrated(mix_kernel(), rows, request({"add.issue", "add.completion", "load.completion"}));
  EXPECT_NEAR(result.values[0].value, 4, 0.1);
  EXPECT_NEAR(result.values[1].value, 24, 0.6);
}

}  // namespace
}  // namespace warpipe
