// Slow paths of divisions, roots and angles of unknown numbers: no lane takes them, unless the launch says so.
// slow_paths/slow_paths.cu.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class SlowPaths : public testing::TestWithParam<std::string> {
 protected:
  SlowPaths()
      : module_(sass::read_cubin(read_text_file(in_sources("tests/sass/slow_paths/") + GetParam() + ".cubin"),
                                 GetParam() + ".cubin")) {}

  isa::Import imported(const std::string& entry) const {
    isa::ImportOptions options;
    options.entry = entry;
    options.launch.block = {32, 1, 1};
    return sass::import_cubin(module_, options);
  }

  sass::Module module_;
};

// Nothing is asked for: the launch says no `taken`, and assumes nothing.
TEST_P(SlowPaths, AreTakenByNoLane) {
  for (const std::string entry : {"quotient", "root", "quotient_of_floats", "sine"}) {
    const auto report = imported(entry).report;
    EXPECT_THAT(report.assumptions, testing::IsEmpty()) << entry;
    EXPECT_THAT(report.notes, Contains(HasSubstr("no lane goes to the slow path"))) << entry;
  }
}

// The table of a huge angle is not read: a load of the number, and a store.
TEST_P(SlowPaths, OfASineReadNoTable) {
  const auto issued = imported("sine").report.issued;
  EXPECT_EQ(issued.at("global.load"), 1);
  EXPECT_EQ(issued.at("global.store"), 1);
}

INSTANTIATE_TEST_SUITE_P(Cubins, SlowPaths, testing::Values("sm_80", "sm_90"));

}  // namespace
}  // namespace warpipe::test
