// Jump tables, calls, stacks and divisions as machine code, executed in 32 lanes against the host.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

#include "support/folders.hpp"
#include "support/kernel_machine.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using Integers = std::vector<int>;

class Control : public testing::TestWithParam<std::string> {
 protected:
  Control()
      : module_(sass::read_cubin(read_text_file(in_sources("tests/sass/control/") + GetParam() + ".cubin"),
                                 GetParam() + ".cubin")) {
    for (int i = 0; i < 64; ++i) a_.push_back((i * 7919 + 13) % 1009 - 300);
  }

  /// The first 32 numbers after the run.
  Integers run(const std::string& kernel, const std::vector<std::uint64_t>& numbers) const {
    const auto program = sass::read_program(module_, kernel);
    KernelMachine machine(program);
    std::vector<std::byte> bytes(a_.size() * 4);
    std::memcpy(bytes.data(), a_.data(), bytes.size());
    std::vector<std::uint64_t> arguments{machine.add_array(bytes)};
    arguments.insert(arguments.end(), numbers.begin(), numbers.end());
    isa::Launch launch;
    launch.block = {32, 1, 1};
    machine.run(launch, arguments);
    Integers result(32);
    std::memcpy(result.data(), machine.bytes_at(arguments.front(), 128).data(), 128);
    return result;
  }

  template <class F>
  Integers each(const F& f) const {
    Integers result;
    for (std::size_t i = 0; i < 32; ++i) result.push_back(f(static_cast<int>(i), a_[i]));
    return result;
  }

  sass::Module module_;
  Integers a_;
};

int wrapped(std::int64_t number) { return static_cast<int>(static_cast<std::uint32_t>(number)); }

TEST_P(Control, GoesThroughJumpTables) {
  const auto at = [&](int i) { return a_[static_cast<std::size_t>(i)]; };
  const std::vector<std::function<int(int)>> sides{[&](int x) { return x + at(37); },
                                                   [&](int x) { return x * at(38); },
                                                   [&](int x) { return x ^ at(39); },
                                                   [&](int x) { return x - at(40); },
                                                   [&](int x) { return at(32 + (x & 15)) * 3; },
                                                   [](int x) { return x / 7; },
                                                   [](int x) { return std::popcount(static_cast<unsigned>(x)); },
                                                   [](int x) { return std::countl_zero(static_cast<unsigned>(x)); },
                                                   [&](int) { return at(41) + at(42); },
                                                   [](int) { return 9; }};
  for (std::size_t n = 0; n < sides.size(); ++n)
    EXPECT_EQ(run("choose", {n}), each([&](int, int x) { return sides[n](x); })) << n;
}

TEST_P(Control, Calls) {
  const auto mixed = [](int x, int n) {
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) sum = wrapped(sum + wrapped(std::int64_t{x} * i ^ sum));
    return sum;
  };
  EXPECT_EQ(run("call", {5}), each([&](int lane, int x) { return wrapped(mixed(x, 5) + mixed(5, lane)); }));
  EXPECT_GT(sass::read_program(module_, "call").instructions.size(), 0U);
}

TEST_P(Control, KeepsArraysOnTheStack) {
  Integers table(a_.begin() + 32, a_.end());
  for (int i = 0; i < 20; ++i) table[static_cast<std::size_t>((i * 3) & 31)] += i;
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += table[static_cast<std::size_t>((i + 20) & 31)] * (i + 1);
  EXPECT_EQ(run("stack", {20, 3}), Integers(32, sum));
}

TEST_P(Control, DividesWholeNumbers) {
  for (const std::int64_t k : {7LL, -1000LL, 5'000'000'000LL})
    EXPECT_EQ(run("divide", {static_cast<std::uint64_t>(std::int64_t{-13}), 11, static_cast<std::uint64_t>(k)}),
              each([&](int, int x) {
                const auto product = x * 1000000007LL;
                return wrapped(std::int64_t{x / -13} + static_cast<unsigned>(x) % 11U + wrapped(product / k) +
                               wrapped(product % k));
              }))
        << k;
}

INSTANTIATE_TEST_SUITE_P(All, Control, testing::Values("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace warpipe::test
