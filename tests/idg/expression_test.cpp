#include "warpipe/idg/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/operations.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

const std::vector<std::string> kVisible{"n", "tile", "warp", "warps", "a_1"};
const Values kValues{{"n", 1024}, {"tile", 16}, {"warp", 3}, {"warps", 8}, {"a_1", 0.5}};

Expression parse(std::string_view text) { return Expression::parse(text, kVisible); }
double value_of(std::string_view text) { return parse(text).evaluate(kValues); }

/// The error about a text, as shown to a user.
std::string refusal(std::string_view text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The same from the list of its operations.
double value_of_operations(std::string_view text) {
  std::vector<double> values;
  for (const Operation& operation : operations_of(parse(text))) {
    if (operation.op == Operator::Name)
      values.push_back(kValues.at(operation.name));
    else if (operation.op == Operator::Constant)
      values.push_back(operation.constant);
    else
      values.push_back(apply(operation.op, values.at(operation.left), values.at(operation.right)));
  }
  return values.back();
}

using Case = std::pair<const char*, double>;

class ExpressionValue : public testing::TestWithParam<Case> {};

TEST_P(ExpressionValue, FollowsTheGrammar) { EXPECT_EQ(value_of(GetParam().first), GetParam().second); }

TEST_P(ExpressionValue, IsThatOfItsOperations) { EXPECT_EQ(value_of_operations(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(Numbers, ExpressionValue,
                         testing::Values(Case{"7", 7}, Case{"2.5", 2.5}, Case{".5", 0.5}, Case{"1e3", 1000},
                                         Case{"1E-3", 0.001}, Case{"1.5e+2", 150}, Case{" 7 ", 7}, Case{"\t7\n", 7}));

INSTANTIATE_TEST_SUITE_P(Names, ExpressionValue,
                         testing::Values(Case{"n", 1024}, Case{"a_1", 0.5}, Case{"n/tile", 64}, Case{"2*n", 2048}));

INSTANTIATE_TEST_SUITE_P(Precedence, ExpressionValue,
                         testing::Values(Case{"1 + 2 * 3", 7}, Case{"(1 + 2) * 3", 9}, Case{"7 / 2", 3.5},
                                         Case{"8 / 4 / 2", 1}, Case{"8 - 4 - 2", 2}, Case{"8 / (4 / 2)", 4},
                                         Case{"2 * 3 / 4", 1.5}, Case{"1 + 1 == 2", 1}, Case{"1 < 2 + 3", 1},
                                         Case{"1 == 1 && 2 == 3", 0}, Case{"0 && 0 || 1", 1}, Case{"1 || 1 && 0", 1},
                                         Case{"2 * tile * tile * 4", 2048}));

INSTANTIATE_TEST_SUITE_P(UnaryMinus, ExpressionValue,
                         testing::Values(Case{"-3", -3}, Case{"-n", -1024}, Case{"-(1 + 2)", -3}, Case{"2 - -3", 5},
                                         Case{"-(-3)", 3}, Case{"2 +3", 5}, Case{"2 * -3", -6}, Case{"-2 * 3", -6},
                                         Case{"-2 + 3", 1}, Case{"-min(1, 2)", -1}, Case{"1 < -1", 0}));

INSTANTIATE_TEST_SUITE_P(Comparisons, ExpressionValue,
                         testing::Values(Case{"1 < 2", 1}, Case{"2 < 2", 0}, Case{"2 <= 2", 1}, Case{"3 <= 2", 0},
                                         Case{"2 > 1", 1}, Case{"2 > 2", 0}, Case{"2 >= 2", 1}, Case{"1 >= 2", 0},
                                         Case{"2 == 2", 1}, Case{"2 == 1", 0}, Case{"2 != 1", 1}, Case{"2 != 2", 0},
                                         Case{"warp < warps / 2", 1}, Case{"(1 < 2) * 10", 10}));

INSTANTIATE_TEST_SUITE_P(Logic, ExpressionValue,
                         testing::Values(Case{"1 && 1", 1}, Case{"1 && 0", 0}, Case{"0 || 0", 0}, Case{"0 || 1", 1},
                                         Case{"5 && -2", 1}, Case{"0.5 || 0", 1}));

INSTANTIATE_TEST_SUITE_P(Functions, ExpressionValue,
                         testing::Values(Case{"min(3, 2)", 2}, Case{"max(3, 2)", 3}, Case{"ceil(2.1)", 3},
                                         Case{"ceil(-2.1)", -2}, Case{"floor(2.9)", 2}, Case{"floor(-2.1)", -3},
                                         Case{"log2(1024)", 10}, Case{"log2(0.25)", -2}, Case{"abs(-3)", 3},
                                         Case{"mod(7, 3)", 1}, Case{"mod(-1, 4)", 3}, Case{"mod(7, -3)", -2},
                                         Case{"mod(-8, 4)", 0}, Case{"min(3, 1, 2)", 1}, Case{"mod(2.5, 1)", 0.5},
                                         Case{"mod(9007199254740991, 8)", 7}, Case{"max(min(n, 7), 2) + 1", 8},
                                         Case{"ceil(n / (tile * 3))", 22}));

class RefusedExpression : public testing::TestWithParam<const char*> {};

TEST_P(RefusedExpression, IsAProblemOfTheFile) {
  EXPECT_THROW(parse(GetParam()), InputError);
  EXPECT_THAT(refusal(GetParam()), testing::HasSubstr(std::string("\"") + GetParam() + "\""));
}

INSTANTIATE_TEST_SUITE_P(OtherOperators, RefusedExpression,
                         testing::Values("2 ^ 3", "1 ? 2 : 3", "n = 2", "n += 2", "5 % 2", "!1", "1 & 1", "1 | 1", "~1",
                                         "1 << 2", "2 ** 3", "+3", "2 * +3", "2 + +3", "(+3)", "n++"));
INSTANTIATE_TEST_SUITE_P(OtherFunctionsAndConstants, RefusedExpression,
                         testing::Values("sin(1)", "sqrt(4)", "exp(1)", "ln(1)", "rint(1)", "sum(1, 2)", "avg(1, 2)",
                                         "if(1, 2, 3)", "_pi", "_e", "pi", "inf", "nan", "true"));
// A single sign is enough; -(-3) says the same.
INSTANTIATE_TEST_SUITE_P(DoubleSigns, RefusedExpression, testing::Values("- -3", "--3", "2 - - -3"));
INSTANTIATE_TEST_SUITE_P(OtherTexts, RefusedExpression,
                         testing::Values("\"n\"", "'n'", "0x10", "#10", "{n}", "n[0]", "\\", "1;2", "n, tile", "(1, 2)",
                                         "µ", "1_000", "1e", "1 .5", "0b1"));
INSTANTIATE_TEST_SUITE_P(Incomplete, RefusedExpression,
                         testing::Values("", " ", "1 +", "* 2", "(1", "1)", "()", "min(", "min()", "min(1,)", "abs",
                                         "abs(1, 2)", "ceil()", "1 2", "n tile", "2n", "(1)(2)", "1 <> 2", "1 =< 2"));
INSTANTIATE_TEST_SUITE_P(NumbersThatNoDoubleHolds, RefusedExpression, testing::Values("1e999", "-1e999"));

TEST(Expression, AnUnknownNameIsToldWithTheNearest) {
  EXPECT_THAT(refusal("n / tyle"), testing::AllOf(testing::HasSubstr("\"tyle\""), testing::HasSubstr("\"tile\"")));
  EXPECT_THROW(Expression::parse("n", {}), InputError);
}

TEST(Expression, AVeryLongTextIsRefusedAndNestingDoesNotHurt) {
  EXPECT_THROW(parse(std::string(100000, '(')), InputError);
  EXPECT_THROW(parse(std::string(100000, '-') + "1"), InputError);
  EXPECT_EQ(value_of(std::string(1000, '(') + "1" + std::string(1000, ')')), 1);
}

TEST(Expression, KeepsItsText) {
  EXPECT_EQ(parse("n / tile").text(), "n / tile");
  EXPECT_EQ(Expression(2).text(), "2");
  EXPECT_EQ(Expression(0.1).text(), "0.1");
  EXPECT_EQ(Expression(7).evaluate({}), 7);
}

TEST(Expression, KnowsTheNamesItUses) {
  EXPECT_TRUE(parse("n / tile").uses("tile"));
  EXPECT_FALSE(parse("n / tile").uses("warp"));
  EXPECT_FALSE(parse("max(n, 1)").uses("max"));
  EXPECT_FALSE(Expression(2).uses("n"));
}

class FailingExpression : public testing::TestWithParam<const char*> {};

TEST_P(FailingExpression, HasNoFiniteValue) {
  const Expression expression = parse(GetParam());
  EXPECT_THROW(expression.evaluate(kValues), ModelError);
  try {
    expression.evaluate(kValues);
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam()));
    EXPECT_EQ(error.diagnostics().front().where, "") << "the caller knows the place";
  }
}

INSTANTIATE_TEST_SUITE_P(DivisionByZero, FailingExpression,
                         testing::Values("1 / 0", "n / (tile - 16)", "0 / 0", "1 / -0", "min(1 / 0, 2)", "0 && 1 / 0",
                                         "1 || 1 / 0", "2 > 1 / 0", "1 / (1 / (n * 0))", "0 * (1 / 0)"));
INSTANTIATE_TEST_SUITE_P(Infinity, FailingExpression,
                         testing::Values("1e300 * 1e300", "-1e300 * 1e300", "1e308 + 1e308", "-1e308 - 1e308",
                                         "1e300 / 1e-300", "log2(0)", "1 / (1e300 * 1e300)", "min(1e300 * 1e300, 1)",
                                         "1e300 * 1e300 > 1"));
INSTANTIATE_TEST_SUITE_P(NotANumber, FailingExpression, testing::Values("log2(-1)", "max(log2(-1), 1)"));

TEST(Expression, AMissingValueIsAnError) { EXPECT_THROW(parse("n").evaluate({{"tile", 2}}), ModelError); }

TEST(Expression, WorksAgainAfterAFailure) {
  const Expression expression = parse("n / tile");
  EXPECT_THROW(expression.evaluate({{"n", 1}, {"tile", 0}}), ModelError);
  EXPECT_EQ(expression.evaluate({{"n", 1}, {"tile", 2}}), 0.5);
}

TEST(Expression, WholeMeansWithinABillionth) {
  EXPECT_EQ(parse("n / tile").evaluate_whole(kValues, 1), 64);
  EXPECT_EQ(parse("0.1 * 30").evaluate_whole({}, 0), 3);  // 3 + 4e-16
  EXPECT_EQ(parse("3 - 0.0000000009").evaluate_whole({}, 0), 3);
  EXPECT_THROW(parse("3 - 0.0000000011").evaluate_whole({}, 0), ModelError);
  EXPECT_THROW(parse("7 / 2").evaluate_whole({}, 0), ModelError);
  EXPECT_THROW(Expression(2.5).evaluate_whole({}, 0), ModelError);
}

TEST(Expression, WholeKeepsToItsLimits) {
  EXPECT_EQ(parse("1 - 1").evaluate_whole({}, 0), 0);
  EXPECT_THROW(parse("1 - 1").evaluate_whole({}, 1), ModelError);
  EXPECT_EQ(parse("-2").evaluate_whole({}, -2), -2);
  EXPECT_EQ(parse("9007199254740992").evaluate_whole({}, 0), kLargestWhole);
  EXPECT_THROW(parse("9007199254740994").evaluate_whole({}, 0), ModelError);  // 2^53 + 2
  EXPECT_THROW(parse("1e300").evaluate_whole({}, 0), ModelError);
}

TEST(Expression, AFailureShowsTheExpressionAndItsValue) {
  try {
    parse("n / 3").evaluate_whole({{"n", 10}}, 0);
    FAIL() << "10 / 3 is not whole";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("n / 3"), testing::HasSubstr("3.33333")));
  }
}

TEST(Expression, MayBeEvaluatedFromSeveralThreadsAtOnce) {
  const Expression expression = parse("n * tile + warp");
  const Expression copy = expression;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 2000; ++i) {
        const Expression& mine = thread % 2 == 0 ? expression : copy;
        const double expected = i * 4 + thread;  // n = i, tile = 4, warp = thread
        if (mine.evaluate({{"n", i}, {"tile", 4}, {"warp", thread}}) != expected) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Names, AreLettersDigitsAndUnderscores) {
  for (const char* name : {"a", "_", "load_x", "A9", "_1"}) EXPECT_TRUE(is_name(name)) << name;
  for (const char* text : {"", "1a", "a.b", "a-b", "a b", "é", "a\n"}) EXPECT_FALSE(is_name(text)) << text;
}

TEST(Names, OfOpsHaveSingleDotsInside) {
  for (const char* name : {"ffma", "global.load.128", "a._", "shared.load.l1"})
    EXPECT_TRUE(is_dotted_name(name)) << name;
  for (const char* text : {"", ".", ".a", "a.", "a..b", "1a.b", "a b.c"}) EXPECT_FALSE(is_dotted_name(text)) << text;
}

TEST(Names, OfFunctionsAndLaunchValuesAreReserved) {
  for (const char* name : {"group_size", "groups", "concurrent_groups", "occupancy", "warp", "warps", "min", "max",
                           "ceil", "floor", "log2", "abs", "mod"})
    EXPECT_TRUE(is_reserved_name(name)) << name;
  for (const char* name : {"n", "tile", "Warp", "group", "sin"}) EXPECT_FALSE(is_reserved_name(name)) << name;
}

}  // namespace
}  // namespace warpipe
