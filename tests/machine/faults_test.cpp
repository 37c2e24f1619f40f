// Why a kernel cannot go on, and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "loaded.hpp"

namespace warpipe::test {
namespace {

using machine::Fault;
using testing::HasSubstr;

Fault fault_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {Fault::Kind::Launch, ""};
}

class Faults : public testing::Test {
 protected:
  Loaded loaded;
  int* data = loaded.array(std::vector<int>(40));
};

// Of 64 threads from element 0 on, thread 40 is the first beyond 40 elements; group 0 alone.
TEST_F(Faults, OutOfBoundsNamesThreadAndHowFar) {
  const auto fault = fault_of([&] { loaded.run("beyond", 1, 64, data, 0); });
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_EQ(fault.thread, (isa::Dimensions{40, 0, 0}));
  EXPECT_EQ(fault.group, (isa::Dimensions{0, 0, 0}));
  EXPECT_EQ(fault.address, reinterpret_cast<std::uint64_t>(data) + 160);
  EXPECT_THAT(fault.what(), HasSubstr("a store of 4 bytes"));
  EXPECT_THAT(fault.what(), HasSubstr("4 bytes behind the end of an allocation of 160 bytes"));
  EXPECT_THAT(fault.instruction, HasSubstr("st.global.u32"));
  EXPECT_THAT(fault.source, HasSubstr("programs.cu:"));
  EXPECT_GT(fault.line, 0);
}

TEST_F(Faults, TheLastElementIsWithinBounds) {
  EXPECT_NO_THROW(loaded.run("beyond", 1, 40, data, 0));
  EXPECT_THROW(loaded.run("beyond", 1, 40, data, 1), Fault);
  EXPECT_THROW(loaded.run("beyond", 1, 40, data, -1), Fault);
}

TEST_F(Faults, WhatWasFreedIsOutOfBounds) {
  loaded.memory.free(reinterpret_cast<std::uint64_t>(data));
  EXPECT_EQ(fault_of([&] { loaded.run("beyond", 1, 1, data, 0); }).kind, Fault::Kind::OutOfBounds);
}

// 32 elements of 4 bytes; the last lane reads an element further.
TEST_F(Faults, BeyondSharedMemory) {
  EXPECT_NO_THROW(loaded.run("shared_beyond", 1, 32, data, 0));
  const auto fault = fault_of([&] { loaded.run("shared_beyond", 1, 32, data, 1); });
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_EQ(fault.thread[0], 31);
  EXPECT_EQ(fault.address, 128);
  EXPECT_THAT(fault.what(), HasSubstr("shared memory, which has 128 bytes"));
}

TEST_F(Faults, Misaligned) {
  const auto fault = fault_of([&] { loaded.run("misaligned", 1, 8, data); });
  EXPECT_EQ(fault.kind, Fault::Kind::Misaligned);
  EXPECT_EQ(fault.thread[0], 3);
  EXPECT_EQ(fault.address % 4, 1);
}

// A warp of two comes to a barrier for 128 threads.
TEST_F(Faults, DeadlockAtABarrier) {
  const auto fault = fault_of([&] { loaded.run("deadlock", 1, 64, data); });
  EXPECT_EQ(fault.kind, Fault::Kind::Deadlock);
  EXPECT_THAT(fault.what(), HasSubstr("barrier 1"));
  EXPECT_THAT(fault.what(), HasSubstr("1 of 2 warps wait, 1 have ended"));
  EXPECT_THAT(fault.instruction, HasSubstr("bar"));
  EXPECT_EQ(fault.group, (isa::Dimensions{0, 0, 0}));
}

TEST_F(Faults, ALoopThatNobodyEndsEndsWithTheEffort) {
  loaded.effort.most_instructions = 100'000;
  data[0] = 0;
  EXPECT_FALSE(loaded.run("waits", 2, 32, data).complete);
  data[0] = 1;
  EXPECT_TRUE(loaded.run("waits", 2, 32, data).complete);
}

TEST_F(Faults, Traps) {
  data[5] = 3;
  const auto fault = fault_of([&] { loaded.run("traps", 1, 32, data); });
  EXPECT_EQ(fault.kind, Fault::Kind::Trap);
  EXPECT_EQ(fault.thread[0], 5);
}

// Two threads of a warp hold more than 7: each has a line.
TEST_F(Faults, AssertionsPrintTheirThreadsAsCudaDoes) {
  data[3] = data[5] = 8;
  const auto line = [](int thread) {
    return HasSubstr(": void asserts(const int *, int): block: [0,0,0], thread: [" + std::to_string(thread) +
                     ",0,0] Assertion `data[threadIdx.x] <= most` failed.\n");
  };
  testing::internal::CaptureStderr();
  const auto fault = fault_of([&] { loaded.run("asserts", 1, 32, data, 7); });
  EXPECT_THAT(testing::internal::GetCapturedStderr(), AllOf(testing::StartsWith("programs.cu:"), line(3), line(5)));
  EXPECT_EQ(fault.kind, Fault::Kind::Assertion);
  EXPECT_EQ(fault.thread[0], 3);
  EXPECT_THAT(fault.what(), HasSubstr("an assertion failed"));
  EXPECT_NO_THROW(loaded.run("asserts", 1, 32, data, 8));
}

TEST_F(Faults, WhatIsNotExecutedSaysItsName) {
  EXPECT_NO_THROW(loaded.run("cubes", 1, 32, 0, std::uint64_t{0}, data));
  const auto fault = fault_of([&] { loaded.run("cubes", 1, 32, 1, std::uint64_t{0}, data); });
  EXPECT_EQ(fault.kind, Fault::Kind::NotSupported);
  EXPECT_THAT(fault.what(), HasSubstr("tex.cube"));
}

TEST_F(Faults, LaunchesThatCannotBe) {
  EXPECT_EQ(fault_of([&] { loaded.run("beyond", 1, 64, data); }).kind, Fault::Kind::Launch);
  EXPECT_EQ(fault_of([&] { loaded.run("beyond", 0, 64, data, 0); }).kind, Fault::Kind::Launch);
  EXPECT_EQ(fault_of([&] { loaded.run("beyond", 1, 1025, data, 0); }).kind, Fault::Kind::Launch);
}

}  // namespace
}  // namespace warpipe::test
