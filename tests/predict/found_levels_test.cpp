#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "support/drawn_cases.hpp"
#include "support/folders.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/predict/early_bounds.hpp"
#include "warpipe/predict/predict.hpp"

/// Findings of the caches for the shipped kernels on shipped devices, against the rules that go on with them. A tenth
/// of the kernels on a device of each family; with WARPIPE_TEST_DRAW=all every kernel on every device.

namespace warpipe {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

Kernel shipped_kernel(const std::string& name) {
  const auto path = std::filesystem::path(in_sources("kernels/data")) / (name + ".json");
  return read_kernel_json(text_of(path), path);
}

Device shipped_device(const std::string& name) {
  const auto path = std::filesystem::path(in_sources("latency_tables/data")) / (name + ".json");
  return read_device_json(text_of(path), path);
}

/// "Hopper" of "Hopper GH100, compute capability 9.0"
std::string family_of(const Device& device) { return device.architecture.substr(0, device.architecture.find(' ')); }

std::vector<std::string> devices_to_try() {
  std::vector<std::string> devices;
  std::set<std::string> families;
  for (const std::string& name : names_in(in_sources("latency_tables/data"))) {
    const Device device = shipped_device(name);
    if (!has_levels(device)) continue;
    const bool is_first = families.insert(family_of(device)).second;
    if (is_first || word_of_draw() == "all") devices.push_back(name);
  }
  return devices;
}

constexpr std::int64_t kMostInstructions = 100000, kMostGroupsPerUnit = 4;

/// As many groups per unit as issue so many instructions, but at least a group.
LaunchOptions short_launch(const Kernel& kernel, const Device& device) {
  LaunchOptions options;
  if (!kernel.launch.group_size) options.group_size = 2 * device.warp_size;
  options.groups = device.compute_units;
  const std::int64_t of_group = predict(kernel, device, options).instructions_issued;
  *options.groups *= std::clamp<std::int64_t>(kMostInstructions / of_group, 1, kMostGroupsPerUnit);
  return options;
}

/// A kernel with the caches' findings in its file.
Kernel written_out(Kernel kernel, const MemoryTraffic& memory) {
  for (const AccessTraffic& access : memory.accesses) {
    if (access.known != LevelsKnown::FromAddresses && access.known != LevelsKnown::FromSamples) continue;
    Instruction& instruction = *std::ranges::find(kernel.instructions, access.id, &Instruction::id);
    for (std::size_t k = 0; k < memory.levels.size(); ++k)
      instruction.levels.push_back(
          {memory.levels[k].name, Expression(access.levels[k].share), Expression(access.levels[k].sectors)});
  }
  return read_kernel_json(write_kernel_json(kernel), "written.json");
}

bool runs_on(const Kernel& kernel, const Device& device) {
  return std::ranges::all_of(kernel.instructions,
                             [&](const Instruction& instruction) { return device.find_op(instruction.op) != nullptr; });
}

class FoundLevels : public testing::TestWithParam<std::string> {
 protected:
  /// Calls visit(kernel, options, prediction) for the drawn kernels that run on the device.
  template <class Visit>
  void for_each_kernel(const Visit& visit) const {
    const auto names = names_in(in_sources("kernels/data"));
    for (const std::size_t i : drawn_cases("found levels on " + device_.name, names.size())) {
      SCOPED_TRACE(names[i]);
      const Kernel kernel = shipped_kernel(names[i]);
      if (!runs_on(kernel, device_)) continue;
      const LaunchOptions options = short_launch(kernel, device_);
      visit(kernel, options, predict(kernel, device_, options));
    }
  }

  const Device device_ = shipped_device(GetParam());
};

TEST_P(FoundLevels, GiveTheSameRunWhereTheKernelSaysThem) {
  for_each_kernel([&](const Kernel& kernel, const LaunchOptions& options, const Prediction& found) {
    const Prediction said = predict(written_out(kernel, found.memory), device_, options);
    EXPECT_EQ(said.cycles, found.cycles);
    EXPECT_EQ(said.instructions_issued, found.instructions_issued);
    ASSERT_EQ(said.pipelines.size(), found.pipelines.size());
    for (std::size_t i = 0; i < found.pipelines.size(); ++i)
      EXPECT_EQ(said.pipelines[i].busy, found.pipelines[i].busy) << found.pipelines[i].name;
    for (const AccessTraffic& access : found.memory.accesses)
      EXPECT_EQ(access.executions, std::round(access.executions)) << access.id;
  });
}

TEST_P(FoundLevels, MoveNoMoreWhereTheLaunchIsRepeated) {
  for_each_kernel([&](const Kernel& kernel, LaunchOptions options, const Prediction& cold) {
    options.repeated = true;
    const Prediction warm = predict(kernel, device_, options);
    for (std::size_t k = 0; k < cold.memory.levels.size(); ++k)
      EXPECT_LE(bytes_at(warm.memory, k), bytes_at(cold.memory, k)) << cold.memory.levels[k].name;
    // Warps with shorter waits may come into a worse step: 1.7 % of mmul16 on the rx6900xt.
    EXPECT_LE(warm.time.count, 1.03 * cold.time.count);
  });
}

TEST_P(FoundLevels, AreNoLessThanBoundsThatDoNotKnowThem) {
  for_each_kernel([&](const Kernel& kernel, const LaunchOptions& options, const Prediction& found) {
    for (const Bound& early : early_bounds(kernel, device_, options).bounds.bounds) {
      const auto bound = std::ranges::find(found.bounds, early.name, &Bound::name);
      ASSERT_NE(bound, found.bounds.end()) << early.name;
      EXPECT_LE(early.cycles, bound->cycles) << early.name;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Data, FoundLevels, testing::ValuesIn(devices_to_try()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace warpipe
