#include "warpipe/idg/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(Units, RoundToMilliCyclesHalfUp) {
  // floor(1000 x + 0.5), rule 2 of the model.
  EXPECT_EQ(round_to_ticks(Cycles{0}), Ticks{0});
  EXPECT_EQ(round_to_ticks(Cycles{1}), Ticks{1000});
  EXPECT_EQ(round_to_ticks(Cycles{1.139}), Ticks{1139});
  EXPECT_EQ(round_to_ticks(Cycles{0.0004}), Ticks{0});
  EXPECT_EQ(round_to_ticks(Cycles{0.0005}), Ticks{1});
  EXPECT_EQ(round_to_ticks(Cycles{0.0625}), Ticks{63});    // 62.5 + 0.5, all exact
  EXPECT_EQ(round_to_ticks(Cycles{-0.0625}), Ticks{-62});  // -62.5 + 0.5 = -62: up, not away from zero
}

TEST(Units, RoundEachOperationOnItsOwn) {
  // The double nearest to 0.0045 is a little less: an exact product with 1000 lies below 4.5 and would be rounded to 4.
  // In double precision the product is 4.5 itself, so floor(4.5 + 0.5) = 5.
  EXPECT_LT(1000.0L * static_cast<long double>(0.0045), 4.5L);
  EXPECT_EQ(round_to_ticks(Cycles{0.0045}), Ticks{5});
}

TEST(Units, ATimeBeyond64BitsIsAnError) {
  // 2^63 milli-cycles are 9223372036854775.808 cycles; doubles there are 2 cycles apart.
  EXPECT_EQ(round_to_ticks(Cycles{9223372036854774.0}), Ticks{9223372036854773760});
  EXPECT_THROW(round_to_ticks(Cycles{9223372036854776.0}), ModelError);
  EXPECT_THROW(round_to_ticks(Cycles{-9223372036854778.0}), ModelError);
  EXPECT_THROW(round_to_ticks(Cycles{std::numeric_limits<double>::infinity()}), ModelError);
  EXPECT_THROW(round_to_ticks(Cycles{std::nan("")}), ModelError);
}

TEST(Units, ConvertToCyclesAndSeconds) {
  EXPECT_EQ(to_cycles(Ticks{376299}), Cycles{376.299});
  EXPECT_EQ(to_seconds(Ticks{1708000000000}, Hertz{1708000000}), Seconds{1});
}

TEST(Units, WriteCyclesWithoutLosingADigit) {
  EXPECT_EQ(format_cycles(Ticks{0}), "0");
  EXPECT_EQ(format_cycles(Ticks{440000}), "440");
  EXPECT_EQ(format_cycles(Ticks{376299}), "376.299");
  EXPECT_EQ(format_cycles(Ticks{376290}), "376.29");
  EXPECT_EQ(format_cycles(Ticks{376200}), "376.2");
  EXPECT_EQ(format_cycles(Ticks{376009}), "376.009");
  EXPECT_EQ(format_cycles(Ticks{9}), "0.009");
  EXPECT_EQ(format_cycles(Ticks{-9}), "-0.009");
  EXPECT_EQ(format_cycles(Ticks{-1500}), "-1.5");
  EXPECT_EQ(format_cycles(Ticks{kMost}), "9223372036854775.807");
  EXPECT_EQ(format_cycles(Ticks{kLeast}), "-9223372036854775.808");
}

TEST(Units, SumsAndProductsMayNotOverflow) {
  EXPECT_EQ(checked_add(Ticks{kMost - 1}, Ticks{1}), Ticks{kMost});
  EXPECT_THROW(checked_add(Ticks{kMost}, Ticks{1}), ModelError);
  EXPECT_THROW(checked_add(Ticks{kLeast}, Ticks{-1}), ModelError);
  EXPECT_EQ(checked_multiply(Ticks{kMost / 2}, 2), Ticks{kMost - 1});  // 2^63 - 1 is odd
  EXPECT_THROW(checked_multiply(Ticks{kMost / 2 + 1}, 2), ModelError);
  EXPECT_THROW(checked_multiply(Ticks{kLeast}, -1), ModelError);
}

}  // namespace
}  // namespace warpipe
