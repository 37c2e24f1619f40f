// Calls left to the loader, and calls through a pointer: linked/linked.cu.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/folders.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LeftToTheLoader : public testing::TestWithParam<std::string> {
 protected:
  LeftToTheLoader()
      : module_(sass::read_cubin(read_text_file(in_sources("tests/sass/linked/") + GetParam() + ".cubin"),
                                 GetParam() + ".cubin")) {}

  static isa::ImportOptions options_of(const std::string& entry) {
    isa::ImportOptions options;
    options.entry = entry;
    options.launch.block = {32, 1, 1};
    return options;
  }

  std::string refusal_of(const std::string& entry) const {
    try {
      sass::import_cubin(module_, options_of(entry));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  sass::Module module_;
};

// A function calls another in turn.
TEST_P(LeftToTheLoader, FunctionsOfTheFileAreFollowed) {
  auto options = options_of("inside");
  options.launch.assume = true;
  const auto report = sass::import_cubin(module_, options).report;
  EXPECT_EQ(report.calls, 3U);
  EXPECT_TRUE(report.skipped.empty());
}

// The advice runs as it stands.
TEST_P(LeftToTheLoader, OthersAreNamedWithAWayOut) {
  EXPECT_THAT(refusal_of("calls_outside"),
              AllOf(HasSubstr("outside(int)"), HasSubstr("as one file, without `-rdc=true`"),
                    HasSubstr("`unknown CALL.ABS._Z7outsidei:skip`")));
  auto options = options_of("calls_outside");
  options.lowering.unknown = {{"CALL.ABS._Z7outsidei", "skip"}};
  EXPECT_EQ(sass::import_cubin(module_, options).report.skipped.size(), 1U);
}

TEST_P(LeftToTheLoader, ACallThroughAPointerIsNamedWithAWayOut) {
  const auto said = refusal_of("pointed");
  EXPECT_THAT(said, AllOf(HasSubstr("found one through a pointer"), HasSubstr(":skip`")));
  const auto first = said.find("leave it out, `unknown ") + std::string("leave it out, `unknown ").size();
  auto options = options_of("pointed");
  options.lowering.unknown = {{said.substr(first, said.find(":skip`") - first), "skip"}};
  EXPECT_EQ(sass::import_cubin(module_, options).report.skipped.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, LeftToTheLoader, testing::Values("sm_80", "sm_90", "sm_120"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace warpipe::test
