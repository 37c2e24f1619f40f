#include <gmock/gmock.h>

#include "problems.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kExpectsFromOne = "a whole number from 1 to 2^53 is expected; found ";

TEST(KernelFileProblems, TextThatIsNoJsonNamesLineAndColumn) {
  const auto problems = problems_of("{\n  \"format\": ,\n}");
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("k.json: not JSON: line 2, column 13"));
}

TEST(KernelFileProblems, AnotherFormatIsTheOnlyProblem) {
  EXPECT_THAT(problems_of(R"({"format": "warpipe-device", "version": 1, "name": "d", "ops": {}})"),
              ElementsAre("k.json: /format: this is a device file, a kernel file is needed here"));
}

TEST(KernelFileProblems, AnotherVersionIsTheOnlyProblem) {
  EXPECT_THAT(
      problems_of(R"({"format": "warpipe-kernel", "version": 2, "bodies": []})"),
      ElementsAre("k.json: /version: only version 1 can be read; found 2; convert the file or use a newer program"));
}

TEST(KernelFileProblems, RequiredKeys) {
  EXPECT_THAT(problems_of(R"({"format": "warpipe-kernel", "version": 1})"),
              ElementsAre(R"(k.json: /: the key "name" is missing; add it)",
                          R"(k.json: /: the key "body" is missing; add it)"));
}

TEST(KernelFileProblems, UnknownKeysGetTheNearestOne) {
  EXPECT_THAT(
      problems_of(kernel_with(R"("lunch": {}, "launch": {"group_sise": 32}, "resources": {"register_per_thread": 1},
                              "work": {"flop": 1},)")),
      ElementsAre(
          R"(k.json: /lunch: unknown key "lunch"; did you mean "launch"?)",
          R"(k.json: /launch/group_sise: unknown key "group_sise"; did you mean "group_size"?)",
          R"(k.json: /resources/register_per_thread: unknown key "register_per_thread"; did you mean "registers_per_thread"?)",
          R"(k.json: /work/flop: unknown key "flop"; did you mean "flops"?)"));
}

TEST(KernelFileProblems, DuplicateKeys) {
  EXPECT_THAT(problems_of(kernel_with(R"("launch": {"groups": 1, "groups": 2},)")),
              ElementsAre("k.json: /launch/groups: the key \"groups\" is there twice; remove one of the two"));
}

TEST(KernelFileProblems, WrongTypes) {
  EXPECT_THAT(problems_of(R"({"format": "warpipe-kernel", "version": 1, "name": 7, "description": [], "origin": {},
                              "parameters": [], "launch": 1, "resources": "none", "work": null, "body": {}})"),
              ElementsAre("k.json: /name: a string is expected; found 7",
                          "k.json: /description: a string is expected; found an array",
                          "k.json: /origin: a string is expected; found an object",
                          "k.json: /parameters: an object is expected; found an array",
                          "k.json: /launch: an object is expected; found 1",
                          R"(k.json: /resources: an object is expected; found "none")",
                          "k.json: /work: an object is expected; found null",
                          "k.json: /body: an array is expected; found an object"));
}

TEST(KernelFileProblems, AnEmptyName) {
  EXPECT_THAT(problems_of(R"({"format": "warpipe-kernel", "version": 1, "name": "",
                              "body": [{"id": "a", "op": "fadd"}]})"),
              ElementsAre(R"(k.json: /name: the name of a kernel must not be empty; found "")"));
}

TEST(KernelFileProblems, ParametersArePlainNumbersWithGoodNames) {
  EXPECT_THAT(
      problems_of(kernel_with(R"("parameters": {"n": "2", "2n": 1, "a.b": 1, "warps": 1, "log2": 1, "m": true},)")),
      ElementsAre(
          R"(k.json: /parameters/n: a finite number is expected; found "2")",
          R"(k.json: /parameters/2n: "2n" cannot be the name of a parameter; use letters, digits and _, without a digit at the start)",
          R"(k.json: /parameters/a.b: "a.b" cannot be the name of a parameter; use letters, digits and _, without a digit at the start)",
          R"(k.json: /parameters/warps: "warps" cannot be the name of a parameter: expressions reserve it; rename it)",
          R"(k.json: /parameters/log2: "log2" cannot be the name of a parameter: expressions reserve it; rename it)",
          "k.json: /parameters/m: a finite number is expected; found true"));
}

TEST(KernelFileProblems, LaunchIsWholeAndAtLeastOne) {
  const std::string rule = kExpectsFromOne;
  EXPECT_THAT(problems_of(kernel_with(R"("launch": {"group_size": 0, "groups": 1.5, "concurrent_groups": -1},)")),
              ElementsAre("k.json: /launch/group_size: " + rule + "0", "k.json: /launch/groups: " + rule + "1.5",
                          "k.json: /launch/concurrent_groups: " + rule + "-1"));
  EXPECT_THAT(problems_of(kernel_with(R"("launch": {"groups": []},)")),
              ElementsAre("k.json: /launch/groups: a whole number or an expression is expected; found an array"));
}

TEST(KernelFileProblems, ResourcesAndWorkAreNotNegative) {
  const std::string rule = "a whole number from 0 to 2^53 is expected; found ";
  EXPECT_THAT(problems_of(kernel_with(R"("resources": {"registers_per_thread": -1, "shared_memory_per_group": 0.5},
                                 "work": {"flops": -1, "bytes": true, "compulsory_bytes": -0.5},)")),
              ElementsAre("k.json: /resources/registers_per_thread: " + rule + "-1",
                          "k.json: /resources/shared_memory_per_group: " + rule + "0.5",
                          "k.json: /work/flops: a number of at least 0 is expected; found -1",
                          "k.json: /work/bytes: a number or an expression is expected; found true",
                          "k.json: /work/compulsory_bytes: a number of at least 0 is expected; found -0.5"));
}

TEST(KernelFileProblems, AnExpressionThatDoesNotParseNamesItsPlace) {
  const auto problems = problems_of(kernel_with(R"("launch": {"groups": "2 *"},)"));
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], ::testing::StartsWith(R"(k.json: /launch/groups: "2 *" is not an expression: )"));
  EXPECT_THAT(problems[0], HasSubstr("; write it with numbers, names, + - * /"));
}

TEST(KernelFileProblems, ArraysAndSizes) {
  EXPECT_THAT(problems_of(kernel_with(R"("arrays": {"a b": {"bytes": 4}, "x": {}, "y": {"bytes": 0, "size": 1},
                                                    "z": {"bytes": 4, "thread_private": 1}},)")),
              ElementsAre("k.json: /arrays/a b: \"a b\" cannot be the name of an array; use letters, digits and _, "
                          "without a digit at the start",
                          "k.json: /arrays/x: the key \"bytes\" is missing; add it",
                          "k.json: /arrays/y/size: unknown key \"size\"; one of: bytes, thread_private",
                          "k.json: /arrays/y/bytes: a whole number from 1 to 2^53 is expected; found 0",
                          "k.json: /arrays/z/thread_private: true or false is expected; found 1"));
  EXPECT_THAT(problems_of(kernel_with(R"("launch": {"block": [], "grid": [1, 2, 3, 4]},)")),
              ElementsAre("k.json: /launch/block: one to three sizes are expected, along x, y and z; found an array",
                          "k.json: /launch/grid: one to three sizes are expected, along x, y and z; found an array"));
}

/// Problems of an expression that uses `name` at a place of the root.
std::vector<std::string> use(const std::string& object, const std::string& key, const std::string& name) {
  return problems_of(
      kernel_with(R"("parameters": {"n": 4}, ")" + object + R"(": {")" + key + R"(": ")" + name + R"("},)"));
}

TEST(KernelFileProblems, EachPlaceSeesItsOwnNames) {
  const std::vector<std::string> names{"n", "group_size", "warps", "groups", "warp"};
  const auto visible_count = [&](const std::string& object, const std::string& key) {
    std::size_t count = 0;  // the names are ordered by the places that see them
    while (count < names.size() && use(object, key, names[count]).empty()) ++count;
    for (std::size_t next = count; next < names.size(); ++next) EXPECT_FALSE(use(object, key, names[next]).empty());
    return count;
  };
  EXPECT_EQ(visible_count("launch", "group_size"), 1U);
  for (const char* key : {"groups", "concurrent_groups"}) EXPECT_EQ(visible_count("launch", key), 3U) << key;
  for (const char* key : {"registers_per_thread", "shared_memory_per_group"})
    EXPECT_EQ(visible_count("resources", key), 3U) << key;
  for (const char* key : {"flops", "bytes", "compulsory_bytes"}) EXPECT_EQ(visible_count("work", key), 4U) << key;
}

TEST(KernelFileProblems, ANameThatIsNotVisibleGetsTheVisibleOnes) {
  EXPECT_THAT(use("launch", "group_size", "warps"),
              ElementsAre(R"(k.json: /launch/group_size: unknown name "warps" in "warps"; one of: n)"));
}

TEST(KernelFileProblems, AllAreReportedAtOnce) {
  EXPECT_THAT(problems_of(kernel_text(R"([{"id": "a", "op": 1}, {"id": "b", "op": "fadd", "after": ["c"]}])",
                                      R"("parameters": {"n": null}, "launch": {"groups": 0},)")),
              ElementsAre("k.json: /parameters/n: a finite number is expected; found null",
                          std::string("k.json: /launch/groups: ") + kExpectsFromOne + "0",
                          "k.json: /body/0/op: a string is expected; found 1",
                          R"(k.json: /body/1/after/0: no instruction "c" in this file; one of: a, b)"));
}

TEST(KernelFileProblems, APolicyHasAName) {
  EXPECT_THAT(problems_of(R"({"format": "warpipe-kernel", "version": 1, "name": "k", "policy": "gto",
                              "body": [{"id": "a", "op": "fadd"}]})"),
              ElementsAre("k.json: /policy: no policy has this name; found \"gto\"; one of: first-ready, oldest, "
                          "greedy-oldest, round-robin"));
}

}  // namespace
}  // namespace warpipe::test
