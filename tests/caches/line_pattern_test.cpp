#include "line_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace warpipe {

void PrintTo(const TouchedLine& line, std::ostream* out) {
  *out << line.line << ": " << std::hex << line.touched << " " << line.covered << std::dec;
}

namespace {

using testing::ElementsAre;

std::vector<TouchedLine> lines(std::vector<ByteRange> ranges, std::int64_t line_bytes = 128) {
  std::vector<TouchedLine> lines;
  add_lines(ranges, line_bytes, lines);
  return lines;
}

TEST(Lines, HaveThePartsThatAreTouchedAndThoseThatAreCovered) {
  EXPECT_THAT(lines({{0, 128}}), ElementsAre(TouchedLine{0, UINT32_MAX, UINT32_MAX}));
  EXPECT_THAT(lines({{4, 8}}), ElementsAre(TouchedLine{0, 0b110, 0b110}));
  EXPECT_THAT(lines({{6, 8}}), ElementsAre(TouchedLine{0, 0b1110, 0b0100}));
  EXPECT_THAT(lines({{130, 1}}), ElementsAre(TouchedLine{1, 1, 0}));
  EXPECT_THAT(lines({}), ElementsAre());
}

TEST(Lines, AreAscendingAndEachThereOnce) {
  EXPECT_THAT(lines({{256, 4}, {0, 4}, {260, 4}, {4, 4}}),
              ElementsAre(TouchedLine{0, 0b11, 0b11}, TouchedLine{2, 0b11, 0b11}));
  EXPECT_THAT(lines({{124, 8}}), ElementsAre(TouchedLine{0, 1U << 31, 1U << 31}, TouchedLine{1, 1, 1}));
}

TEST(Lines, BytesOfSeveralLanesCoverAPartTogether) {
  EXPECT_THAT(lines({{0, 1}, {1, 1}, {2, 1}, {3, 1}}), ElementsAre(TouchedLine{0, 1, 1}));
  EXPECT_THAT(lines({{0, 1}, {1, 1}, {3, 1}}), ElementsAre(TouchedLine{0, 1, 0}));
  EXPECT_THAT(lines({{0, 4}, {0, 4}, {2, 1}}), ElementsAre(TouchedLine{0, 1, 1}));
}

TEST(Lines, OfOtherSizesHaveAsManyParts) {
  EXPECT_THAT(lines({{0, 2}}, 64), ElementsAre(TouchedLine{0, 1, 1}));
  EXPECT_THAT(lines({{0, 4}}, 256), ElementsAre(TouchedLine{0, 1, 0}));
  EXPECT_THAT(lines({{300, 1000}}, 256).size(), 5);
}

TEST(LinePattern, IsTheSameWithTheOriginMoved) {
  const std::vector<ByteRange> ranges{{-12, 4}, {0, 4}, {500, 16}};
  LinePattern pattern(ranges, 128);
  for (int round = 0; round < 2; ++round)
    for (std::int64_t byte = 0; byte < 128; ++byte) {
      std::vector<ByteRange> moved = ranges;
      for (ByteRange& range : moved) range.begin += byte;
      const auto at = pattern.at(byte);
      EXPECT_EQ(std::vector(at.begin(), at.end()), lines(moved));
    }
}

}  // namespace
}  // namespace warpipe
