// Thread-private and shared memory after a warp's stores, against memory of the host.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "lane_machine.hpp"
#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;

/// The words of lanes' arrays behind a kernel, as `tell`s tell them.
std::string tell_words(const std::string& space, const std::string& base, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += fmt::format("ld.{}.u32 %r20, [{}+{}]; ", space, base, 4 * i) + tell("%r20");
  return text;
}

/// Sorts eight numbers of each lane in its own memory, by insertion: where they go decides how often loops run.
TEST(LaneMemory, LanesSortWhatTheyStored) {
  const auto told = lanes_tell(
      "mov.u64 %d0, buffer; mov.u32 %r1, %r38; mov.u32 %r2, 0;\n"
      "FILL: mad.lo.u32 %r1, %r1, 1664525, 1013904223; shr.u32 %r3, %r1, 20; mad.wide.u32 %d1, %r2, 4, %d0;\n"
      "st.local.u32 [%d1], %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra FILL;\n"
      "mov.u32 %r2, 1;\n"
      "OUTER: mad.wide.u32 %d1, %r2, 4, %d0; ld.local.u32 %r4, [%d1]; mov.u32 %r5, %r2;\n"
      "INNER: setp.eq.u32 %p1, %r5, 0; @%p1 bra PLACE; ld.local.u32 %r6, [%d1+-4]; setp.le.u32 %p1, %r6, %r4;\n"
      "@%p1 bra PLACE; st.local.u32 [%d1], %r6; sub.u32 %r5, %r5, 1; sub.u64 %d1, %d1, 4; bra INNER;\n"
      "PLACE: st.local.u32 [%d1], %r4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra OUTER;\n" +
          tell_words("local", "%d0", 8),
      {}, ".local .align 4 .b8 buffer[32];\n");
  ASSERT_EQ(told.size(), 8U);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::array<std::uint32_t, 8> numbers{};
    auto seed = lane;
    for (auto& number : numbers) number = (seed = seed * 1664525 + 1013904223) >> 20;
    std::ranges::sort(numbers);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(told[i][lane], numbers[i]) << lane << " " << i;
  }
}

/// Sums of squares up to each lane, in shared memory.
std::string scan(const std::string& wait, const std::string& space, const std::string& address) {
  return fmt::format(
      "mov.u32 %r1, %r38; mul.lo.u32 %r2, %r1, %r1; {0} mad.wide.u32 %d1, %r1, 4, %d0;\n"
      "st.{1}.u32 [%d1], %r2; {2} mov.u32 %r3, 1;\n"
      "LOOP: mov.u32 %r4, 0; setp.ge.u32 %p1, %r1, %r3; sub.u32 %r5, %r1, %r3; mad.wide.s32 %d2, %r5, 4, %d0;\n"
      "@%p1 ld.{1}.u32 %r4, [%d2]; {2} add.u32 %r2, %r2, %r4; st.{1}.u32 [%d1], %r2; {2}\n"
      "shl.b32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 32; @%p2 bra LOOP;\n"
      "ld.{1}.u32 %r20, [%d1]; ",
      address, space, wait);
}

TEST(LaneMemory, LanesReadWhatOthersOfTheWarpStored) {
  const std::string shared = ".shared .align 4 .b32 line[32];\n";
  for (const std::string wait : {"bar.warp.sync -1;", "bar.sync 0;", "membar.cta;"})
    for (const bool generic : {false, true}) {
      const auto told =
          lanes_tell(scan(wait, generic ? "cta" : "shared",
                          generic ? "mov.u64 %d3, line; cvta.shared.u64 %d0, %d3;" : "mov.u64 %d0, line;") +
                         tell("%r20"),
                     {}, shared);
      ASSERT_EQ(told.size(), 1U);
      std::uint64_t sum = 0;
      for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(told[0][lane], sum += lane * lane) << wait << lane;
    }
}

/// Stores and loads of all widths at random places, some under guards, against bytes of the host.
TEST(LaneMemory, BytesAreThoseOfTheLastStore) {
  std::mt19937_64 random(3);
  for (int kernel = 0; kernel < 12; ++kernel) {
    std::vector<LaneNumbers> inputs(4);
    std::string body =
        "mov.u64 %d20, mine; mov.u64 %d21, ours; mad.wide.u32 %d21, %r38, 64, %d21; cvta.local.u64 %d22, %d20;";
    body += " cvta.shared.u64 %d23, %d21; and.b32 %r1, %r38, 5; setp.eq.u32 %p1, %r1, 4;\n";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (auto& number : inputs[i]) number = random();
      body += input(i, static_cast<int>(i + 1));
    }
    // By lane and memory.
    std::array<std::array<std::array<std::uint8_t, 64>, 2>, 32> bytes{};
    std::vector<LaneNumbers> expected;
    for (const bool shared : {false, true})
      for (int i = 0; i < 64; i += 8) {
        body += fmt::format("st.{}.b64 [%d{}+{}], %d1; ", shared ? "shared" : "local", shared ? 21 : 20, i);
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (int b = 0; b < 8; ++b)
            bytes[lane][shared][static_cast<std::size_t>(i + b)] =
                static_cast<std::uint8_t>(inputs[0][lane] >> (8 * b));
      }
    for (int step = 0; step < 60; ++step) {
      const auto width = std::size_t{1} << (random() % 4), place = random() % (64 / width) * width;
      const auto shared = random() % 2, generic = random() % 2, from = random() % inputs.size();
      const auto where = fmt::format("{}{}{} [%d{}+{}]",
                                     generic  ? ""
                                     : shared ? ".shared"
                                              : ".local",
                                     ".b", width * 8, 20 + shared + 2 * generic, place);
      if (random() % 2 == 0) {
        const bool guarded = random() % 3 == 0;
        body += fmt::format("{}st{}, %d{};\n", guarded ? "@%p1 " : "", where, from + 1);
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (std::size_t b = 0; b < width && (!guarded || (lane & 5) == 4); ++b)
            bytes[lane][shared][place + b] = static_cast<std::uint8_t>(inputs[from][lane] >> (8 * b));
      } else {
        const auto space = where.find(' ');
        body += fmt::format("ld{} %d10,{}; {}\n", where.substr(0, space), where.substr(space), tell("%d10"));
        LaneNumbers low{}, high{};
        for (std::size_t lane = 0; lane < 32; ++lane) {
          std::uint64_t value = 0;
          for (std::size_t b = 0; b < width; ++b) value |= std::uint64_t{bytes[lane][shared][place + b]} << (8 * b);
          low[lane] = value & 0xffffffff;
          high[lane] = value >> 32;
        }
        expected.push_back(low);
        expected.push_back(high);
      }
    }
    const auto told = lanes_tell(body, inputs, ".local .align 8 .b8 mine[64];\n.shared .align 8 .b8 ours[2048];\n");
    ASSERT_EQ(told.size(), expected.size());
    for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], expected[i]) << kernel << " " << i;
  }
}

TEST(LaneMemory, VectorsAreNeighboursAndNarrowLoadsAreWidened) {
  const auto told = lanes_tell(
      "mov.u64 %d0, buffer; mov.u32 %r1, -2; st.local.v4.u32 [%d0], {%r38, %r1, 7, 0x80}; st.local.v2.b8 [%d0+16], "
      "{%r38, "
      "%r1};\n"
      "ld.local.v2.u32 {%r2, %r3}, [%d0+4]; ld.local.s8 %r4, [%d0+12]; ld.local.u8 %r5, [%d0+12]; ld.local.b16 %r6, "
      "[%d0+16]; " +
          tell("%r2") + tell("%r3") + tell("%r4") + tell("%r5") + tell("%r6"),
      {}, ".local .align 16 .b8 buffer[32];\n");
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[0][9], 0xfffffffeU);
  EXPECT_EQ(told[1][9], 7U);
  EXPECT_EQ(told[2][9], 0xffffff80U);
  EXPECT_EQ(told[3][9], 0x80U);
  EXPECT_EQ(told[4][9], 0xfe09U);
}

/// A loop that only rewrites the same values is closed; a loop that counts in memory is executed.
TEST(LaneMemory, LoopsCountInMemory) {
  for (const int trips : {1, 2, 3, 7, 100}) {
    const auto told = lanes_tell(
        fmt::format(
            "mov.u64 %d0, buffer; st.local.u32 [%d0], 0; st.local.u32 [%d0+4], 5; mov.u32 %r1, 0;\n"
            "LOOP: ld.local.u32 %r2, [%d0]; ld.local.u32 %r3, [%d0+4]; add.u32 %r2, %r2, %r3; st.local.u32 [%d0], "
            "%r2; st.local.u32 [%d0+4], 5; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; @%p1 bra LOOP;\n",
            trips) +
            tell_words("local", "%d0", 2) +
            fmt::format(
                "mov.u32 %r1, 0; NEXT: st.local.u32 [%d0], %r1; ld.local.u32 %r2, [%d0]; st.local.u32 [%d0+8], %r2; "
                "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; @%p1 bra NEXT;\n",
                trips) +
            tell_words("local", "%d0", 3),
        {}, ".local .align 4 .b8 buffer[16];\n");
    ASSERT_EQ(told.size(), 5U);
    EXPECT_EQ(told[0][3], 5U * static_cast<unsigned>(trips));
    EXPECT_EQ(told[1][3], 5U);
    EXPECT_EQ(told[2][3], static_cast<unsigned>(trips) - 1);
    EXPECT_EQ(told[4][3], static_cast<unsigned>(trips) - 1);
  }
  // A table of squares, a place in each iteration, and a loop over it.
  const auto told = lanes_tell(
      "mov.u64 %d0, buffer; mov.u32 %r1, 0;\n"
      "LOOP: mul.lo.u32 %r2, %r1, %r1; mad.wide.u32 %d1, %r1, 4, %d0; st.local.u32 [%d1], %r2; add.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p1, %r1, 50; @%p1 bra LOOP; mov.u32 %r1, 0; mov.u32 %r3, 0;\n"
      "SUM: mad.wide.u32 %d1, %r1, 4, %d0; ld.local.u32 %r2, [%d1]; add.u32 %r3, %r3, %r2; add.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p1, %r1, 50; @%p1 bra SUM; " +
          tell("%r3"),
      {}, ".local .align 4 .b8 buffer[200];\n");
  EXPECT_EQ(told[0][0], 49U * 50 * 99 / 6);
}

/// Whether control depending on a load of a stored 3 is known; the shared array is `tile`.
bool is_followed(const std::string& between, int threads = 32, const std::string& load = "ld.shared.u32") {
  auto options = one_warp();
  options.launch.block = {threads, 1, 1};
  const auto body = "mov.u32 %r1, %tid.x; mov.u64 %rd1, tile; ld.param.u64 %rd9, [p]; st.shared.u32 [%rd1], 3;\n" +
                    between + load + " %r2, [%rd1]; setp.ne.u32 %p1, %r2, 3; @%p1 bra E; bar.sync 0; E: ret;";
  try {
    EXPECT_EQ(executed(import(body, options), "barrier"),
              (threads + 31) / 32 * (1 + (between.starts_with("bar.sync") ? 1 : 0)));
    return true;
  } catch (const InputError& error) {
    EXPECT_THAT(to_string(error.diagnostics().front()), HasSubstr("a branch depends on data"));
    return false;
  }
}

TEST(LaneMemory, WhatOthersMayHaveWrittenIsNotKnown) {
  EXPECT_TRUE(is_followed(""));
  EXPECT_TRUE(is_followed("", 64));
  EXPECT_TRUE(is_followed("bar.warp.sync -1; ", 64));
  EXPECT_TRUE(is_followed("st.shared.u32 [%rd1+4], %r1; ", 64));
  EXPECT_TRUE(is_followed("bar.sync 0; "));
  EXPECT_FALSE(is_followed("bar.sync 0; ", 64));
  EXPECT_FALSE(is_followed("membar.cta; ", 64));
  EXPECT_TRUE(is_followed("membar.cta; "));
  EXPECT_FALSE(is_followed("", 64, "ld.volatile.shared.u32"));
  EXPECT_FALSE(is_followed("", 64, "ld.acquire.cta.shared.u32"));
  EXPECT_TRUE(is_followed("", 32, "ld.volatile.shared.u32"));
  EXPECT_FALSE(is_followed("atom.shared.add.u32 %r3, [%rd1], 1; "));
  EXPECT_TRUE(is_followed("atom.shared.add.u32 %r3, [%rd1+4], 1; "));
  EXPECT_FALSE(is_followed("cp.async.ca.shared.global [%rd1], [%rd9], 4; "));
  // Lanes that store different numbers, and unknown numbers, here or under a guard.
  EXPECT_FALSE(is_followed("st.shared.u32 [%rd1], %r1; "));
  EXPECT_FALSE(is_followed("ld.global.u32 %r3, [%rd9]; st.shared.u32 [%rd1], %r3; "));
  EXPECT_FALSE(is_followed("ld.global.u32 %r3, [%rd9]; setp.eq.u32 %p2, %r3, 0; @%p2 st.shared.u32 [%rd1], 3; "));
  EXPECT_FALSE(is_followed("st.shared.u8 [%rd1+3], %r1; "));
}

TEST(LaneMemory, AGuardThatNobodyKnowsHidesALoad) {
  const std::string body =
      "ld.param.u64 %rd9, [p]; ld.global.u32 %r3, [%rd9]; setp.eq.u32 %p2, %r3, 0; mov.u64 %rd1, tile; st.shared.u32 "
      "[%rd1], "
      "3; mov.u32 %r2, 3; @%p2 ld.shared.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 3; @%p1 bra E; bar.sync 0; E: ret;";
  EXPECT_THAT(message_of([&] { import(body); }), HasSubstr("a branch depends on data"));
}

/// Addresses by stored numbers differ from group to group, like the numbers.
TEST(LaneMemory, AddressesByStoredNumbersDifferByGroup) {
  auto options = one_warp();
  options.launch.grid = {8, 1, 1};
  const auto made = import(
      "mov.u32 %r1, %ctaid.x; mov.u64 %rd1, tile; st.shared.u32 [%rd1], %r1; ld.shared.u32 %r2, [%rd1]; setp.lt.u32 "
      "%p1, "
      "%r2, 3; @!%p1 bra E; bar.sync 0; E: ret;",
      options);
  EXPECT_EQ(executed(made, "barrier"), 3);
}

}  // namespace
}  // namespace warpipe::test
