#include <gtest/gtest.h>

#include "lanes/arguments.hpp"
#include "warpipe/isa/control_flow.hpp"

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

// Machine code loads two words of a structure at once, and a user gives each by itself.
TEST(Fields, LoadedAtOnceAreGivenEachByItself) {
  isa::Program program;
  program.parameters.resize(3);
  program.parameters[0] = {"shape", {isa::Type::Kind::Bits, 8}, 24, false, "", 0};
  program.parameters[1] = {"shape+8", {isa::Type::Kind::Bits, 64}, 1, false, "", {}, true};
  program.parameters[2] = {"pair", {isa::Type::Kind::Bits, 64}, 1, false, "", 24};
  program.instructions.resize(1);
  const isa::ReachingDefinitions definitions(program, isa::analyse_control_flow(program));
  isa::Launch launch;
  const auto given = [&](std::map<std::string, std::string> arguments) {
    launch.arguments = std::move(arguments);
    return isa::bind_arguments(program, definitions, launch, {});
  };
  EXPECT_EQ(given({{"shape+8", "7"}})[1].bits, 7U);
  EXPECT_EQ(given({{"shape+8", "7"}, {"shape+12", "3"}})[1].bits, 7 | std::uint64_t{3} << 32);
  EXPECT_EQ(given({{"shape+8", "-1"}, {"shape+12", "3"}})[1].bits, 0xffffffff | std::uint64_t{3} << 32);
  EXPECT_EQ(given({{"pair+0", "7"}, {"pair+4", "3"}})[2].bits, 7 | std::uint64_t{3} << 32);
  EXPECT_FALSE(isa::is_unread_field(program, {}, "shape+12"));
  EXPECT_TRUE(isa::lower_halves_not_given(program, launch, {}).empty());
  EXPECT_EQ(given({{"shape+12", "3"}})[1].bits, std::uint64_t{3} << 32);
  EXPECT_EQ(isa::lower_halves_not_given(program, launch, {}), std::vector<std::string>{"shape+8"});
}

}  // namespace
}  // namespace warpipe::test
