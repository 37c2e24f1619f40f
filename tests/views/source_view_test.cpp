#include "warpipe/views/source_view.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "support/folders.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// `simulate --view source`: the code with the work of a launch at each line.

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;

Kernel shipped_kernel(const std::string& name) {
  const auto file = in_sources("kernels/data/") + name + ".json";
  return read_kernel_json(read_text_file(file), file);
}

Device v100() {
  const auto file = in_sources("latency_tables/data/v100.json");
  return read_device_json(read_text_file(file), file);
}

/// A table with its simulation.
struct Listed {
  explicit Listed(const Kernel& kernel, const std::vector<SourceText>& sources = {})
      : simulation(lower_launch(kernel, v100(), {}), {.stalls = true}),
        table(source_table(simulation.launch(), {simulation.prediction(), simulation.explanation()}, sources)) {}

  /// The cells of a column; the part of a percentage.
  std::vector<std::string> column(const std::string& title) const {
    const auto& columns = table.columns();
    const auto found = std::ranges::find(columns, title, &TextTable::Column::title);
    std::vector<std::string> cells;
    for (const auto& row : table.rows()) cells.push_back(row[static_cast<std::size_t>(found - columns.begin())]);
    return cells;
  }
  double sum_of_percents(const std::string& title) const {
    double sum = 0;
    for (const auto& cell : column(title))
      if (!cell.empty()) sum += std::stod(cell);
    return sum;
  }

  Simulation simulation;
  TextTable table;
};

/// saxpy with its loads on one line and all other instructions on line 9.
Kernel saxpy_with_lines() {
  auto kernel = shipped_kernel("saxpy");
  for (auto& instruction : kernel.instructions)
    instruction.text = (instruction.op == "global.load" ? "saxpy.cu:4: " : "saxpy.cu:9: ") + instruction.id;
  return kernel;
}

std::vector<SourceText> ten_lines() {
  SourceText text{"saxpy.cu", {}};
  for (int line = 1; line <= 10; ++line) text.lines.push_back("text of " + std::to_string(line));
  return {text};
}

TEST(SourceView, HasARowForEachInstructionOfASourceWithoutLines) {
  const Listed listed(shipped_kernel("saxpy"));
  const auto& instructions = listed.simulation.launch().kernel.instructions;
  ASSERT_EQ(listed.table.rows().size(), instructions.size());
  for (std::size_t i = 0; i < instructions.size(); ++i) EXPECT_EQ(listed.column("Source")[i], instructions[i].id);
}

// The two lines around lines 4 and 9 are shown: 2 to 6 and 7 to 10, the last of the file.
TEST(SourceView, HasTwoLinesAroundThoseThatRun) {
  const Listed listed(saxpy_with_lines(), ten_lines());
  std::vector<std::string> expected;
  for (int line = 2; line <= 10; ++line) expected.push_back("saxpy.cu:" + std::to_string(line));
  EXPECT_EQ(listed.column("Source"), expected);
  EXPECT_EQ(listed.column("text").front(), "text of 2");
  EXPECT_EQ(listed.column("share").front(), "");
  EXPECT_NE(listed.column("share")[2], "");
}

TEST(SourceView, WithoutTheFileHasTheLinesAloneWithTheirHeaviestInstruction) {
  const Listed listed(saxpy_with_lines());
  EXPECT_THAT(listed.column("Source"), ElementsAre("saxpy.cu:4", "saxpy.cu:9"));
  EXPECT_EQ(listed.column("text")[0].find("saxpy.cu"), std::string::npos);
}

TEST(SourceView, PressureOfAllLinesIsTheUtilisationOfThePipeline) {
  Listed listed(saxpy_with_lines());
  const auto& pipelines = listed.simulation.prediction().pipelines;
  const auto busiest = std::ranges::max_element(pipelines, {}, &PipelineUse::utilization);
  EXPECT_NEAR(listed.sum_of_percents(busiest->name), 100 * busiest->utilization, 0.11) << "two roundings";
}

TEST(SourceView, SharesOfAllLinesAreThoseOfAllInstructions) {
  Listed listed(saxpy_with_lines());
  Ticks all;
  for (const auto& one : listed.simulation.explanation().instructions) all.count += sum(one.times).count;
  const double share = to_cycles(all).count / to_cycles(listed.simulation.explanation().total).count;
  EXPECT_NEAR(listed.sum_of_percents("share"), 100 * share, 0.11);
}

// Neighbours load floats: a warp uses all 32 bytes of each sector. Eight floats apart, it uses 4 of 32.
TEST(SourceView, SaysHowManyBytesOfEachSectorAreUsed) {
  const auto file = in_sources("kernels/data/saxpy.json");
  auto text = read_text_file(file);
  EXPECT_EQ(Listed(read_kernel_json(text, file)).column("sectors").back(), "32 of 32 bytes");
  for (const std::string four : {"\"4 * n\"", "\"4 * ("})
    for (auto at = text.find(four); at != std::string::npos; at = text.find(four)) text.replace(at + 1, 1, "32");
  EXPECT_EQ(Listed(read_kernel_json(text, file)).column("sectors").back(), "4 of 32 bytes");
}

// Loads of neighbours, and stores with a sector for each lane, on the same line.
TEST(SourceView, TellsLoadsFromStoresOfOneLine) {
  auto kernel = shipped_kernel("saxpy");
  for (auto& instruction : kernel.instructions) instruction.text = "saxpy.cu:4: " + instruction.id;
  const auto store = std::ranges::find(kernel.instructions, std::string("global.store"), &Instruction::op);
  std::get<AccessPattern::Addressed>(store->access->lanes).address =
      Expression::parse("32 * thread_x", std::vector<std::string>{"thread_x"});
  EXPECT_EQ(Listed(kernel).column("sectors").front(), "loads 32, stores 4 of 32 bytes");
}

Json json_of(Listed& listed, const std::vector<SourceText>& sources = {}) {
  return Json::parse(source_json(listed.simulation.launch(),
                                 {listed.simulation.prediction(), listed.simulation.explanation()}, sources));
}

// The table shows the five busiest pipelines, in percent; the JSON all pipelines, to the last digit.
TEST(SourceViewJson, PressureOfAllLinesIsTheUtilisationOfEachPipeline) {
  Listed listed(saxpy_with_lines());
  std::map<std::string, double> sums;
  for (const auto& line : json_of(listed))
    for (const auto& pipeline : line.at("pipelines")) sums[pipeline.at("name")] += pipeline.at("share").get<double>();
  std::size_t busy = 0;
  for (const auto& pipeline : listed.simulation.prediction().pipelines) {
    EXPECT_NEAR(sums[pipeline.name], pipeline.utilization, 1e-12) << pipeline.name;
    busy += pipeline.utilization > 0;
  }
  EXPECT_GE(busy, 3U);
}

// Lines 4 and 9 run; the two around each do not, and are in the table alone.
TEST(SourceViewJson, HasTheLinesThatRunWithTheirText) {
  Listed listed(saxpy_with_lines(), ten_lines());
  const auto lines = json_of(listed, ten_lines());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("place"), "saxpy.cu:4");
  EXPECT_EQ(lines[0].at("text"), "text of 4");
  EXPECT_EQ(lines[1].at("text"), "text of 9");
  EXPECT_EQ(lines[0].at("instructions").size(), 2U) << "saxpy loads twice";
  EXPECT_EQ(lines[0].at("sectors"), Json({{"bytes", 32}, {"loaded", 32}})) << "line 4 stores nothing";
}

}  // namespace
}  // namespace warpipe::test
