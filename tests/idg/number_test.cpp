#include "warpipe/idg/number.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpipe {
namespace {

TEST(Number, IsReadInDecimalAndScientificNotation) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("-0.5"), -0.5);
  EXPECT_EQ(parse_number("1e9"), 1e9);
}

TEST(Number, IsTheWholeText) {
  for (const char* text : {"", " 1", "1 ", "1,5", "1x", "+1", "0x10", "one", "-"}) {
    EXPECT_FALSE(parse_number(text)) << '"' << text << '"';
  }
}

TEST(Number, IsFinite) {
  for (const char* text : {"inf", "-inf", "nan", "1e400"}) EXPECT_FALSE(parse_number(text)) << text;
}

TEST(Number, IsRoundedToSignificantDigits) {
  EXPECT_EQ(rounded(1234567, 3), 1230000);
  EXPECT_EQ(rounded(-0.0012355, 3), -0.00124);
  EXPECT_EQ(rounded(9.9999, 2), 10);
  EXPECT_EQ(rounded(0.5, 6), 0.5);
  EXPECT_EQ(rounded(0, 6), 0);
  EXPECT_EQ(rounded(HUGE_VAL, 6), HUGE_VAL);
}

TEST(WholeNumber, ReachesFromTheLeastToTwoToThe53) {
  EXPECT_FALSE(is_whole(0, 1));
  EXPECT_TRUE(is_whole(1, 1));
  EXPECT_TRUE(is_whole(std::ldexp(1, 53), 1));
  EXPECT_FALSE(is_whole(std::ldexp(1, 53) + 2, 1));
  EXPECT_FALSE(is_whole(1.5, 1));
}

}  // namespace
}  // namespace warpipe
