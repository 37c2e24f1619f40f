// Our own kernels as AMD assembly: executed as a whole, they leave the same memory as a CPU.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/folders.hpp"
#include "support/whole_kernels.hpp"
#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/listing.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/isa/coverage.hpp"

namespace warpipe::test {
namespace {

amdgcn::Module module_of(const std::string& target, const std::string& file) {
  const auto path = in_sources("kernels/hip/asm/") + target + "/" + file + ".s";
  std::ifstream stream(path);
  EXPECT_TRUE(stream.good()) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  EXPECT_TRUE(amdgcn::is_assembly(text.str()));
  return amdgcn::read_assembly(text.str(), file + ".s");
}

// Rows of 64 bytes, a row for each lane of a wave of 64: a line of 128 bytes holds two, a line of 64 one.
TEST(AmdAccesses, AreCountedForTheSizesOfTheTarget) {
  isa::ImportOptions options;
  options.entry = "matvec_row_a_thread";
  options.launch.block = {256, 1, 1};
  options.launch.grid = {16, 1, 1};
  options.launch.arguments = {{"0", "4096"}, {"1", "16"}};  // rows, columns
  for (const std::int64_t line_bytes : {128, 64}) {
    options.target.sizes = AccessSizes{32, line_bytes, 64, 4};
    const auto made = amdgcn::import_assembly(module_of("gfx90a", "matvec"), options);
    const auto& row = made.report.accesses.front().statistics;
    EXPECT_EQ(row.segments.most, 64);
    EXPECT_EQ(row.lines.least, 4096 / line_bytes);
    EXPECT_EQ(row.lines.most, 4096 / line_bytes);
    EXPECT_EQ(made.report.sizes.line_bytes, line_bytes);
    for (const auto& instruction : made.kernel.instructions) EXPECT_FALSE(instruction.lines) << instruction.id;
  }
}

class AmdWholeKernels : public testing::TestWithParam<const char*> {};

TEST_P(AmdWholeKernels, LeaveWhatACpuLeaves) {
  for (const auto& kernel : whole_kernels()) {
    SCOPED_TRACE(kernel.name);
    const auto module = module_of(GetParam(), kernel.file);
    EXPECT_EQ(module.target, GetParam());
    const auto program = amdgcn::decode(module, module.find(kernel.name));
    EXPECT_EQ(run_whole_kernel(program, kernel), "");
  }
}

TEST_P(AmdWholeKernels, WaitForAllTheyLoad) {
  std::size_t pairs = 0;
  for (const auto& kernel : whole_kernels()) {
    const auto module = module_of(GetParam(), kernel.file);
    const auto program = amdgcn::decode(module, module.find(kernel.name));
    const auto flow = isa::analyse_control_flow(program);
    pairs += isa::awaited_uses(program, flow);
    for (const auto& gap : isa::check_coverage(program, flow))
      ADD_FAILURE() << kernel.name << ": " << isa::text_of(gap, program);
  }
  EXPECT_GT(pairs, 500U);
  RecordProperty("pairs", static_cast<int>(pairs));
}

TEST_P(AmdWholeKernels, BecomeGraphs) {
  for (const auto& kernel : whole_kernels()) {
    SCOPED_TRACE(kernel.name);
    const auto module = module_of(GetParam(), kernel.file);
    isa::ImportOptions options;
    options.entry = kernel.name;
    options.launch = kernel.launch;
    options.launch.assume = true;
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
      if (kernel.arguments[i].content.empty())
        options.launch.arguments[std::to_string(i)] = std::to_string(kernel.arguments[i].number);
    try {
      const auto import = amdgcn::import_assembly(module, options);
      EXPECT_GT(import.kernel.instructions.size(), 5U);
      for (const auto& line : amdgcn::listing(module, kernel.name)) EXPECT_EQ(line.problem, "") << line.text;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, AmdWholeKernels, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace warpipe::test
