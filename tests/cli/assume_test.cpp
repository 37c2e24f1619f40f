// One message for all data missing from an import, and the assumptions stated by --assume.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <iterator>
#include <sstream>

#include "program.hpp"
#include "support/sanitizers.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A row of a sparse matrix per thread, between two loaded numbers.
constexpr const char* kSparse = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry rows(.param .u32 n, .param .u64 p)
{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2; setp.ge.s32 %p1, %r5, %r1; @%p1 bra END;
mul.wide.s32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r6, [%rd3]; ld.global.u32 %r7, [%rd3+8];
ROW: mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r8, [%rd5]; nanosleep.u32 8;
add.s32 %r6, %r6, 1; setp.lt.s32 %p3, %r6, %r7; @%p3 bra ROW; st.global.u32 [%rd3], %r8;
END: ret; }
)";

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(Assume, OneMessageEndsInACommandThatWorks) {
  const Workplace place(Files{{"rows.ptx", kSparse}});
  const auto asked = place.run({"simulate", "rows.ptx", "--device", "a100"});
  EXPECT_EQ(asked.status, 3);
  EXPECT_THAT(asked.err, AllOf(HasSubstr("--block: it is missing"), HasSubstr("--grid: it is missing"),
                               HasSubstr("--arg n=VALUE"), HasSubstr("--trip ROW=N"), HasSubstr("--address p=random")));
  auto words = words_of(asked.err.substr(asked.err.rfind("warpipe simulate")));
  words.erase(words.begin());
  const auto said = place.run(words);
  EXPECT_EQ(said.status, 0);
  EXPECT_THAT(said.out, Not(HasSubstr("Assumed")));

  const auto assumed = place.run({"simulate", "rows.ptx", "--device", "a100", "--assume"});
  EXPECT_EQ(assumed.status, 0);
  // The same cycles and all numbers derived from them, and then the assumptions.
  const auto cycles = said.out.find("  cycles ");
  EXPECT_THAT(assumed.out, HasSubstr(said.out.substr(cycles, said.out.find("Launch ") - cycles)));
  EXPECT_THAT(assumed.out,
              AllOf(HasSubstr("Assumed"), HasSubstr("--trip ROW=16"), HasSubstr("8: -"), HasSubstr("--arg n=262144")));
}

/// The last lines of a call without --assume, run as they stand.
Outcome run_hint(const Workplace& place, const Words& call) {
  const auto asked = place.run(call);
  EXPECT_EQ(asked.status, 3) << asked.err;
  auto words = words_of(asked.err.substr(asked.err.rfind("warpipe simulate")));
  words.erase(words.begin());
  return place.run(words);
}

constexpr const char* kShared = R"(.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 more[];
.visible .entry rows(.param .u64 p)
{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .shared .align 4 .b8 tile[256];
ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r3, [%rd3];
)";

// 64 threads, 8 bytes each.
TEST(Assume, TheCommandSaysHowLargeSharedMemoryIs) {
  const Workplace place(
      Files{{"k.ptx", std::string(kShared) + "mov.u32 %r4, more; mad.lo.u32 %r4, %r2, 8, %r4; st.shared.v2.u32 [%r4], "
                                             "{%r3, %r3}; st.global.u32 [%rd3], %r3; ret; }"}});
  const Words call{"simulate", "k.ptx", "--device", "a100", "--block", "64", "--grid", "8"};
  EXPECT_THAT(place.run(call).err, HasSubstr("--dynamic-shared-memory 512"));
  const auto said = run_hint(place, call);
  EXPECT_EQ(said.status, 0) << said.err;
}

TEST(Assume, TheCommandRunsWhereDataAreAnIndexIntoSharedMemory) {
  for (const std::string array : {"tile", "more"})
    for (const std::string index : {"%r3", "%r5"}) {
      const Workplace place(
          Files{{"k.ptx", std::string(kShared) + "mov.u32 %r4, " + array +
                              "; mad.lo.u32 %r6, %r2, 4, %r4; st.shared.u32 [%r6], %r3; bar.sync 0;\n"
                              "ld.shared.u32 %r5, [%r6]; mad.lo.u32 %r7, " +
                              index +
                              ", 4, %r4; ld.shared.u32 %r8, [%r7]; setp.lt.u32 %p1, %r8, 7; @%p1 bra END;\n"
                              "st.global.u32 [%rd3], %r8; END: ret; }"}});
      const auto said = run_hint(place, {"simulate", "k.ptx", "--device", "a100", "--block", "64", "--grid", "8"});
      EXPECT_EQ(said.status, 0) << array << index << said.err;
    }
}

// Twice as many rows are the same, as no thread has them; half are fewer.
// Two groups for each unit: where n is half as large, every second group leaves at once.
TEST(Assume, ValuesGoOnUntilTheTimeMoves) {
  const Workplace place(Files{{"rows.ptx", kSparse}});
  const auto outcome =
      place.run({"simulate", "rows.ptx", "--device", "a100", "--assume", "--block", "256", "--grid", "216"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto assumed = outcome.out.substr(outcome.out.rfind("Assumed"));
  EXPECT_THAT(assumed, AllOf(HasSubstr("--arg n=55296"), HasSubstr("27648: -"), HasSubstr("56623104: the same")));
  EXPECT_THAT(assumed, AllOf(Not(HasSubstr("+0.0 %")), Not(HasSubstr("-0.0 %"))));
}

TEST(Assume, TheTimeIsARangeWhereTripsAreGuessed) {
  const Workplace place(Files{{"rows.ptx", kSparse}});
  const auto guessed = place.run({"simulate", "rows.ptx", "--device", "a100", "--assume", "--grid", "64"});
  EXPECT_THAT(guessed.out, HasSubstr(", by trips and branches that are guessed; with those below "));
  const auto said =
      place.run({"simulate", "rows.ptx", "--device", "a100", "--assume", "--grid", "64", "--trip", "ROW=16"});
  EXPECT_THAT(said.out, Not(HasSubstr("guessed")));
}

// 1024 x 8 warps x 16 trips.
TEST(Assume, JsonTellsWhatWasAssumedAndLeftOut) {
  if (kSanitized) GTEST_SKIP() << "half a minute of the same simulations as above";
  const Workplace place(Files{{"rows.ptx", kSparse}});
  const auto outcome = place.run({"simulate", "rows.ptx", "--device", "a100", "--assume", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result.at("left_out").at("executions").at("nanosleep.u32"), 1024 * 8 * 16);
  EXPECT_GT(result.at("left_out").at("share"), 0.05);
  double before = 1e9;
  const auto between = result.at("time_by_guesses_s");
  EXPECT_LT(between.at(0), result.at("time_s"));
  EXPECT_GT(between.at(1), result.at("time_s"));
  ASSERT_EQ(result.at("assumptions").size(), 5U);
  for (const auto& one : result.at("assumptions")) {
    ASSERT_THAT(one.at("others"), Not(IsEmpty()));
    double most = 0;
    for (const auto& other : one.at("others")) {
      const double change = other.at("change");
      EXPECT_NEAR(change, other.at("time_s").get<double>() / result.at("time_s").get<double>() - 1, 1e-9);
      most = std::max(most, std::abs(change));
    }
    EXPECT_LE(most, before);
    before = most;
  }
}

TEST(Assume, NothingIsShownWhereAllIsKnown) {
  const Workplace place(Files{{"rows.ptx", kSparse}});
  const auto outcome =
      place.run({"simulate", "rows.ptx", "--device", "a100", "--assume", "--block", "256", "--grid", "8", "--arg",
                 "n=2048", "--trip", "ROW=2", "--address", "p=coalesced:4096", "--unknown", "nanosleep:iadd"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(Not(HasSubstr("Assumed")), Not(HasSubstr("Left out"))));
}

TEST(Assume, TritonsMetadataGiveBlockAndSharedMemory) {
  const Workplace place(
      Files{{"triton.ptx", kSparse}, {"triton.json", R"({"num_warps": 4, "shared": 1024, "name": "rows",
                           "target": {"backend": "cuda", "arch": 80, "warp_size": 32}})"}});
  Words words{"simulate", "triton.ptx", "--device", "a100", "--assume", "--grid", "8"};
  const auto found = place.run(words);
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.err, AllOf(HasSubstr("128x1x1, from num_warps of triton.json, is taken"),
                               HasSubstr("1024 bytes, from shared of triton.json")));
  EXPECT_THAT(found.out, Not(HasSubstr("--block")));
  // Metadata of another kernel are ignored; a file named in the call must hold metadata of this kernel.
  place.write("triton.json", R"({"num_warps": 4, "shared": 1024, "name": "other"})");
  EXPECT_THAT(place.run(words).out, HasSubstr("--block 256"));
  words.insert(words.end(), {"--metadata", "triton.json"});
  const auto other = place.run(words);
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("it is no metadata of Triton of \"rows\""));
}

}  // namespace
}  // namespace warpipe::test
