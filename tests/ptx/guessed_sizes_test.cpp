// With no argument said, a launch takes what it takes with the sizes that its groups cover: sizes/guessed_sizes.cu.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <sstream>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

constexpr double kOff = 0.10;  // of the time with the true sizes

const ptx::Module& module() {
  static const auto read = [] {
    const std::string path = in_sources("tests/ptx/sizes/guessed_sizes.ptx");
    return ptx::read_ptx(read_text_file(path), path);
  }();
  return read;
}

/// A launch, with its true sizes.
struct GuessedLaunch {
  std::string entry;
  isa::Launch launch;
};

isa::Dimensions sizes_in(const nlohmann::json& list) {
  isa::Dimensions sizes{1, 1, 1};
  std::ranges::copy(list.get<std::vector<std::int64_t>>(), sizes.begin());
  return sizes;
}

std::vector<GuessedLaunch> all_cases() {
  std::vector<GuessedLaunch> cases;
  std::istringstream lines(read_text_file(in_sources("tests/ptx/sizes/guessed_sizes.jsonl")));
  for (std::string line; std::getline(lines, line);) {
    const auto one = nlohmann::json::parse(line);
    auto& added = cases.emplace_back(GuessedLaunch{one.at("entry"), {}});
    added.launch.block = sizes_in(one.at("block"));
    added.launch.grid = sizes_in(one.at("grid"));
    for (const auto& [name, value] : one.at("arguments").items()) added.launch.arguments[name] = value.dump();
  }
  return cases;
}

void PrintTo(const GuessedLaunch& one, std::ostream* out) { *out << one.entry; }

double time_of(const GuessedLaunch& one, bool guessed, std::string& assumed) {
  static const auto device = read_device_json(read_text_file(in_sources("latency_tables/data/h100.json")), "h100.json");
  ptx::ImportOptions options;
  options.entry = one.entry;
  options.launch = one.launch;
  options.launch.assume = guessed;
  if (guessed) options.launch.arguments.clear();
  const auto made = ptx::import_ptx(module(), options);
  for (const auto& each : made.report.assumptions) assumed += shown(each) + "\n";
  return predict(made.kernel, device, {}).time.count;
}

class GuessedSizes : public ::testing::TestWithParam<GuessedLaunch> {};

TEST_P(GuessedSizes, LeadToTheTimeOfTheTrueOnes) {
  std::string assumed;
  const auto guessed = time_of(GetParam(), true, assumed), known = time_of(GetParam(), false, assumed);
  EXPECT_NEAR(guessed / known, 1, kOff) << known << " s with the true sizes, but with\n" << assumed;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GuessedSizes, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.entry; });

TEST(GuessedSizesOf, AreTwentyKernels) { EXPECT_EQ(all_cases().size(), 20U); }

}  // namespace
}  // namespace warpipe::test
