#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

TEST(OpClass, IsToldByTheName) {
  EXPECT_EQ(class_of("global.load.l1"), OpClass::GlobalMemory);
  EXPECT_EQ(class_of("shared.atomic"), OpClass::SharedMemory);
  EXPECT_EQ(class_of("texture.load"), OpClass::TextureMemory);
  EXPECT_EQ(class_of("shuffle"), OpClass::Shuffle);
  EXPECT_EQ(class_of("rsqrt"), OpClass::SpecialFunction);
  EXPECT_EQ(class_of("convert"), OpClass::Conversion);
  EXPECT_EQ(class_of("convert.64"), OpClass::Conversion);
  EXPECT_EQ(class_of("barrier"), OpClass::Barrier);
  for (const char* name : {"ffma", "constant.load", "branch", "globally", "shared", "dsqrt", ""})
    EXPECT_EQ(class_of(name), OpClass::Other) << name;
}

TEST(KernelNumbers, OfAnInstructionComeInTheOrderOfTheFormatWithTheirPlaces) {
  Instruction instruction;
  instruction.where = "/body/3";
  instruction.after.push_back({0, Expression(2), std::nullopt});
  instruction.transactions = Expression(4);
  instruction.lines = Expression(2);
  instruction.access = AccessPattern{Expression(4), AccessPattern::PerLane{{Expression(0), Expression(8)}}};
  std::vector<std::string> places;
  std::vector<double> values;
  for_each_number(instruction, [&](const KernelNumber& number) {
    places.push_back(number.where());
    values.push_back(number.expression.evaluate({}));
    EXPECT_TRUE(number.least);
  });
  EXPECT_THAT(places,
              ElementsAre("/body/3/after", "/body/3/transactions", "/body/3/lines", "/body/3/access/width_bytes",
                          "/body/3/access/lane_offsets_bytes/0", "/body/3/access/lane_offsets_bytes/1"));
  EXPECT_THAT(values, ElementsAre(2, 4, 2, 4, 0, 8));
}

TEST(KernelNumbers, OfLevelsNeedNotBeWholeAndAnAddressIsOne) {
  Instruction instruction;
  instruction.where = "/body/3";
  instruction.levels = {{"l1", Expression(0.5), {}}, {"l2", Expression(0.25), Expression(1.5)}};
  instruction.access = AccessPattern{Expression(4), AccessPattern::Addressed{0, Expression(16)}};
  std::vector<std::string> places;
  std::vector<bool> whole, is_address;
  for_each_number(instruction, [&](const KernelNumber& number) {
    places.push_back(number.where());
    whole.push_back(number.least.has_value());
    is_address.push_back(number.is_address);
  });
  EXPECT_THAT(places, ElementsAre("/body/3/levels/l1/share", "/body/3/levels/l2/share", "/body/3/levels/l2/sectors",
                                  "/body/3/access/width_bytes", "/body/3/access/address"));
  EXPECT_THAT(whole, ElementsAre(false, false, false, true, true));
  EXPECT_THAT(is_address, ElementsAre(false, false, false, false, true));
}

TEST(KernelNumbers, OfABodyAreItsTripCountsAndConditionsAtEveryDepth) {
  const Item loop{Loop{"inner", Expression(5), {Item{std::size_t{0}}}, "/body/0/body/0"}};
  const std::vector<Item> body{Item{When{Expression(1), {loop}, "/body/0"}}};
  std::vector<std::string> places;
  for_each_number(body, [&](const KernelNumber& number) { places.push_back(number.where()); });
  EXPECT_THAT(places, ElementsAre("/body/0/when", "/body/0/body/0/trip_count"));
}

TEST(Kinds, HaveTheNameOfTheKindAndThoseOfItsValues) {
  EXPECT_TRUE(names_of_kinds(std::nullopt).empty());
  GroupKinds kinds;
  kinds.values = {{"trips", {{1}, {2}}}, {"lanes", {{3}, {4}}}};
  EXPECT_THAT(names_of_kinds(kinds), ElementsAre("kind", "lanes", "trips"));
}

}  // namespace
}  // namespace warpipe
