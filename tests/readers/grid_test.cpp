// A barrier of all groups of a launch (grid/grid.cu), in PTX and in machine code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

class GridBarriers : public testing::TestWithParam<std::string> {
 protected:
  static isa::Import imported() {
    isa::ImportOptions options;
    options.entry = "turn_round";
    options.launch.block = {64, 1, 1};
    options.launch.grid = {100, 1, 1};
    const bool is_ptx = GetParam().ends_with(".ptx");
    options.launch.arguments[is_ptx ? "turn_round_param_3" : "3"] = "6400";
    const std::string text = read_text_file(in_sources("tests/readers/grid/") + GetParam());
    return is_ptx ? ptx::import_ptx(ptx::read_ptx(text, GetParam()), options)
                  : sass::import_cubin(sass::read_cubin(text, GetParam()), options);
  }
};

// 200 warps; a group arrives once.
TEST_P(GridBarriers, IsPassedByEachGroup) {
  const isa::Import made = imported();
  EXPECT_EQ(made.report.issued.at("global.store"), 2 * 200);
  EXPECT_EQ(made.report.issued.at("global.atomic"), 100);
  EXPECT_THAT(made.report.notes, testing::Contains(testing::HasSubstr("all groups of the launch meet")));
}

INSTANTIATE_TEST_SUITE_P(Readers, GridBarriers,
                         testing::Values("sm_80.ptx", "sm_75.cubin", "sm_80.cubin", "sm_90.cubin"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

// Code of Blackwell finds the workspace by opcodes that are not known.
TEST(GridBarrier, IsRefusedWhereItsOpcodesAreNotKnown) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.arguments["3"] = "6400";
  const auto module = sass::read_cubin(read_text_file(in_sources("tests/readers/grid/sm_100.cubin")), "sm_100.cubin");
  EXPECT_THROW(sass::import_cubin(module, options), InputError);
  options.launch.assume = true;
  EXPECT_NO_THROW(sass::import_cubin(module, options));
}

}  // namespace
}  // namespace warpipe::test
