#include "warpipe/predict/plausibility.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cached_models.hpp"
#include "small_models.hpp"

namespace warpipe {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A unit of 32 lanes at 1 GHz: 64 GFLOP/s of multiply-adds, and a memory of 100 GB/s.
Device device(double clock = 1e9) {
  return read_device_json(fmt::format(R"({{
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": {}, "warp_size": 32,
    "limits": {{"groups_per_unit": 8}}, "memory": {{"bandwidth_bytes_per_s": 100e9}},
    "pipelines": {{"alu": {{}}, "lsu": {{}}}},
    "ops": {{"ffma": {{"pipeline": "alu", "issue": 1, "completion": 4}},
            "mma": {{"pipeline": "alu", "issue": 1, "completion": 4}},
            "mma.f16.f32": {{"pipeline": "alu", "issue": 1, "completion": 4}},
            "global.load": {{"pipeline": "lsu", "issue": 1, "completion": 4}},
            "global.load.l2": {{"pipeline": "lsu", "issue": 1, "completion": 4}}}}
  }})",
                                      clock),
                          "d.json");
}

/// 1000 warps, each running an op once: 1003 cycles.
std::vector<std::string> warnings(const std::string& op, const std::string& work, const Device& on = device()) {
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 32, "groups": 1000}, "work": {)" + work + "},",
                                    R"({"id": "a", "op": ")" + op + "\"}");
  return predict(kernel, on, {}).warnings;
}

TEST(Plausibility, HasNothingToSayOfWhatADeviceCanDo) {
  EXPECT_THAT(warnings("ffma", R"("flops": "2 * groups * group_size")"), IsEmpty());  // 64000 in 1003 ns
  EXPECT_THAT(warnings("global.load", R"("bytes": 100000, "compulsory_bytes": 100000)"), IsEmpty());
}

TEST(Plausibility, DoubtsMoreOperationsThanThePeak) {
  EXPECT_THAT(warnings("ffma", R"("flops": "3 * groups * group_size")"), Contains(HasSubstr("64 GFLOP/s")));
  // How many an mma does is not known.
  EXPECT_THAT(warnings("mma", R"("flops": "3 * groups * group_size")"), IsEmpty());
}

// An epilogue of a multiply-add per lane behind a matrix product of 4096 operations per warp: 64 GFLOP/s are no peak of
// it.
TEST(Plausibility, KnowsNoPeakOfAKernelWithAMatrixProductAndOtherArithmetic) {
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 32, "groups": 1000},
                                       "work": {"flops": "groups * 4160"},)",
                                    R"({"id": "a", "op": "mma.f16.f32"}, {"id": "b", "op": "ffma"})");
  EXPECT_THAT(predict(kernel, device(), {}).warnings, IsEmpty());
}

TEST(Plausibility, DoubtsMoreBytesThanTheBandwidthUnlessACacheServesThem) {
  EXPECT_THAT(warnings("global.load", R"("bytes": 110000)"), Contains(HasSubstr("above the memory bandwidth")));
  EXPECT_THAT(warnings("global.load.l2", R"("bytes": 110000)"), IsEmpty());
}

TEST(Plausibility, DoubtsATimeBelowThatOfTheCompulsoryTraffic) {
  for (const char* op : {"global.load", "global.load.l2"})
    EXPECT_THAT(warnings(op, R"("bytes": 200000, "compulsory_bytes": 110000)"),
                Contains(HasSubstr("compulsory traffic alone takes 1.1 us")));
}

// 384 groups store 49152 bytes, taken by the memory in 492 ns; they stay in the second level, of 65536, as its
// `dirty_bytes` say.
TEST(Plausibility, DoesNotDoubtStoresThatStayInCaches) {
  auto kernel = kernel_with_array(access("x", "global.store", "4 * (32 * group + lane)"), 384);
  kernel.work.compulsory_bytes = Expression(49152);
  Device device = device_with_caches();
  device.memory->levels[1].dirty_bytes = 65536;
  const auto stored = predict(kernel, device, {});
  EXPECT_LT(stored.time.count, 492e-9);
  EXPECT_EQ(bytes_kept(stored.memory), 49152);
  EXPECT_THAT(stored.warnings, testing::Not(Contains(HasSubstr("compulsory traffic"))));
  kernel.work.bytes = Expression(49152);
  EXPECT_THAT(predict(kernel, device, {}).warnings, testing::Not(Contains(HasSubstr("above the memory bandwidth"))));
  kernel.work.compulsory_bytes = Expression(2 * 49152 + 100);
  EXPECT_THAT(predict(kernel, device, {}).warnings, Contains(HasSubstr("compulsory traffic alone takes 0.4925 us")));
}

TEST(Plausibility, ALoadIsCachedThatSaysItsLevelsOrWhoseOpNamesOne) {
  Instruction load;
  const auto cached = [&](const char* op) {
    load.op = op;
    return is_cached(load);
  };
  EXPECT_FALSE(cached("global.load"));
  EXPECT_FALSE(cached("global.load.64"));
  EXPECT_TRUE(cached("global.load.l1"));
  EXPECT_TRUE(cached("global.load.l2.64"));
  load.levels = {{"l2", Expression(1), {}}};
  EXPECT_TRUE(cached("global.load"));
}

TEST(Plausibility, DoubtsWorkOfOtherGroupsThanRan) {
  LaunchOptions options;
  options.groups = 1000000;
  const Kernel kernel = kernel_file(R"("parameters": {"n": 64}, "launch": {"group_size": 32, "groups": "n / 32"},
                                       "work": {"flops": "2 * n"},)",
                                    R"({"id": "a", "op": "ffma"})");
  EXPECT_THAT(predict(kernel, device(), options).warnings, Contains(HasSubstr("own 2 groups of 32 threads")));
}

TEST(Plausibility, DoubtsAClockThatNoDeviceHas) {
  for (const double clock : {1400.0, 999999.0, 21e9})
    EXPECT_THAT(warnings("ffma", R"("flops": 1)", device(clock)), Contains(HasSubstr("no device has a clock")))
        << clock;
  for (const double clock : {1e6, 20e9}) EXPECT_THAT(warnings("ffma", R"("flops": 1)", device(clock)), IsEmpty());
}

TEST(Prediction, TellsWhetherEveryGlobalLoadMisses) {
  const auto misses = [](const std::string& body) {
    const Kernel kernel = kernel_file(R"("launch": {"group_size": 32, "groups": 1},)", body);
    return predict(kernel, device(), {}).every_load_misses;
  };
  const std::string load = R"({"id": "a", "op": "global.load"})", cached = R"({"id": "b", "op": "global.load.l2"})";
  EXPECT_TRUE(misses(load));
  EXPECT_FALSE(misses(cached));
  EXPECT_FALSE(misses(load + "," + cached));
  EXPECT_TRUE(misses(load + R"(, {"when": "warp > 0", "body": [)" + cached + "]}"));  // it does not run
  EXPECT_FALSE(misses(R"({"id": "a", "op": "ffma"})"));
}

}  // namespace
}  // namespace warpipe
