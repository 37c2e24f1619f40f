#include <gmock/gmock.h>

#include <set>
#include <sstream>
#include <stdexcept>

#include "emulated_gpu.hpp"
#include "gpu.hpp"
#include "parts.hpp"
#include "session.hpp"
#include "timing.hpp"
#include "warpipe/accuracy/accuracy.hpp"

/// The suite's host code and kernels on an emulated GPU: every index, every check of results, every row. Not covered:
/// PTX, caches, time.
namespace measure {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::Gt;
using testing::SizeIs;
using warpipe::Measurement;

struct Outcome {
  std::vector<Measurement> rows;
  int wrong_results;
};

/// Runs parts as --quick does, and reads their rows as `warpipe validate` does.
Outcome measured(const std::string& parts) {
  std::ostringstream out;
  const DeviceFacts device = device_facts(0);
  CsvWriter writer(out, {"h100", device.gpu, device.driver, device.toolkit, 1});
  Session session(device, {1, true}, writer);
  for (const Part& part : chosen_parts({parts})) {
    session.begin_part(part.name, 1000);
    part.run(session);
    session.end_part();
  }
  return {warpipe::read_measurements_csv(out.str(), parts, {}), session.wrong_results()};
}

double parameter(const Measurement& row, const std::string& name) { return row.options.parameters.at(name); }

std::set<std::string> kernels_of(const std::vector<Measurement>& rows) {
  std::set<std::string> names;
  for (const Measurement& row : rows) names.insert(row.kernel);
  return names;
}

// A step of a chain takes a cycle of its thread, and the threads of the emulation do not wait for each other: the
// difference of two lengths is the number of steps of all chains, with no cycle of a loop or a launch in it.
TEST(Chains, LeaveNothingButTheirSteps) {
  const Outcome outcome = measured("chains-single");
  EXPECT_EQ(outcome.wrong_results, 0);
  ASSERT_THAT(outcome.rows, SizeIs(5 * 4 * 3));  // ops, numbers of chains, occupancies
  for (const Measurement& row : outcome.rows)
    EXPECT_DOUBLE_EQ(row.value, parameter(row, "steps") * parameter(row, "chains")) << "line " << row.line;
}

TEST(Chains, OfAllKindsGiveTheResultsOfTheHost) {
  for (const char* part : {"chains-integer", "chains-double", "chains-special", "chains-warp"})
    EXPECT_EQ(measured(part).wrong_results, 0) << part;
}

TEST(Loops, CountTheirTrips) {
  const Outcome outcome = measured("loop");
  EXPECT_EQ(outcome.wrong_results, 0);
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "trips"));
}

TEST(Chases, FollowTheirPointersAndCountEachLoad) {
  const Outcome outcome = measured("chase");
  EXPECT_EQ(outcome.wrong_results, 0);
  EXPECT_THAT(kernels_of(outcome.rows), SizeIs(6));
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "steps"));
}

TEST(Streams, ReadAndWriteEveryWordOfTheirWidthAndStride) {
  const Outcome outcome = measured("stream");
  EXPECT_EQ(outcome.wrong_results, 0);
  EXPECT_THAT(kernels_of(outcome.rows), SizeIs(6));
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "trips"));
}

TEST(SharedMemory, KeepsEveryChainAtItsWord) {
  const Outcome outcome = measured("shared");
  EXPECT_EQ(outcome.wrong_results, 0);
  EXPECT_THAT(kernels_of(outcome.rows), SizeIs(3));
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "steps"));
}

TEST(Atomics, BringBackWhatTheyFound) {
  const Outcome outcome = measured("atomic");
  EXPECT_EQ(outcome.wrong_results, 0);
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "steps"));
}

TEST(Barriers, LetNobodyThroughEarly) {
  const Outcome outcome = measured("barrier");
  EXPECT_EQ(outcome.wrong_results, 0);
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, parameter(row, "steps"));
}

// Each lane runs only its own path, 64 steps a trip: the emulation has no warps to run the other paths too.
TEST(Divergence, RunsTheOwnPathOfEachLane) {
  const Outcome outcome = measured("divergence");
  EXPECT_EQ(outcome.wrong_results, 0);
  for (const Measurement& row : outcome.rows) EXPECT_DOUBLE_EQ(row.value, 64 * parameter(row, "trips"));
}

// A group takes a nanosecond more, a cycle at the 1000 MHz of the emulation's clock and events.
TEST(Dispatch, CostsWhatAGroupCosts) {
  const Outcome outcome = measured("dispatch");
  EXPECT_EQ(outcome.wrong_results, 0);
  ASSERT_THAT(outcome.rows, SizeIs(4));  // groups of 1, 2, 4 and 8 warps
  for (const Measurement& row : outcome.rows) EXPECT_NEAR(row.value, static_cast<double>(*row.options.groups), 1e-3);
}

TEST(AlphaMix, LeavesAddressesAsTheyWereWhileAddingToThem) {
  const Outcome outcome = measured("alpha-mix");
  EXPECT_EQ(outcome.wrong_results, 0);
  ASSERT_THAT(outcome.rows, SizeIs(11 * 3));
  for (const Measurement& row : outcome.rows)
    EXPECT_DOUBLE_EQ(row.value, (parameter(row, "alpha") + 1) * parameter(row, "trips")) << "line " << row.line;
}

TEST(ValidationKernels, ComputeWhatTheyShould) {
  std::set<std::string> kernels;
  for (const char* part : {"mmul", "vector", "reduction", "transpose", "sgemm", "stencil", "softmax"}) {
    const Outcome outcome = measured(part);
    EXPECT_EQ(outcome.wrong_results, 0) << part;
    kernels.merge(kernels_of(outcome.rows));
    EXPECT_THAT(outcome.rows, Each(Field(&Measurement::value, Gt(0)))) << part;
  }
  EXPECT_THAT(kernels, SizeIs(4 + 2 + 1 + 2 + 1 + 1 + 1));
}

TEST(Parts, AreChosenByNameOrBeginning) {
  EXPECT_THAT(chosen_parts({}), SizeIs(all_parts().size()));
  EXPECT_THAT(chosen_parts({"chains"}), SizeIs(5));
  EXPECT_THAT(chosen_parts({"mmul", "chains-warp", "mmul"}), SizeIs(2));
  EXPECT_THROW(chosen_parts({"chain"}), std::invalid_argument);
}

TEST(Parts, AreDoneBeforeEightMinutesAreOver) {
  double seconds = 0;
  for (const Part& part : all_parts()) seconds += part.budget_s;
  EXPECT_LT(seconds, 450);
}

TEST(Session, StopsAPartAtItsBudget) {
  std::ostringstream out;
  CsvWriter writer(out, {"t", "g", "d", "k", 0});
  Session session(device_facts(0), {1, true}, writer);
  session.begin_part("loop", 0);
  EXPECT_TRUE(session.is_over());
  measure_loops(session);
  EXPECT_EQ(writer.rows(), 0);
  session.begin_part("loop", 100);
  EXPECT_FALSE(session.is_over());
}

TEST(Check, NamesTheCallAndThePlace) {
  try {
    check(1, "cudaMalloc(...)", "buffer.hpp", 12);
    FAIL();
  } catch (const std::runtime_error& problem) {
    EXPECT_STREQ(problem.what(), "buffer.hpp:12: cudaMalloc(...): no such thing");
  }
}

// The emulation itself: a barrier missed by some threads must not go unseen.
void barrier_for_some() {
  if (threadIdx.x < 32) __syncthreads();
}

TEST(EmulatedGpu, SeesABarrierThatSomeThreadsMiss) {
  EXPECT_THROW(GPU_LAUNCH(barrier_for_some, 1, 64, 0), std::logic_error);
}

}  // namespace
}  // namespace measure
