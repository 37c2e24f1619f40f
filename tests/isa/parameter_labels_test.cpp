#include <gtest/gtest.h>

#include "lanes/arguments.hpp"

namespace warpipe::test {
namespace {

// Readers name a field after the structure as the code has it; users know the name of the source, or the position.
TEST(ParameterLabels, AFieldIsCalledAfterItsStructure) {
  isa::Program program;
  program.parameters.resize(3);
  program.parameters[0].name = "k_param_0";
  program.parameters[1].name = "k_param_1";
  program.parameters[1].elements = 24;
  program.parameters[2].name = "k_param_1+8";
  program.parameters[2].field = true;
  const std::vector<std::string> names = {"data", "shape"};
  EXPECT_EQ(isa::parameter_label(program, 2, names), "shape+8");
  EXPECT_EQ(isa::parameter_label(program, 2, {}), "k_param_1+8");
  for (const auto* given : {"shape+8", "k_param_1+8", "1+8"})
    EXPECT_EQ(isa::parameter_named(program, names, given), 2U) << given;
  for (const auto* given : {"data+8", "shape+4", "0+8"})
    EXPECT_EQ(isa::parameter_named(program, names, given), std::nullopt) << given;
}

}  // namespace
}  // namespace warpipe::test
