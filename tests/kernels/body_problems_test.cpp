#include <gmock/gmock.h>

#include "problems.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Problems of a body with these items.
std::vector<std::string> body(const std::string& items) { return problems_of(kernel_text("[" + items + "]")); }

/// Problems of an instruction "a" with these further members.
std::vector<std::string> with(const std::string& members) {
  return body(R"({"id": "a", "op": "fadd", )" + members + "}");
}

TEST(KernelBodyProblems, EmptyBodies) {
  EXPECT_THAT(body(""), ElementsAre("k.json: /body: the body is empty; add an instruction"));
  EXPECT_THAT(body(R"({"loop": "l", "trip_count": 1, "body": []}, {"when": 1, "body": []})"),
              ElementsAre("k.json: /body/0/body: the body is empty; add an instruction",
                          "k.json: /body/1/body: the body is empty; add an instruction"));
}

TEST(KernelBodyProblems, AnItemHasExactlyOneKind) {
  const std::string rule = R"(: an item must have exactly one of "op", "loop" and "when"; )";
  const std::string advice = R"(; an instruction has "op", a loop "loop", a condition "when")";
  EXPECT_THAT(body(R"({"id": "a"}, {"id": "b", "op": "fadd", "loop": "l"},
                      {"op": "fadd", "loop": "m", "when": 1, "body": []}, 3)"),
              ElementsAre("k.json: /body/0" + rule + "found none" + advice,
                          "k.json: /body/1" + rule + R"(found "op" and "loop")" + advice,
                          "k.json: /body/2" + rule + R"(found "op" and "loop" and "when")" + advice,
                          "k.json: /body/3: an item of a body must be an object; found 3"));
}

TEST(KernelBodyProblems, UnknownKeysOfEachKind) {
  EXPECT_THAT(
      body(
          R"({"id": "a", "op": "fadd", "aftr": []}, {"loop": "l", "trip_count": 1, "trips": 1, "body": [{"id": "b", "op": "fadd"}]},
              {"when": 1, "trip_count": 1, "body": [{"id": "c", "op": "fadd"}]})"),
      ElementsAre(R"(k.json: /body/0/aftr: unknown key "aftr"; did you mean "after"?)",
                  R"(k.json: /body/1/trips: unknown key "trips"; one of: loop, trip_count, body)",
                  R"(k.json: /body/2/trip_count: unknown key "trip_count"; one of: when, body)"));
}

TEST(KernelBodyProblems, RequiredKeysOfEachKind) {
  EXPECT_THAT(body(R"({"op": "fadd"}, {"loop": "l"}, {"when": 1})"),
              ElementsAre(R"(k.json: /body/0: the key "id" is missing; add it)",
                          R"(k.json: /body/1: the key "trip_count" is missing; add it)",
                          R"(k.json: /body/1: the key "body" is missing; add it)",
                          R"(k.json: /body/2: the key "body" is missing; add it)"));
}

TEST(KernelBodyProblems, WrongTypes) {
  EXPECT_THAT(
      body(R"({"id": 1, "op": 2, "after": "a", "text": 3, "access": []}, {"loop": 4, "trip_count": [], "body": {}},
                      {"when": {}, "body": 5})"),
      ElementsAre("k.json: /body/0/id: a string is expected; found 1",
                  "k.json: /body/0/op: a string is expected; found 2",
                  "k.json: /body/0/text: a string is expected; found 3",
                  R"(k.json: /body/0/after: an array is expected; found "a")",
                  "k.json: /body/0/access: an object is expected; found an array",
                  "k.json: /body/1/loop: a string is expected; found 4",
                  "k.json: /body/1/trip_count: a whole number or an expression is expected; found an array",
                  "k.json: /body/1/body: an array is expected; found an object",
                  "k.json: /body/2/when: a number or an expression is expected; found an object",
                  "k.json: /body/2/body: an array is expected; found 5"));
}

TEST(KernelBodyProblems, IdsAndLoopsAreUniqueAcrossBodies) {
  EXPECT_THAT(
      body(R"({"id": "a", "op": "fadd"},
                      {"loop": "l", "trip_count": 1, "body": [{"id": "a", "op": "fadd"}, {"loop": "l", "trip_count": 1,
                       "body": [{"id": "b", "op": "fadd"}]}]})"),
      ElementsAre(
          R"(k.json: /body/1/body/0/id: ids must be unique in a kernel; found "a" again; rename it or the one at /body/0/id)",
          R"(k.json: /body/1/body/1/loop: loop names must be unique in a kernel; found "l" again; rename it or the one at /body/1/loop)"));
}

TEST(KernelBodyProblems, IdsAndLoopsHaveGoodNames) {
  const std::string advice = "; use letters, digits and _, without a digit at the start";
  EXPECT_THAT(
      body(R"({"id": "a.b", "op": "fadd"}, {"id": "", "op": "fadd"}, {"id": "warp", "op": "fadd"},
                      {"loop": "1st", "trip_count": 1, "body": [{"id": "c", "op": "fadd"}]},
                      {"loop": "max", "trip_count": 1, "body": [{"id": "d", "op": "fadd"}]})"),
      ElementsAre(R"(k.json: /body/0/id: "a.b" cannot be the name of an id)" + advice,
                  R"(k.json: /body/1/id: "" cannot be the name of an id)" + advice,
                  R"(k.json: /body/2/id: "warp" cannot be the name of an id: expressions reserve it; rename it)",
                  R"(k.json: /body/3/loop: "1st" cannot be the name of a loop)" + advice,
                  R"(k.json: /body/4/loop: "max" cannot be the name of a loop: expressions reserve it; rename it)"));
}

TEST(KernelBodyProblems, AnOpHasDotsOnlyInside) {
  for (const char* op : {"fadd", "_x", "global.load.l2", "global.load.128", "log2"})
    EXPECT_THAT(body(std::string(R"({"id": "a", "op": ")") + op + R"("})"), IsEmpty()) << op;
  for (const char* op : {"", ".", ".load", "load.", "global..load", "128.load", "global load", "f-add"})
    EXPECT_THAT(body(std::string(R"({"id": "a", "op": ")") + op + R"("})"),
                ElementsAre(std::string(R"(k.json: /body/0/op: an op must be a name, with dots inside; found ")") + op +
                            R"("; write a name such as "ffma" or "global.load")"));
}

TEST(KernelBodyProblems, AfterNamesInstructionsOfTheFile) {
  EXPECT_THAT(
      body(R"({"id": "load_x", "op": "global.load"}, {"id": "fma", "op": "ffma", "after": ["laod_x", {"id": "store"}]},
                      {"loop": "walk", "trip_count": 1, "body": [{"id": "b", "op": "fadd", "after": ["walk"]}]})"),
      ElementsAre(R"(k.json: /body/1/after/0: no instruction "laod_x" in this file; did you mean "load_x"?)",
                  R"(k.json: /body/1/after/1/id: no instruction "store" in this file; one of: load_x, fma, b)",
                  R"(k.json: /body/2/body/0/after/0: no instruction "walk" in this file; one of: load_x, fma, b)"));
}

TEST(KernelBodyProblems, EntriesOfAfter) {
  EXPECT_THAT(
      with(
          R"("after": [3, {"back": 1}, {"id": "a", "back": 0}, {"id": "a", "latency": -1}, {"id": 4}, {"id": "a", "lag": 1}])"),
      ElementsAre(
          R"(k.json: /body/0/after/0: an entry of "after" must be an id, or an object with "id" and perhaps "back" and "latency"; found 3)",
          R"(k.json: /body/0/after/1: the key "id" is missing; add it)",
          "k.json: /body/0/after/2/back: a whole number from 1 to 2^53 is expected; found 0",
          "k.json: /body/0/after/3/latency: a number from 0 to 1000000000 is expected; found -1",
          "k.json: /body/0/after/4/id: a string is expected; found 4",
          R"(k.json: /body/0/after/5/lag: unknown key "lag"; one of: id, back, latency)"));
}

TEST(KernelBodyProblems, LatenciesArePlainNumbersUpToABillion) {
  const std::string rule = "a number from 0 to 1000000000 is expected; found ";
  EXPECT_THAT(with(R"("issue_latency": -0.001, "completion_latency": 1000000000.5)"),
              ElementsAre("k.json: /body/0/issue_latency: " + rule + "-0.001",
                          "k.json: /body/0/completion_latency: " + rule + "1000000000.5"));
  EXPECT_THAT(with(R"("issue_latency": "n")"), ElementsAre("k.json: /body/0/issue_latency: " + rule + R"("n")"));
}

TEST(KernelBodyProblems, CountsStartAtOneAndTripsAtZero) {
  const std::string rule = "a whole number from 1 to 2^53 is expected; found ";
  EXPECT_THAT(
      with(R"("conflict_degree": 0, "transactions": 2.5)"),
      ElementsAre("k.json: /body/0/conflict_degree: " + rule + "0", "k.json: /body/0/transactions: " + rule + "2.5"));
  EXPECT_THAT(body(R"({"loop": "l", "trip_count": -1, "body": [{"id": "a", "op": "fadd"}]})"),
              ElementsAre("k.json: /body/0/trip_count: a whole number from 0 to 2^53 is expected; found -1"));
  EXPECT_THAT(body(R"({"loop": "l", "trip_count": 0, "body": [{"id": "a", "op": "fadd"}]})"), IsEmpty());
}

TEST(KernelBodyProblems, AnAccessSaysOnceWhereTheLanesAre) {
  const std::string rule =
      R"(k.json: /body/0/access: an access must have exactly one of "stride_bytes", "pattern", "lane_offsets_bytes", "address", "addresses"; found )";
  EXPECT_THAT(with(R"("access": {"width_bytes": 4})"), ElementsAre(rule + "none; add one of them"));
  EXPECT_THAT(with(R"("access": {"width_bytes": 4, "stride_bytes": 4, "pattern": "broadcast"})"),
              ElementsAre(rule + "2; keep one of them"));
  EXPECT_THAT(
      with(R"("access": {"width_bytes": 4, "stride_bytes": 4, "pattern": "broadcast", "lane_offsets_bytes": [0]})"),
      ElementsAre(rule + "3; keep one of them"));
}

TEST(KernelBodyProblems, PartsOfAnAccess) {
  EXPECT_THAT(with(R"("access": {"stride_bytes": 4})"),
              ElementsAre(R"(k.json: /body/0/access: the key "width_bytes" is missing; add it)"));
  EXPECT_THAT(
      with(R"("access": {"width_bytes": 0, "stride_bytes": 0.5})"),
      ElementsAre(
          "k.json: /body/0/access/width_bytes: a whole number from 1 to 2^53 is expected; found 0",
          "k.json: /body/0/access/stride_bytes: a whole number from -9007199254740992 to 2^53 is expected; found 0.5"));
  EXPECT_THAT(
      with(R"("access": {"width_bytes": 4, "pattern": "random"})"),
      ElementsAre(
          R"(k.json: /body/0/access/pattern: the only named pattern is "broadcast"; found "random"; write "broadcast", or "stride_bytes", "lane_offsets_bytes" or "address" instead)"));
  EXPECT_THAT(
      with(R"("access": {"width_bytes": 4, "lane_offsets_bytes": []})"),
      ElementsAre("k.json: /body/0/access/lane_offsets_bytes: the list of offsets is empty; write one for each lane"));
  EXPECT_THAT(
      with(R"("access": {"width_bytes": 4, "lane_offsets_bytes": [0, "lane"]})"),
      ElementsAre(
          R"(k.json: /body/0/access/lane_offsets_bytes/1: unknown name "lane" in "lane"; one of: group_size, warps, warp)"));
}

/// Problems of an access of these members in two loops, in a kernel with an array and a parameter.
std::vector<std::string> access_in_loops(const std::string& members, const std::string& more = "") {
  return problems_of(kernel_text(
      R"([{"loop": "row", "trip_count": 2, "body": [{"loop": "step", "trip_count": 2, "body": [
         {"id": "a", "op": "global.load", "access": {"width_bytes": 4, )" +
          members + "}}]}]}]",
      "\"parameters\": {\"n\": 4" + more + R"(}, "arrays": {"x": {"bytes": "4 * n * groups"}},)"));
}

const std::string kAccessInLoops = "k.json: /body/0/body/0/body/0/access";

TEST(KernelBodyProblems, AnAddressIsInAnArrayOfTheFile) {
  EXPECT_THAT(access_in_loops(R"("address": 0)"),
              ElementsAre(kAccessInLoops + R"(: the key "array" is missing; add it)"));
  EXPECT_THAT(access_in_loops(R"("array": "y", "addresses": [[0]])"),
              ElementsAre(kAccessInLoops + R"(/array: no array "y" in this file; one of: x)"));
  EXPECT_THAT(with(R"("access": {"width_bytes": 4, "array": "x", "address": 0})"),
              ElementsAre("k.json: /body/0/access/array: no array \"x\" in this file; say how large it is under "
                          "\"arrays\""));
  EXPECT_THAT(access_in_loops(R"("array": "x", "stride_bytes": 4)"),
              ElementsAre(kAccessInLoops + R"(/array: "array" has no meaning beside "stride_bytes"; remove it: )" +
                          R"("address" and "addresses" are in an array)"));
}

/// Problems of a name in an address in the loop "row".
std::vector<std::string> address_that_uses(const std::string& name) {
  return problems_of(
      kernel_text(R"([{"loop": "row", "trip_count": 2, "body": [{"id": "a", "op": "global.load", "access":
                  {"width_bytes": 4, "array": "x", "address": ")" +
                      name + R"("}}]}, {"loop": "later", "trip_count": 2, "body": [{"id": "b", "op": "fadd"}]}])",
                  R"("parameters": {"n": 4}, "arrays": {"x": {"bytes": 64}},
                     "kinds": {"of_group": 0, "values": {"rows": [2]}},)"));
}

TEST(KernelBodyProblems, AnAddressSeesItsPlaceAndTheLoopsAroundIt) {
  for (const char* name : {"n", "group_size", "warps", "warp", "kind", "rows", "lane", "thread_x", "thread_y",
                           "thread_z", "group", "group_x", "group_y", "group_z", "row"})
    EXPECT_THAT(address_that_uses(name), IsEmpty()) << name;
  for (const char* name : {"groups", "later", "a", "x"}) EXPECT_FALSE(address_that_uses(name).empty()) << name;
}

TEST(KernelBodyProblems, ANameInAnAddressMeansOneThing) {
  // The parameter "step" is also the loop around it; a loop without an address in it may be called so.
  EXPECT_THAT(access_in_loops(R"("array": "x", "address": "4 * lane")", ", \"step\": 2"),
              ElementsAre(kAccessInLoops +
                          R"(/address: an address would see two meanings of "step": a loop around it has the name, )" +
                          "too; rename the parameter, the value of the kinds or the loop"));
  EXPECT_THAT(problems_of(kernel_text(R"([{"id": "a", "op": "global.load",
                                           "access": {"width_bytes": 4, "array": "x", "address": 0}}])",
                                      R"("parameters": {"lane": 1}, "arrays": {"x": {"bytes": 64}},)")),
              ElementsAre("k.json: /body/0/access/address: an address would see two meanings of \"lane\": a place of "
                          "the launch has the name, too; rename the parameter, the value of the kinds or the loop"));
}

TEST(KernelBodyProblems, PartsOfSampledAddresses) {
  const auto samples = [](const std::string& members) {
    return problems_of(kernel_text(
        R"([{"id": "a", "op": "global.load", "access": {"width_bytes": 4, "array": "x", )" + members + "}}]",
        R"("arrays": {"x": {"bytes": 64}},)"));
  };
  const std::string access = "k.json: /body/0/access";
  EXPECT_THAT(samples(R"("addresses": [[0, null], [4, 8]], "executions_per_warp": 1)"), IsEmpty());
  EXPECT_THAT(samples(R"("addresses": [])"),
              ElementsAre(access + "/addresses: the list of executions is empty; write a list of addresses for each"));
  EXPECT_THAT(samples(R"("addresses": [[], [-4]])"),
              ElementsAre(access + "/addresses/0: an execution must have an address for each lane; found an array",
                          access + "/addresses/1/0: a whole number from 0 to 2^53 is expected; found -4"));
  EXPECT_THAT(samples(R"("addresses": [[0], [4], [8]], "executions_per_warp": 2)"),
              ElementsAre(access + "/executions_per_warp: the 3 executions must be those of whole warps; found 2"));
  EXPECT_THAT(samples(R"("address": 0, "executions_per_warp": 2)"),
              ElementsAre(access + "/executions_per_warp: \"executions_per_warp\" has no meaning beside \"address\"; "
                                   "remove it: it is said of \"addresses\""));
}

TEST(KernelBodyProblems, WhatGoesPastTheUnitIsInAnArray) {
  EXPECT_THAT(with(R"("access": {"width_bytes": 4, "stride_bytes": 4, "past_unit": true})"),
              ElementsAre("k.json: /body/0/access/past_unit: \"past_unit\" has no meaning beside \"stride_bytes\"; "
                          "remove it: caches see what is in an array"));
  EXPECT_THAT(problems_of(kernel_text(R"([{"id": "a", "op": "global.load", "access":
                                        {"width_bytes": 4, "array": "x", "address": 0, "past_unit": 1}}])",
                                      R"("arrays": {"x": {"bytes": 64}},)")),
              ElementsAre(testing::HasSubstr("k.json: /body/0/access/past_unit: ")));
}

TEST(KernelBodyProblems, StallsAreWholeCyclesOfEightBits) {
  EXPECT_THAT(with(R"("stall": 255)"), IsEmpty());
  EXPECT_THAT(with(R"("stall": 256)"),
              ElementsAre("k.json: /body/0/stall: a whole number from 0 to 255 is expected; found 256"));
  EXPECT_THAT(with(R"("stall": 1.5)"), ElementsAre(testing::HasSubstr("/body/0/stall: a whole number from 0 to 255")));
}

TEST(KernelBodyProblems, PartsOfLinesAndLevels) {
  EXPECT_THAT(with(R"("lines": 2, "levels": {"l1": {"share": 0.5}, "dram": {"share": "0.5", "sectors": 1.5}})"),
              IsEmpty());
  EXPECT_THAT(with(R"("lines": 0)"),
              ElementsAre("k.json: /body/0/lines: a whole number from 1 to 2^53 is expected; found 0"));
  EXPECT_THAT(with(R"("levels": {})"), ElementsAre("k.json: /body/0/levels: the levels are empty; name those that "
                                                   "serve the instruction, or leave the key out"));
  EXPECT_THAT(with(R"("levels": {"l1": {"hits": 1, "share": -0.5}})"),
              ElementsAre("k.json: /body/0/levels/l1/hits: unknown key \"hits\"; one of: share, sectors",
                          "k.json: /body/0/levels/l1/share: a number of at least 0 is expected; found -0.5"));
}

TEST(KernelBodyProblems, ABodySeesTheWarpButNotTheGroups) {
  const auto trips = [](const std::string& name) {
    return problems_of(
        kernel_text(R"([{"loop": "l", "trip_count": ")" + name + R"(", "body": [{"id": "a", "op": "fadd"}]}])",
                    R"("parameters": {"n": 4},)"));
  };
  for (const char* name : {"n", "group_size", "warps", "warp"}) EXPECT_THAT(trips(name), IsEmpty()) << name;
  EXPECT_THAT(
      trips("groups"),
      ElementsAre(
          R"(k.json: /body/0/trip_count: unknown name "groups" in "groups"; one of: n, group_size, warps, warp)"));
  EXPECT_FALSE(trips("occupancy").empty());
  EXPECT_FALSE(trips("a").empty());
}

}  // namespace
}  // namespace warpipe::test
