#include "warpipe/idg/error.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace warpipe {
namespace {

TEST(Diagnostic, ReadsAsPlaceRuleFindAndWayOut) {
  EXPECT_EQ(to_string(Diagnostic{"saxpy.json: /body/2/op", "an op must be a name", "found 3", "write \"fadd\""}),
            "saxpy.json: /body/2/op: an op must be a name; found 3; write \"fadd\"");
}

TEST(Diagnostic, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_string(Diagnostic{"", "an op must be a name", "", ""}), "an op must be a name");
  EXPECT_EQ(to_string(Diagnostic{"", "an op must be a name", "", "write \"fadd\""}),
            "an op must be a name; write \"fadd\"");
}

TEST(Error, TellsAllDiagnosticsALineEach) {
  const InputError error({Diagnostic{"a", "first", "", ""}, Diagnostic{"b", "second", "", ""}});
  EXPECT_STREQ(error.what(), "a: first\nb: second");
  EXPECT_EQ(error.diagnostics().size(), 2U);
}

TEST(Error, KindsAreNotCaughtAsOneAnother) {
  // The exit status depends on the kind.
  EXPECT_FALSE((std::is_base_of_v<InputError, ModelError>));
  EXPECT_FALSE((std::is_base_of_v<UsageError, InputError>));
  EXPECT_FALSE((std::is_base_of_v<ModelError, InputError>));
  EXPECT_THROW(throw ModelError(Diagnostic{"", "rule", "", ""}), Error);
}

TEST(Diagnostics, ThrowAllAtOnceAndOnlyIfThereAreAny) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_NO_THROW(diagnostics.throw_if_any());
  diagnostics.add({"a", "first", "", ""});
  diagnostics.add({"b", "second", "", ""});
  try {
    diagnostics.throw_if_any();
    FAIL() << "there are two";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics(), diagnostics.list());
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

}  // namespace
}  // namespace warpipe
