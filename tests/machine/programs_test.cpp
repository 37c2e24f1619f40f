// Small programs, executed whole: they leave the same memory as a CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "loaded.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

template <class T>
std::vector<T> random_numbers(std::size_t count, T least, T most, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(count);
  for (auto& number : numbers) {
    if constexpr (std::is_floating_point_v<T>)
      number = std::uniform_real_distribution<T>(least, most)(random);
    else
      number = static_cast<T>(std::uniform_int_distribution<std::int64_t>(least, most)(random));
  }
  return numbers;
}

template <class T>
std::vector<T> copied(const T* from, std::size_t count) {
  return {from, from + count};
}

/// On a single thread of the host, and on three.
class Programs : public testing::TestWithParam<unsigned> {
 protected:
  Programs() { loaded.effort.threads = GetParam(); }
  Loaded loaded;
};

TEST_P(Programs, ScanLooksBackAtTheGroupsBefore) {
  constexpr int kCount = 50'000;
  const auto in = random_numbers<int>(kCount, -9, 99, 1);
  auto* const out = loaded.array(std::vector<int>(kCount));
  loaded.run("scan", (kCount + 255) / 256, 256, kCount, loaded.array(in), out);
  std::vector<int> expected(kCount);
  std::partial_sum(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(copied(out, kCount), expected);
}

TEST_P(Programs, SortIsBitonic) {
  auto numbers = random_numbers<int>(4096, -100'000, 100'000, 2);
  auto* const data = loaded.array(numbers);
  loaded.run("sort", 4, 1024, data);
  for (auto first = numbers.begin(); first != numbers.end(); first += 1024) std::sort(first, first + 1024);
  EXPECT_EQ(copied(data, 4096), numbers);
}

/// A graph, or a matrix by its rows.
struct Rows {
  std::vector<int> starts{0}, columns;
};
Rows random_rows(int rows, int most, unsigned seed) {
  std::mt19937 random(seed);
  Rows made;
  for (int row = 0; row < rows; ++row) {
    const auto count = static_cast<int>(random() % static_cast<unsigned>(most + 1));
    for (int i = 0; i < count; ++i) made.columns.push_back(static_cast<int>(random() % static_cast<unsigned>(rows)));
    made.starts.push_back(static_cast<int>(made.columns.size()));
  }
  return made;
}

TEST_P(Programs, SparseMatrixTimesVector) {
  constexpr int kRows = 3000;
  const auto rows = random_rows(kRows, 40, 3);
  const auto values = random_numbers<double>(rows.columns.size(), -1, 1, 4),
             x = random_numbers<double>(kRows, -1, 1, 5);
  auto* const y = loaded.array(std::vector<double>(kRows));
  loaded.run("spmv", (kRows + 127) / 128, 128, kRows, loaded.array(rows.starts), loaded.array(rows.columns),
             loaded.array(values), loaded.array(x), y);
  std::vector<double> expected(kRows);
  for (std::size_t row = 0; row < kRows; ++row)
    for (auto k = static_cast<std::size_t>(rows.starts[row]); k < static_cast<std::size_t>(rows.starts[row + 1]); ++k)
      expected[row] = std::fma(values[k], x[static_cast<std::size_t>(rows.columns[k])], expected[row]);
  EXPECT_EQ(copied(y, kRows), expected);
}

TEST_P(Programs, BreadthFirstSearchInSteps) {
  constexpr int kNodes = 5000;
  const auto rows = random_rows(kNodes, 3, 6);
  std::vector<int> expected(kNodes, -1);
  expected[0] = 0;
  for (std::vector<int> front{0}; !front.empty();) {
    std::vector<int> next;
    for (const auto node : front)
      for (auto k = rows.starts[static_cast<std::size_t>(node)]; k < rows.starts[static_cast<std::size_t>(node) + 1];
           ++k) {
        const auto to = static_cast<std::size_t>(rows.columns[static_cast<std::size_t>(k)]);
        if (expected[to] >= 0) continue;
        expected[to] = expected[static_cast<std::size_t>(node)] + 1;
        next.push_back(static_cast<int>(to));
      }
    front = std::move(next);
  }
  std::vector<int> first(kNodes, -1);
  first[0] = 0;
  auto* const levels = loaded.array(first);
  auto* const changed = loaded.array(std::vector<int>{1});
  const auto* const starts = loaded.array(rows.starts);
  const auto* const edges = loaded.array(rows.columns);
  for (int level = 0; *changed != 0; ++level) {
    *changed = 0;
    loaded.run("bfs", (kNodes + 255) / 256, 256, kNodes, level, starts, edges, levels, changed);
  }
  EXPECT_EQ(copied(levels, kNodes), expected);
}

TEST_P(Programs, HashTableByCompareAndSwap) {
  constexpr int kCount = 20'000;
  constexpr unsigned kSize = 8192;
  const auto keys = random_numbers<unsigned>(kCount, 1, 5000, 7);
  auto* const slots = loaded.array(std::vector<unsigned>(kSize));
  auto* const counts = loaded.array(std::vector<unsigned>(kSize));
  loaded.run("insert", (kCount + 255) / 256, 256, kCount, loaded.array(keys), slots, counts, kSize);
  std::map<unsigned, unsigned> expected, found;
  for (const auto key : keys) ++expected[key];
  for (unsigned i = 0; i < kSize; ++i)
    if (slots[i] != 0) found[slots[i]] += counts[i];
  EXPECT_EQ(found, expected);
}

TEST_P(Programs, HistogramInSharedMemory) {
  const auto data = random_numbers<unsigned char>(100'000, 0, 255, 8);
  auto* const bins = loaded.array(std::vector<unsigned>(256));
  loaded.run("histogram", 12, 256, 100'000, loaded.array(data), bins);
  std::vector<unsigned> expected(256);
  for (const auto one : data) ++expected[one];
  EXPECT_EQ(copied(bins, 256), expected);
}

// Of small whole numbers every sum is exact, whatever the order.
TEST_P(Programs, ReductionEndsInTheLastGroup) {
  std::vector<float> in(70'000);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 17);
  auto* const out = loaded.array(std::vector<float>(1));
  for (int twice = 0; twice < 2; ++twice)
    loaded.run("reduce", 20, 256, 70'000, loaded.array(in), loaded.array(std::vector<float>(20)), out);
  EXPECT_EQ(*out, std::accumulate(in.begin(), in.end(), 0.0F));
}

TEST_P(Programs, NBody) {
  constexpr int kCount = 512;
  const auto bodies = random_numbers<float>(4 * kCount, -1, 1, 9);
  auto* const forces = loaded.array(std::vector<float>(4 * kCount));
  loaded.run("nbody", kCount / 128, 128, kCount, loaded.array(bodies), forces);
  for (std::size_t i = 0; i < kCount; ++i) {
    std::array<double, 3> sum{};
    for (std::size_t j = 0; j < kCount; ++j) {
      std::array<double, 3> d{};
      double r = 0.01;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        d[axis] = static_cast<double>(bodies[4 * j + axis]) - static_cast<double>(bodies[4 * i + axis]);
        r += d[axis] * d[axis];
      }
      for (std::size_t axis = 0; axis < 3; ++axis)
        sum[axis] += d[axis] * std::pow(r, -1.5) * static_cast<double>(bodies[4 * j + 3]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(static_cast<double>(forces[4 * i + axis]), sum[axis], 1e-3 * (1 + std::fabs(sum[axis]))) << i;
  }
}

TEST_P(Programs, StencilInTimeSteps) {
  constexpr int kCount = 10'000;
  auto now = random_numbers<float>(kCount, -1, 1, 10);
  auto* in = loaded.array(now);
  auto* out = loaded.array(now);
  for (int step = 0; step < 10; ++step) {
    loaded.run("stencil", (kCount + 255) / 256, 256, kCount, in, out);
    std::swap(in, out);
    auto next = now;
    for (std::size_t i = 0; i < kCount; ++i) {
      const float left = i > 0 ? now[i - 1] : now[i], right = i < kCount - 1 ? now[i + 1] : now[i];
      next[i] = std::fma(0.25F, right, std::fma(0.25F, left, 0.5F * now[i]));
    }
    now = next;
  }
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_NEAR(in[i], now[i], 1e-5F) << i;
}

std::uint16_t half_of(int small) {
  if (small == 0) return 0;
  const int size = std::abs(small), exponent = static_cast<int>(std::bit_width(static_cast<unsigned>(size))) - 1;
  return static_cast<std::uint16_t>((small < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) |
                                    ((size << (10 - exponent)) & 0x3ff));
}

TEST_P(Programs, TiledProductByTensorCores) {
  constexpr int kM = 64, kN = 32, kK = 96;
  const auto a = random_numbers<int>(kM * kK, -20, 20, 11), b = random_numbers<int>(kK * kN, -20, 20, 12);
  std::vector<std::uint16_t> halves_a, halves_b;
  for (const auto one : a) halves_a.push_back(half_of(one));
  for (const auto one : b) halves_b.push_back(half_of(one));
  auto* const c = loaded.array(std::vector<float>(kM * kN));
  loaded.run_in("product", {kN / 8, kM / 16, 1}, {32, 1, 1}, kN, kK, loaded.array(halves_a), loaded.array(halves_b), c);
  std::vector<float> expected(kM * kN);
  for (std::size_t i = 0; i < kM; ++i)
    for (std::size_t j = 0; j < kN; ++j)
      for (std::size_t k = 0; k < kK; ++k) expected[i * kN + j] += static_cast<float>(a[i * kK + k] * b[k * kN + j]);
  EXPECT_EQ(copied(c, kM * kN), expected);
}

// ---- lanes, warps and groups waiting for each other

TEST_P(Programs, AllGroupsMeet) {
  constexpr int kGroups = 100, kRounds = 5;
  auto* const log = loaded.array(std::vector<int>(kGroups * kRounds));
  loaded.run("meetings", kGroups, 32, loaded.array(std::vector<unsigned>(1)), log, kRounds);
  for (int i = 0; i < kGroups * kRounds; ++i) ASSERT_EQ(log[i], i / kGroups + 1) << i;
}

TEST_P(Programs, LanesTakeALock) {
  auto* const sum = loaded.array(std::vector<int>(2));
  loaded.run("locks", 3, 64, loaded.array(std::vector<int>(1)), sum);
  EXPECT_EQ(sum[0], 3 * 64 * 65 / 2);
  loaded.run("spins", 3, 64, loaded.array(std::vector<int>(1)), sum + 1);
  EXPECT_EQ(sum[1], 3 * 64);
}

// Lane 0 waits for lane 1, whose block lies within the loop of lane 0, and counts its trips.
TEST(Machine, LanesBesideALoopThatWaitsHaveTheirTurn) {
  const auto module = ptx::read_ptx(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry turns(.param .u64 flags)
{ .reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .pred %p<5>;
ld.param.u64 %rd1, [flags]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 2; setp.eq.u32 %p2, %r1, 1;
mov.u32 %r4, 0; @%p1 bra COMES;
LOOP: ld.volatile.global.u32 %r2, [%rd1]; ld.volatile.global.u32 %r3, [%rd1+4];
setp.ne.u32 %p3, %r3, 0; @%p3 bra END;
setp.eq.u32 %p4, %r2, 0; @%p4 bra AGAIN;
add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 40; @%p4 bra AGAIN;
@!%p2 bra AGAIN;
st.volatile.global.u32 [%rd1+4], %r1; bra END;
AGAIN: bra LOOP;
COMES: st.volatile.global.u32 [%rd1], %r1;
END: ret; }
)",
                                    "turns.ptx");
  Loaded loaded;
  auto* const flags = loaded.array(std::vector<int>(2));
  const machine::Machine machine(ptx::executable_program(module, "turns"), loaded.variables);
  machine::Launch launch;
  launch.block = {3, 1, 1};
  launch.arguments = arguments(flags);
  machine::Effort effort;
  effort.most_instructions = 100'000'000;
  EXPECT_TRUE(machine.run(launch, loaded.memory, effort).complete);
  EXPECT_EQ(copied(flags, 2), (std::vector<int>{2, 1}));
}

TEST_P(Programs, NamedBarriersOfHalfTheWarps) {
  std::vector<int> in(64 * 20), expected;
  std::iota(in.begin(), in.end(), 0);
  for (const auto one : in) expected.push_back(2 * one + 1);
  auto* const out = loaded.array(std::vector<int>(in.size()));
  loaded.run("pairs", 1, 128, 20, loaded.array(in), out);
  EXPECT_EQ(copied(out, in.size()), expected);
}

/// The float of a number of bits, some of them behind the point.
float small_number(unsigned bits, int count, int fraction) {
  const int lowest = 2 - (1 << (count - 2 - fraction));
  const auto of_point = 1U << fraction, rest = bits & ((1U << (count - 1)) - 1);
  const auto exponent = static_cast<int>(rest >> fraction);
  const auto digits = (rest % of_point) + (exponent > 0 ? of_point : 0);
  const auto size = std::ldexp(static_cast<float>(digits), lowest - fraction + std::max(0, exponent - 1));
  return bits != rest ? -size : size;
}

/// The nearest of all bytes, of two the even byte.
unsigned byte_of(float number, int fraction) {
  const auto most = fraction == 3 ? 126U : 123U, sign = std::signbit(number) ? 128U : 0U;
  const auto off = [&](unsigned byte) { return std::fabs(std::fabs(number) - small_number(byte, 8, fraction)); };
  unsigned best = 0;
  for (unsigned byte = 1; byte <= most; ++byte)
    if (off(byte) < off(best) || (off(byte) == off(best) && byte % 2 == 0)) best = byte;
  return best | sign;
}

TEST(Numbers, BytesAreTheNearestFloats) {
  auto in = random_numbers<float>(64, -500, 500, 15);
  // Halves of steps, the least, and beyond: 464 lies between 448, the last, and the next step, which does not exist.
  for (const float tie :
       {17.0F, 19.0F, 0x1p-10F, 0x1.8p-9F, 0x1p-17F, 464.0F, 1e6F, -1e9F, 0.0F, -0.0F, 0x1.8p-16F, 61440.0F})
    in.push_back(tie);
  Loaded loaded;
  auto* const fine = loaded.array(std::vector<std::uint16_t>(64));
  auto* const wide = loaded.array(std::vector<std::uint16_t>(64));
  auto* const halves = loaded.array(std::vector<std::uint32_t>(64));
  loaded.run("bytes", 1, static_cast<std::int64_t>(in.size() / 2), loaded.array(in), fine, wide, halves);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int shift = i % 2 == 1 ? 8 : 0;
    const auto byte = (fine[i / 2] >> shift) & 255U;
    EXPECT_EQ(byte, byte_of(in[i], 3)) << in[i];
    EXPECT_EQ((wide[i / 2] >> shift) & 255U, byte_of(in[i], 2)) << in[i];
    EXPECT_EQ(small_number((halves[i / 2] >> (2 * shift)) & 0xffff, 16, 10), small_number(byte, 8, 3)) << in[i];
  }
}

// As printf of the host has it; lanes in their order.
TEST(Printing, FormatsAreThoseOfC) {
  Loaded loaded;
  const auto* const numbers = loaded.array(std::vector<double>{0.5, -1.25});
  testing::internal::CaptureStdout();
  loaded.run("printing", 1, 32, 2, numbers);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "0 of three: 0.500   |     1 ff a 100%\n1 of three: -1.250  | 1099511627776 100 b 100%\n");
}

INSTANTIATE_TEST_SUITE_P(Threads, Programs, testing::Values(1, 3));

// ---- numbers

TEST(Numbers, VotesShufflesAndCountsOfGroups) {
  auto in = random_numbers<int>(128, -50, 50, 13);
  in[3] = 7;
  Loaded loaded;
  auto* const out = loaded.array(std::vector<unsigned>(128));
  loaded.run("votes", 1, 128, loaded.array(in), out);
  unsigned above = 0, seven = 0, no_five = 1;
  for (const auto value : in) {
    above += value > 3 ? 1 : 0;
    seven |= value == 7 ? 1 : 0;
    no_five &= value != 5 ? 1 : 0;
  }
  for (std::size_t i = 0; i < 128; ++i) {
    const auto* const warp = in.data() + i / 32 * 32;
    const auto lane = i % 32;
    unsigned positive = 0, same = 0, sum = 0, odd = 0, bits = 0;
    const auto value = in[i];
    for (std::size_t l = 0; l < 32; ++l) {
      positive |= (warp[l] > 0 ? 1U : 0U) << l;
      same |= (warp[l] == value ? 1U : 0U) << l;
      sum += static_cast<unsigned>(warp[l] & 15);
      odd += (warp[l] & 1) != 0 ? 1 : 0;
    }
    for (unsigned b = 0; b < 32; ++b) bits |= ((static_cast<unsigned>(value) >> b) & 1) << (31 - b);
    unsigned all = positive;
    if (value % 3 == 0) all ^= same;
    all += sum + static_cast<unsigned>(std::popcount(all)) +
           (value == 0 ? 0U : static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(value)) + 1)) +
           static_cast<unsigned>(std::countl_zero(static_cast<unsigned>(value))) + bits;
    const bool alike = odd == 0 || odd == 32;
    all ^= (alike ? ~0U : 0U) + (alike ? 1U : 0U);
    all += above * 3 + seven + 2 * no_five;
    const auto down = lane % 16 + 3 < 16 ? warp[lane + 3] : value;
    all ^= static_cast<unsigned>(warp[lane ^ 5]) + static_cast<unsigned>(down) * 7;
    ASSERT_EQ(out[i], all) << i;
  }
}

TEST(Numbers, Halves) {
  Loaded loaded;
  // Exact in halves: 1.5 + 1 x 1, and so on; the last is beyond 11 bits.
  const std::vector<float> in{1, 2, -0.5F, 3, 1.00048828125F};
  auto* const out = loaded.array(std::vector<float>(20));
  loaded.run("halves", 1, 32, 5, loaded.array(in), out);
  EXPECT_EQ(copied(out, 16), (std::vector<float>{2.5F, 1.75F, 2, 2.5F, 5.5F, 2.5F, 4, -5.5F, 1.75F, 1.5625F, -1, 2,
                                                 10.5F, 3.75F, 6, -10.5F}));
  EXPECT_EQ(out[16], 2.5F);  // 1.00048828125 lies between two halves: the even half is 1
  EXPECT_EQ(out[18], 2);
}

TEST(Numbers, WholeOnesOfAllWidths) {
  constexpr int kCount = 1000;
  auto in = random_numbers<std::int64_t>(2 * kCount, INT64_MIN / 2, INT64_MAX / 2, 14);
  for (std::size_t i = 0; i < 200; ++i) in[i] >>= 40;
  in[401] = 0;
  Loaded loaded;
  auto* const out = loaded.array(std::vector<std::int64_t>(17 * kCount));
  loaded.run("numbers", (kCount + 63) / 64, 64, kCount, loaded.array(in), out);
  constexpr std::array<int, 4> kTable{3, 1, 4, 1};
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto x = in[2 * i], y = in[2 * i + 1];
    const auto a = static_cast<std::int32_t>(x), b = static_cast<std::int32_t>(y) | 1;
    const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
    const auto wraps = [](std::int64_t p, std::int64_t q) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(q));
    };
    __extension__ using U128 = unsigned __int128;
    const float f = static_cast<float>(a);
    std::int32_t bytes = 5;
    for (int k = 0; k < 32; k += 8) bytes += static_cast<std::int8_t>(a >> k) * static_cast<std::int8_t>(b >> k);
    const std::array<std::int64_t, 16> r{
        x + y,
        wraps(x, y),
        x / (y | 1),
        x % (y | 1),
        std::int64_t{a} / b,
        std::int64_t{a} % b,
        ua / ub,
        ua % ub,
        (std::int64_t{a} * b) >> 32,
        static_cast<std::int64_t>((U128{static_cast<std::uint64_t>(x)} * static_cast<std::uint64_t>(y)) >> 64),
        x >> (y & 63),
        static_cast<std::int64_t>(static_cast<double>(x) * 0.25),
        std::lrint(static_cast<double>(f * 0.3F)),
        std::min(x, y),
        std::bit_cast<std::int32_t>(std::sqrt(std::fabs(f))),
        bytes};
    std::int64_t sum = kTable[static_cast<std::size_t>(a & 3)];
    for (std::size_t k = 0; k < 16; ++k) {
      ASSERT_EQ(out[17 * i + k], r[k]) << i << ": " << k << " of " << x << ", " << y;
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                      static_cast<std::uint64_t>(r[static_cast<std::size_t>(a >> k) & 15]));
    }
    ASSERT_EQ(out[17 * i + 16], sum) << i;
  }
}

// A compiler may keep an address below its final address and add to it: -4 + 4 is the first word.
TEST(Machine, AddressesOf32BitsBeginAnewBehindTheLast) {
  const auto module = ptx::read_ptx(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry below(.param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  .shared .align 4 .b8 tile[64];
  mov.b32 %r1, -4;
  mov.b32 %r2, 7;
  st.shared.u32 [%r1+4], %r2;
  ld.shared.u32 %r3, [tile];
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], %r3;
  ret;
})",
                                    "below.ptx");
  machine::Memory memory;
  machine::Variables variables(memory);
  const auto program = ptx::executable_program(module, "below");
  const auto out = memory.allocate(4);
  machine::Launch launch;
  launch.block = launch.grid = {1, 1, 1};
  launch.arguments = arguments(out);
  machine::Machine(program, variables).run(launch, memory);
  EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(out), 7U);  // NOLINT
}

}  // namespace
}  // namespace warpipe::test
