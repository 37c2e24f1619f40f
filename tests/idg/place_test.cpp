#include "warpipe/idg/place.hpp"

#include <gmock/gmock.h>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

Expression expression_of(const std::string& text) {
  const std::vector<std::string> visible{"n", "group_size", "groups"};
  return Expression::parse(text, visible);
}

std::vector<double> of(const Values& values, std::initializer_list<const char*> names) {
  std::vector<double> found;
  for (const char* name : names) found.push_back(values.at(name));
  return found;
}

Kernel in_blocks() {
  Kernel kernel;
  kernel.launch.block = {Expression(8), expression_of("group_size / 16")};
  kernel.launch.grid = {expression_of("n / 8"), Expression(3)};
  kernel.arrays = {{"x", expression_of("n * groups")}, {"stack", Expression(64), true}};
  return kernel;
}

const Values kPlaceValues{{"n", 40}, {"group_size", 64}, {"groups", 30}};

TEST(LaunchShape, IsThatOfTheKernelsLaunch) {
  const LaunchShape shape = launch_shape(in_blocks(), kPlaceValues);
  EXPECT_EQ(shape.block_x, 8);
  EXPECT_EQ(shape.block_y, 4);
  EXPECT_EQ(shape.grid_x, 5);
  EXPECT_EQ(shape.grid_y, 3);
  EXPECT_THAT(shape.arrays, ElementsAre(LaunchShape::Array{1200, false}, LaunchShape::Array{64, true}));
}

TEST(LaunchShape, NamesTheNumberThatIsNone) {
  try {
    launch_shape(in_blocks(), {{"n", 41}, {"group_size", 64}, {"groups", 30}});
    ADD_FAILURE() << "41 / 8 is not whole";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].where, "/launch/grid/0");
  }
}

TEST(Place, OfAThreadAndAGroupCountsAlongXFirst) {
  const LaunchShape shape = launch_shape(in_blocks(), kPlaceValues);
  Values values;
  set_thread(values, shape, 8 * 4 + 8 * 2 + 3, 19);  // z = 1, y = 2, x = 3
  set_group(values, shape, 5 * 3 + 5 * 2 + 4);       // z = 1, y = 2, x = 4
  EXPECT_THAT(of(values, {"lane", "thread_x", "thread_y", "thread_z"}), ElementsAre(19, 3, 2, 1));
  EXPECT_THAT(of(values, {"group", "group_x", "group_y", "group_z"}), ElementsAre(29, 4, 2, 1));
}

TEST(Place, IsAllAlongXWhereNothingIsSaid) {
  const LaunchShape shape = launch_shape(Kernel{}, {});
  Values values;
  set_thread(values, shape, 1000, 8);
  set_group(values, shape, 7);
  EXPECT_THAT(of(values, {"thread_x", "thread_y", "thread_z"}), ElementsAre(1000, 0, 0));
  EXPECT_THAT(of(values, {"group_x", "group_y", "group_z"}), ElementsAre(7, 0, 0));
}

TEST(Place, NamesAreThoseThatAreSet) {
  Values values;
  set_thread(values, {}, 0, 0);
  set_group(values, {}, 0);
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  EXPECT_THAT(place_names(), testing::UnorderedElementsAreArray(names));
}

TEST(SampledAddresses, AreAWarpsOwnAndBeginAnew) {
  // Two warps of three executions each.
  const AccessPattern::Sampled sampled{0, 3, {{0}, {1}, {2}, {10}, {11}, {12}}};
  const auto at = [&](std::int64_t warp, std::int64_t execution) {
    return sampled_addresses(sampled, warp, execution).front();
  };
  EXPECT_EQ(at(0, 2), 2);
  EXPECT_EQ(at(1, 1), 11);
  EXPECT_EQ(at(0, 4), 1);   // beyond the third: from the first again
  EXPECT_EQ(at(3, 0), 10);  // warp 3 is the second of the next two
}

TEST(SampledAddresses, GoOnWithinTheirArrayEachTimeThatTheyBeginAnew) {
  const AccessPattern::Sampled sampled{0, 1, {{0}, {4}}, 96};  // two warps
  EXPECT_EQ(sampled_shift(sampled, 1, 0, 256), 0);
  EXPECT_EQ(sampled_shift(sampled, 2, 0, 256), 96);
  EXPECT_EQ(sampled_shift(sampled, 7, 5, 256), 3 * 96 - 256);
}

TEST(SampledAddresses, GoOnWhereAWarpGoesThroughItsOwnAgain) {
  const AccessPattern::Sampled sampled{0, 2, {{0}, {4}, {8}, {12}}, 96, 64};  // two warps of two executions
  EXPECT_EQ(sampled_shift(sampled, 1, 1, 256), 0);
  EXPECT_EQ(sampled_shift(sampled, 1, 2, 256), 64);
  EXPECT_EQ(sampled_shift(sampled, 2, 7, 256), 96 + 3 * 64 - 256);
}

TEST(SampledAddresses, StayInExecutionsThatAreFixed) {
  const AccessPattern::Sampled sampled{0, 2, {{0}, {4}}, 96, 64, {1}};
  EXPECT_EQ(sampled_shift(sampled, 1, 2, 256), 96 + 64);
  EXPECT_EQ(sampled_shift(sampled, 1, 3, 256), 0);
}

}  // namespace
}  // namespace warpipe
