#include "warpipe/caches/levels.hpp"
#include "support/drawn_cases.hpp"
#include "support/sanitizers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caches/comparison.hpp"
#include "caches/patterns.hpp"
#include "caches/reference_caches.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr std::int64_t kKilo = 1024;
constexpr CacheEffort kAll{.lines = 1e15, .both_orders = true};

/// Results for the instructions of a kernel, by their ids.
class Found {
 public:
  Found(const AccessMaker& maker, const Device& device, const CacheEffort& effort = kAll)
      : kernel_(maker.kernel()), levels_(levels_from_addresses(kernel_, device, maker.launch(), effort)) {}

  const LevelsFromAddresses& all() const { return levels_; }
  const AccessLevels& operator[](const std::string& id) const {
    for (const AccessLevels& access : levels_.accesses)
      if (kernel_.instructions[access.instruction].id == id) return access;
    throw std::logic_error("nothing found for " + id);
  }
  std::vector<double> found(const std::string& id) const { return column(id, &LevelTraffic::found); }
  std::vector<double> shares(const std::string& id) const { return column(id, &LevelTraffic::share); }
  std::vector<double> sectors(const std::string& id) const { return column(id, &LevelTraffic::sectors); }
  double compulsory_bytes() const {
    double sum = 0;
    for (const AccessLevels& access : levels_.accesses) sum += access.compulsory_bytes;
    return sum;
  }

 private:
  std::vector<double> column(const std::string& id, double LevelTraffic::*member) const {
    std::vector<double> column;
    for (const LevelTraffic& level : (*this)[id].levels) column.push_back(level.*member);
    return column;
  }

  Kernel kernel_;
  LevelsFromAddresses levels_;
};

auto are(double one, double two, double three) {
  return ElementsAre(DoubleNear(one, 1e-9), DoubleNear(two, 1e-9), DoubleNear(three, 1e-9));
}

// Shares derived by hand: of the nearest level, the second level and the memory.

TEST(Streaming, ComesFromTheMemoryAndIsWrittenBack) {
  const Found found(streaming(65536).slots(2), cached_device(2, 4 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("x"), are(0, 0, 1));
  EXPECT_THAT(found.sectors("x"), are(4, 4, 4));
  EXPECT_THAT(found.found("s"), are(0, 1, 0));
  EXPECT_THAT(found.sectors("s"), are(4, 4, 4));
  EXPECT_EQ(found["x"].compulsory_bytes, 4 * 65536);
  EXPECT_EQ(found["s"].levels[1].bytes, 4 * 65536);
}

TEST(Streaming, LeavesUnwrittenWhatTheLevelMay) {
  Device device = cached_device(2, 4 * kKilo, 64 * kKilo);
  device.memory->levels[1].dirty_bytes = 16 * kKilo;
  const Found found(streaming(65536).slots(2), device);
  // 16 kB are 128 of the 2048 lines of y.
  EXPECT_THAT(found.sectors("s"), are(4, 4, 4 * (1 - 128.0 / 2048)));
  device.memory->levels[1].dirty_bytes = 48 * kKilo;
  // Of the 512 lines left in the second level, every other line is of y: 256 of the 2048 lines are not written.
  EXPECT_THAT(Found(streaming(65536).slots(2), device).sectors("s"), are(4, 4, 4 * (1 - 256.0 / 2048)));
}

TEST(Streaming, MovesTheSameBytesBySectorsOfAnySize) {
  for (const std::int64_t sector_bytes : {32, 64, 128}) {
    Device device = cached_device(2, 4 * kKilo, 64 * kKilo);
    for (MemoryLevel& level : device.memory->levels) level.sector_bytes = sector_bytes;
    const Found found(streaming(65536).slots(2), device);
    for (const char* id : {"x", "y", "s"})
      for (const LevelTraffic& level : found[id].levels) EXPECT_EQ(level.bytes, 4 * 65536) << id << sector_bytes;
    EXPECT_EQ(found.compulsory_bytes(), 3 * 4 * 65536);
  }
}

TEST(ARepeatedLaunch, FindsInTheSecondLevelWhatFits) {
  // Two arrays of 16 kB in 64 kB: nothing comes from the memory, and nothing goes there.
  const Found found(streaming(4096).slots(2).repeated(), cached_device(2, 4 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("x"), are(0, 1, 0));
  EXPECT_THAT(found.shares("x"), are(0, 1, 0));
  EXPECT_THAT(found.sectors("x"), are(4, 4, 0));
  EXPECT_THAT(found.sectors("s"), are(4, 4, 0));
}

// 48 kB, read and written in place, are 48 kB in 64 kB.
TEST(ARepeatedLaunch, HoldsOnceWhatItReadsAndWrites) {
  AccessMaker maker;
  const std::string here = "4 * (group * 128 + thread_x)";
  maker.array("a", "49152").block(128).grid(96).load("x", "a", here).store("s", "a", here).repeated();
  const Found found(maker, cached_device(2, 4 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("x"), are(0, 1, 0));
  EXPECT_THAT(found.sectors("x"), are(4, 4, 0));
  EXPECT_THAT(found.sectors("s"), are(4, 4, 0));
  EXPECT_EQ(found.compulsory_bytes(), 2 * 49152);
}

TEST(ARepeatedLaunch, IsAsAColdOneWhereNotAllFits) {
  // The lines left at the end of a launch are pushed out by the next launch, whatever they are.
  const Found found(streaming(65536).slots(2).repeated(), cached_device(2, 4 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("x"), are(0, 0, 1));
  EXPECT_THAT(found.sectors("s"), are(4, 4, 4));
}

TEST(Stencil, ReadsEachSectorOnceWhereAllFits) {
  const Found found(stencil(128), cached_device(1, 256 * kKilo, 512 * kKilo));
  double from_memory = 0;
  for (const char* id : {"centre", "left", "right", "up", "down"})
    from_memory += found.sectors(id)[2] * found[id].executions;
  EXPECT_NEAR(from_memory, 128 * 128 * 4 / 32, 1e-6);
  EXPECT_THAT(found.sectors("left"),
              ElementsAre(DoubleNear(4.75, 1e-9), testing::_, testing::_));  // 5, at the border 4
}

TEST(NaiveProduct, MissesOnceForEachSector) {
  const Found found(naive_product(64), cached_device(1, 64 * kKilo, 128 * kKilo));
  // A warp has two rows of a: of its 64 executions, 8 come to new sectors, for the first of four groups in a row.
  EXPECT_THAT(found.found("a"), are(1 - 8.0 / 64 / 4, 0, 8.0 / 64 / 4));
  // A row of b is new to one of the eight warps, for the first of four groups in a column.
  EXPECT_THAT(found.found("b"), are(1 - 1.0 / 8 / 4, 0, 1.0 / 8 / 4));
  EXPECT_THAT(found.sectors("b"), are(2, 2.0 / 8 / 4, 2.0 / 8 / 4));
}

TEST(TiledProduct, MissesOncePerTileAndGroupsThatShareIt) {
  const Found found(tiled_product(64), cached_device(1, 64 * kKilo, 128 * kKilo));
  EXPECT_THAT(found.found("a"), are(0.75, 0, 0.25));
  EXPECT_THAT(found.found("b"), are(0.75, 0, 0.25));
  EXPECT_THAT(found.sectors("a"), are(4, 1, 1));
}

TEST(NaiveTranspose, MergesPartsOfSectorsBeforeTheyAreWritten) {
  const Found found(naive_transpose(256).slots(2), cached_device(1, 4 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.found("in"), are(0, 0, 1));
  EXPECT_THAT(found.found("out"), are(0, 1, 0));
  EXPECT_THAT(found.sectors("out"), are(32, 32, 4));
}

TEST(TiledTranspose, MovesWholeLines) {
  const Found found(tiled_transpose(256).slots(2), cached_device(1, 4 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.sectors("in"), are(4, 4, 4));
  EXPECT_THAT(found.sectors("out"), are(4, 4, 4));
}

// Thread i writes a word of each second sector.
AccessMaker words_apart() {
  AccessMaker maker;
  maker.array("a", "64 * 65536").block(128).grid(512).slots(2).store("s", "a", "64 * (group * 128 + thread_x)");
  return maker;
}

TEST(PartsOfSectors, ThatStayPartsAreReadBeforeTheyAreWritten) {
  const Found found(words_apart(), cached_device(1, 4 * kKilo, 32 * kKilo));
  // 32 sectors with 4 written bytes each: every sector is read and written.
  EXPECT_THAT(found.sectors("s"), are(32, 32, 2 * 32));
}

TEST(PartsOfSectors, AreWrittenAloneWhereTheMemoryMasksTheRest) {
  Device device = cached_device(1, 4 * kKilo, 32 * kKilo);
  device.memory->levels.back().masked_writes = true;
  EXPECT_THAT(Found(words_apart(), device).sectors("s"), are(32, 32, 32));
  device.memory->levels[1].write = WritePolicy::Through;  // the memory itself takes them
  EXPECT_THAT(Found(words_apart(), device).sectors("s"), are(32, 32, 32));
}

// Structures of 7 doubles, 56 bytes per thread: seven stores of a warp fill 56 sectors, however many other warps
// reside. These are 4 units x 8 groups x 4 warps of 1792 bytes each, more than the second level holds.
AccessMaker structures(std::int64_t doubles) {
  AccessMaker maker;
  const std::string bytes = std::to_string(8 * doubles);
  maker.array("a", bytes + " * 65536").block(128).grid(512).slots(8);
  for (std::int64_t i = 0; i < doubles; ++i)
    maker.store("s" + std::to_string(i), "a", bytes + " * (group * 128 + thread_x) + " + std::to_string(8 * i), 8);
  return maker;
}

TEST(StoresOneBehindTheOther, MergeInTheirSectorsHoweverManyWarpsReside) {
  for (const std::int64_t doubles : {3, 7, 9, 16}) {
    const Found found(structures(doubles), cached_device(4, 4 * kKilo, 64 * kKilo));
    double at_memory = 0;
    for (const AccessLevels& access : found.all().accesses) at_memory += access.levels[2].bytes;
    EXPECT_DOUBLE_EQ(at_memory, static_cast<double>(8 * doubles * 65536)) << doubles;
  }
}

// Between them each warp waits for its load, while other warps store.
TEST(StoresOneBehindTheOther, AreNoneWhereALoadStandsBetween) {
  AccessMaker maker;
  maker.array("a", "16 * 65536").array("b", "4 * 65536").block(128).grid(512).slots(8);
  maker.store("first", "a", "16 * (group * 128 + thread_x)", 8).load("b", "b", "4 * (group * 128 + thread_x)");
  maker.store("second", "a", "16 * (group * 128 + thread_x) + 8", 8);
  const auto sectors = [&] {
    const Found found(maker, cached_device(4, 4 * kKilo, 32 * kKilo));
    return found.sectors("first")[2] + found.sectors("second")[2];
  };
  EXPECT_NEAR(sectors(), 16, 1e-9);
  // Where it waits, each store comes when the other store's line is gone: 16 sectors of 32 bytes, each written and read
  // for both stores, or once for a single store.
  maker.after({"b"});
  EXPECT_NEAR(sectors(), 4 * 16, 1e-9);
}

/// Stores of the words of structures of so many words, with arithmetic between them.
AccessMaker words_of_structures(int words) {
  AccessMaker maker;
  const std::string bytes = std::to_string(4 * words);
  maker.array("a", bytes + " * 1024").block(128).grid(8);
  for (int i = 0; i < words; ++i) {
    const std::string number = std::to_string(i);
    maker.other("x" + number, "fma");
    maker.store("s" + number, "a", bytes + " * (group * 128 + thread_x) + " + std::to_string(4 * i));
  }
  return maker;
}

const Device kFourUnits = cached_device(4, 4 * kKilo, 64 * kKilo);

// The first of them touches all 16 sectors of four lines, of which the unit sends each once.
TEST(StoresOneBehindTheOther, LeaveLevelOneTogether) {
  const Found found(words_of_structures(4), kFourUnits);
  EXPECT_THAT(found.sectors("s0"), are(16, 16, 16));
  for (const char* id : {"s1", "s2", "s3"}) EXPECT_THAT(found.sectors(id), are(16, 0, 0));
}

TEST(StoresOneBehindTheOther, LeaveLevelOneAloneWhereTheyTouchMoreThan16Sectors) {
  const Found found(words_of_structures(5), kFourUnits);
  EXPECT_THAT(found.sectors("s0"), are(20, 20, 20));
  EXPECT_THAT(found.sectors("s4"), are(20, 20, 0));
}

// The third waits for arithmetic behind the first: it leaves with the fourth.
TEST(StoresOneBehindTheOther, LeaveLevelOneAloneWhereTheyWaitBetween) {
  const std::string place = "16 * (group * 128 + thread_x)";
  AccessMaker maker;
  maker.array("a", "16 * 1024").block(128).grid(8).other("early", "fma");
  maker.store("s0", "a", place).other("late", "fma").store("s1", "a", place + " + 4").after({"early"});
  maker.store("s2", "a", place + " + 8").after({"late"}).store("s3", "a", place + " + 12");
  const Found found(maker, kFourUnits);
  EXPECT_THAT(found.sectors("s1"), are(16, 0, 0));
  EXPECT_THAT(found.sectors("s2"), are(16, 16, 0));
  EXPECT_THAT(found.sectors("s3"), are(16, 0, 0));
}

// One word further on touches four of five sectors again.
TEST(StoresOneBehindTheOther, SendTheirOwnSectors) {
  AccessMaker maker;
  maker.array("a", "8192").block(128).grid(8).store("s0", "a", "4 * (group * 128 + thread_x)");
  maker.store("s1", "a", "4 * (group * 128 + thread_x) + 4");
  const Found found(maker, kFourUnits);
  EXPECT_EQ(found.sectors("s0")[1], 4);
  EXPECT_EQ(found.sectors("s1")[0], 5);
  EXPECT_EQ(found.sectors("s1")[1], 1);
}

TEST(StoresOneBehindTheOther, LeaveLevelOneAloneInFurtherTrips) {
  AccessMaker maker;
  maker.array("a", "4096").block(128).grid(8).loop("i", "8", [](AccessMaker& loop) {
    loop.store("s", "a", "4 * (group * 128 + thread_x)");
  });
  EXPECT_THAT(Found(maker, kFourUnits).sectors("s"), are(4, 4, 0.5));
}

TEST(Strided, TouchesASectorPerLane) {
  const Found found(strided(16384, 8), cached_device(2, 4 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.found("a"), are(0, 0, 1));
  EXPECT_THAT(found.sectors("a"), are(32, 32, 32));
}

TEST(Broadcast, IsUnderWayForWarpsThatComeRightAfterTheFirst) {
  const Found found(broadcast(128), cached_device(1, 16 * kKilo, 32 * kKilo));
  const double executions = 64 * 4 * 128;
  EXPECT_EQ(found["a"].executions, executions);
  EXPECT_THAT(found.found("a"), are(1 - 16 / executions, 0, 16 / executions));
  // In each of its two turns the first warp brings two lines, the last sectors of both at time 1. The next warp comes
  // at 2 and 3, the third at 4 and, but for its first access, at 5: less than 4 later are 64 + 1 accesses.
  EXPECT_THAT(found.shares("a"), are(1 - (16 + 130) / executions, 0, (16 + 130) / executions));
  EXPECT_EQ(found["a"].spread, 0);
}

TEST(Reduction, StreamsAndStoresOneLane) {
  const Found found(reduction(131072, 8).slots(2), cached_device(2, 4 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.found("a"), are(0, 0, 1));
  EXPECT_EQ(found["sum"].executions, 64);
  EXPECT_EQ(found.sectors("sum")[1], 1);
}

TEST(Gather, FindsWhatOtherLanesHadBefore) {
  AccessMaker maker;
  maker.array("a", "1024").block(32).grid(1);
  std::vector<std::vector<std::int64_t>> executions(2);
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    executions[0].push_back(32 * lane);
    executions[1].push_back(32 * (31 - lane));
  }
  maker.loop("i", "2", [&](AccessMaker& body) { body.sampled("a", "a", 2, executions); });
  const Found found(maker, cached_device(1, 16 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.found("a"), are(0.5, 0, 0.5));
  EXPECT_THAT(found.sectors("a"), are(32, 16, 16));
}

TEST(Gather, GoesOnThroughItsArrayWhereSamplesAreShifted) {
  // A warp's sample stands for 64 warps, each of which reads the next line; the array is read twice.
  std::vector<std::int64_t> lanes;
  for (std::int64_t lane = 0; lane < 32; ++lane) lanes.push_back(4 * lane);
  AccessMaker maker;
  maker.array("a", "32 * 128").block(32).grid(64).sampled("a", "a", 1, {lanes}, 4, 128);
  const Found found(maker, cached_device(1, 16 * kKilo, 32 * kKilo));
  EXPECT_THAT(found.found("a"), are(0.5, 0, 0.5));
  EXPECT_EQ(found["a"].compulsory_bytes, 32 * 128);
}

TEST(ThreadPrivate, StaysInTheFirstLevelWhereItFits) {
  const Found found(thread_private(48, 20).slots(3), cached_device(2, 64 * kKilo, 128 * kKilo));
  EXPECT_THAT(found.found("spill"), are(1, 0, 0));
  EXPECT_THAT(found.found("fill"), are(1, 0, 0));
  EXPECT_THAT(found.sectors("spill"), are(4, 0, 0));  // words of 32 lanes lie side by side
  EXPECT_EQ(found["fill"].compulsory_bytes, 0);
}

TEST(ThreadPrivate, GoesThroughTheFirstLevelWhereItDoesNotFit) {
  const Found found(thread_private(8, 256), cached_device(1, 16 * kKilo, 256 * kKilo));
  EXPECT_THAT(found.found("fill"), are(0, 1, 0));
  // Two warps of 256 lines each; the 128 lines in the first level at the end are clean.
  EXPECT_THAT(found.sectors("spill"), are(4, 4, 0));
}

TEST(ASetThatFits, MissesTheFirstTimeOnly) {
  const Found found(repeated(1, 8 * kKilo, 6), cached_device(1, 16 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("a"), are(5.0 / 6, 0, 1.0 / 6));
}

TEST(ASetJustTooLarge, MissesEveryTime) {
  const Found found(repeated(1, 20 * kKilo, 4), cached_device(1, 16 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("a"), are(0, 3.0 / 4, 1.0 / 4));
}

TEST(Order, DecidesWhatTheFirstLevelServes) {
  const Device device = cached_device(1, 64 * kKilo, 64 * kKilo);
  const Found rows(along_rows(256), device), columns(along_columns(256), device);
  EXPECT_THAT(rows.found("a"), are(0, 0, 1));
  EXPECT_THAT(rows.sectors("a"), are(4, 4, 4));
  EXPECT_THAT(columns.found("a"), are(7.0 / 8, 0, 1.0 / 8));
  EXPECT_THAT(columns.sectors("a"), are(32, 4, 4));
  EXPECT_EQ(rows["a"].compulsory_bytes, columns["a"].compulsory_bytes);
}

// Each of 8 warps goes through 4 lines of its own again and again, and 12 fit.
TEST(Order, GoesOnUntilAWarpWaits) {
  const auto found = [](int back, std::optional<Cycles> latency) {
    AccessMaker maker;
    maker.array("a", "4096").block(256).grid(1).loop("time", "4", [&](AccessMaker& outer) {
      outer.loop("i", "4", [&](AccessMaker& body) {
        body.load("a", "a", "128 * (warp * 4 + i)").other("use", "fadd").after({"a"}, back, latency);
      });
    });
    return Found(maker, cached_device(1, 12 * 128, 65536)).found("a")[0];
  };
  EXPECT_DOUBLE_EQ(found(1, {}), 0);
  EXPECT_DOUBLE_EQ(found(7, {}),
                   6.0 / 16);  // of 7, 7 and 2 executions in a turn three, three and none are not the first
  EXPECT_DOUBLE_EQ(found(16, {}), 3.0 / 4);        // it waits for the first behind the last
  EXPECT_DOUBLE_EQ(found(1, Cycles{1}), 3.0 / 4);  // for something else than the result
}

TEST(Order, GoesOnForNoMoreThan64Accesses) {
  AccessMaker maker;
  maker.array("a", "4096").block(256).grid(1).loop("time", "32", [](AccessMaker& outer) {
    outer.loop("i", "4", [](AccessMaker& body) { body.load("a", "a", "128 * (warp * 4 + i)"); });
  });
  const Found found(maker, cached_device(1, 12 * 128, 65536));
  EXPECT_THAT(found.found("a"), are(60.0 / 64, 2.0 / 64, 2.0 / 64));  // in each of two turns it brings its lines anew
}

TEST(Atomics, AreMadeInTheSecondLevel) {
  AccessMaker maker;
  maker.array("sum", "4").block(32).grid(4).access("add", "global.atomic", "sum", "0", 4);
  const Found found(maker, cached_device(2, 16 * kKilo, 64 * kKilo));
  EXPECT_THAT(found.found("add"), are(0, 0.75, 0.25));  // the first finds it in the memory
  EXPECT_THAT(found.sectors("add"), are(1, 1, 0.5));    // where it is written in the end
}

// Two warps read the same eight lines, of which level 1 holds four: all of them in a turn, or one.
TEST(Turns, EndWhereAWarpAwaitsASignal) {
  const auto sectors = [](bool awaits) {
    AccessMaker maker;
    maker.array("x", "1024").block(64).grid(1).loop("i", "8", [&](AccessMaker& body) {
      body.load("read", "x", "4 * lane + 128 * i");
      if (awaits) body.other("signal", "wait").awaits();
    });
    return Found(maker, cached_device(1, 4 * 128, 64 * kKilo)).sectors("read");
  };
  EXPECT_THAT(sectors(false), are(4, 4, 2));
  EXPECT_THAT(sectors(true), are(4, 2, 2));
}

// Each of four groups, on a unit of its own, reads the same 32 words twice, in four sectors. Of two joined units one
// asks for them; the second time all have them in the first level.
TEST(JoinedUnits, AskOnceForWhatTheyReadTogether) {
  AccessMaker maker;
  maker.array("x", "128").block(32).grid(4).loop("again", "2", [](AccessMaker& body) {
    body.load("read", "x", "4 * lane");
  });
  Device device = cached_device(4, 16 * kKilo, 64 * kKilo);
  EXPECT_THAT(Found(maker, device).sectors("read"), are(4, 4 / 2.0, 4 / 8.0));
  device.memory->levels[1].joined_units = 2;
  EXPECT_THAT(Found(maker, device).sectors("read"), are(4, 4 / 4.0, 4 / 8.0));
  device.memory->levels[1].joined_units = 4;
  EXPECT_THAT(Found(maker, device).sectors("read"), are(4, 4 / 8.0, 4 / 8.0));
}

// The 32 warps of a unit read 2048 lines in a turn, twice as many as there are places for requests.
TEST(JoinedUnits, AskWarpByWarp) {
  AccessMaker maker;
  maker.array("x", "128 * 64 * 32").block(1024).grid(2).loop("i", "64", [](AccessMaker& body) {
    body.load("read", "x", "4 * lane + 128 * (64 * warp + i)");
  });
  Device device = cached_device(2, 16 * kKilo, 1024 * kKilo);
  device.memory->levels[1].joined_units = 2;
  EXPECT_THAT(Found(maker, device).sectors("read"), are(4, 4 / 2.0, 4 / 2.0));
}

TEST(JoinedUnits, ReadWhatEachReadsForItself) {
  AccessMaker maker;
  maker.array("x", "512").block(32).grid(4).access("read", "global.load", "x", "4 * (32 * group + lane)", 4);
  Device device = cached_device(4, 16 * kKilo, 64 * kKilo);
  device.memory->levels[1].joined_units = 2;
  EXPECT_THAT(Found(maker, device).sectors("read"), are(4, 4, 4));
}

// The same 32 words twice: past the unit's cache both times.
TEST(LoadsPastTheUnit, AreServedBehindIt) {
  AccessMaker maker;
  maker.array("x", "128").block(32).grid(1).loop("again", "2", [](AccessMaker& body) {
    body.load("read", "x", "4 * lane");
  });
  Kernel kernel = maker.kernel();
  kernel.instructions.front().access->past_unit = true;
  const auto found =
      levels_from_addresses(kernel, cached_device(1, 16 * kKilo, 64 * kKilo), maker.launch(), kAll).accesses.front();
  EXPECT_DOUBLE_EQ(found.levels[0].found, 0);
  EXPECT_DOUBLE_EQ(found.levels[1].found, 0.5);
  EXPECT_DOUBLE_EQ(found.levels[0].sectors, 4);
  EXPECT_DOUBLE_EQ(found.levels[1].sectors, 4);
  EXPECT_DOUBLE_EQ(found.levels[2].sectors, 2);
  EXPECT_DOUBLE_EQ(found.compulsory_bytes, 128);
}

TEST(SharedMemory, TakesOfTheFirstLevel) {
  Device device = cached_device(1, 24 * kKilo, 64 * kKilo);
  device.memory->levels[0].holds_shared_memory = true;
  device.limits.shared_memory_reserved_per_group = 1024;
  AccessMaker maker = repeated(1, 16 * kKilo, 4);
  const auto found = [&](std::int64_t shared_memory) {
    CacheLaunch launch = maker.launch();
    launch.shared_memory = shared_memory;
    return levels_from_addresses(maker.kernel(), device, launch, kAll).accesses.front().levels.front().found;
  };
  EXPECT_DOUBLE_EQ(found(7 * kKilo), 3.0 / 4);  // 16 KiB are left
  EXPECT_DOUBLE_EQ(found(8 * kKilo), 0);
  EXPECT_DOUBLE_EQ(found(64 * kKilo), 0);
}

// Nothing cut: the same as the slow reference, to the last digit.

class EachPattern : public testing::TestWithParam<Pattern> {};

void expect_equal(const Kernel& kernel, const CacheLaunch& launch, const Device& device) {
  const LevelsFromAddresses found = levels_from_addresses(kernel, device, launch, kAll);
  ASSERT_EQ(found.simulated_groups, found.groups);
  ASSERT_EQ(found.most_trips, 0);
  const Comparison comparison(kernel, found.accesses, reference_caches(kernel, device, launch));
  EXPECT_TRUE(comparison.is_equal) << comparison.differences;
  for (const AccessLevels& access : found.accesses) {
    double all = 0;
    for (const LevelTraffic& level : access.levels) all += level.share;
    EXPECT_NEAR(all, 1, 1e-12 * static_cast<double>(access.levels.size()));  // each has twelve digits
  }
}

void expect_equal(const AccessMaker& maker, const Device& device) {
  expect_equal(maker.kernel(), maker.launch(), device);
}

// Also where level 1 is the device's: a store's own transactions are in proportion to the sectors touched there.
TEST(StoresOneBehindTheOther, CountAtLevelOneWhoeverSharesIt) {
  AccessMaker maker;
  maker.array("a", "4096").block(32).grid(1).store("s0", "a", "16 * lane").store("s1", "a", "16 * lane + 4");
  Device device = kFourUnits;
  device.memory->levels.erase(device.memory->levels.begin());
  EXPECT_EQ(Found(maker, device).sectors("s1")[0], 16);
  expect_equal(maker, device);
}

// All orders of waiting, in loops, against every access counted.
TEST(StoresOneBehindTheOther, LeaveLevelOneAsEveryAccessCounted) {
  for (const int step : {4, 8, 12, 20, 36, 64}) {
    SCOPED_TRACE(step);
    AccessMaker maker;
    maker.array("a", "65536").array("b", "4096").block(64).grid(4).slots(2).other("x", "fma");
    maker.loop("i", "3", [&](AccessMaker& loop) {
      const auto at = [&](int i) {
        return "16 * (group * 64 + thread_x) + " + std::to_string(step * i) + " * (1 + i)";
      };
      loop.store("s0", "a", at(0)).store("s1", "a", at(1), 2).after({"x"}).other("y", "fma").store("s2", "a", at(2));
      loop.store("s3", "a", at(3), 8).after({"y"}).load("l", "b", "4 * thread_x").store("s4", "a", at(4));
      loop.store("s5", "a", at(0)).after({"l"}).store("s6", "a", at(1));
    });
    expect_equal(maker, cached_device(2, 512, 2048));
  }
}

// Two stores to four lines each through a second level of four lines. In each order both mark 16 sectors there, and all
// go on to the memory in the end: four per execution of either, whichever store wrote to a line last.
TEST(WriteBacks, CountForEachInstructionAsItMarkedSectors) {
  AccessMaker maker;
  maker.array("y", "1024").block(32).grid(1).loop("i", "4", [](AccessMaker& loop) {
    loop.store("a", "y", "128 * i + 4 * lane").store("b", "y", "512 + 128 * i + 4 * lane");
  });
  const Found found(maker, cached_device(1, 512, 512));
  EXPECT_THAT(found.sectors("a"), are(4, 4, 4));
  EXPECT_THAT(found.sectors("b"), are(4, 4, 4));
}

// A word of each lane fills a line of l1, which holds a single line. The line of a leaves, the line of b stays: half of
// the four sectors marked by each. Two sectors of l2, which sends them on, are one of l3, where all of it stays.
TEST(WriteBacks, OfThreadPrivateArraysAreAsManyBytesAtEachLevel) {
  AccessMaker maker;
  maker.array("own", "8", true).block(32).grid(1).store("a", "own", "0").store("b", "own", "4");
  Device device = cached_device(1, 128, 4096);
  std::vector<MemoryLevel>& levels = device.memory->levels;
  levels.insert(levels.begin() + 2, levels[1]);
  levels[0].ways = 1;
  levels[1].write = WritePolicy::Through;
  levels[2].sector_bytes = levels[3].sector_bytes = 64;
  const Found found(maker, device);
  EXPECT_THAT(found.sectors("a"), ElementsAre(4, 2, 1, 0));
  EXPECT_THAT(found.sectors("b"), ElementsAre(4, 2, 1, 0));
}

// A sample has an address for each of 32 lanes, a sector apart; the group has two threads.
TEST(Samples, OfLanesBehindTheLastThreadTakeNoPart) {
  std::vector<std::int64_t> lanes;
  for (int lane = 0; lane < 32; ++lane) lanes.push_back(32 * lane);
  AccessMaker maker;
  maker.array("a", "1024").block(2).grid(1).sampled("x", "a", 1, {lanes});
  EXPECT_THAT(Found(maker, cached_device(1, 1024, 4096)).sectors("x"), are(2, 2, 2));
}

// b writes to the places of a: it marks the sectors marked by a and gone since. Halves of sectors are read first where
// they leave.
TEST(WriteBacks, AreAsEveryAccessCountedWhereInstructionsWriteToTheSameLines) {
  for (const char* of_b : {"128 * i + 4 * lane", "128 * mod(i, 3) + 8 * lane", "64 * i + 2 * lane"}) {
    SCOPED_TRACE(of_b);
    AccessMaker maker;
    maker.array("y", "4096").block(64).grid(4).slots(2).loop("i", "6", [&](AccessMaker& loop) {
      loop.store("a", "y", "128 * i + 4 * lane + 1024 * mod(group, 2)").load("x", "y", "64 * i + 4 * lane");
      loop.store("b", "y", of_b, 2);
    });
    expect_equal(maker, cached_device(2, 512, 1024));
    expect_equal(maker, cached_device(2, 512, 2048, 2));
  }
}

/// Two dies, each with a second level of its own, a third level for both, and sectors and lines of several sizes.
Device device_of_dies() {
  Device device = cached_device(6, 8 * kKilo, 32 * kKilo);
  device.dies = 2;
  std::vector<MemoryLevel>& levels = device.memory->levels;
  levels[0].line_bytes = levels[0].sector_bytes = 64;
  levels[1].scope = LevelScope::Die;
  levels[1].sector_bytes = 128;
  levels[1].ways = 4;
  MemoryLevel third = levels[1];
  third.name = "l3";
  third.scope = LevelScope::Device;
  third.bytes = 128 * kKilo;
  third.line_bytes = 256;
  third.sector_bytes = 64;
  levels.insert(levels.begin() + 2, third);
  levels[3].sector_bytes = 64;
  return device;
}

TEST_P(EachPattern, IsAsEveryAccessCounted) {
  expect_equal(GetParam().maker, cached_device(4, 16 * kKilo, 64 * kKilo));
}
TEST_P(EachPattern, IsAsEveryAccessCountedWithParts) {
  expect_equal(GetParam().maker, cached_device(6, 8 * kKilo, 64 * kKilo, 2));
}
TEST_P(EachPattern, IsAsEveryAccessCountedOnDies) { expect_equal(GetParam().maker, device_of_dies()); }
TEST_P(EachPattern, IsAsEveryAccessCountedWithJoinedUnits) {
  Device device = device_of_dies();
  device.compute_units = 8;
  device.memory->levels[1].joined_units = 2;
  device.memory->levels[1].parts = 2;
  expect_equal(GetParam().maker, device);
  device.memory->levels[1].joined_units = 3;
  expect_equal(GetParam().maker, device);
}
TEST_P(EachPattern, IsAsEveryAccessCountedWithLoadsPastTheUnit) {
  Kernel kernel = GetParam().maker.kernel();
  for (Instruction& instruction : kernel.instructions)
    if (instruction.access && instruction.op.find("load") != std::string::npos) instruction.access->past_unit = true;
  expect_equal(kernel, GetParam().maker.launch(), cached_device(4, 16 * kKilo, 64 * kKilo));
  expect_equal(kernel, GetParam().maker.launch(), device_of_dies());
}

/// A repeated launch finds no less, and moves no more.
void expect_no_more_where_repeated(AccessMaker maker, const Device& device, const CacheEffort& effort) {
  const Found cold(maker, device, effort), warm(maker.repeated(), device, effort);
  ASSERT_EQ(cold.all().accesses.size(), warm.all().accesses.size());
  for (std::size_t i = 0; i < cold.all().accesses.size(); ++i) {
    double farther = 0;  // share of executions, warm less cold, from the memory to a level
    for (std::size_t k = cold.all().accesses[i].levels.size(); k-- > 1;) {
      const LevelTraffic &once = cold.all().accesses[i].levels[k], &again = warm.all().accesses[i].levels[k];
      EXPECT_LE(again.sectors, once.sectors) << i << " at level " << k;
      EXPECT_LE(farther += again.share - once.share, 1e-12) << i << " at level " << k;
    }
  }
}

TEST_P(EachPattern, MovesNoMoreWhereTheLaunchIsRepeated) {
  for (const double lines : {1e15, 5000.})
    for (Device device :
         {cached_device(4, 16 * kKilo, 64 * kKilo), device_of_dies(), cached_device(2, 4096, 1 << 20)}) {
      expect_no_more_where_repeated(GetParam().maker, device, {lines});
      device.memory->levels[1].dirty_bytes = 16 * kKilo;
      expect_no_more_where_repeated(GetParam().maker, device, {lines});
    }
}

/// Under the sanitizers every fourth: all of them go through the same code.
std::vector<Pattern> patterns_drawn() {
  std::vector<Pattern> drawn;
  const auto all = patterns();
  for (std::size_t i = 0; i < all.size(); i += kSanitized ? 4 : 1) drawn.push_back(all[i]);
  return drawn;
}

INSTANTIATE_TEST_SUITE_P(Levels, EachPattern, testing::ValuesIn(patterns_drawn()),
                         [](const auto& pattern) { return pattern.param.name; });

// Some groups and trips stand for all.

class EachLargePattern : public testing::TestWithParam<Pattern> {};

TEST_P(EachLargePattern, IsWithinThreePointsOfTheWholeLaunch) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  const AccessMaker& maker = GetParam().maker;
  const Device device = cached_device(4, 16 * kKilo, 128 * kKilo, 2);
  const Found all(maker, device), some(maker, device, {60000});
  EXPECT_TRUE(some.all().simulated_groups < some.all().groups || some.all().most_trips > 0);
  ASSERT_EQ(some.all().accesses.size(), all.all().accesses.size());
  EXPECT_NEAR(some.compulsory_bytes(), all.compulsory_bytes(), 0.1 * all.compulsory_bytes());
  for (std::size_t i = 0; i < all.all().accesses.size(); ++i) {
    const AccessLevels &expected = all.all().accesses[i], &access = some.all().accesses[i];
    EXPECT_NEAR(access.executions, expected.executions, 1e-6 * expected.executions);
    for (std::size_t k = 0; k < expected.levels.size(); ++k) {
      EXPECT_NEAR(access.levels[k].found, expected.levels[k].found, 0.03) << i << " at level " << k;
      EXPECT_NEAR(access.levels[k].share, expected.levels[k].share, 0.03) << i << " at level " << k;
      EXPECT_NEAR(access.levels[k].sectors, expected.levels[k].sectors, 0.03 * expected.levels[0].sectors)
          << i << " at level " << k;
    }
  }
}

// b fits the second level beside the other accesses: all waves but the first find it there, wherever the parts begin.
TEST(Effort, OfTwoPartsOnlyOneFindsTheCachesEmpty) {
  const Found found(tiled_product(1024).slots(6), cached_device(84, 64 * kKilo, 32768 * kKilo), CacheEffort());
  ASSERT_LT(found.all().simulated_groups, found.all().groups);
  EXPECT_NEAR(found["b"].levels[2].bytes, 4.0 * 1024 * 1024, 0.05 * 4 * 1024 * 1024);
  EXPECT_NEAR(found["a"].levels[2].bytes, 4.0 * 1024 * 1024, 0.05 * 4 * 1024 * 1024);
}

// 32 of 1024 groups go round 20,000 times, all further groups never: the simulated part is not the middle of the
// launch, where there is no work, and so not all of the launch either.
TEST(Effort, IsThatOfTheGroupsThatWork) {
  GroupKinds kinds;
  kinds.of_group = std::vector<GroupKinds::Run>{{0, 32}, {1, 992}};
  AccessMaker maker;
  maker.kinds(kinds).block(32).grid(1024).slots(2).array("a", "1024 * 32 * 20000 * 4");
  maker.when("kind < 1", [](AccessMaker& body) {
    body.loop("l", "20000", [](AccessMaker& loop) { loop.load("x", "a", "(group * 32 + lane) * 80000 + l * 4"); });
  });
  const CacheEffort effort{20000};
  const Found found(maker, cached_device(4, 16 * kKilo, 128 * kKilo), effort);
  EXPECT_LT(found.all().lines, 8 * effort.lines);  // two orders, of two parts of two waves
  EXPECT_NEAR(found["x"].executions, 32 * 20000, 1e-3 * 32 * 20000);
}

// Each lane reads one of 2048 sectors, all held by the second level; 16,384 executions of 32. Some groups touch most of
// them for the first time, the whole launch no more than there are.
TEST(Effort, TouchesNoMoreOfAnArrayThanItHas) {
  AccessMaker maker;
  maker.block(32).grid(16384).slots(4).array("a", "65536");
  maker.load("x", "a", "32 * mod(617 * lane + 1291 * group, 2048)");
  const Device device = cached_device(4, kKilo, 128 * kKilo);
  const Found all(maker, device), some(maker, device, {4000});
  ASSERT_LT(some.all().simulated_groups, some.all().groups);
  EXPECT_NEAR(all["x"].levels[2].sectors, 2048. / 16384, 1e-6);
  EXPECT_NEAR(some["x"].levels[2].sectors, all["x"].levels[2].sectors, 0.3);
  EXPECT_NEAR(some["x"].levels[2].found, all["x"].levels[2].found, 0.3);
  EXPECT_DOUBLE_EQ(some["x"].compulsory_bytes, 65536);
  EXPECT_NEAR(some["x"].levels[0].share + some["x"].levels[1].share + some["x"].levels[2].share, 1, 1e-9);
}

// The same from a cache that holds three quarters of the sectors, before a memory with sectors twice as large.
TEST(Effort, ReadsAllOfAnArrayFromAMemoryWithLargerSectors) {
  AccessMaker maker;
  maker.block(32).grid(16384).slots(4).array("a", "65536");
  maker.load("x", "a", "32 * mod(617 * lane + 1291 * group + 7 * group * lane, 2048)");
  Device device = cached_device(4, kKilo, 48 * kKilo);
  device.memory->levels.back().sector_bytes = 64;
  const Found all(maker, device), some(maker, device, {8000});
  ASSERT_LT(some.all().simulated_groups, some.all().groups);
  EXPECT_EQ(all["x"].compulsory_memory_bytes, 65536);
  EXPECT_EQ(some["x"].compulsory_memory_bytes, 65536);
  EXPECT_GT(some["x"].levels[2].bytes, 65536);
  EXPECT_NEAR(some["x"].levels[2].bytes, all["x"].levels[2].bytes, 0.5 * all["x"].levels[2].bytes);
}

TEST(Effort, OfAMatrixProductIsAtMostSomeMillionLinesHoweverLargeItIs) {
  Device device = cached_device(84, 124 * kKilo, 6144 * kKilo);
  for (const std::int64_t n : {1024, 4096, 16384})
    for (AccessMaker maker : {tiled_product(n), naive_product(n)}) {
      const Found found(maker.slots(6), device, CacheEffort());
      EXPECT_LT(found.all().lines, 2.5 * CacheEffort().lines) << n;
    }
}

// Two waves of 4 groups on 8 of 64 units; all other units do the same with other sectors.
TEST(Effort, OfFewUnitsIsEnoughWhereNoSectorComesTwice) {
  const AccessMaker maker = streaming(1 << 20).slots(4);
  const Device device = cached_device(64, 16 * kKilo, 128 * kKilo, 2);
  const Found all(maker, device), some(maker, device, {20000});
  EXPECT_EQ(some.all().simulated_groups, 2 * 4 * 8);
  for (const char* id : {"x", "y", "s"}) {
    EXPECT_EQ(some[id].executions, all[id].executions) << id;
    EXPECT_EQ(some.shares(id), all.shares(id)) << id;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(some.sectors(id)[k], all.sectors(id)[k], 1e-3) << id << k;
  }
}

// Every group reads the same as the group half a launch behind it. Groups close together do not show it.
TEST(Effort, OfFewUnitsIsNotEnoughWhereGroupsFarApartReadTheSame) {
  AccessMaker maker;
  maker.block(256).grid(4096).slots(4).array("x", "2048 * 1024");
  maker.load("x", "x", "4 * (mod(group, 2048) * 256 + thread_x)");
  const Found some(maker, cached_device(64, 16 * kKilo, 128 * kKilo, 2), {20000});
  EXPECT_GE(some.all().simulated_groups, 2 * 4 * 64);
}

/// 64 groups of a warp, each walking through a row of 65,536 bytes.
AccessMaker walk_through_rows(std::int64_t bytes_per_trip) {
  AccessMaker maker;
  maker.block(32).grid(64).slots(2).array("a", "64 * 65536");
  maker.loop("l", fmt::format("65536 / {}", bytes_per_trip),
             [&](AccessMaker& body) { body.load("x", "a", fmt::format("group * 65536 + {} * l", bytes_per_trip), 1); });
  return maker;
}

// 4 units of 2 groups: two parts of two waves look up 32 lines a trip. 64 trips of 4096 show the same as 16.
TEST(Effort, OfTripsIsEnoughWhereFourTimesAsManyShowNothingNew) {
  const Found found(walk_through_rows(16), cached_device(4, 16 * kKilo, 128 * kKilo), {40 * 1024});
  EXPECT_EQ(found.all().most_trips, 64);
  EXPECT_EQ(found.all().effort, 40 * 64);
  EXPECT_NEAR(found["x"].levels[2].found, 0.5, 0.01);  // of 16 of 32 bytes
}

// Neither the third and fourth trip nor the ninth to the 16th come to another sector, but later trips do.
TEST(Effort, OfTripsIsNotEnoughBeforeTheyHaveWalkedThroughALine) {
  const Found found(walk_through_rows(1), cached_device(4, 16 * kKilo, 128 * kKilo), {40 * 256});
  EXPECT_EQ(found.all().most_trips, 256);
  EXPECT_NEAR(found["x"].levels[2].found, 1.0 / 32, 0.005);
}

// Each lap of 520 lines comes back to the lines of the previous lap, lost by the 512 lines of l1: few trips of both
// loops would find them there.
TEST(Effort, OfTripsIsAllWhereLoopsWithinEachOtherAreCut) {
  AccessMaker maker;
  maker.block(1).grid(1).slots(1).array("a", "520 * 128");
  maker.loop("lap", "1000", [](AccessMaker& laps) {
    laps.loop("line", "520", [](AccessMaker& body) { body.load("x", "a", "128 * line"); });
  });
  const Found found(maker, cached_device(1, 64 * kKilo, 1024 * kKilo), {400000});
  EXPECT_EQ(found.all().most_trips, 512);
}

// The address begins anew after 100 trips: the trips after the first 16 do not follow from them.
TEST(Effort, OfTripsIsAllWhereAddressesDoNotGoEvenly) {
  AccessMaker maker;
  maker.block(32).grid(64).slots(2).array("a", "64 * 65536");
  maker.loop("l", "4096", [&](AccessMaker& body) { body.load("x", "a", "group * 65536 + 128 * mod(l, 100)", 1); });
  const Found found(maker, cached_device(4, 64 * kKilo, 128 * kKilo), {40 * 1024});
  EXPECT_EQ(found.all().most_trips, 1024);
  EXPECT_LT(found["x"].levels[2].found, 0.1);  // the first hundred of 4096 trips
}

std::vector<Pattern> large_patterns() {
  std::vector<Pattern> patterns{{"streaming", streaming(1 << 20)},
                                {"stencil", stencil(1024)},
                                {"naive_product", naive_product(256)},
                                {"tiled_product", tiled_product(512)},
                                {"naive_transpose", naive_transpose(1024)},
                                {"tiled_transpose", tiled_transpose(1024)},
                                {"strided", strided(1 << 20, 6)},
                                {"broadcast", broadcast(2048)},
                                {"reduction", reduction(1 << 22, 64)},
                                {"gather", gather(1 << 17, 20000)},
                                {"shifted_gather", shifted_gather(1 << 20, 1252)},
                                {"thread_private", thread_private(2000, 40)},
                                {"a_set_that_fits", repeated(512, 8192, 20)},
                                {"a_set_just_too_large", repeated(64, 20480, 16)},
                                {"a_set_too_large_for_the_second_level", repeated(64, 262144, 2)},
                                {"along_rows", along_rows(2048)},
                                {"along_columns", along_columns(2048)},
                                {"histogram", histogram(1 << 20, 1000)},
                                {"bytewise", bytewise(1 << 22)}};
  for (Pattern& pattern : patterns) pattern.maker.slots(4);
  return patterns;
}

std::vector<Pattern> large_patterns_drawn() {
  const auto all = large_patterns();
  std::vector<Pattern> drawn;
  for (const std::size_t i : drawn_cases("large patterns", all.size())) drawn.push_back(all[i]);
  return drawn;
}

INSTANTIATE_TEST_SUITE_P(Levels, EachLargePattern, testing::ValuesIn(large_patterns_drawn()),
                         [](const auto& pattern) { return pattern.param.name; });

}  // namespace
}  // namespace warpipe
