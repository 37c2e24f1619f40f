// Kernels whose groups differ, against executing every group by itself.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "cuda_cases.hpp"
#include "every_group.hpp"
#include "kinds_cases.hpp"
#include "small_ptx.hpp"
#include "support/folders.hpp"
#include "support/sanitizers.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// The largest deviation in the number of any op that matters, as a share.
double furthest_op(const IssuedByGroups& made, const IssuedByGroups& executed) {
  double furthest = 0;
  for (const auto& [op, count] : executed.ops) {
    if (count < 0.005 * executed.all()) continue;
    const auto found = made.ops.find(op);
    furthest = std::max(furthest, std::abs((found == made.ops.end() ? 0 : found->second) / count - 1));
  }
  return furthest;
}

class GroupKinds : public ::testing::TestWithParam<KindsCase> {};

TEST_P(GroupKinds, IssueWhatEveryGroupIssuesByItself) {
  const auto made = ptx::import_ptx(kinds_module(), GetParam().options);
  const auto kernel = issued_by(made.kernel);
  const auto executed = execute_every_group(kinds_module(), GetParam().options);
  ASSERT_EQ(kernel.groups.size(), executed.groups.size());
  EXPECT_NEAR(kernel.all() / executed.all(), 1, 0.01);
  EXPECT_LE(furthest_op(kernel, executed), 0.01);
  if (GetParam().exact) {
    EXPECT_EQ(kernel.groups, executed.groups);
  }
  EXPECT_DOUBLE_EQ(issued(made), executed.all());
}

// From the PTX to the engine: all units issue the kernel's instructions, and N groups of one unit their share.
TEST_P(GroupKinds, AreSimulatedWithAllThatTheyIssue) {
  if (kSanitized) GTEST_SKIP() << "half a minute of it; the other tests import the same kernels";
  const Kernel kernel = ptx::import_ptx(kinds_module(), GetParam().options).kernel;
  const auto path = in_sources("latency_tables/data/gtx1060.json");
  Device device = read_device_json(read_text_file(path), path);
  // A unit with a group or two cannot stand for all of them, and says so (OneUnit in the study's tests).
  const auto groups = kernel.launch.groups->evaluate_whole({}, 1);
  device.compute_units = std::clamp<std::int64_t>(groups / 8, 1, device.compute_units);
  const auto predicted = [&](Units units) {
    LaunchOptions options;
    options.units = units;
    return predict(kernel, device, options);
  };
  const double executed = execute_every_group(kinds_module(), GetParam().options).all();
  EXPECT_NEAR(static_cast<double>(predicted(Units::All).instructions_issued) / executed, 1, 0.01);
  const Prediction one = predicted(Units::One);
  const double share = static_cast<double>(one.launch.groups_per_unit) / static_cast<double>(one.launch.groups.value);
  EXPECT_NEAR(static_cast<double>(one.instructions_issued) / (executed * share), 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Cases, GroupKinds, ::testing::ValuesIn(kinds_cases()),
                         [](const auto& one) { return one.param.name; });

/// The form of the kernel for which the bound below was set, without later rules.
ptx::ImportOptions form_of_the_bound(ptx::ImportOptions options) {
  options.lowering.without.insert(
      {"three-inputs", "predicate-logic", "scaled-addresses", "starting-values", "balanced-sums"});
  return options;
}

// The work of a group is the triangle of its tokens, the same in every head: the rest of a head is 0.3 % at most.
TEST(GroupKindsOfLargeLaunches, TakeTimesLikeThoseOfNeighbouringGrids) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  const auto path = in_sources("latency_tables/data/a100.json");
  const Device device = read_device_json(read_text_file(path), path);
  std::vector<double> times;
  for (std::int64_t groups = 12284; groups < 12293; ++groups)
    times.push_back(
        predict(ptx::import_ptx(kinds_module(), form_of_the_bound(causal(groups))).kernel, device, {}).time.count /
        static_cast<double>(groups));
  EXPECT_LT(std::ranges::max(times) / std::ranges::min(times), 1.03);
}

TEST(GroupKindsOfLargeLaunches, OfTheCausalKernelGrowByAGroupAtATime) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  // 1024 tokens in groups of 8 rows: the same 128 groups again and again, whatever the number of groups.
  const auto of_a_head = execute_every_group(kinds_module(), causal(128)).all();
  double before = 0;
  for (std::int64_t groups = 12284; groups < 12293; ++groups) {
    const auto made = ptx::import_ptx(kinds_module(), causal(groups));
    EXPECT_LT(made.report.survey.looked_at, 2000U);
    EXPECT_FALSE(made.report.survey.sampled);
    const auto all = issued_by(made.kernel).all();
    EXPECT_NEAR(all / (of_a_head * static_cast<double>(groups) / 128), 1, 0.01) << groups;
    if (before > 0) {
      EXPECT_GT(all, before) << groups;
      EXPECT_LT(all, before + 2 * of_a_head / 128) << groups;
    }
    before = all;
  }
}

TEST(GroupKindsOfLargeLaunches, AreOfFewGroupsWhereOneTakesLong) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  // From where its group begins, x = 5 x + 1 comes back after all 2^18 numbers of 18 bits: four instructions a round,
  // in two warps.
  const std::string body =
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; and.b32 %r2, %r1, 262143; mov.u32 %r3, %r2;"
      "L: mad.lo.u32 %r3, %r3, 5, 1; and.b32 %r3, %r3, 262143; setp.ne.u32 %p1, %r3, %r2; @%p1 bra L;"
      "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3], %f1; ret;";
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  options.launch.grid = {2000, 1, 1};
  const auto made = import(body, options);
  EXPECT_THAT(made.report.notes, Contains(AllOf(HasSubstr("a group takes 2097"), HasSubstr("of 2000 groups"))));
  EXPECT_DOUBLE_EQ(executed(made, "compare"), 2000.0 * 2 * 262144);
  EXPECT_DOUBLE_EQ(executed(made, "global.load"), 2000 * 2);
}

TEST(GroupKindsOfLargeLaunches, OfATriangleIssueWhatItsGroupsDoWithinAPerCent) {
  // Of 1024 x 1024 groups, groups on and below the diagonal make a trip more for each step away from it. The
  // instructions of a group are linear in its steps: three groups tell the sum of all.
  const auto options = launch("triangle_of_groups", {64, 1, 1}, {1024, 1024, 1}, {{"0", "65536"}});
  auto few = options;
  few.launch.grid = {2, 2, 1};
  const auto executed = execute_every_group(kinds_module(), few).groups;
  const auto above = executed[1], once = executed[0], step = executed[2] - executed[0];
  double all = above * 1023 * 512;
  for (double away = 0; away < 1024; ++away) all += (once + step * away) * (1024 - away);
  const auto made = ptx::import_ptx(kinds_module(), options);
  EXPECT_TRUE(made.report.survey.sampled);
  EXPECT_NEAR(issued_by(made.kernel).all() / all, 1, 0.01);
}

TEST(GroupKindsOfLargeLaunches, OfATreeIssueWhatItsFewLargeNodesDo) {
  // The trips of group g are the lowest bit of g + 1: of 2^20 groups each of twenty sizes of nodes makes 2^19 trips,
  // and a single group 2^20.
  const std::string body =
      "mov.u32 %r1, %ctaid.x; add.u32 %r1, %r1, 1; neg.s32 %r2, %r1; and.b32 %r1, %r1, %r2;"
      "L: sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L; ret;";
  auto options = one_warp();
  options.launch.grid = {1 << 20, 1, 1};
  const auto made = import(body, options);
  EXPECT_TRUE(made.report.survey.sampled);
  EXPECT_NEAR(executed(made, "branch") / (20. * (1 << 19) + (1 << 20)), 1, 0.01);
}

/// A picture of the Mandelbrot set: the trips of each thread end by arithmetic, in no order over the grid.
struct Picture {
  int width, height, block_x, block_y, most;

  ptx::Import imported() const {
    const auto number = [](const char* format, int of) { return fmt::format(fmt::runtime(format), of); };
    const std::string body =
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;"
        "mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ntid.y; mov.u32 %r4, %tid.y; mad.lo.u32 %r2, %r2, %r3, %r4;"
        "cvt.rn.f32.u32 %f1, %r1; mul.rn.f32 %f1, %f1, 0f40400000;" +
        number("cvt.rn.f32.u32 %f2, {};", width) + "div.rn.f32 %f1, %f1, %f2; add.rn.f32 %f1, %f1, 0fC0000000;" +
        "cvt.rn.f32.u32 %f2, %r2; add.rn.f32 %f2, %f2, %f2;" + number("cvt.rn.f32.u32 %f3, {};", height) +
        "div.rn.f32 %f2, %f2, %f3; add.rn.f32 %f2, %f2, 0fBF800000;"
        "mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000; mov.u32 %r3, 0;"
        "L: mul.rn.f32 %f5, %f3, %f3; mul.rn.f32 %f6, %f4, %f4; sub.rn.f32 %f5, %f5, %f6; add.rn.f32 %f5, %f5, %f1;"
        "mul.rn.f32 %f4, %f3, %f4; add.rn.f32 %f4, %f4, %f4; add.rn.f32 %f4, %f4, %f2; mov.f32 %f3, %f5;"
        "mul.rn.f32 %f5, %f3, %f3; mul.rn.f32 %f6, %f4, %f4; add.rn.f32 %f5, %f5, %f6; add.u32 %r3, %r3, 1;"
        "setp.gt.f32 %p1, %f5, 0f40800000; @%p1 bra END;" +
        number("setp.lt.u32 %p2, %r3, {}; @%p2 bra L;", most) + "\nEND: ret;";
    auto options = one_warp();
    options.launch.block = {block_x, block_y, 1};
    options.launch.grid = {width / block_x, height / block_y, 1};
    return import(body, options);
  }

  /// Of a pixel.
  int trips(int x, int y) const {
    const auto re = static_cast<float>(x) * 3.0F / static_cast<float>(width) + -2.0F;
    const auto im = 2.0F * static_cast<float>(y) / static_cast<float>(height) + -1.0F;
    float a = 0, b = 0;
    for (int trip = 1;; ++trip) {
      const float next = a * a - b * b + re;
      b = 2 * (a * b) + im;
      a = next;
      if (a * a + b * b > 4 || trip == most) return trip;
    }
  }

  /// Of all warps, each as many as of its longest thread.
  double trips_of_warps() const {
    constexpr int kLanes = 32;
    double sum = 0;
    for (int y = 0; y < height; y += block_y)
      for (int x = 0; x < width; x += block_x)
        for (int first = 0; first < block_x * block_y; first += kLanes) {
          int longest = 0;
          for (int thread = first; thread < first + kLanes; ++thread)
            longest = std::max(longest, trips(x + thread % block_x, y + thread / block_x));
          sum += longest;
        }
    return sum;
  }
};

// Two standard deviations: an error in twenty may be larger, and a large error is rare.
TEST(GroupKindsOfLargeLaunches, InNoOrderIssueWhatTheyDoWithinTheShareSaid) {
  if (kSanitized) GTEST_SKIP() << "a minute of it";
  int pictures = 0, within = 0;
  double squares = 0;
  for (const auto& [block_x, block_y] : {std::pair(32, 8), std::pair(16, 16), std::pair(8, 32)})
    for (const int size : {512, 768, 1024, 1280, 1536}) {
      const Picture picture{size, 2048 - size, block_x, block_y, 128};
      const auto made = picture.imported();
      const auto& survey = made.report.survey;
      ASSERT_TRUE(survey.sampled) << size;
      ASSERT_EQ(made.report.entered_loops.size(), 1U);
      const auto off = made.report.entered_loops.front().iterations.sum / picture.trips_of_warps() - 1;
      ++pictures;
      within += std::abs(off) <= survey.uncertain ? 1 : 0;
      squares += off * off;
      EXPECT_LT(survey.uncertain, 0.08) << "few groups would be enough for a wider range";
      ASSERT_TRUE(made.kernel.kinds);
      EXPECT_EQ(made.kernel.kinds->uncertain, survey.uncertain);
      EXPECT_THAT(made.report.notes, Contains(HasSubstr("two standard deviations")));
    }
  EXPECT_GE(within, pictures - 1);
  EXPECT_LT(std::sqrt(squares / pictures), 0.035);
}

// n = 0 leaves every thread at its guard, and n = 10 lets ten through; a kernel that writes nothing on purpose is
// silent.
TEST(IdleLaunches, SayThatNoThreadWrites) {
  const auto notes_of = [](const std::string& n, const std::string& last) {
    auto options = one_warp();
    options.launch.grid = {4, 1, 1};
    options.launch.arguments["n"] = n;
    return import(
               "ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra END;"
               "ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; " +
                   last + "\nEND: ret;",
               options)
        .report.notes;
  };
  const char* const store = "st.global.u32 [%rd1], %r2;";
  EXPECT_THAT(notes_of("0", store), Contains(HasSubstr("none comes to any of the 1 stores and atomics")));
  EXPECT_THAT(notes_of("10", store), Not(Contains(HasSubstr("no thread of the launch writes"))));
  EXPECT_THAT(notes_of("0", "ld.global.u32 %r3, [%rd1];"), Not(Contains(HasSubstr("no thread of the launch writes"))));
}

TEST(GroupKindsOfLargeLaunches, AreToldByArithmeticHoweverManyGroupsThereAre) {
  // n = 2^34 + 7: of 2^31 - 1 groups of 32 threads the first 2^29 store, the next group in seven lanes.
  const std::string body =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd1, %r2, 32; cvt.u64.u32 %rd2, %r1;"
      "add.u64 %rd1, %rd1, %rd2; setp.ge.u64 %p1, %rd1, 17179869191; @%p1 bra END;"
      "ld.param.u64 %rd3, [p]; shl.b64 %rd1, %rd1, 2; add.u64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r1;\nEND: ret;";
  auto options = one_warp();
  options.launch.grid = {2'147'483'647, 1, 1};
  const auto made = import(body, options);
  const auto& survey = made.report.survey;
  EXPECT_TRUE(survey.by_arithmetic);
  EXPECT_FALSE(survey.sampled);
  EXPECT_LE(survey.looked_at, 4U);
  EXPECT_DOUBLE_EQ(executed(made, "global.store"), (1 << 29) + 1);
}

// Of 8192 groups, twice as many as the statistics look at, only the last has 13 bits in its number, and stores to its
// array: no draw would meet it. A number of bits is no form, so all groups' control is executed.
TEST(GroupKindsOfLargeLaunches, HaveTheAddressesOfASingleGroupThatDiffers) {
  auto options = one_warp();
  options.launch.grid = {8192, 1, 1};
  const auto made = import(
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; popc.b32 %r3, %r1; ld.param.u64 %rd1, [p];"
      "mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; setp.ne.u32 %p1, %r3, 13; @%p1 bra REST; bar.sync 0;"
      "st.global.u32 [%rd3+4096], %r3;\nREST: ld.global.f32 %f1, [%rd3]; add.f32 %f1, %f1, %f1;"
      "st.global.f32 [%rd3], %f1; ret;",
      options);
  EXPECT_FALSE(made.report.survey.by_arithmetic);
  EXPECT_DOUBLE_EQ(executed(made, "global.store"), 8193);
  for (const auto& instruction : made.kernel.instructions) {
    if (instruction.op != "global.store") continue;
    ASSERT_TRUE(instruction.access) << instruction.text;
    EXPECT_TRUE(std::holds_alternative<AccessPattern::Addressed>(instruction.access->lanes)) << instruction.text;
  }
}

TEST(GroupKindsOfLargeLaunches, OfRaggedRowsIssueWhatTheirRowsDoWithinAPerCent) {
  const auto options = ragged(400'000, 40);
  const auto made = ptx::import_ptx(kinds_module(), options);
  EXPECT_TRUE(made.report.survey.sampled);
  // Two loads for a row's ends, and three (a, its column, x) for each begun 32 elements.
  const auto loads = [](const ptx::ImportOptions& of) {
    const auto& begins = of.launch.arrays.at("1").values;
    double sum = 0;
    for (std::size_t row = 0; row + 1 < begins.size(); ++row)
      sum += 2 + 3 * std::ceil((begins[row + 1] - begins[row]) / 32);
    return sum;
  };
  EXPECT_NEAR(issued_by(made.kernel).ops.at("global.load") / loads(options), 1, 0.01);
  const auto few = ragged(400, 40);
  EXPECT_DOUBLE_EQ(execute_every_group(kinds_module(), few).ops.at("global.load"), loads(few));
}

TEST(CompulsoryBytes, AreThoseOfTheArraysThatALaunchReachesOnce) {
  const auto compulsory = [](const std::string& file, const ptx::ImportOptions& options) {
    return ptx::import_ptx(cuda_module("sm_80", file), options).kernel.work.compulsory_bytes.value().evaluate({});
  };
  // x is read, y is read and written: 4 bytes each of 2^24.
  EXPECT_DOUBLE_EQ(compulsory("saxpy", launch("saxpy", {256, 1, 1}, {65536, 1, 1}, {{"0", "16777216"}})),
                   3 * 4 * 16777216.0);
  // A and B are read, C is written: each row of A by 64 groups, each column of B by 64 more.
  EXPECT_DOUBLE_EQ(compulsory("mmul", launch("mmul16", {16, 16, 1}, {64, 64, 1}, {{"0", "1024"}})),
                   3 * 4 * 1024.0 * 1024);
  // Its stores reach 8 bytes of a sector each; 8 rows later the rest.
  EXPECT_DOUBLE_EQ(compulsory("transpose", launch("transpose_naive", {32, 8, 1}, {32, 32, 1}, {{"0", "1024"}})),
                   2 * 4 * 1024.0 * 1024);
  // Three loops over the same rows.
  EXPECT_DOUBLE_EQ(compulsory("softmax", launch("softmax", {256, 1, 1}, {1024, 1, 1}, {{"0", "4096"}})),
                   2 * 4 * 4096.0 * 1024);
  // More sectors than are kept, and loops represented by 8 passes.
  EXPECT_NEAR(
      compulsory("mmul", launch("mmul_naive", {16, 16, 1}, {512, 512, 1}, {{"0", "8192"}})) / (3 * 4 * 8192.0 * 8192),
      1, 0.01);
}

TEST(CompulsoryBytes, AreAtMostTheBytesThatAreMoved) {
  for (const auto& one : cuda_cases()) {
    const auto work = ptx::import_ptx(cuda_module("sm_80", one.file), one.options).kernel.work;
    EXPECT_LE(work.compulsory_bytes.value().evaluate({}), work.bytes.value().evaluate({})) << one.name;
    EXPECT_GT(work.compulsory_bytes.value().evaluate({}), 0) << one.name;
  }
}

TEST(GroupKinds, AnAccessThatSomeKindsDoNotMakeHasTransactionsAllTheSame) {
  // Rows of 1024: right of the diagonal there is one store, elsewhere a load and a second store.
  auto options = one_warp();
  options.launch.grid = {4096, 1, 1};
  const auto made = import(
      "mov.u32 %r1, %ctaid.x; shl.b32 %r1, %r1, 5; mov.u32 %r2, %tid.x; add.u32 %r1, %r1, %r2; and.b32 %r3, %r1, 1023;"
      "shr.u32 %r4, %r1, 10; ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
      "setp.gt.u32 %p1, %r3, %r4; @%p1 bra ABOVE; ld.global.f32 %f1, [%rd3+67108864]; st.global.f32 [%rd3], %f1; ret;"
      "ABOVE: mov.f32 %f2, 0f00000000; st.global.f32 [%rd3], %f2; ret;",
      options);
  ASSERT_TRUE(made.kernel.kinds);
  std::size_t columns = 0;
  for (const auto& [name, column] : made.kernel.kinds->values) {
    if (!name.starts_with("segments_")) continue;
    ++columns;
    for (const auto& of_kind : column) EXPECT_THAT(of_kind, ::testing::Each(::testing::Ge(1)));
  }
  EXPECT_GT(columns, 0U);
}

// 40 sides of branches on data, more than the kinds of passes allowed. The 32 kinds standing for them issue as many of
// each of eight operations, five sides each, to within half of a 32nd of the passes for each side.
TEST(MixedPasses, IssueAsMuchAsAllThatTheyStandFor) {
  const std::vector<std::string> names{"ex2", "lg2", "sin", "cos", "rcp", "sqrt", "rsqrt", "tanh"};
  std::string body = "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, 0; mov.f32 %f1, 0f3F800000;\nL:\n";
  auto options = one_warp();
  options.launch.block = {1, 1, 1};
  options.launch.arguments["n"] = "600";
  constexpr std::size_t kSides = 40;
  for (std::size_t i = 0; i < kSides; ++i) {
    const auto label = "S" + std::to_string(i);
    body += "ld.global.u32 %r5, [%rd1+" + std::to_string(4 * i) + "]; setp.gt.s32 %p1, %r5, 7; @%p1 bra " + label +
            ";\n" + names[i % names.size()] + ".approx.ftz.f32 %f2, %f1; st.global.f32 [%rd1+64], %f2;\n" + label +
            ":\n";
    options.launch.taken[label] = 0.1 + 0.02 * static_cast<double>(i);
  }
  const auto made = import(body + "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L; ret;", options);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("differ too much to be written out")));
  const auto issued = issued_by(made.kernel).ops;
  for (const auto& [op, count] : made.report.executions)
    EXPECT_NEAR(issued.contains(op) ? issued.at(op) : 0, count, 600.0 * 5 / 2 / 32) << op;
}

}  // namespace
}  // namespace warpipe::test
