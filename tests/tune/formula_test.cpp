#include "warpipe/tune/formula.hpp"

#include <gtest/gtest.h>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

const FormulaNames kNames{{"n", std::int64_t{10}}, {"x", 0.5}, {"type", std::string("float4")}};

std::string value(const char* text) { return to_string(Formula::parse(text).evaluate(kNames)); }

std::string problem(const char* text) {
  try {
    return value(text);
  } catch (const Error& error) {
    return error.diagnostics().front().problem + ", " + error.diagnostics().front().found;
  }
}

// Python 3's output for each formula.
TEST(Formula, ComputesAsPythonDoes) {
  EXPECT_EQ(value("7 // 2 * 2 + 7 % 2"), "7");
  EXPECT_EQ(value("-7 // 2"), "-4");
  EXPECT_EQ(value("-7 % 3"), "2");
  EXPECT_EQ(value("7 % -3"), "-2");
  EXPECT_EQ(value("7 / 2"), "3.5");
  EXPECT_EQ(value("8 / 2"), "4.0");
  EXPECT_EQ(value("-2 ** 2"), "-4");
  EXPECT_EQ(value("2 ** 3 ** 2"), "512");
  EXPECT_EQ(value("2 ** -1"), "0.5");
  EXPECT_EQ(value("5.5 // 2"), "2.0");
  EXPECT_EQ(value("int(-2.5) + ceil(2.1) + floor(-0.5) + round(2.5)"), "2");
  EXPECT_EQ(value("max(1, 2.5, 2) - min([3, 1])"), "1.5");
  EXPECT_EQ(value("abs(-3) + len([1, 2]) + log2(8) + sum([1, 2])"), "11.0");
}

TEST(Formula, DecidesAsPythonDoes) {
  EXPECT_EQ(value("1 < 2 < 3"), "1");
  EXPECT_EQ(value("1 < 3 < 2"), "0");
  EXPECT_EQ(value("n in [1, 10] and n not in (2, 3)"), "1");
  EXPECT_EQ(value("not n == 10 or x > 0.25"), "1");
  EXPECT_EQ(value("n == 10 && !(x != 0.5) || 0"), "1");
  EXPECT_EQ(value("0 or 5"), "5");
  EXPECT_EQ(value("4 if n > 5 else 8"), "4");
  EXPECT_EQ(value("type == 'float4'"), "1");
  EXPECT_EQ(value("True + True"), "2");
  EXPECT_EQ(value("2 == 2.0"), "1");
}

TEST(Formula, MakesListsAsPythonDoes) {
  EXPECT_EQ(value("[16*i for i in range(1, 5)]"), "[16, 32, 48, 64]");
  EXPECT_EQ(value("[2**i for i in range(6) if i % 2 == 0]"), "[1, 4, 16]");
  EXPECT_EQ(value("list(range(8, 0, -3))"), "[8, 5, 2]");
  EXPECT_EQ(value("[1, 2, 3][-1]"), "3");
  EXPECT_EQ(value("(1, 2,)"), "[1, 2]");
  EXPECT_EQ(value("[[j * i for j in [1, 2]] for i in [1, 10]]"), "[[1, 2], [10, 20]]");
}

TEST(Formula, LooksAtNothingThatDoesNotMatter) {
  EXPECT_EQ(value("n == 10 or 1 / 0"), "1");
  EXPECT_EQ(value("n != 10 and missing"), "0");
  EXPECT_EQ(value("1 if n else 1 / 0"), "1");
}

TEST(Formula, NamesItsNames) {
  EXPECT_EQ(Formula::parse("a + max(b) + [i * c for i in range(d)][0]").names(),
            (std::set<std::string>{"a", "b", "c", "d"}));
}

TEST(Formula, SaysWhereItIsWrong) {
  EXPECT_EQ(problem("n +"), "something lacks at the end, at character 4 of \"n +\"");
  EXPECT_EQ(problem("n n"), "it should end here, at character 3 of \"n n\"");
  EXPECT_EQ(problem("1 + nothing"), "\"nothing\" has no value, at character 5 of \"1 + nothing\"");
  EXPECT_EQ(problem("n // 0"), "this divides by zero, at character 3 of \"n // 0\"");
  EXPECT_EQ(problem("n + type"), "a number should be here, found float4, at character 3 of \"n + type\"");
  EXPECT_EQ(problem("sin(1)"), "there is no function \"sin\", at character 1 of \"sin(1)\"");
  EXPECT_EQ(problem("9223372036854775807 + 1"),
            "the result is too large, at character 21 of \"9223372036854775807 + 1\"");
}

TEST(Formula, EndsWhateverItIsGiven) {
  EXPECT_THROW(Formula::parse(std::string(100'000, '(')), InputError);
  EXPECT_THROW(Formula::parse(std::string(10'000, '-') + "1"), InputError);
  EXPECT_THROW(value("[i for i in range(10**12)]"), ModelError);
  EXPECT_THROW(value("(0 - 1) ** 10**18"), ModelError);
  EXPECT_THROW(value("10 ** 400"), ModelError);
  EXPECT_EQ(value("1 ** 10**18"), "1");
}

TEST(Formula, WantsWholeNumbersWhereSizesAre) {
  EXPECT_EQ(Formula::parse("8 / 2").whole({}, 1), 4);
  EXPECT_THROW(static_cast<void>(Formula::parse("7 / 2").whole({}, 1)), ModelError);
  EXPECT_THROW(static_cast<void>(Formula::parse("0").whole({}, 1)), ModelError);
}

}  // namespace
}  // namespace warpipe
