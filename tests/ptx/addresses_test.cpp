// Where the accesses of imported kernels are: as a person would write it, and as executing every iteration shows.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

#include "cuda_cases.hpp"
#include "every_address.hpp"
#include "kinds_cases.hpp"
#include "small_ptx.hpp"
#include "support/sanitizers.hpp"

namespace warpipe::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = ptx::AddressReport::Kind;

// ---- as a person would write it

ptx::Import import_cuda(const std::string& file, const std::string& entry, const ptx::Dimensions& block,
                        const ptx::Dimensions& grid, std::map<std::string, std::string> arguments,
                        std::vector<std::string> names, std::int64_t shared_memory = 0) {
  ptx::ImportOptions options;
  options.entry = entry;
  options.launch.block = block;
  options.launch.grid = grid;
  options.launch.arguments = std::move(arguments);
  options.launch.dynamic_shared_memory = shared_memory;
  options.parameter_names = std::move(names);
  return ptx::import_ptx(cuda_module("sm_80", file), options);
}

/// A launch of one group.
ptx::Import import_text(const std::string& text, std::int64_t threads) {
  ptx::ImportOptions options;
  options.launch.block = {threads, 1, 1};
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
}

/// The addresses of a kernel's accesses as texts, in the order of the PTX: "A: 4 * k" and so on.
std::vector<std::string> texts(const ptx::Import& import) {
  std::vector<std::string> texts;
  for (const auto& access : import.report.accesses)
    texts.insert(texts.end(), access.address.texts.begin(), access.address.texts.end());
  return texts;
}

TEST(Addresses, OfTheNaiveProductAreARowAndAColumn) {
  const auto made = import_cuda("mmul", "mmul_naive", {16, 16, 1}, {64, 64, 1}, {{"n", "1024"}}, {"n", "A", "B", "C"});
  EXPECT_THAT(texts(made), ElementsAre("B: 4 * (16 * group_x + thread_x + 1024 * loop_L__BB0_2)",
                                       "A: 4 * (1024 * (16 * group_y + thread_y) + loop_L__BB0_2)",
                                       "C: 4 * (1024 * (16 * group_y + thread_y) + 16 * group_x + thread_x)"));
  const auto& launch = made.kernel.launch;
  EXPECT_THAT(launch.block, ElementsAre(Expression(16), Expression(16)));
  EXPECT_THAT(launch.grid, ElementsAre(Expression(64), Expression(64)));
  for (const Array& array : made.kernel.arrays)
    EXPECT_EQ(array, (Array{array.name, Expression(4 * 1024 * 1024), false}));
}

TEST(Addresses, OfTheTiledProductGoOnByATile) {
  const auto made = import_cuda("mmul", "mmul16", {16, 16, 1}, {64, 64, 1}, {{"n", "1024"}}, {"n", "A", "B", "C"});
  EXPECT_THAT(texts(made), ElementsAre("A: 4 * (1024 * (16 * group_y + thread_y) + thread_x + 16 * loop_L__BB2_2)",
                                       "B: 4 * (1024 * thread_y + 16 * group_x + thread_x + 16384 * loop_L__BB2_2)",
                                       "C: 4 * (1024 * (16 * group_y + thread_y) + 16 * group_x + thread_x)"));
}

TEST(Addresses, OfTheVectorisedProductTakeTheThreadApart) {
  // Row threadIdx.x / 4 of the tile of A, its column 4 (threadIdx.x % 4): rows of 16 threads lie 2048 x 4 bytes apart.
  const auto made =
      import_cuda("mmul", "mmul_vectorised", {16, 16, 1}, {32, 32, 1}, {{"n", "2048"}}, {"n", "A", "B", "C"});
  const auto found = texts(made);
  ASSERT_THAT(found, SizeIs(6));
  EXPECT_EQ(found[0],
            "A: 16 * (2048 * (16 * group_y + thread_y) + 512 * floor(thread_x / 4) + mod(thread_x, 4) + 4 * "
            "loop_L__BB4_3)");
  EXPECT_EQ(found[1], "B: 16 * (512 * thread_y + 16 * group_x + thread_x + 8192 * loop_L__BB4_3)");
}

TEST(Addresses, OfTheTransposeTurnTheGroups) {
  const auto made =
      import_cuda("transpose", "transpose_padded_1", {32, 32, 1}, {32, 32, 1}, {{"n", "1024"}}, {"n", "in", "out"});
  EXPECT_THAT(texts(made), ElementsAre("in: 4 * (1024 * (32 * group_y + thread_y) + 32 * group_x + thread_x)",
                                       "out: 4 * (32 * group_y + 1024 * thread_y + 32768 * group_x + thread_x)"));
}

TEST(Addresses, OfTheStencilAreItsFivePoints) {
  const auto made = import_cuda("stencil", "stencil_2d", {32, 8, 1}, {33, 130, 1},
                                {{"width", "1050"}, {"height", "1037"}}, {"width", "height", "in", "out"});
  const std::string centre = "4 * (1050 * (8 * group_y + thread_y) + 32 * group_x + thread_x";
  EXPECT_THAT(texts(made),
              ElementsAre("in: " + centre + ")", "in: " + centre + " + 1)", "in: " + centre + " - 1)",
                          "in: " + centre + " - 1050)", "in: " + centre + " + 1050)", "out: " + centre + ")"));
  EXPECT_EQ(made.kernel.arrays[0].bytes, Expression(4 * 1050 * 1037));
  // The threads beyond the right border would reach the next row: threads of one group in 33, not 1050 / 32 of its
  // lanes.
  for (const auto& access : made.report.accesses) EXPECT_LT(access.address.idle, 0.02);
}

TEST(Addresses, OfOneElementPerThreadAndOfAGridStride) {
  const auto plain = import_cuda("saxpy", "saxpy", {256, 1, 1}, {4096, 1, 1}, {{"n", "1048500"}}, {"n", "a", "x", "y"});
  const std::string index = "4 * (256 * group_x + thread_x";
  EXPECT_THAT(texts(plain), ElementsAre("x: " + index + ")", "y: " + index + ")", "y: " + index + ")"));
  EXPECT_EQ(plain.kernel.arrays[0].bytes, Expression(4 * 1048500));  // no lane beyond it takes part
  const auto looped =
      import_cuda("saxpy", "saxpy_grid_stride", {256, 1, 1}, {100, 1, 1}, {{"n", "1048500"}}, {"n", "a", "x", "y"});
  const std::string at = index + " + 25600 * loop_L__BB1_2)";
  EXPECT_THAT(texts(looped), ElementsAre("x: " + at, "y: " + at, "y: " + at));
}

TEST(Addresses, OfAReductionAreOnePerThreadThenOnePerGroup) {
  for (const char* entry : {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"}) {
    const auto made = import_cuda("reduction", entry, {256, 1, 1}, {4096, 1, 1}, {}, {"in", "out"}, 1024);
    EXPECT_THAT(texts(made), ElementsAre("in: 4 * (256 * group_x + thread_x)", "out: 4 * group_x")) << entry;
    EXPECT_EQ(made.kernel.arrays[1].bytes, Expression(4 * 4096)) << entry;
  }
}

TEST(Addresses, OfBodiesAreTheGroupsOwnAndAllInTurn) {
  const auto made = import_cuda("nbody", "nbody", {256, 1, 1}, {64, 1, 1}, {{"n", "16384"}},
                                {"n", "softening", "bodies", "acceleration"});
  EXPECT_THAT(texts(made),
              ElementsAre("bodies: 16 * (256 * group_x + thread_x)", "bodies: 16 * (thread_x + 256 * loop_L__BB0_2)",
                          "acceleration: 16 * (256 * group_x + thread_x)"));
}

TEST(Addresses, OfTheHistogramAreDataAndBins) {
  ptx::ImportOptions options;
  options.entry = "histogram";
  options.launch.block = {256, 1, 1};
  options.launch.grid = {64, 1, 1};
  options.launch.arguments = {{"n", "1000000"}};
  options.launch.arrays["data"].uniform = 256;
  options.parameter_names = {"n", "data", "bins"};
  const auto made = ptx::import_ptx(cuda_module("sm_80", "histogram"), options);
  EXPECT_THAT(texts(made),
              ElementsAre("data: 4 * (256 * group_x + thread_x + 16384 * loop_L__BB0_2)", "bins: 4 * thread_x"));
}

// ---- as executing every iteration shows

/// Groups of a launch whose addresses are looked at: the first, the last, and some between.
std::vector<std::int64_t> some_groups(const ptx::Dimensions& grid) {
  const auto count = grid[0] * grid[1] * grid[2];
  const std::set<std::int64_t> groups{0, 1 % count, count / 3, count / 2, count - 1};
  return {groups.begin(), groups.end()};
}

/// Compares every execution by the warps of some groups, of all accesses with expressions.
/// @return the number of executions compared
std::size_t expect_executed_addresses(const ptx::Module& module, const ptx::ImportOptions& options,
                                      const std::string& name) {
  const auto made = ptx::import_ptx(module, options);
  std::set<std::uint32_t> lines;
  for (const auto& access : made.report.accesses)
    if (access.address.kind == Kind::Formula) lines.insert(access.line);
  const auto groups = some_groups(options.launch.grid);
  const auto executed = executed_addresses(module, options, groups);
  std::size_t compared = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t warp = 0; warp < executed[g].size(); ++warp) {
      const auto stated = stated_addresses(made.kernel, groups[g], static_cast<std::int64_t>(warp));
      for (const auto& [line, all] : executed[g][warp]) {
        if (!lines.contains(line)) continue;
        const auto found = stated.find(line);
        const auto count = found == stated.end() ? 0 : found->second.size();
        EXPECT_EQ(count, all.size()) << name << ", line " << line << ", group " << groups[g] << ", warp " << warp;
        if (count != all.size()) return compared;
        for (std::size_t i = 0; i < count; ++i, ++compared)
          for (std::size_t lane = 0; lane < all[i].size(); ++lane) {
            if (all[i][lane] == AccessPattern::kNotActive || all[i][lane] == found->second[i][lane]) continue;
            ADD_FAILURE() << name << ", line " << line << ", group " << groups[g] << ", warp " << warp << ", lane "
                          << lane << ", execution " << i << ": " << found->second[i][lane] << " for " << all[i][lane];
            return compared;
          }
      }
    }
  return compared;
}

class CudaAddresses : public ::testing::TestWithParam<CudaCase> {};

TEST_P(CudaAddresses, AreThoseOfEveryExecution) {
  for (const char* architecture : {"sm_80", "clang14"}) {
    auto options = GetParam().options;
    if (architecture == std::string("clang14") && GetParam().entry == "bitonic_step")
      options.launch.taken = {{"LBB0_3", options.launch.taken.begin()->second}};
    EXPECT_GT(expect_executed_addresses(cuda_module(architecture, GetParam().file), options, architecture), 0U);
  }
}

TEST_P(CudaAddresses, AllHaveExpressions) {
  const auto made = ptx::import_ptx(cuda_module("sm_80", GetParam().file), GetParam().options);
  for (const auto& access : made.report.accesses)
    if (access.op.starts_with("global.")) {
      EXPECT_EQ(access.address.kind, Kind::Formula) << access.source << ": " << access.address.why;
    }
}

std::string name_of(const ::testing::TestParamInfo<CudaCase>& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CudaAddresses, ::testing::ValuesIn(cuda_cases()), name_of);

class KindsAddresses : public ::testing::TestWithParam<KindsCase> {};

TEST_P(KindsAddresses, AreThoseOfEveryExecution) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  if (!GetParam().exact) return;  // other passes stand for passes of its loop
  EXPECT_GT(expect_executed_addresses(kinds_module(), GetParam().options, GetParam().name), 0U);
}

TEST(KindsOfAddresses, ThatFollowNoRuleAreThoseThatDataOrRoundingDecides) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  // Columns of ragged rows and the elements behind them; leaves of a tree in the order of its nodes.
  std::set<std::string> sampled;
  for (const auto& one : kinds_cases())
    for (const auto& access : ptx::import_ptx(kinds_module(), one.options).report.accesses) {
      if (!access.op.starts_with("global.")) continue;
      EXPECT_NE(access.address.kind, Kind::NotFound) << one.name;
      if (access.address.kind == Kind::Sampled) sampled.insert(fmt::format("{} {}", one.name, access.line));
    }
  EXPECT_THAT(sampled, ElementsAre("RaggedRows 712", "RaggedRows 715", "RaggedRows 716", "Tree 823"));
}

INSTANTIATE_TEST_SUITE_P(Cases, KindsAddresses, ::testing::ValuesIn(kinds_cases()),
                         [](const auto& one) { return one.param.name; });

/// PTX of two nested loops whose addresses are sums of all values that an address may depend on, each times a random
/// factor. Pointers go on from iteration to iteration; some lanes and some iterations are left out.
class RandomKernel {
 public:
  explicit RandomKernel(unsigned seed) : random_(seed) {
    static const std::vector<ptx::Dimensions> kBlocks{{64, 1, 1}, {16, 8, 1}, {8, 4, 2}, {24, 5, 1}, {40, 1, 1}};
    static const std::vector<ptx::Dimensions> kGrids{{9, 1, 1}, {5, 4, 1}, {3, 2, 4}, {40, 1, 1}, {1, 1, 1}};
    options_.entry = "k";
    options_.launch.block = kBlocks[below(kBlocks.size())];
    options_.launch.grid = kGrids[below(kGrids.size())];
    options_.launch.arguments["n"] = "10";
  }

  const ptx::ImportOptions& options() const { return options_; }

  std::string text() {
    line("ld.param.u64 %rd1, [p];");
    line("add.s64 %rd1, %rd1, 1048576;");
    const char* specials[] = {"%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z"};
    for (const char* special : specials) {
      line(fmt::format("mov.u32 %r1, {};", special));
      if (special == specials[0]) line("mov.u32 %r9, %r1;");
      if (below(4) == 0) line(fmt::format("shr.u32 %r1, %r1, {};", 1 + below(2)));
      if (below(4) == 0) line("and.b32 %r1, %r1, 3;");
      add_times(factor());
    }
    const auto outer = 1 + below(6), inner = 1 + below(9);
    const bool guarded = below(2) == 0, skips = below(3) == 0;
    line("mov.u32 %r2, 0;");
    line("OUTER:");
    line("mov.u64 %rd4, %rd1;");
    line("mov.u32 %r3, 0;");
    line("INNER:");
    if (guarded) line(fmt::format("setp.ge.u32 %p1, %r9, {};\n@%p1 bra LEFT_OUT;", 3 + below(20)));
    if (skips) line(fmt::format("setp.eq.u32 %p2, %r3, {};\n@%p2 bra LEFT_OUT;", below(4)));
    line("mov.u64 %rd5, %rd4;");
    line(fmt::format("mul.wide.u32 %rd6, %r2, {};", 4 * below(100)));
    line("add.s64 %rd5, %rd5, %rd6;");
    line("ld.global.u32 %r5, [%rd5];");
    line(fmt::format("st.global.u32 [%rd5+{}], %r5;", 4 * below(50)));
    line("LEFT_OUT:");
    line(fmt::format("add.s64 %rd4, %rd4, {};", factor()));
    line("add.u32 %r3, %r3, 1;");
    line(fmt::format("setp.lt.u32 %p3, %r3, {};", inner));
    line("@%p3 bra INNER;");
    line(fmt::format("add.s64 %rd1, %rd1, {};", factor()));
    line("add.u32 %r2, %r2, 1;");
    line(fmt::format("setp.lt.u32 %p4, %r2, {};", outer));
    line("@%p4 bra OUTER;");
    line("ret;");
    return entry_with(text_);
  }

 private:
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  std::int64_t factor() { return 4 * (static_cast<std::int64_t>(below(200)) - 60); }
  void line(const std::string& text) { text_ += text + "\n"; }

  void add_times(std::int64_t factor) {
    line(fmt::format("mul.wide.s32 %rd2, %r1, {};", factor));
    line("add.s64 %rd1, %rd1, %rd2;");
  }

  std::mt19937 random_;
  ptx::ImportOptions options_;
  std::string text_;
};

TEST(RandomAddresses, AreThoseOfEveryExecution) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomKernel kernel(seed);
    const auto module = ptx::read_ptx(kernel.text(), "random.ptx");
    const auto name = fmt::format("seed {}", seed);
    EXPECT_GT(expect_executed_addresses(module, kernel.options(), name), 0U) << name;
    for (const auto& access : ptx::import_ptx(module, kernel.options()).report.accesses)
      EXPECT_EQ(access.address.kind, Kind::Formula) << name << ": " << access.address.why;
  }
}

// ---- addresses without a rule, and unknown addresses

const ptx::AddressReport& address_of(const ptx::Import& import, const std::string& name) {
  const auto found = std::ranges::find(import.report.accesses, name, &ptx::AccessReport::name);
  return found->address;
}

const std::string kGather =
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r3, %r1, 64, %r2;\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.u32 %r4, [%rd4];\nmul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.f32 %f1, "
    "[%rd6];\nst.global.f32 [%rd6], %f1;\nret;";

/// Element p[i] of q, for thread i of `groups` groups of 64 threads.
ptx::Import gather(std::int64_t groups, const isa::ArrayValues& values) {
  ptx::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.grid = {groups, 1, 1};
  options.launch.arrays["p"] = values;
  auto text = entry_with(kGather);
  const std::string parameters = ".param .u64 p)";
  text.replace(text.find(parameters), parameters.size(), ".param .u64 p, .param .u64 q)");
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
}

const AccessPattern::Sampled& samples_of(const ptx::Import& import) {
  for (const Instruction& instruction : import.kernel.instructions)
    if (instruction.access && std::holds_alternative<AccessPattern::Sampled>(instruction.access->lanes))
      return std::get<AccessPattern::Sampled>(instruction.access->lanes);
  throw std::runtime_error("no samples");
}

TEST(SampledAddresses, OfASmallLaunchAreAllOfThem) {
  isa::ArrayValues values;
  for (int i = 0; i < 3 * 64; ++i) values.values.push_back(i * i % 1000);
  const auto made = gather(3, values);
  EXPECT_EQ(address_of(made, "ld.global.f32").kind, Kind::Sampled);
  const auto& sampled = samples_of(made);
  EXPECT_EQ(made.kernel.arrays[sampled.array].name, "q");
  EXPECT_EQ(sampled.executions_per_warp, 1);
  EXPECT_EQ(sampled.shift_bytes, 0);
  ASSERT_THAT(sampled.executions, SizeIs(6));
  for (int i = 0; i < 3 * 64; ++i)
    EXPECT_EQ(sampled.executions[static_cast<std::size_t>(i / 32)][static_cast<std::size_t>(i % 32)],
              4 * (i * i % 1000));
}

TEST(SampledAddresses, OfALargeArrayGoOnToMeetAllOfIt) {
  isa::ArrayValues values;
  values.uniform = 1 << 20;
  const auto made = gather(4096, values);
  const auto& sampled = samples_of(made);
  // A round of samples begins far from the previous round, on a sector.
  EXPECT_GT(sampled.shift_bytes, 1 << 20);
  EXPECT_EQ(sampled.shift_bytes % 32, 0);
  EXPECT_THAT(made.report.notes, ElementsAre("2 of 3 accesses to memory that may be cached follow no rule that was "
                                             "found: samples stand for them"));
}

TEST(SampledAddresses, OfABandGoOnWithTheGroups) {
  isa::ArrayValues values;
  for (int i = 0; i < 1024 * 64; ++i) values.values.push_back(i + i % 7 * (i % 7) % 7);
  const auto made = gather(1024, values);
  const auto& sampled = samples_of(made);
  const auto groups = static_cast<std::int64_t>(sampled.executions.size()) / 2;  // of two warps
  EXPECT_NEAR(static_cast<double>(sampled.shift_bytes), static_cast<double>(groups * 64 * 4), 32);
}

TEST(SampledAddresses, OfAFewHotPlacesStay) {
  isa::ArrayValues values;
  values.uniform = 100;
  EXPECT_EQ(samples_of(gather(4096, values)).shift_bytes, 0);
}

// p[-i] of 3 warps: the pointer is to the last of 96 numbers, in the 4096 bytes before it.
TEST(Addresses, InFrontOfAPointerAreInItsArray) {
  auto options = one_warp();
  options.launch.block = {96, 1, 1};
  const auto made = import(
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; sub.s64 %rd3, %rd1, %rd2;"
      "st.global.u32 [%rd3], %r1; ret;",
      options);
  EXPECT_THAT(texts(made), ElementsAre("p: 4 * (-thread_x + 1024)"));
  EXPECT_EQ(made.kernel.arrays.at(0).bytes.evaluate({}), 4096 + 4);
}

TEST(NoAddresses, WhereAPointerIsNoneOfTheLaunch) {
  auto options = one_warp();
  options.launch.arguments["p"] = "4096";
  const auto made =
      import("ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\nret;", options);
  EXPECT_EQ(address_of(made, "ld.global.u32").kind, Kind::NotFound);
  EXPECT_EQ(address_of(made, "ld.global.u32").why, "it is in no array of the launch");
  EXPECT_THAT(made.kernel.arrays, IsEmpty());
}

/// Thread i of 64,000 loads the element r3, clamped from i.
ptx::Import clamped(const std::string& step) {
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  options.launch.grid = {1000, 1, 1};
  return import(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.s32 %r3, %r1, 64, %r2;\n" + step +
          "mul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
          "ld.global.u32 %r4, [%rd3];\nst.global.u32 [%rd3+400000], %r4;\nret;",
      options);
}

TEST(Addresses, OfABorderThatIsClampedHaveItsEnd) {
  const auto low = clamped("sub.s32 %r3, %r3, 1;\nmax.s32 %r3, %r3, 0;\n");
  EXPECT_EQ(address_of(low, "ld.global.u32").kind, Kind::Formula);
  EXPECT_THAT(address_of(low, "ld.global.u32").texts, ElementsAre("p: 4 * max(64 * group_x + thread_x - 1, 0)"));
  const auto high = clamped("add.s32 %r3, %r3, 1;\nmin.s32 %r3, %r3, 63999;\n");
  EXPECT_THAT(address_of(high, "ld.global.u32").texts, ElementsAre("p: 4 * min(64 * group_x + thread_x + 1, 63999)"));
}

TEST(Addresses, OfGroupsThatAreTurnedByADiagonalHaveItsModulus) {
  // Element 32 x ((x + y) mod 24) + 768 y + thread of group (x, y) of 24 x 24, no power of two.
  auto options = one_warp();
  options.launch.grid = {24, 24, 1};
  const auto made = import(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ctaid.y;\nadd.u32 %r3, %r1, %r2;\n"
      "rem.u32 %r4, %r3, 24;\nshl.b32 %r5, %r4, 5;\nmad.lo.u32 %r6, %r2, 768, %r5;\nmov.u32 %r7, %tid.x;\n"
      "add.u32 %r8, %r6, %r7;\nmul.wide.u32 %rd2, %r8, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "st.global.u32 [%rd3], %r7;\nret;",
      options);
  EXPECT_THAT(texts(made), ElementsAre("p: 4 * (768 * group_y + 32 * mod(group_y + group_x, 24) + thread_x)"));
}

TEST(Addresses, OfPartsOfALoopGoOnWhereTheOneBeforeEnded) {
  // Warp 0 takes part in the first two of five iterations only.
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  const auto made = import(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\nL:\nsetp.lt.u32 %p1, %r2, 2;\nsetp.ge.u32 %p2, %r1, 32;\n"
      "or.pred %p3, %p1, %p2;\n@!%p3 bra N;\nst.global.u32 [%rd3], %r2;\nN:\nadd.s64 %rd3, %rd3, 1024;\n"
      "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p4, %r2, 5;\n@%p4 bra L;\nret;",
      options);
  EXPECT_THAT(texts(made), ElementsAre("p: 4 * (thread_x + 256 * loop_L)", "p: 4 * (thread_x + 256 * loop_L_2 + 512)"));
}

TEST(Addresses, OfLanesThatAreLeftOutAreNone) {
  // Every fourth lane works: the idle lanes have no address.
  auto options = one_warp();
  const auto made = import(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 3;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra E;\n"
      "mul.wide.u32 %rd2, %r1, 32;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [%rd3];\nst.global.u32 [%rd3], "
      "%r3;\nE: ret;",
      options);
  EXPECT_THAT(texts(made), Each("p: (1 > mod(thread_x, 4)) * (32 * thread_x + 1) - 1"));
  EXPECT_EQ(address_of(made, "ld.global.u32").idle, 0);
}

TEST(Addresses, OfThreadPrivateMemoryAreThoseOfOneThread) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{ .reg .b32 %r<9>; .reg .b64 %rd<9>; "
      ".local .align 8 .b8 frame[40];\n.reg .b64 %SP; .reg .pred %p<3>;\nmov.u64 %SP, frame;\nmov.u32 %r1, 0;\n"
      "L:\nmul.wide.u32 %rd1, %r1, 4;\nadd.s64 %rd2, %SP, %rd1;\nst.local.u32 [%rd2+8], %r1;\n"
      "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra L;\nret; }\n";
  const auto made = import_text(text, 64);
  EXPECT_THAT(texts(made), ElementsAre("frame: 4 * (loop_L + 2)"));
  EXPECT_THAT(made.kernel.arrays, ElementsAre(Array{"frame", Expression(40), true}));
}

// Loads and stores of all spaces are the same instructions: the array says that each thread has its own.
TEST(ThreadPrivateMemory, IsReachedByLoadsAndStoresOfGlobalMemory) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{ .reg .b32 %r<9>; "
      ".reg .b64 %rd<9>; .local .align 16 .b8 frame[32];\n.reg .b64 %SP;\nmov.u64 %SP, frame;\n"
      "mov.u32 %r1, %tid.x;\nst.local.v4.u32 [%SP], {%r1, %r1, %r1, %r1};\nbar.sync 0;\n"
      "ld.local.u32 %r2, [%SP+4];\nld.local.v2.u32 {%r3, %r4}, [%SP+8];\nld.param.u64 %rd1, [p];\n"
      "add.u32 %r5, %r2, %r3;\nadd.u32 %r5, %r5, %r4;\nst.global.u32 [%rd1], %r5;\nret; }\n";
  const auto made = import_text(text, 32);
  std::vector<std::string> ops;
  std::vector<std::int64_t> sectors, lines;
  for (const auto& access : made.report.accesses) {
    ops.push_back(access.op);
    sectors.push_back(access.statistics.segments.most);
    lines.push_back(access.statistics.lines.most);
  }
  EXPECT_THAT(ops, ElementsAre("global.store.128", "global.load", "global.load.64", "global.store"));
  // A word of 32 lanes is a line of 128 bytes, 4 sectors; the last store goes to a single word.
  EXPECT_THAT(lines, ElementsAre(4, 1, 2, 1));
  EXPECT_THAT(sectors, ElementsAre(16, 4, 8, 1));
  ASSERT_FALSE(made.kernel.arrays.empty());
  EXPECT_EQ(made.kernel.arrays[0], (Array{"frame", Expression(32), true}));
}

// 32 lanes write 4 bytes of the stack each, through a generic pointer, and then 128 bytes of p.
TEST(ThreadPrivateMemory, IsKnownThroughGenericPointers) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{ .reg .b32 %r<9>; "
      ".reg .b64 %rd<9>; .local .align 16 .b8 frame[32];\n.reg .b64 %SP; .reg .b64 %G;\nmov.u64 %SP, frame;\n"
      "cvta.local.u64 %G, %SP;\nmov.u32 %r1, %tid.x;\nst.u32 [%G+8], %r1;\nbar.sync 0;\nld.u32 %r2, [%G+8];\n"
      "ld.param.u64 %rd1, [p];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r2;\n"
      "ret; }\n";
  const auto made = import_text(text, 32);
  EXPECT_THAT(texts(made), ElementsAre("frame: 8", "frame: 8", "p: 4 * thread_x"));
  EXPECT_EQ(made.kernel.arrays.at(0), (Array{"frame", Expression(32), true}));
  EXPECT_EQ(made.kernel.work.compulsory_bytes, Expression(128));
}

// 16 bytes of each of 32 lanes are 16 sectors of 32 bytes, in 4 lines, whatever the pointer is said to point to.
TEST(GlobalMemory, IsReachedByWideLoadsThroughGenericPointers) {
  const auto made = import(
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [p];\nmul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "ld.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3];\nadd.u32 %r6, %r2, %r5;\nst.u32 [%rd3], %r6;\nret;");
  EXPECT_THAT(texts(made), ElementsAre("p: 16 * thread_x", "p: 16 * thread_x"));
  EXPECT_EQ(made.report.accesses.front().statistics.segments.most, 16);
  EXPECT_EQ(made.report.accesses.front().statistics.lines.most, 4);
  EXPECT_EQ(made.kernel.work.compulsory_bytes, Expression(2 * 512));
}

// ---- executions compared with expressions

std::vector<std::int64_t> checked(const ptx::Import& made) {
  std::vector<std::int64_t> checked;
  for (const auto& access : made.report.accesses) checked.push_back(access.address.checked);
  return checked;
}

std::vector<std::string> notes_with(const ptx::Import& made, const std::string& what) {
  std::vector<std::string> notes = made.report.notes;
  std::erase_if(notes, [&](const std::string& note) { return note.find(what) == std::string::npos; });
  return notes;
}

// A data-dependent branch keeps the loop open, and a single group takes all instructions allowed. A warp of each of
// some further groups shows that each thread has a row of 40000 words, and that threads of a group and then groups
// follow each other, along x first.
TEST(CheckedAddresses, OfGroupsThatTakeLongAreThoseOfAWarpOfOthers) {
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  options.launch.grid = {20, 3, 1};
  options.launch.taken["S"] = 0.5;
  const auto made = import(
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r1, %r2, 20, %r1;\n"
      "mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, 64, %r3; mul.wide.u32 %rd2, %r1, 160000; add.s64 %rd3, %rd1, %rd2;\n"
      "mov.u32 %r4, 0; mov.f32 %f2, 0f00000000;\n"
      "L: ld.global.f32 %f1, [%rd3]; setp.eq.f32 %p1, %f1, 0f00000000; @%p1 bra S;\n"
      "ld.global.f32 %f3, [%rd1]; fma.rn.f32 %f2, %f1, %f3, %f2;\n"
      "S: add.s64 %rd3, %rd3, 4; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 40000; @%p2 bra L;\n"
      "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd1, %rd4; st.global.f32 [%rd5], %f2; ret;",
      options);
  EXPECT_THAT(notes_with(made, "what accesses reach is that of 1 of 60 groups"), SizeIs(1));
  EXPECT_THAT(texts(made), ElementsAre("p: 4 * (51200000 * group_y + 40000 * (64 * group_x + thread_x) + loop_L)",
                                       "p: 0", "p: 4 * (1280 * group_y + 64 * group_x + thread_x)"));
}

// Formulas computed by the program are compared with no executions.
TEST(CheckedAddresses, OfFormulasAreNone) {
  const auto made = import_cuda("mmul", "mmul_naive", {16, 16, 1}, {64, 64, 1}, {{"n", "1024"}}, {"n", "A", "B", "C"});
  EXPECT_THAT(checked(made), ElementsAre(0, 0, 0));
}

// In each iteration four loads are at 32 distances of their own: 4 x 32 numbers, 4 x 7 to say where, 1 for the loop.
TEST(CheckedAddresses, BeyondWhatIsKeptAreCounted) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  std::string body =
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r7, 0;\nL:\nmul.lo.u32 %r3, %r2, %r2;\n"
      "mul.lo.u32 %r4, %r3, %r1;\n";
  for (const int factor : {1, 3, 5, 7})
    body += fmt::format(
        "mul.lo.u32 %r5, %r4, {};\nand.b32 %r5, %r5, 1073741823;\nmul.wide.u32 %rd2, %r5, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r6, [%rd3];\nadd.u32 %r7, %r7, "
        "%r6;\n",
        factor);
  auto options = one_warp();
  options.launch.max_instructions = 1'000'000'000;  // enough to execute every iteration
  const auto made = import(body +
                               "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 60000;\n@%p1 bra L;\n"
                               "st.global.u32 [%rd1], %r7;\nret;",
                           options);
  const auto notes = notes_with(made, "not kept");
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0], ::testing::HasSubstr("more than 8388608 numbers: no expression was held against them"));
  double not_kept = 0;
  for (const auto& access : made.report.accesses) not_kept += static_cast<double>(access.address.not_kept);
  const double expected = 4 * (60000 - (1 << 23) / (4 * 39 + 1.0));
  EXPECT_NEAR(not_kept, expected, 0.05 * expected);
}

// No cache of the unit serves loads of data that other units may write meanwhile, or loads marked not to stay.
TEST(Addresses, AreLoadedPastTheUnitWhereTheLoadSaysSo) {
  const auto goes_past = [](const std::string& load) {
    const auto made = import("ld.param.u64 %rd1, [p]; " + load + " %r1, [%rd1]; st.global.u32 [%rd1+64], %r1; ret;");
    const auto found = std::ranges::find(made.kernel.instructions, "global.load", &Instruction::op);
    return found->access.value().past_unit;
  };
  for (const auto* load : {"ld.global.u32", "ld.global.ca.u32", "ld.global.nc.u32", "ld.global.cs.u32", "ld.u32",
                           "ld.relaxed.cta.global.u32", "ld.weak.global.u32"})
    EXPECT_FALSE(goes_past(load)) << load;
  for (const auto* load :
       {"ld.global.cg.u32", "ld.global.cv.u32", "ld.volatile.global.u32", "ld.volatile.u32",
        "ld.relaxed.gpu.global.u32", "ld.acquire.sys.global.u32", "ld.global.nc.L1::no_allocate.u32"})
    EXPECT_TRUE(goes_past(load)) << load;
}

const Instruction& first_load(const ptx::Import& made) {
  return *std::ranges::find(made.kernel.instructions, "global.load", &Instruction::op);
}

TEST(Addresses, LeaveOutTransactionsAndLinesThatTheyTellOfEachExecution) {
  // Each lane is on a line of its own.
  const auto made = import(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "ld.global.u32 %r3, [%rd3];\nst.global.u32 [%rd3+4], %r3;\nret;");
  EXPECT_TRUE(first_load(made).access);
  EXPECT_FALSE(first_load(made).transactions);
  EXPECT_FALSE(first_load(made).lines);
  EXPECT_FALSE(made.kernel.counted_for);
  EXPECT_EQ(made.report.accesses.front().statistics.segments.most, 32);
  EXPECT_EQ(made.report.accesses.front().statistics.lines.most, 32);
}

// 32 floats in a row go on by half a sector: of four executions two begin at a sector and reach 4, two begin within a
// sector and reach 5; one of eight reaches a single line. The address tells of the first.
TEST(Addresses, KeepTheMeansOfTransactionsAndLinesThatDifferByExecution) {
  const std::string text =
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "mov.u32 %r2, 0;\nL:\nld.global.u32 %r3, [%rd3];\nadd.s64 %rd3, %rd3, 16;\nadd.u32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p1, %r2, 64;\n@%p1 bra L;\nst.global.u32 [%rd3], %r3;\nret;";
  const auto made = import(text);
  EXPECT_TRUE(first_load(made).access);
  EXPECT_EQ(first_load(made).transactions, Expression(5));  // 4.5
  EXPECT_EQ(first_load(made).lines, Expression(2));         // 15 / 8
  EXPECT_EQ(made.kernel.counted_for, AccessSizes());
}

}  // namespace
}  // namespace warpipe::test
