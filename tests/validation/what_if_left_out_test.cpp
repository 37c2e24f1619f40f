// What a study of changes leaves out changes nothing of what it shows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/sweep/what_if.hpp"

namespace warpipe::validation {
namespace {

constexpr double kShown = 0.0005;  ///< what is less is 0.0 %

WhatIf changes_of(const Kernel& kernel, const Device& device, bool leave_out) {
  WhatIfOptions asked;
  asked.parts = {WhatIfPart::Changes};
  asked.leave_out = leave_out;
  LaunchOptions options;
  options.groups = 10 * device.compute_units;  // of each unit: more than one wave of most, and soon simulated
  return what_if(kernel, device, options, asked, 1);
}

using Shown = std::vector<std::string>;

/// The rows that both have, as they are shown.
Shown rows_of(const WhatIf& result, const WhatIf& other) {
  Shown rows;
  for (const Change& change : result.changes) {
    const auto same = std::ranges::find(other.changes, change.name, &Change::name);
    if (change.cycles && same->cycles)
      rows.push_back(fmt::format("{} {} {} {}", change.name, change.cycles->count, change.saved, change.remark));
  }
  return rows;
}

// 10 kernels whose limits differ, on devices with and without caches, and on one whose wavefronts are wide.
TEST(WhatIfLeftOut, SavesNothingAndChangesNoRowThatIsShown) {
  int tried = 0, left_out = 0;
  for (const char* name : {"saxpy", "fadd", "cos", "transpose_conflicts", "transpose_padded", "strided_copy",
                           "reduction", "mmul08", "mmul16", "memory"})
    for (const char* device_name : {"gtx1060", "v100", "h100", "mi300x"}) {
      const Kernel kernel = shipped_kernel(name);
      const Device device = shipped_device(device_name);
      WhatIf played, shown;
      try {
        played = changes_of(kernel, device, false);
      } catch (const Error&) {
        continue;  // the kernel has ops that the device lacks, or another launch
      }
      shown = changes_of(kernel, device, true);
      SCOPED_TRACE(fmt::format("{} on {}", name, device_name));
      EXPECT_EQ(rows_of(shown, played), rows_of(played, shown));
      for (const Change& change : shown.changes) {
        tried += change.cycles ? 1 : 0;
        if (!change.left_out) continue;
        const auto same = std::ranges::find(played.changes, change.name, &Change::name);
        if (!same->cycles) continue;
        ++left_out;
        EXPECT_LT(same->saved, kShown) << change.name << ": " << change.why_not;
      }
    }
  EXPECT_GE(tried, 100);
  EXPECT_GE(left_out, 30) << "or the test compares next to nothing";
}

}  // namespace
}  // namespace warpipe::validation
