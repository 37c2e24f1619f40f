#include "warpipe/latency_tables/access.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// Lane i at start + i x stride.
LaneAccess strided(std::int64_t width, std::int64_t stride, std::int64_t start = 0, std::int64_t lanes = 32) {
  LaneAccess access{width, {}};
  for (std::int64_t lane = 0; lane < lanes; ++lane) access.offsets_bytes.push_back(start + lane * stride);
  return access;
}

std::int64_t degree(const LaneAccess& access, std::int64_t banks = 32, std::int64_t bank_bytes = 4) {
  return bank_conflict_degree(access, Memory{{}, 32, banks, bank_bytes});
}

TEST(BankConflictDegree, FollowsTheStrideOfFourByteLanes) {
  EXPECT_EQ(degree(strided(4, 0)), 1);   // a broadcast: a single word
  EXPECT_EQ(degree(strided(4, 4)), 1);   // words 0..31: a word a bank
  EXPECT_EQ(degree(strided(4, 8)), 2);   // even words 0..62: 16 banks, two words each
  EXPECT_EQ(degree(strided(4, 12)), 1);  // 3 is prime to 32
  EXPECT_EQ(degree(strided(4, 16)), 4);
  EXPECT_EQ(degree(strided(4, 128)), 32);  // all in bank 0
  EXPECT_EQ(degree(strided(4, 132)), 1);   // a word of padding a row
  EXPECT_EQ(degree(strided(4, 136)), 2);   // words 34 i: 2 i mod 32
}

TEST(BankConflictDegree, IsTheSameForDescendingAndShiftedAddresses) {
  EXPECT_EQ(degree(strided(4, -4)), 1);
  EXPECT_EQ(degree(strided(4, -8)), 2);
  EXPECT_EQ(degree(strided(4, -128)), 32);
  EXPECT_EQ(degree(strided(4, 8, -64)), 2);
  EXPECT_EQ(degree(strided(4, 4, -128)), 1);
}

TEST(BankConflictDegree, CountsAWordThatSeveralLanesReadOnce) {
  EXPECT_EQ(degree(strided(1, 1)), 1);  // four bytes share a word: 8 words
  EXPECT_EQ(degree(strided(2, 2)), 1);
  EXPECT_EQ(degree({4, {0, 0, 128, 128, 256, 4}}), 3);  // bank 0 holds words 0, 32, 64
}

TEST(BankConflictDegree, CountsBothWordsOfALaneThatStraddlesThem) {
  // 4-byte lanes at 2 + 4 i touch words i and i + 1: words 0..32, and 0 and 32 share bank 0.
  EXPECT_EQ(degree(strided(4, 4, 2)), 2);
  // The lane at -1 touches words -1 and 0, in banks 31 and 0.
  EXPECT_EQ(degree({4, {-1}}), 1);
}

TEST(BankConflictDegree, ServesWideLanesInParts) {
  EXPECT_EQ(degree(strided(8, 8)), 1);    // two halves of 16 lanes, words 0..31 each
  EXPECT_EQ(degree(strided(16, 16)), 1);  // four quarters of 8 lanes
  EXPECT_EQ(degree(strided(8, 0)), 1);    // broadcast
  // 16 lanes at 16 i: words 4 i and 4 i + 1 for i = 0..15 are 32 words in 16 banks: degree 2 in each half; 2 + 2 - 1.
  EXPECT_EQ(degree(strided(8, 16)), 3);
  // Each half: 16 lanes at 128 i, all in banks 0 and 1: 16 + 16 - 1.
  EXPECT_EQ(degree(strided(8, 128)), 31);
}

TEST(BankConflictDegree, LetsTheLastPartBeSmallerWhereTheyDoNotDivide) {
  // 12 bytes are 3 words: parts of 11, 11 and 10 lanes. Unit stride: 33 words in a part of 11, so a bank has 2; 30 in
  // the last: 2 + 2 + 1 - 2.
  EXPECT_EQ(degree(strided(12, 12)), 3);
  // 5 bytes are 2 words for 3 lanes: parts of 2 and 1; all at the same place.
  EXPECT_EQ(degree({5, {0, 0, 0}}), 1);
  // 48 bytes are 12 words: parts of 3 lanes, 11 parts for all 32. 36 words in a full part: degree 2; the last has 2
  // lanes, 24 words: 1. 10 x 2 + 1 - 10.
  EXPECT_EQ(degree(strided(48, 48)), 11);
}

TEST(BankConflictDegree, ServesALaneWiderThanAllBanksInRounds) {
  // 256 bytes are 64 words, two in each of 32 banks; 32 parts of a single lane: 32 x 2 - 31.
  EXPECT_EQ(degree(strided(256, 256)), 33);
  EXPECT_EQ(degree({256, {0}}), 2);
}

TEST(BankConflictDegree, HoldsForOtherBanks) {
  EXPECT_EQ(degree(strided(4, 4), 16), 2);  // 32 words in 16 banks
  EXPECT_EQ(degree(strided(4, 4, 0, 16), 16), 1);
  EXPECT_EQ(degree(strided(4, 8), 64), 1);  // words 0, 2, .. 62
  EXPECT_EQ(degree(strided(4, 8, 0, 64), 64), 2);
  EXPECT_EQ(degree(strided(4, 12), 24), 4);    // 3 i mod 24 takes 8 values, 32 words
  EXPECT_EQ(degree(strided(8, 8), 32, 8), 1);  // 8-byte banks
  EXPECT_EQ(degree(strided(4, 8), 32, 8), 1);
  EXPECT_EQ(degree(strided(4, 16), 32, 8), 2);
  EXPECT_EQ(degree(strided(4, 4), 1), 32);
}

TEST(BankConflictDegree, BearsAddressesAndWidthsAtTheEdge) {
  EXPECT_EQ(degree({4, {kLargestWhole, -kLargestWhole}}), 2);  // both whole multiples of 128: bank 0
  EXPECT_EQ(degree({kLargestWhole, {kLargestWhole}}), kLargestWhole / 4 / 32);
  EXPECT_EQ(degree({kLargestWhole, {0}}, 1, 1), kLargestWhole);
  EXPECT_EQ(degree(strided(4, 4), kLargestWhole), 1);
  EXPECT_THROW(degree({kLargestWhole, {0, 0}}, 1, 1), ModelError);  // 2 x 2^53 - 1
}

std::int64_t segments(const LaneAccess& access, std::int64_t segment_bytes = 32) {
  return transactions(access, Memory{{}, segment_bytes, 32, 4});
}

TEST(Transactions, CountsTheSegmentsOfAWarpsAccess) {
  EXPECT_EQ(segments(strided(4, 4)), 4);     // 128 aligned bytes
  EXPECT_EQ(segments(strided(4, 4, 4)), 5);  // bytes 4..131
  EXPECT_EQ(segments(strided(4, 8)), 8);     // bytes 0..251
  EXPECT_EQ(segments(strided(4, 0)), 1);
  EXPECT_EQ(segments(strided(4, 32)), 32);
  EXPECT_EQ(segments(strided(4, 4096)), 32);
  EXPECT_EQ(segments(strided(8, 8)), 8);
  EXPECT_EQ(segments(strided(16, 16)), 16);
  EXPECT_EQ(segments(strided(1, 1)), 1);
  EXPECT_EQ(segments(strided(4, 4), 128), 1);
  EXPECT_EQ(segments(strided(4, 4, 4), 128), 2);
}

TEST(Transactions, CountsBothSegmentsOfALaneThatStraddlesThem) {
  EXPECT_EQ(segments({4, {30}}), 2);
  EXPECT_EQ(segments({4, {28}}), 1);
  EXPECT_EQ(segments({64, {1}}), 3);
}

TEST(Transactions, KeepsSegmentsBelowZeroApart) {
  EXPECT_EQ(segments(strided(4, -4)), 5);  // bytes -124..3
  EXPECT_EQ(segments({4, {-4, 0}}), 2);
  EXPECT_EQ(segments({1, {-32, -1}}), 1);
  EXPECT_EQ(segments({1, {-33, -32}}), 2);
}

TEST(Transactions, BearsAddressesAndWidthsAtTheEdge) {
  EXPECT_EQ(segments({kLargestWhole, {-kLargestWhole, 0}}, 1), 2 * kLargestWhole);
  EXPECT_EQ(segments({1, {-kLargestWhole, kLargestWhole}}, kLargestWhole), 2);
}

// The definitions of the format taken byte by byte.

std::set<std::int64_t> units_touched(const LaneAccess& access, std::size_t begin, std::size_t end, std::int64_t unit) {
  std::set<std::int64_t> units;
  for (std::size_t lane = begin; lane < end; ++lane)
    for (std::int64_t byte = access.offsets_bytes[lane]; byte < access.offsets_bytes[lane] + access.width_bytes; ++byte)
      units.insert((byte + 1000000 * unit) / unit);  // large enough to keep bytes from being below 0
  return units;
}

std::int64_t degree_by_definition(const LaneAccess& access, const Memory& memory) {
  const auto words = static_cast<std::size_t>((access.width_bytes + memory.bank_bytes - 1) / memory.bank_bytes);
  const std::size_t lanes = access.offsets_bytes.size();
  const std::size_t a_part = (lanes + words - 1) / words;
  std::int64_t result = 1;
  for (std::size_t begin = 0; begin < lanes; begin += a_part) {
    std::map<std::int64_t, std::int64_t> words_in_bank;
    std::int64_t most = 0;
    for (const auto word : units_touched(access, begin, std::min(begin + a_part, lanes), memory.bank_bytes))
      most = std::max(most, ++words_in_bank[word % memory.banks]);
    result += most - 1;
  }
  return result;
}

RC_GTEST_PROP(Access, EqualsTheDefinitionTakenByteByByte, ()) {
  const auto small = rc::gen::inRange<std::int64_t>(1, 40);
  const LaneAccess access{
      *small, *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(-600, 600)))};
  const Memory memory{{}, *small, *small, *rc::gen::inRange<std::int64_t>(1, 9)};
  RC_ASSERT(bank_conflict_degree(access, memory) == degree_by_definition(access, memory));
  const auto touched = units_touched(access, 0, access.offsets_bytes.size(), memory.transaction_bytes);
  RC_ASSERT(transactions(access, memory) == std::ssize(touched));
}

Expression parsed(const std::string& text) {
  const std::vector<std::string> visible{"stride", "warp"};
  return Expression::parse(text, visible);
}

TEST(LaneAccess, EvaluatesEachKindOfPattern) {
  const Values values{{"stride", 8.0}, {"warp", 3.0}};
  const AccessPattern at_stride{parsed("stride / 2"), AccessPattern::Strided{parsed("-stride")}};
  EXPECT_EQ(lane_access(at_stride, values, 4).width_bytes, 4);
  EXPECT_THAT(lane_access(at_stride, values, 4).offsets_bytes, testing::ElementsAre(0, -8, -16, -24));

  const AccessPattern broadcast{Expression(4), AccessPattern::Broadcast{}};
  EXPECT_THAT(lane_access(broadcast, values, 3).offsets_bytes, testing::ElementsAre(0, 0, 0));

  const AccessPattern listed{Expression(4), AccessPattern::PerLane{{parsed("warp"), parsed("-4 * warp")}}};
  EXPECT_THAT(lane_access(listed, values, 2).offsets_bytes, testing::ElementsAre(3, -12));
}

/// The only problem of evaluating a pattern.
Diagnostic problem_of_pattern(const AccessPattern& pattern, std::int64_t warp_size) {
  try {
    lane_access(pattern, {{"stride", 0.5}, {"warp", 0.0}}, warp_size);
  } catch (const ModelError& error) {
    if (error.diagnostics().size() == 1) return error.diagnostics()[0];
  }
  return {"no problem, or several", "", "", ""};
}

TEST(LaneAccess, NamesTheKeyThatFails) {
  const AccessPattern half_a_byte{parsed("stride"), AccessPattern::Broadcast{}};
  EXPECT_EQ(problem_of_pattern(half_a_byte, 32).where, "/width_bytes");
  const AccessPattern no_width{Expression(0), AccessPattern::Broadcast{}};
  EXPECT_EQ(problem_of_pattern(no_width, 32).where, "/width_bytes");
  const AccessPattern half_a_stride{Expression(4), AccessPattern::Strided{parsed("stride")}};
  EXPECT_EQ(problem_of_pattern(half_a_stride, 32).where, "/stride_bytes");
  const AccessPattern listed{Expression(4), AccessPattern::PerLane{{Expression(0), Expression(4)}}};
  EXPECT_EQ(problem_of_pattern(listed, 32).where, "/lane_offsets_bytes");
  EXPECT_EQ(problem_of_pattern(listed, 32).found, "found 2");
  EXPECT_EQ(problem_of_pattern(listed, 1).where, "/lane_offsets_bytes");
}

Expression address(const std::string& text) {
  const std::vector<std::string> visible{"n",     "warp",    "lane", "thread_x", "thread_y",
                                         "group", "group_y", "row",  "rows"};
  return Expression::parse(text, visible);
}

/// Two rows of 4 threads in a block, an array of 1024 bytes, an array of 8 for each thread.
LaunchShape two_rows() {
  LaunchShape shape;
  shape.block_x = 4;
  shape.block_y = 2;
  shape.arrays = {{1024, false}, {8, true}};
  return shape;
}

TEST(LaneAccess, EvaluatesAddressesOfTheFirstExecutionByTheFirstWarp) {
  const Values values{{"n", 100}, {"group_size", 8}, {"warp", 5}};
  const AccessPattern rows{Expression(4),
                           AccessPattern::Addressed{0, address("4 * (n * thread_y + thread_x) + row + group + warp")}};
  // All threads of the group; lanes 8 and 9 are beyond it.
  EXPECT_THAT(lane_access(rows, values, 10, two_rows()).offsets_bytes,
              testing::ElementsAre(0, 4, 8, 12, 400, 404, 408, 412));
}

// Lanes 0 and 1 of 32 are active, both in the first of the two parts: words 0, 1, 32 and 33 are two in each of two
// banks. The second part has no active lane and a degree of 1: 2 + 1 - 1.
TEST(LaneAccess, LeavesLanesInTheirPartsWhereOthersTakeNoPart) {
  LaunchShape shape;
  shape.arrays = {{256, false}};
  const AccessPattern column{Expression(8), AccessPattern::Addressed{0, address("128 * lane")}};
  EXPECT_EQ(degree(lane_access(column, {{"group_size", 32}}, 32, shape)), 2);
  // Where the group has two threads, these are lanes 0 and 1 all the same.
  shape.arrays = {{4096, false}};
  EXPECT_EQ(degree(lane_access(column, {{"group_size", 2}}, 32, shape)), 2);
  // Lanes 0 and 16 are in two parts.
  const AccessPattern halves{Expression(8), AccessPattern::Addressed{0, address("128 * lane - 4096 * mod(lane, 16)")}};
  EXPECT_EQ(degree(lane_access(halves, {{"group_size", 32}}, 32, shape)), 1);
}

TEST(LaneAccess, LeavesOutLanesOutsideOfTheArray) {
  const Values values{{"group_size", 8}};
  const AccessPattern beyond{Expression(4), AccessPattern::Addressed{0, address("512 * lane - 512")}};
  EXPECT_THAT(lane_access(beyond, values, 4, two_rows()).offsets_bytes, testing::ElementsAre(0, 512));
  const AccessPattern nowhere{Expression(4), AccessPattern::Addressed{0, address("-4")}};
  EXPECT_THAT(lane_access(nowhere, values, 4, two_rows()).offsets_bytes, testing::ElementsAre(0));
}

TEST(LaneAccess, PutsWordsOfThreadPrivateMemorySideBySide) {
  const Values values{{"group_size", 8}};
  const AccessPattern second{Expression(4), AccessPattern::Addressed{1, address("4")}};
  EXPECT_THAT(lane_access(second, values, 3, two_rows()).offsets_bytes, testing::ElementsAre(12, 16, 20));
  const AccessPattern both{Expression(8), AccessPattern::Addressed{1, address("0")}};
  EXPECT_EQ(lane_access(both, values, 3, two_rows()).width_bytes, 4);
  EXPECT_THAT(lane_access(both, values, 3, two_rows()).offsets_bytes, testing::ElementsAre(0, 12, 4, 16, 8, 20));
}

TEST(LaneAccess, TakesTheFirstGroupOfEachKindWhereTheAddressDiffersByKind) {
  LaunchShape shape;
  shape.arrays = {{1024, false}};
  shape.names_of_kinds = {"kind", "rows"};
  shape.first_groups = {{0, 0}, {1, 3}};
  const Values values{{"group_size", 2}, {"kind", 1}, {"rows", 8}};
  const AccessPattern by_kind{Expression(4), AccessPattern::Addressed{0, address("4 * lane + rows * group")}};
  EXPECT_THAT(lane_access(by_kind, values, 2, shape).offsets_bytes, testing::ElementsAre(24, 28));
  const AccessPattern alike{Expression(4), AccessPattern::Addressed{0, address("4 * lane + 8 * group")}};
  EXPECT_THAT(lane_access(alike, values, 2, shape).offsets_bytes, testing::ElementsAre(0, 4));
}

TEST(LaneAccess, TakesTheFirstOfSampledExecutions) {
  const AccessPattern samples{Expression(4),
                              AccessPattern::Sampled{0, 1, {{8, AccessPattern::kNotActive, 64}, {0, 0, 0}}}};
  EXPECT_THAT(lane_access(samples, {}, 3, two_rows()).offsets_bytes, testing::ElementsAre(8, 64));
  try {
    lane_access(samples, {}, 4, two_rows());
    ADD_FAILURE() << "three addresses are not those of four lanes";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].where, "/addresses");
    EXPECT_EQ(error.diagnostics()[0].found, "found 3");
  }
}

TEST(LaneAccess, RefusesAddressesThatNoDoubleCounts) {
  // 2^53 / 31 = 290554814669064.3
  const AccessPattern most{Expression(4), AccessPattern::Strided{Expression(290554814669064)}};
  EXPECT_EQ(lane_access(most, {}, 32).offsets_bytes.back(), 31 * std::int64_t{290554814669064});
  const AccessPattern more{Expression(4), AccessPattern::Strided{Expression(290554814669065)}};
  EXPECT_EQ(problem_of_pattern(more, 32).where, "/stride_bytes");
  const AccessPattern less{Expression(4), AccessPattern::Strided{Expression(-290554814669065)}};
  EXPECT_EQ(problem_of_pattern(less, 32).where, "/stride_bytes");
}

TEST(LaneAccess, RefusesAWarpThatIsNoWarp) {
  const AccessPattern broadcast{Expression(4), AccessPattern::Broadcast{}};
  EXPECT_EQ(lane_access(broadcast, {}, std::int64_t{1} << 20).offsets_bytes.size(), std::size_t{1} << 20);
  EXPECT_THROW(lane_access(broadcast, {}, (std::int64_t{1} << 20) + 1), ModelError);
  EXPECT_THROW(lane_access(broadcast, {}, kLargestWhole), ModelError);
}

}  // namespace
}  // namespace warpipe
