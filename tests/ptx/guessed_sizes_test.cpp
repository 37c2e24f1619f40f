// Without given arguments, a launch takes the same time as with the sizes covered by its groups:
// sizes/guessed_sizes.cu. Where distances from row to row are arguments, too, the least distances without overlapping
// rows are assumed: sizes/guessed_pitches.cu.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <map>
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

const ptx::Module& module(const std::string& file) {
  static std::map<std::string, ptx::Module> read;
  const auto path = in_sources("tests/ptx/sizes/" + file + ".ptx");
  if (!read.contains(file)) read.emplace(file, ptx::read_ptx(read_text_file(path), path));
  return read.at(file);
}

/// A launch, with its true sizes.
struct GuessedLaunch {
  std::string file, entry;
  isa::Launch launch;
};

isa::Dimensions sizes_in(const nlohmann::json& list) {
  isa::Dimensions sizes{1, 1, 1};
  std::ranges::copy(list.get<std::vector<std::int64_t>>(), sizes.begin());
  return sizes;
}

std::vector<GuessedLaunch> all_in(const std::string& file) {
  std::vector<GuessedLaunch> cases;
  std::istringstream lines(read_text_file(in_sources("tests/ptx/sizes/" + file + ".jsonl")));
  for (std::string line; std::getline(lines, line);) {
    const auto one = nlohmann::json::parse(line);
    auto& added = cases.emplace_back(GuessedLaunch{file, one.at("entry"), {}});
    added.launch.block = sizes_in(one.at("block"));
    added.launch.grid = sizes_in(one.at("grid"));
    for (const auto& [name, value] : one.at("arguments").items()) added.launch.arguments[name] = value.dump();
  }
  return cases;
}

void PrintTo(const GuessedLaunch& one, std::ostream* out) { *out << one.entry; }

isa::Import imported(const GuessedLaunch& one, bool guessed) {
  ptx::ImportOptions options;
  options.entry = one.entry;
  options.launch = one.launch;
  options.launch.assume = guessed;
  if (guessed) options.launch.arguments.clear();
  return ptx::import_ptx(module(one.file), options);
}

double time_of(const isa::Import& made) {
  static const auto device = read_device_json(read_text_file(in_sources("latency_tables/data/h100.json")), "h100.json");
  return predict(made.kernel, device, {}).time.count;
}

class GuessedSizes : public ::testing::TestWithParam<GuessedLaunch> {};

TEST_P(GuessedSizes, LeadToTheTimeOfTheTrueOnes) {
  const auto guessed = imported(GetParam(), true), known = imported(GetParam(), false);
  std::string assumed;
  for (const auto& each : guessed.report.assumptions) assumed += shown(each) + "\n";
  const auto time = time_of(known);
  EXPECT_NEAR(time_of(guessed) / time, 1, kOff) << time << " s with the true sizes, but with\n" << assumed;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GuessedSizes, ::testing::ValuesIn(all_in("guessed_sizes")),
                         [](const auto& one) { return one.param.entry; });
INSTANTIATE_TEST_SUITE_P(WithPitches, GuessedSizes, ::testing::ValuesIn(all_in("guessed_pitches")),
                         [](const auto& one) { return one.param.entry; });

TEST(GuessedSizesOf, AreTwentyKernels) { EXPECT_EQ(all_in("guessed_sizes").size(), 20U); }

class GuessedPitches : public ::testing::TestWithParam<GuessedLaunch> {};

TEST_P(GuessedPitches, AreTheLeastWithWhichNoRowsOverlap) {
  const auto& [file, entry, launch] = GetParam();
  std::map<std::string, std::string> assumed, expected;
  for (const auto& each : imported(GetParam(), true).report.assumptions) assumed[each.name] = each.value;
  for (const auto& [position, value] : launch.arguments) expected[entry + "_param_" + position] = value;
  EXPECT_EQ(assumed, expected);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GuessedPitches, ::testing::ValuesIn(all_in("guessed_pitches")),
                         [](const auto& one) { return one.param.entry; });

}  // namespace
}  // namespace warpipe::test
