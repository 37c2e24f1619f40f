#include "set_spread.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace warpipe {
namespace {

TEST(SetSpread, IsTheRemainderOfADivisionOfPolynomials) {
  const SetSpread& spread = SetSpread::over(5);  // by x^5 + x^4 + x^2 + x + 1
  EXPECT_EQ(spread.set_of(31), 31U);
  EXPECT_EQ(spread.set_of(32), 0b10111U);  // x^5
  EXPECT_EQ(spread.set_of(33), 0b10110U);  // x^5 + 1
  EXPECT_EQ(spread.set_of(64), 0b11001U);  // x^6 = x^5 + x^3 + x^2 + x = x^4 + x^3 + 1
  EXPECT_EQ(SetSpread::over(0).set_of(12345), 0U);
}

TEST(SetSpread, PutsLinesAPowerOf2ApartIntoDifferentSets) {
  for (std::uint32_t bits = 1; bits <= 12; ++bits)
    for (std::uint32_t apart = 0; apart + bits < 32; ++apart) {
      std::set<std::uint32_t> sets;
      for (std::uint32_t i = 0; i < std::uint32_t{1} << bits; ++i)
        sets.insert(SetSpread::over(bits).set_of(i << apart));
      ASSERT_EQ(sets.size(), std::size_t{1} << bits) << bits << " bits, 2^" << apart << " lines apart";
    }
}

/// Blocks of 512 lines side by side, each second one left out: tiles of 64 KiB of an array, of which each group of a
/// launch has two and reads the first.
TEST(SetSpread, FillsAllSetsWithEachSecondBlock) {
  std::vector<int> lines(1 << 13);
  for (std::uint32_t line = 0; line < 1 << 20; ++line)
    if (line / 512 % 2 == 0) ++lines[SetSpread::over(13).set_of(line)];
  EXPECT_EQ(lines, std::vector<int>(1 << 13, 64));
}

}  // namespace
}  // namespace warpipe
