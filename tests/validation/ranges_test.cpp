#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "files.hpp"
#include "measurements.hpp"
#include "warpipe/accuracy/accuracy.hpp"

/// Where predictions say that their times lie: of rows that nothing was fitted to, about as many lie there as they say.

namespace warpipe::validation {
namespace {

constexpr std::size_t kEveryHeldOut = 10;  ///< of the rows held out; docs/predict.md has the shares of all of them

/// Of every second row of each kernel, which no fit has seen, each tenth.
std::vector<Measurement> held_out(const std::string& csv) {
  std::vector<Measurement> taken;
  std::map<std::string, int> seen;
  std::size_t held = 0;
  for (const Measurement& row : read_measurements(csv, 1))
    if (++seen[row.kernel] % 2 == 0 && held++ % kEveryHeldOut == 0) taken.push_back(row);
  return taken;
}

TEST(Ranges, HoldAsManyRowsAsTheySay) {
  std::size_t inside = 0, rows = 0;
  for (const char* set : {"v100_chains", "mixbench_gtx1060", "mixbench_rtx2070", "stream_v100", "stream_a100",
                          "stream_a40", "stream_mi210", "stream_rx6900xt", "stride_a100", "stride_a40"}) {
    LaunchOptions options;
    options.range = true;
    for (const Comparison& row :
         score(held_out(std::string(set) + ".csv"), shipped_kernel, shipped_device, options, 0).rows) {
      ASSERT_TRUE(row.range) << row.error;
      EXPECT_LE(row.range->low, *row.predicted);
      EXPECT_GE(row.range->high, *row.predicted);
      if (row.range->low <= row.measurement.value && row.measurement.value <= row.range->high) ++inside;
      ++rows;
    }
  }
  const double percent = 100 * static_cast<double>(inside) / static_cast<double>(rows);
  EXPECT_GE(percent, 80) << "of " << rows;
  EXPECT_LE(percent, 98) << "of " << rows;
}

}  // namespace
}  // namespace warpipe::validation
