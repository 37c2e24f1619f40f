#include <gmock/gmock.h>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string in_old_words(const std::string& text) {
  return replaced(replaced(text, "shared_memory", "local_memory"), "shared", "local");
}

const std::string kOldKernel = R"({
  "format": "warpipe-kernel", "version": 1, "name": "tile", "launch": {"group_size": 64, "groups": 8},
  "resources": {"shared_memory_per_group": 512},
  "body": [{"id": "put", "op": "shared.store"}, {"id": "take", "op": "shared.load", "after": ["put"]}]
})";
const std::string kOldDevice = R"({
  "format": "warpipe-device", "version": 1, "name": "toy", "compute_units": 2, "clock_hz": 1e9, "warp_size": 32,
  "limits": {"shared_memory_per_unit": 1024, "shared_memory_per_group": 1024}, "pipelines": {"shared": {}},
  "ops": {"shared.store": {"pipeline": "shared", "issue": 1, "completion": 10},
          "shared.load": {"pipeline": "shared", "issue": 2, "completion": 20}}
})";
const Files kFiles{{"new_kernel.json", kOldKernel},
                   {"new_device.json", kOldDevice},
                   {"old_kernel.json", in_old_words(kOldKernel)},
                   {"old_device.json", in_old_words(kOldDevice)}};

TEST(OldNames, OfFilesAndOptionsGiveTheSameResultAndOneNote) {
  const Workplace place(kFiles);
  const auto present =
      place.run({"simulate", "new_kernel.json", "--device", "new_device.json", "--set", "shared.load.issue=3"});
  const auto old =
      place.run({"simulate", "old_kernel.json", "--device", "old_device.json", "--set", "local.load.issue=3"});
  ASSERT_EQ(present.status, 0) << present.err;
  EXPECT_EQ(old.status, 0) << old.err;
  EXPECT_EQ(old.out, present.out);
  EXPECT_THAT(present.err, Not(HasSubstr("now called")));
  EXPECT_THAT(old.err, AllOf(HasSubstr("note: "), HasSubstr("local.load is now called shared.load")));
  EXPECT_EQ(old.err.find("note: "), old.err.rfind("note: "));
}

TEST(OldNames, AreTakenWithoutANoteWhereTheVoiceIsQuiet) {
  const auto old = Workplace(kFiles).run({"simulate", "old_kernel.json", "--device", "old_device.json", "--quiet"});
  EXPECT_EQ(old.status, 0);
  EXPECT_THAT(old.err, IsEmpty());
}

TEST(OldNames, OfNumbersMayBeVaried) {
  const Workplace place(kFiles);
  const auto sweep = [&](const std::string& number) {
    return place.run({"sweep", "new_kernel.json", "--device", "new_device.json", "--vary", number + "=1,2", "--quiet"});
  };
  EXPECT_EQ(sweep("local.load.issue").out, sweep("shared.load.issue").out);
  EXPECT_EQ(sweep("local.load.issue").status, 0);
}

TEST(OldNames, OfSavedResultsMatchTheNewOnes) {
  const Workplace place(kFiles);
  const auto saved =
      place.run({"simulate", "new_kernel.json", "--device", "new_device.json", "--json", "--view", "all"});
  ASSERT_EQ(saved.status, 0) << saved.err;
  place.write("old.json", in_old_words(saved.out));
  place.write("new.json", saved.out);
  const auto difference = place.run({"diff", "old.json", "new.json"});
  EXPECT_EQ(difference.status, 0) << difference.err;
  EXPECT_EQ(difference.out, place.run({"diff", "new.json", "new.json"}).out);
}

}  // namespace
}  // namespace warpipe::test
