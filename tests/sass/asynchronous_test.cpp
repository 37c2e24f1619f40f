// Copy engines, mbarriers and calls of functions outside of the file: asynchronous/copies.cu as machine code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "assembled.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

class Asynchronous : public testing::TestWithParam<std::string> {
 protected:
  isa::Import run(const std::string& entry, std::int64_t block, isa::Dimensions grid,
                  const std::vector<std::pair<std::string, std::string>>& arguments = {}) const {
    isa::ImportOptions options;
    options.entry = entry;
    options.launch.block = {block, 1, 1};
    options.launch.grid = grid;
    for (const auto& [name, value] : arguments) options.launch.arguments[name] = value;
    return sass::import_cubin(module_, options);
  }

  static double segments(const isa::Import& made, const std::string& op) {
    double all = 0;
    for (const auto& access : made.report.accesses)
      if (access.op == op) all += access.statistics.segments.sum;
    return all;
  }

  sass::Module module_ = sass::read_cubin(
      read_text_file(in_sources("tests/sass/asynchronous/") + GetParam() + ".cubin"), GetParam() + ".cubin");
};

// Each of 4 groups has 8 rows of 4096 bytes, in a ring of 4: of its 32 KiB it reads the first half twice.
TEST_P(Asynchronous, CopiesRowsOfARing) {
  const auto made = run("ring_of_rows", 32, {4, 1, 1}, {{"2", "8"}, {"3", "16384"}});
  EXPECT_EQ(segments(made, "global.copy"), 4 * 8 * 128);
  ASSERT_FALSE(made.report.arrays.empty());
  EXPECT_EQ(made.report.arrays.front().read, 4 * 16384);
}

// Five rounds of 4096 bytes, each copied in by a thread and out by a thread: 128 segments of 32 bytes either way. 32
// warps wait in each round for an arrival of the thread that expects the bytes, and for the copy's.
TEST_P(Asynchronous, CopiesBytesInARow) {
  const auto made = run("bulk", 1024, {2, 1, 1}, {{"2", "5"}});
  EXPECT_EQ(made.report.issued.at("global.copy"), 2 * 5);
  EXPECT_EQ(made.report.issued.at("global.store"), 2 * 5);
  EXPECT_EQ(segments(made, "global.copy"), 2 * 5 * 128);
  EXPECT_EQ(segments(made, "global.store"), 2 * 5 * 128);
  EXPECT_FALSE(made.kernel.signals.empty());
  for (const auto& signal : made.kernel.signals) EXPECT_EQ(signal.arrivals.evaluate({}), 2);
}

// A tile a group of 16: two tensors in two arrays. A thread and the copy arrive at the first mbarrier, 32 warps at the
// second.
TEST_P(Asynchronous, CopiesTilesOfTensors) {
  const auto made = run("tensor", 1024, {4, 4, 1});
  EXPECT_EQ(made.report.issued.at("global.copy"), 16);
  EXPECT_EQ(made.report.issued.at("global.store"), 16);
  EXPECT_EQ(segments(made, "global.copy"), 16 * 128);
  std::multiset<double> arrivals;
  for (const auto& signal : made.kernel.signals) arrivals.insert(signal.arrivals.evaluate({}));
  EXPECT_THAT(arrivals, testing::ElementsAre(2, 32));
  std::set<std::string> arrays;
  for (const auto& array : made.kernel.arrays) arrays.insert(array.name);
  EXPECT_EQ(arrays.size(), 2U);
}

// Each of 128 threads arrives, and the copy does; saying how many bytes come is no arrival.
TEST_P(Asynchronous, TellsExpectationsFromArrivals) {
  const auto made = run("meet", 128, {1, 1, 1});
  EXPECT_EQ(made.report.issued.at("global.copy"), 1);
  ASSERT_EQ(made.kernel.signals.size(), 1U);
  EXPECT_EQ(made.kernel.signals[0].arrivals.evaluate({}), 4 + 1);  // warps, and the copy
  EXPECT_EQ(made.report.issued.at("barrier"), 4);
}

TEST_P(Asynchronous, LeavesPrintingOut) {
  const auto made = run("says", 32, {1, 1, 1}, {{"2", "7"}});
  EXPECT_EQ(made.report.issued.at("dadd"), 1);
  EXPECT_THAT(made.report.notes, testing::Contains(HasSubstr("vprintf")));
  EXPECT_TRUE(made.report.assumptions.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Asynchronous, testing::Values("sm_90", "sm_120"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace warpipe::test
