#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "measured_sets.hpp"

/// Predicted ranges of times: of rows outside all fits, about the stated share lies within.

namespace warpipe::validation {
namespace {

/// The rows with a range outside all fits: every second row of each kernel.
std::vector<Comparison> held_out(const std::string& set) {
  std::vector<Comparison> taken;
  std::map<std::string, int> seen;
  for (const Comparison& row : committed_accuracy(set).rows)
    if (++seen[row.measurement.kernel] % 2 == 0 && row.range) taken.push_back(row);
  return taken;
}

TEST(Ranges, HoldAsManyRowsAsTheySay) {
  std::size_t inside = 0, rows = 0;
  for (const char* set : {"v100_chains", "mixbench_gtx1060", "mixbench_rtx2070", "stream_v100", "stream_a100",
                          "stream_a40", "stream_mi210", "stream_rx6900xt", "stride_a100", "stride_a40"}) {
    for (const Comparison& row : held_out(set)) {
      EXPECT_LE(row.range->low, *row.predicted);
      EXPECT_GE(row.range->high, *row.predicted);
      if (row.range->low <= row.measurement.value && row.measurement.value <= row.range->high) ++inside;
      ++rows;
    }
  }
  ASSERT_GE(rows, 50U);
  const double percent = 100 * static_cast<double>(inside) / static_cast<double>(rows);
  EXPECT_GE(percent, 80) << "of " << rows;
  EXPECT_LE(percent, 98) << "of " << rows;
}

}  // namespace
}  // namespace warpipe::validation
