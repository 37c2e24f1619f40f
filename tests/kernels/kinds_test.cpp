#include <gmock/gmock.h>

#include "problems.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kBody = R"([{"loop": "l", "trip_count": "trips + kind", "body": [{"id": "a", "op": "fadd"}]}])";

std::string with_kinds(std::string_view kinds) {
  return kernel_text(kBody, std::string(R"("parameters": {"n": 4}, "kinds": )") + std::string(kinds) + ", ");
}

TEST(Kinds, AreReadAsTheyStand) {
  const Kernel kernel =
      read_kernel_json(with_kinds(R"({"of_group": [[1, 3], [0, 1]], "values": {"trips": [2, [5, 6]]}})"), "k.json");
  ASSERT_TRUE(kernel.kinds);
  const auto& runs = std::get<std::vector<GroupKinds::Run>>(kernel.kinds->of_group);
  EXPECT_THAT(runs, ElementsAre(GroupKinds::Run{1, 3}, GroupKinds::Run{0, 1}));
  EXPECT_THAT(kernel.kinds->values.at("trips"), ElementsAre(ElementsAre(2), ElementsAre(5, 6)));
}

TEST(Kinds, ReadBackTheSame) {
  for (const char* kinds : {R"({"of_group": [[1, 3], [0, 1]], "values": {"trips": [2, [5, 6.5]]}})",
                            R"x({"of_group": "floor(group / n)", "values": {"trips": [2, 3]}})x",
                            R"x({"of_group": [[0, 1]], "values": {"trips": [2]}, "uncertain": 0.06})x"}) {
    const std::string text = write_kernel_json(read_kernel_json(with_kinds(kinds), "k.json"));
    const Kernel again = read_kernel_json(text, "k.json");
    EXPECT_EQ(again.kinds, read_kernel_json(with_kinds(kinds), "k.json").kinds) << text;
  }
}

TEST(Kinds, SeeTheLaunchAndTheGroup) {
  for (const char* name : {"n", "group_size", "warps", "groups", "group"})
    EXPECT_THAT(problems_of(with_kinds(std::string(R"({"of_group": ")") + name + R"(", "values": {"trips": [1]}})")),
                IsEmpty())
        << name;
}

TEST(Kinds, AreWrongInManyWays) {
  EXPECT_THAT(
      problems_of(with_kinds(R"({"of_groups": 1, "values": {"trips": [1], "n": [1], "kind": [1, 2]}})")),
      ElementsAre(
          R"(k.json: /kinds/of_groups: unknown key "of_groups"; did you mean "of_group"?)",
          R"(k.json: /kinds/values/n: the name "n" is taken; rename it: "kind", "group" and the parameters have names already)",
          R"(k.json: /kinds/values/kind: the name "kind" is taken; rename it: "kind", "group" and the parameters have names already)",
          "k.json: /kinds/values/kind: every value must be given for the same number of kinds; found 2 numbers after 1 "
          "of another "
          "value; give one for each kind",
          R"(k.json: /kinds: the key "of_group" is missing; add it)"));
  EXPECT_THAT(
      problems_of(with_kinds(R"({"of_group": [[2, 1], [0], [0, 0], 3], "values": {"trips": [1, 2]}})")),
      ElementsAre("k.json: /kinds/of_group/0/0: a kind must be from 0 to 1, for which there are values; found 2",
                  "k.json: /kinds/of_group/1: a run of groups must be a kind and a number of groups; found an "
                  "array; write [KIND, GROUPS]",
                  "k.json: /kinds/of_group/2/1: a whole number from 1 to 2^53 is expected; found 0",
                  "k.json: /kinds/of_group/3: an array is expected; found 3"));
  EXPECT_THAT(problems_of(with_kinds(R"({"of_group": [], "values": {"trips": []}})")),
              ElementsAre("k.json: /kinds/values/trips: the list of values is empty; add a number for each kind",
                          "k.json: /kinds/of_group: the list of runs is empty; write "
                          "[[KIND, GROUPS], ...]"));
}

TEST(Kinds, AreNotSeenWhereThereAreNone) {
  EXPECT_THAT(problems_of(kernel_text(R"([{"loop": "l", "trip_count": "kind", "body": [{"id": "a", "op": "fadd"}]}])")),
              ElementsAre(::testing::HasSubstr(R"(unknown name "kind" in "kind")")));
}

}  // namespace
}  // namespace warpipe::test
