#include "path_folding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace warpipe {
namespace {

/// "a*2" is a letter that comes twice, "3(a b)" a body that comes three times.
std::string shown(const std::vector<FoldedStretch>& stretches) {
  std::string text;
  for (const FoldedStretch& stretch : stretches) {
    if (!text.empty()) text += " ";
    if (stretch.shape == PathFolding::kOmitted) {
      text += "...";
    } else if (!stretch.body.empty()) {
      text += std::to_string(stretch.comes) + "(" + shown(stretch.body) + ")";
    } else {
      text += static_cast<char>(stretch.shape);
      if (stretch.things > 1) text += "*" + std::to_string(stretch.things);
    }
  }
  return text;
}

/// Folds letters of a cycle each.
PathFolding folding(std::string_view things) {
  PathFolding folding;
  Ticks now;
  for (const char thing : things) {
    const Ticks then{now.count + 1000};
    folding.add(static_cast<std::uint32_t>(thing), now, then);
    now = then;
  }
  return folding;
}

std::string folded(std::string_view things) { return shown(folding(things).stretches()); }

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(PathFolding, JoinsEqualNeighbours) { EXPECT_EQ(folded("aaab"), "a*3 b"); }

TEST(PathFolding, KeepsWhatDoesNotComeAgain) { EXPECT_EQ(folded("abcde"), "a b c d e"); }

TEST(PathFolding, FoldsABodyThatComesAgain) { EXPECT_EQ(folded("x" + repeated("abc", 5) + "y"), "x 5(a*5 b*5 c*5) y"); }

TEST(PathFolding, FoldsBodiesInsideOfBodies) {
  EXPECT_EQ(folded(repeated("x" + repeated("ab", 4) + "y", 3)), "3(x*3 12(a*12 b*12) y*3)");
}

// The number of inner bodies differs: only the order of letters counts.
TEST(PathFolding, FoldsBodiesWhoseInnerOnesComeAnotherNumberOfTimes) {
  EXPECT_EQ(folded("xabababyxababyxaby").substr(0, 2), "2(") << folded("xabababyxababyxaby");
  EXPECT_EQ(folded("xaaayxayxaay"), "3(x*3 a*6 y*3)");
}

TEST(PathFolding, LosesNothingOfTimesAndNumbers) {
  const PathFolding all = folding("p" + repeated("x" + repeated("ab", 7) + "yy", 9) + repeated("qr", 3));
  std::int64_t things = 0;
  Ticks now;
  for (const FoldedStretch& stretch : all.stretches()) {
    EXPECT_EQ(stretch.from, now);
    EXPECT_EQ(stretch.time.count, stretch.to.count - stretch.from.count);
    EXPECT_EQ(stretch.time.count, 1000 * stretch.things);
    now = stretch.to;
    things += stretch.things;
  }
  EXPECT_EQ(things, 1 + 9 * 17 + 6);
  EXPECT_LE(all.stretches().size(), 4);
}

// Numbers without repeating bodies: the square of each, modulo a prime.
TEST(PathFolding, StaysSmallWhereNothingComesAgain) {
  PathFolding folding;
  for (std::int64_t i = 0; i < 20'000; ++i)
    folding.add(static_cast<std::uint32_t>(i * i % 100'003), Ticks{i}, Ticks{i + 1});
  EXPECT_LE(folding.stretches().size(), 2000);
  std::int64_t things = 0;
  for (const FoldedStretch& stretch : folding.stretches()) things += stretch.things;
  EXPECT_EQ(things, 20'000);
  EXPECT_EQ(folding.stretches().front().from, Ticks{0});
  EXPECT_EQ(folding.stretches().back().to, Ticks{20'000});
}

}  // namespace
}  // namespace warpipe
