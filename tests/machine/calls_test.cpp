// Kernels with calls: memory of their own (malloc), and functions that call themselves, against the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "loaded.hpp"
#include "support/folders.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using machine::Fault;
using testing::HasSubstr;

class Calls : public testing::Test {
 protected:
  Calls() { variables.add(ptx::variables(module())); }

  static const ptx::Module& module() {
    static const ptx::Module kModule = [] {
      std::ostringstream text;
      text << std::ifstream(in_sources("tests/machine/calls.ptx")).rdbuf();
      return ptx::read_ptx(text.str(), "calls.ptx");
    }();
    return kModule;
  }

  template <class... T>
  void run(const char* kernel, std::int64_t grid, std::int64_t block, const T&... all) {
    machine::Launch launch;
    launch.grid = {grid, 1, 1};
    launch.block = {block, 1, 1};
    launch.heap_bytes = heap_bytes;
    launch.arguments = arguments(all...);
    machine::Machine(ptx::executable_program(module(), kernel), variables).run(launch, memory);
  }

  template <class T>
  T* array(std::size_t count) {
    return reinterpret_cast<T*>(memory.allocate(count * sizeof(T)));
  }

  machine::Memory memory;
  machine::Variables variables{memory};
  std::int64_t heap_bytes = 1 << 20;
};

TEST_F(Calls, MemoryOfEachThread) {
  constexpr int kThreads = 512;
  auto* const out = array<int>(kThreads);
  run("lists", 4, kThreads / 4, out);
  for (int i = 0; i < kThreads; ++i) {
    const int nodes = i % 5 + 1, numbers = i % 7 + 1;
    EXPECT_EQ(out[i], i * nodes * (nodes - 1) / 2 + numbers * (numbers - 1) / 2 + i) << i;
  }
}

// 4096 bytes, of which the first 16 are no piece of it: 31 pieces of 128 bytes and no further.
TEST_F(Calls, AHeapHasItsSizeAndEachPieceIsAnother) {
  heap_bytes = 4096;
  auto* const out = array<void*>(32);
  run("takes", 1, 32, std::uint64_t{128}, out);
  EXPECT_EQ(std::count(out, out + 32, nullptr), 1);
  EXPECT_EQ(std::set<void*>(out, out + 32).size(), 32U);
  run("gives", 1, 32, out);                          // free(0) does nothing
  run("takes", 1, 1, std::uint64_t{31 * 128}, out);  // a single piece again
  EXPECT_NE(out[0], nullptr);
}

TEST_F(Calls, AFreeOfOtherMemoryFaults) {
  auto* const out = array<void*>(1);
  out[0] = out;
  try {
    run("gives", 1, 1, out);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Fault& fault) {
    EXPECT_THAT(fault.what(), AllOf(HasSubstr("calls.cu:"), HasSubstr("no memory from malloc")));
  }
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int walk(const int* path, int depth, int deepest) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = path[k] + k * depth;
  if (depth == deepest) return mine[0] + mine[1] * 2 + mine[2] * 3 + mine[3];
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    ++mine[k];
    sum += walk(mine, depth + 1, deepest);
  }
  return sum + mine[3];
}
int ackermann(int m, int n) { return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1)); }

TEST_F(Calls, AFunctionThatCallsItselfTwice) {
  auto* const out = array<int>(64);
  run("fibonaccis", 1, 64, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], fibonacci(i % 16)) << i;
}

TEST_F(Calls, FunctionsThatCallEachOther) {
  auto* const out = array<int>(64);
  run("parities", 1, 64, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 1 : 0) << i;
}

TEST_F(Calls, EachCallHasItsOwnVariables) {
  auto* const out = array<int>(64);
  run("walks", 1, 64, out);
  for (int i = 0; i < 64; ++i) {
    const int path[4]{i, 1, 2, 3};
    EXPECT_EQ(out[i], walk(path, 0, 3 + i % 3)) << i;
  }
}

TEST_F(Calls, AResultIsAnArgumentOfTheNextCall) {
  auto* const out = array<int>(64);
  run("ackermanns", 1, 64, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], ackermann(i % 3, i % 5)) << i;
}

TEST_F(Calls, CallsWithoutAResultSortNumbers) {
  constexpr int kCount = 50, kThreads = 64;
  auto* const numbers = array<int>(kCount * kThreads);
  for (int i = 0; i < kCount * kThreads; ++i) numbers[i] = i * 7919 % 1009;
  auto sorted = std::vector<int>(numbers, numbers + kCount * kThreads);
  for (int i = 0; i < kThreads; ++i) std::sort(sorted.begin() + i * kCount, sorted.begin() + (i + 1) * kCount);
  run("sorts", 1, kThreads, numbers, kCount);
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), numbers));
}

// p = i^2 + 4; q = (p, 1 deeper) + 1/4; r = q and p, 1 deeper. Each pair adds its depth.
TEST_F(Calls, FunctionsByPointersCallThemselves) {
  auto* const out = array<double>(64);
  run("areas", 1, 64, out);
  for (int i = 0; i < 64; ++i) {
    const double p = i * i + 4.0, q = p + 1 + 0.25, r = (p + 2 + 0.25 + 1) + (p + 1);
    EXPECT_EQ(out[i], i % 3 == 0 ? p : i % 3 == 1 ? q : r) << i;
  }
}

TEST_F(Calls, LaunchesByKernelsAreRefusedAsSuch) {
  const auto launching = ptx::read_ptx(R"(.version 8.3
.target sm_90
.address_size 64
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);
.visible .entry child() { ret; }
.visible .entry k()
{ .reg .b64 %rd<3>; mov.u64 %rd1, child; .param .b64 p; st.param.b64 [p], %rd1; .param .b64 q; st.param.b64 [q], 0;
.param .b32 r; call.uni (r), __cudaCDP2LaunchDeviceV2, (p, q); ret; })",
                                       "k.ptx");
  try {
    machine::Machine(ptx::executable_program(launching, "k"), variables).run({}, memory);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind, Fault::Kind::NotSupported);
    EXPECT_THAT(fault.what(), HasSubstr("a kernel that launches kernels is not executed"));
  }
}

// Variables of a device lie close together, so a load behind one is no fault; the outcome tells of it.
TEST_F(Calls, ALoadBehindAVariableGoesOn) {
  const auto reading = ptx::read_ptx(R"(.version 8.3
.target sm_90
.address_size 64
.global .align 4 .u32 table[2] = {7, 8};
.visible .entry k(.param .u64 out, .param .u64 at)
{ .reg .b64 %rd<5>; .reg .b32 %r<2>; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [at]; mov.u64 %rd3, table;
add.u64 %rd4, %rd3, %rd2; ld.global.u32 %r1, [%rd4]; st.global.u32 [%rd1], %r1; ret; })",
                                     "k.ptx");
  variables.add(ptx::variables(reading));
  auto* const out = array<unsigned>(1);
  const machine::Machine machine(ptx::executable_program(reading, "k"), variables);
  machine::Launch launch;
  launch.arguments = arguments(out, std::uint64_t{4});
  EXPECT_EQ(machine.run(launch, memory).behind, "");
  EXPECT_EQ(*out, 8U);
  launch.arguments = arguments(out, std::uint64_t{8});
  EXPECT_THAT(machine.run(launch, memory).behind, HasSubstr("behind the end of \"table\" of 8 bytes"));
  launch.arguments = arguments(out, std::uint64_t{1} << 50);
  EXPECT_THROW(machine.run(launch, memory), Fault);
}

// numbers[n % 4] are 1, so 10 calls give 2^10 - 1.
TEST_F(Calls, TooDeepARecursionFaults) {
  auto* const numbers = array<int>(32);
  std::fill_n(numbers, 32, 1);
  run("downs", 1, 32, 10, numbers);
  EXPECT_EQ(numbers[0], 1023);
  try {
    run("downs", 1, 32, 1 << 20, numbers);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
    EXPECT_THAT(fault.what(), AllOf(HasSubstr("calls.cu:"), HasSubstr("functions that call themselves")));
  }
}

}  // namespace
}  // namespace warpipe::test
