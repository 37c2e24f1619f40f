#include "chosen_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpipe {
namespace {

constexpr std::int64_t kOneIn = 8, kLineBytes = 128, kLinesOfBlock = 4;

bool is_chosen(const ChosenLines& chosen, std::int64_t line) { return chosen.number(line) != ChosenLines::kNotChosen; }

TEST(ChosenLines, AreAllWithTheirOwnNumbersWhereOneInOneIsChosen) {
  const ChosenLines chosen(1, kLineBytes);
  for (const std::int64_t line : {0, 1, 7, 4095, 123456789}) EXPECT_EQ(chosen.number(line), line);
}

// Of 8 blocks of 512 bytes that lie side by side one is chosen, with all of its lines, which get the next numbers.
TEST(ChosenLines, AreOneWholeBlockOfItsNeighboursNumberedWithoutGaps) {
  const ChosenLines chosen(kOneIn, kLineBytes);
  std::int64_t next = 0;
  for (std::int64_t first = 0; first < 1000 * kOneIn * kLinesOfBlock; first += kOneIn * kLinesOfBlock) {
    std::vector<std::int64_t> lines;
    for (std::int64_t line = first; line < first + kOneIn * kLinesOfBlock; ++line)
      if (is_chosen(chosen, line)) lines.push_back(line);
    ASSERT_EQ(lines.size(), kLinesOfBlock);
    EXPECT_EQ(lines.front() % kLinesOfBlock, 0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i], lines.front() + static_cast<std::int64_t>(i));
      EXPECT_EQ(chosen.line(next), lines[i]);
      EXPECT_EQ(chosen.number(lines[i]), next++);
    }
  }
}

// A block is 512 bytes however long its lines are.
TEST(ChosenLines, AreBlocksOfAsManyBytesWithLinesOfAnyLength) {
  for (const std::int64_t line_bytes : {64, 256, 512, 1024}) {
    const ChosenLines chosen(2, line_bytes);
    const std::int64_t lines_of_block = std::max<std::int64_t>(1, 512 / line_bytes);
    for (std::int64_t line = 0; line < 1000; ++line)
      EXPECT_EQ(is_chosen(chosen, line), is_chosen(chosen, line / lines_of_block * lines_of_block)) << line_bytes;
  }
}

// Of blocks a power of two apart as many are chosen as of neighbours: 4096 / 8, within four standard deviations of
// draws, sqrt(4096 x 1/8 x 7/8).
TEST(ChosenLines, AreAsManyOfLinesAPowerOfTwoApart) {
  const ChosenLines chosen(kOneIn, kLineBytes);
  for (std::int64_t stride = 1; stride <= 1 << 14; stride *= 2)
    for (const std::int64_t first : {0, 5, 1000}) {
      int some = 0;
      for (std::int64_t i = 0; i < 4096; ++i) some += is_chosen(chosen, (first + i * stride) * kLinesOfBlock) ? 1 : 0;
      EXPECT_NEAR(some, 512, 4 * 21.2) << first << " and " << stride;
    }
}

}  // namespace
}  // namespace warpipe
