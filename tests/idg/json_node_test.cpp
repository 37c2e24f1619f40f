#include "warpipe/idg/json_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A document and its problems.
struct Read {
  explicit Read(std::string_view text) : document(text, "test.json", diagnostics) {}
  JsonNode member(std::string_view key) const { return document.root().find(key).value(); }

  Diagnostics diagnostics;
  JsonDocument document;
};

/// Places of the problems, in order.
std::vector<std::string> places(const Diagnostics& diagnostics) {
  std::vector<std::string> places;
  for (const Diagnostic& diagnostic : diagnostics.list()) places.push_back(diagnostic.where);
  return places;
}

std::string json_refusal(std::string_view text) {
  try {
    const Read read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonDocument, TextThatIsNoJsonIsToldWithLineAndColumn) {
  const std::string told = json_refusal("{\n  \"a\": ?\n}");
  EXPECT_THAT(told, HasSubstr("test.json"));
  EXPECT_THAT(told, HasSubstr("line 2, column 8"));
}

class BrokenJson : public testing::TestWithParam<const char*> {};
TEST_P(BrokenJson, IsRefused) { EXPECT_NE(json_refusal(GetParam()), ""); }
INSTANTIATE_TEST_SUITE_P(Texts, BrokenJson,
                         testing::Values("", " ", "{", "[1,]", "{\"a\":1,}", "{'a':1}", "{a:1}", "// no\n{}",
                                         "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":NaN}", "{\"a\":Infinity}",
                                         "{\"a\":\"\n\"}", "tru"));
INSTANTIATE_TEST_SUITE_P(TrailingText, BrokenJson, testing::Values("{} {}", "{}x", "1 2", "[]]"));
INSTANTIATE_TEST_SUITE_P(InvalidUtf8, BrokenJson,
                         testing::Values("\"\xff\"", "\"\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "{\"\xfe\":1}",
                                         "\"\\ud800\""));
INSTANTIATE_TEST_SUITE_P(NumbersThatNoDoubleHolds, BrokenJson, testing::Values("1e999", "{\"a\":-1e999}"));

TEST(JsonDocument, TakesTrailingBlanks) { EXPECT_EQ(json_refusal("{}\n \t\r\n"), ""); }

TEST(JsonDocument, FindsADuplicateKeyAndItsPlace) {
  const Read read(R"({"a": 1, "b": [{"c": 1}, {"c": 1, "d": 2, "c": 3}], "a": 2})");
  EXPECT_THAT(places(read.diagnostics), ElementsAre("test.json: /b/1/c", "test.json: /a"));
}

TEST(JsonDocument, TheSameKeyInDifferentObjectsIsFine) {
  const Read read(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})");
  EXPECT_THAT(places(read.diagnostics), IsEmpty());
}

TEST(JsonDocument, DuplicatesAreComparedAsReadNotAsWritten) {
  const Read read("{\"a\": 1, \"\\u0061\": 2}");
  EXPECT_THAT(places(read.diagnostics), ElementsAre("test.json: /a"));
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonDocument, RefusesDeepNestingOnTime) {
  EXPECT_EQ(json_refusal(nested(200)), "");
  EXPECT_THAT(json_refusal(nested(202)), HasSubstr("200 levels"));
  EXPECT_THAT(json_refusal(nested(1000000)), HasSubstr("200 levels"));
  EXPECT_THAT(json_refusal(std::string(1000000, '[')), HasSubstr("200 levels"));
}

TEST(JsonDocument, ExpectsFormatAndVersion) {
  EXPECT_TRUE(Read(R"({"format": "x", "version": 1})").document.expect_format("x", 1));
  EXPECT_TRUE(Read(R"({"format": "x", "version": 1.0})").document.expect_format("x", 1));
  for (const char* text : {R"({"format": "y", "version": 1})", R"({"format": "x", "version": 2})", R"({"version": 1})",
                           R"({"format": "x"})", R"({"format": 3, "version": 1})", "[]", "3"}) {
    const Read read(text);
    EXPECT_FALSE(read.document.expect_format("x", 1)) << text;
    EXPECT_FALSE(read.diagnostics.empty()) << text;
  }
}

TEST(JsonNode, KnowsItsPath) {
  const Read read(R"({"a/b": [0, {"c~d": 1}]})");
  const JsonNode node = read.member("a/b").elements().at(1).find("c~d").value();
  EXPECT_EQ(node.path(), "/a~1b/1/c~0d");
  EXPECT_EQ(read.document.root().path(), "");
}

TEST(JsonNode, GivesMembersInTheOrderOfTheFile) {
  const Read read(R"({"b": 1, "a": 2})");
  const auto members = read.document.root().members();
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].first, "b");
  EXPECT_EQ(members[1].first, "a");
  EXPECT_EQ(members[1].second.whole(0), 2);
}

TEST(JsonNode, TellsEveryUnknownKeyWithTheNearest) {
  const Read read(R"({"trip_cuont": 1, "loop": 2, "zzzzzz": 3})");
  EXPECT_TRUE(read.document.root().allow_keys({"loop", "trip_count", "body"}));
  EXPECT_THAT(places(read.diagnostics), ElementsAre("test.json: /trip_cuont", "test.json: /zzzzzz"));
  EXPECT_THAT(read.diagnostics.list()[0].advice, HasSubstr("trip_count"));
}

TEST(JsonNode, AMissingKeyIsAProblemOnlyWhereItIsRequired) {
  const Read read(R"({"a": {}})");
  EXPECT_FALSE(read.member("a").find("b").has_value());
  EXPECT_TRUE(read.diagnostics.empty());
  EXPECT_FALSE(read.member("a").require("b").has_value());
  EXPECT_THAT(places(read.diagnostics), ElementsAre("test.json: /a"));
  EXPECT_THAT(to_string(read.diagnostics.list()[0]), HasSubstr("\"b\""));
}

TEST(JsonNode, AnotherTypeThanAskedForIsAProblemEach) {
  const Read read(R"({"n": 1, "s": "x", "a": [], "o": {}, "z": null, "t": true})");
  EXPECT_EQ(read.member("n").string(), std::nullopt);
  EXPECT_EQ(read.member("s").number(0, 1), std::nullopt);
  EXPECT_EQ(read.member("t").whole(0), std::nullopt);
  EXPECT_EQ(read.member("z").string(), std::nullopt);
  EXPECT_THAT(read.member("a").members(), IsEmpty());
  EXPECT_THAT(read.member("o").elements(), IsEmpty());
  EXPECT_FALSE(read.member("a").allow_keys({}));
  EXPECT_THAT(places(read.diagnostics), ElementsAre("test.json: /n", "test.json: /s", "test.json: /t", "test.json: /z",
                                                    "test.json: /a", "test.json: /o", "test.json: /a"));
}

TEST(JsonNode, FindOfSomethingElseThanAnObjectIsNothing) {
  const Read read("[1]");
  EXPECT_FALSE(read.document.root().find("a").has_value());
  EXPECT_TRUE(read.diagnostics.empty());
}

TEST(JsonNode, ANumberKeepsToItsLimits) {
  const Read read(R"({"a": 2.5, "b": -1, "c": 10, "d": 1e308})");
  EXPECT_EQ(read.member("a").number(0, 10), 2.5);
  EXPECT_EQ(read.member("c").number(0, 10), 10);
  EXPECT_EQ(read.member("d").number(-kInfinity, kInfinity), 1e308);
  EXPECT_TRUE(read.diagnostics.empty());
  EXPECT_EQ(read.member("b").number(0, 10), std::nullopt);
  EXPECT_EQ(read.member("c").number(0, 9.9), std::nullopt);
  EXPECT_EQ(read.diagnostics.list().size(), 2U);
}

TEST(JsonNode, AWholeNumberIsOneWithAnIntegralValue) {
  const Read read(R"({"a": 2, "b": 2.0, "c": 1e9, "d": 9007199254740992, "e": -0.0, "f": 2.5, "g": 9007199254740994,
                      "h": -1, "i": 18446744073709551615, "j": 1e300, "k": 9223372036854775808, "l": 9007199254740993})");
  EXPECT_EQ(read.member("a").whole(0), 2);
  EXPECT_EQ(read.member("b").whole(0), 2);
  EXPECT_EQ(read.member("c").whole(0), 1000000000);
  EXPECT_EQ(read.member("d").whole(0), std::int64_t{1} << 53);
  EXPECT_EQ(read.member("e").whole(0), 0);
  EXPECT_TRUE(read.diagnostics.empty());
  // 2.5; 2^53 + 2; below the least; 2^64 - 1; 1e300; 2^63; 2^53 + 1, rounded by a double to 2^53
  for (const char* key : {"f", "g", "h", "i", "j", "k", "l"}) EXPECT_EQ(read.member(key).whole(0), std::nullopt) << key;
  EXPECT_EQ(read.diagnostics.list().size(), 7U);
  EXPECT_EQ(read.member("h").whole(-1), -1);
}

TEST(JsonNode, AFailureShowsWhatWasFound) {
  const Read read(R"({"op": 3})");
  read.member("op").fail("an op must be a name", "write a name");
  EXPECT_EQ(to_string(read.diagnostics.list().at(0)), "test.json: /op: an op must be a name; found 3; write a name");
}

TEST(JsonNode, ShowsLongTextsCutBetweenCharacters) {
  // The quote and 30 letters of two bytes: byte 60 is the second byte of a letter, left out whole.
  std::string letters;
  for (int i = 0; i < 100; ++i) letters += "é";
  const Read read('"' + letters + '"');
  const std::string shown = read.document.root().shown();
  EXPECT_EQ(shown, '"' + letters.substr(0, 58) + "...");
  EXPECT_EQ(Read("{}").document.root().shown(), "an object");
}

TEST(ReadTextFile, GivesTheContentByteForByte) {
  const std::string path = testing::TempDir() + "warpipe_read_text_file";
  const std::string content("a\r\n\0b", 5);
  std::ofstream(path, std::ios::binary) << content;
  EXPECT_EQ(read_text_file(path), content);
  std::remove(path.c_str());
}

TEST(ReadTextFile, WhatCannotBeReadIsAnInputError) {
  EXPECT_THROW(read_text_file(testing::TempDir() + "warpipe_no_such_file"), InputError);
  EXPECT_THROW(read_text_file(testing::TempDir()), InputError) << "a folder";
}

}  // namespace
}  // namespace warpipe
