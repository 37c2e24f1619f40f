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
                            R"x({"of_group": "floor(group / n)", "values": {"trips": [2, 3]}})x"}) {
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
          R"(k.json: /kinds/of_groups: every key is one of the format's; found the unknown key "of_groups"; did you mean "of_group"?)",
          R"(k.json: /kinds/values/n: a value of the kinds has a name of its own; found "n"; "kind", "group" and the parameters are taken)",
          R"(k.json: /kinds/values/kind: a value of the kinds has a name of its own; found "kind"; "kind", "group" and the parameters are taken)",
          "k.json: /kinds/values/kind: every value is given for as many kinds; found 2 numbers after 1 of another "
          "value; give one for each kind",
          R"(k.json: /kinds: the key "of_group" is required; found none; add "of_group")"));
  EXPECT_THAT(problems_of(with_kinds(R"({"of_group": [[2, 1], [0], [0, 0], 3], "values": {"trips": [1, 2]}})")),
              ElementsAre("k.json: /kinds/of_group/0/0: a kind is one of 0 to 1, for which there are values; found 2",
                          "k.json: /kinds/of_group/1: a run of groups is a kind and a number of groups; found an "
                          "array; write [KIND, GROUPS]",
                          "k.json: /kinds/of_group/2/1: a whole number from 1 to 2^53 is expected; found 0",
                          "k.json: /kinds/of_group/3: an array is expected; found 3"));
  EXPECT_THAT(
      problems_of(with_kinds(R"({"of_group": [], "values": {"trips": []}})")),
      ElementsAre("k.json: /kinds/values/trips: a value is given for at least one kind; found an array; add a number",
                  "k.json: /kinds/of_group: the kinds of groups are given by at least one run; found an array; write "
                  "[[KIND, GROUPS], ...]"));
}

TEST(Kinds, AreNotSeenWhereThereAreNone) {
  EXPECT_THAT(problems_of(kernel_text(R"([{"loop": "l", "trip_count": "kind", "body": [{"id": "a", "op": "fadd"}]}])")),
              ElementsAre(::testing::HasSubstr(R"(found "kind" in "kind")")));
}

}  // namespace
}  // namespace warpipe::test
