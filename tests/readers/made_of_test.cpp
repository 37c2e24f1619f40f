// Machine code beside the PTX that it is made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folders.hpp"
#include "warpipe/code/module.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::test {
namespace {

std::vector<std::string> names_with(const std::string& ptx) {
  const std::string folder = in_sources("tests/readers/grid/");
  code::Module module = code::read_module(read_text_file(folder + "sm_80.cubin"), "sm_80.cubin", "sm_80");
  module.made_of(code::read_module(ptx, "k.ptx"), true);
  std::vector<std::string> names;
  for (const auto& parameter : module.entries().at(0).parameters) names.push_back(parameter.name);
  return names;
}

TEST(MachineCode, CallsParametersAsPtxByHandDoes) {
  const std::string by_hand =
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry turn_round(.param .u64 from, .param .u64 half, .param .u64 to, .param .u32 n) { ret; }\n";
  EXPECT_THAT(names_with(by_hand), testing::ElementsAre("from", "half", "to", "n"));
}

TEST(MachineCode, HasNoNamesThatACompilerMakes) {
  const auto names = names_with(read_text_file(in_sources("tests/readers/grid/sm_80.ptx")));
  EXPECT_THAT(names, testing::ElementsAre("", "", "", ""));
}

}  // namespace
}  // namespace warpipe::test
