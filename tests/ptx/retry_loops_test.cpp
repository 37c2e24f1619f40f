// Loops that end when an atomic operation came off: their assumed trips follow from the number of lanes at a word.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;

/// The assumption for the only loop of a body.
isa::Assumption trips(const std::string& body, std::int64_t block, std::int64_t grid, std::int64_t resident = 0) {
  auto options = one_warp();
  options.launch.block = {block, 1, 1};
  options.launch.grid = {grid, 1, 1};
  options.launch.resident_threads = resident;
  options.launch.assume = true;
  const auto all = import("ld.param.u64 %rd1, [p];\n" + body + " ret;", options).report.assumptions;
  const auto found = std::ranges::find(all, isa::Assumption::Kind::Trips, &isa::Assumption::kind);
  EXPECT_NE(found, all.end());
  return found == all.end() ? isa::Assumption{} : *found;
}

/// A sum by compare-and-swap at an address.
std::string compare_and_swap(const std::string& space, const std::string& address) {
  return fmt::format(
      "ld.{0}.u32 %r1, [{1}];\nL: add.u32 %r2, %r1, 3; atom.{0}.cas.b32 %r3, [{1}], %r1, %r2;\n"
      "setp.ne.u32 %p1, %r1, %r3; mov.u32 %r1, %r3; @%p1 bra L;",
      space, address);
}

// All want the same word: of 1024 resident lanes each waits for half of the rest.
TEST(RetryLoops, OnOneWordGoRoundForHalfOfTheLanesThatWantIt) {
  const auto one_word = compare_and_swap("global", "%rd1");
  EXPECT_EQ(trips(one_word, 256, 1000, 1024).value, "512");
  EXPECT_THAT(trips(one_word, 256, 1000, 1024).why, HasSubstr("half of 1024 lanes that want one word at a time"));
  EXPECT_EQ(trips(one_word, 256, 2, 1024).value, "256");
  EXPECT_EQ(trips(one_word, 256, 1000).value, "128000");
  EXPECT_EQ(trips(one_word, 32, 1).value, "16");
}

// Thread 0 takes the next of n tiles for its group, until none is left.
TEST(CountedWork, IsSharedByTheGroups) {
  const auto tiles = trips(
      "ld.param.u32 %r3, [n]; mov.u32 %r4, %tid.x; setp.ne.u32 %p2, %r4, 0;\n"
      "L: @%p2 bra T; atom.global.add.u32 %r1, [%rd1], 1; st.shared.u32 [tile], %r1;\n"
      "T: bar.sync 0; ld.shared.u32 %r2, [tile]; bar.sync 0; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L;",
      64, 4);
  EXPECT_EQ(tiles.value, "3");  // of n = 10 for four groups
  EXPECT_EQ(tiles.why, "4 groups share 10 numbers of a counter");
}

TEST(RetryLoops, OfSharedMemoryGoRoundForTheLanesOfTheGroup) {
  EXPECT_EQ(trips(compare_and_swap("shared", "tile"), 256, 1000, 1024).value, "128");
}

// By a single lane of each group, as where it takes a lock for all.
TEST(RetryLoops, OfOneLaneGoRoundForTheGroups) {
  const std::string leader = "mov.u32 %r9, %tid.x; setp.ne.u32 %p2, %r9, 0; @%p2 bra E;\n";
  EXPECT_EQ(trips(leader + compare_and_swap("global", "%rd1") + "\nE:", 256, 1000, 1024).value, "2");
  EXPECT_EQ(trips(leader + compare_and_swap("global", "%rd1") + "\nE:", 256, 40).value, "20");
}

// Each thread has a word, shared with the threads of the same number in other groups; with its neighbour as well; or
// with no thread.
TEST(RetryLoops, OnWordsOfTheThreadsGoRoundForTheGroups) {
  const std::string by_thread = "mov.u32 %r9, %tid.x; mad.wide.u32 %rd2, %r9, 4, %rd1;\n";
  EXPECT_EQ(trips(by_thread + compare_and_swap("global", "%rd2"), 256, 40).value, "20");
  const std::string by_pair = "mov.u32 %r9, %tid.x; shr.u32 %r9, %r9, 1; mad.wide.u32 %rd2, %r9, 4, %rd1;\n";
  EXPECT_EQ(trips(by_pair + compare_and_swap("global", "%rd2"), 256, 40).value, "40");
  const std::string own =
      "mov.u32 %r9, %tid.x; mov.u32 %r8, %ctaid.x; mad.lo.u32 %r9, %r8, 256, %r9; mad.wide.u32 %rd2, %r9, 4, %rd1;\n";
  EXPECT_EQ(trips(own + compare_and_swap("global", "%rd2"), 256, 40).value, "1");
}

// A lock: each wants it for itself.
TEST(RetryLoops, ByExchangeOfANumberGoRoundAsByCompareAndSwap) {
  EXPECT_EQ(
      trips("L: atom.global.exch.b32 %r3, [%rd1], 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra L;", 256, 1000, 1024).value,
      "512");
}

// A sum handed on: each lane takes it and leaves the place empty for the next.
TEST(RetryLoops, ByExchangeThatHandsOnGoRoundTwice) {
  const auto handed_on = trips(
      "mov.f32 %f1, 0f3f800000;\n"
      "L: atom.global.exch.b32 %r1, [%rd1], 0; mov.b32 %f2, %r1; add.f32 %f3, %f2, %f1; mov.b32 %r2, %f3;\n"
      "atom.global.exch.b32 %r3, [%rd1], %r2; mov.b32 %f1, %r3; setp.neu.f32 %p1, %f1, 0f00000000; @%p1 bra L;",
      256, 1000, 1024);
  EXPECT_EQ(handed_on.value, "2");
  EXPECT_THAT(handed_on.why, HasSubstr("every other time"));
}

// A search for an empty place in a table goes on to the next place, and is no retry.
TEST(RetryLoops, AreNoneWhereTheAddressMovesOn) {
  EXPECT_EQ(
      trips("L: atom.global.cas.b32 %r3, [%rd1], 0, 7; add.s64 %rd1, %rd1, 4; setp.ne.u32 %p1, %r3, 0; @%p1 bra L;",
            256, 1000, 1024)
          .value,
      "4");
}

// Lanes at a random word, from the pairs of this warp's lanes that meet: with 16 words about 1 of 16 pairs.
TEST(RetryLoops, OnRandomWordsGoRoundForThoseThatMeet) {
  auto options = one_warp();
  options.launch.block = {256, 1, 1};
  options.launch.grid = {1000, 1, 1};
  options.launch.resident_threads = 65536;
  options.launch.assume = true;
  options.launch.arrays["p"].uniform = 16;
  std::string text = entry_with(
      "ld.param.u64 %rd1, [p]; ld.param.u64 %rd4, [q]; mov.u32 %r9, %tid.x; mad.wide.u32 %rd2, %r9, 4, %rd1;\n"
      "ld.global.u32 %r8, [%rd2]; mad.wide.u32 %rd3, %r8, 4, %rd4;\n" +
      compare_and_swap("global", "%rd3") + " ret;");
  text.replace(text.find(".param .u64 p)"), 14, ".param .u64 p, .param .u64 q)");
  const auto all = ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options).report.assumptions;
  const auto found = std::ranges::find(all, isa::Assumption::Kind::Trips, &isa::Assumption::kind);
  ASSERT_NE(found, all.end());
  EXPECT_GT(std::stoi(found->value), 65536 / 16 / 2 / 3);
  EXPECT_LT(std::stoi(found->value), 65536 / 16 / 2 * 3);
}

}  // namespace
}  // namespace warpipe::test
