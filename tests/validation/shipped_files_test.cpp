#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "files.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

/// T0: every shipped kernel runs on every shipped device, and twice the same.

namespace warpipe::validation {
namespace {

constexpr std::int64_t kGroupsPerUnit = 1;

/// The results compared between two runs.
struct Outcome {
  Ticks cycles;
  std::int64_t instructions = 0;
  std::vector<Ticks> busy, bounds;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run_small(const Kernel& kernel, const Device& device) {
  LaunchOptions options;
  options.groups = kGroupsPerUnit * device.compute_units;
  if (!kernel.launch.group_size) options.group_size = 2 * device.warp_size;
  const auto prediction = predict(kernel, device, options);
  Outcome outcome{prediction.cycles, prediction.instructions_issued, {}, {}};
  for (const auto& use : prediction.pipelines) outcome.busy.push_back(use.busy);
  for (const auto& bound : prediction.bounds) outcome.bounds.push_back(bound.cycles);
  return outcome;
}

std::vector<std::string> kernels_to_try(const std::string& device) {
  const auto all = shipped_kernels();
  std::vector<std::string> drawn;
  for (const std::size_t i : drawn_cases("kernels on " + device, all.size())) drawn.push_back(all[i]);
  return drawn;
}

class ShippedDevice : public testing::TestWithParam<std::string> {};

/// The kernels for machines with DMA engines.
const std::set<std::string> kForAccelerators{"dma_tiles"};

bool has_dma(const Device& device) { return device.find_op("global.load.dma") != nullptr; }

TEST_P(ShippedDevice, RunsItsKernelsTwiceTheSame) {
  const auto device = shipped_device(GetParam());
  for (const auto& name : kernels_to_try(GetParam())) {
    SCOPED_TRACE(name);
    const auto kernel = shipped_kernel(name);
    if (kForAccelerators.contains(name) && !has_dma(device)) {
      EXPECT_THROW(run_small(kernel, device), ModelError);  // op missing on this device
      continue;
    }
    std::optional<Outcome> first;
    EXPECT_NO_THROW(first = run_small(kernel, device));
    if (!first) continue;
    EXPECT_GT(first->instructions, 0);
    EXPECT_GT(first->cycles, Ticks{});
    EXPECT_TRUE(run_small(kernel, shipped_device(GetParam())) == *first);
  }
}

INSTANTIATE_TEST_SUITE_P(Data, ShippedDevice, testing::ValuesIn(shipped_devices()),
                         [](const auto& instance) { return instance.param; });

TEST(ShippedFiles, AreNamedAsTheyNameThemselves) {
  for (const auto& name : shipped_kernels()) EXPECT_EQ(shipped_kernel(name).name, name);
  for (const auto& name : shipped_devices()) EXPECT_EQ(shipped_device(name).name, name);
}

TEST(ShippedFiles, SayWhereTheyComeFrom) {
  for (const auto& name : shipped_kernels()) EXPECT_THAT(shipped_kernel(name).origin, testing::Not("")) << name;
}

}  // namespace
}  // namespace warpipe::validation
