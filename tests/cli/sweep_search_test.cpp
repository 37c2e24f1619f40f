// The points of a sweep to predict and show: --where, --search, --top. The worked example of the model takes 6 + 434 t
// cycles of 1 ns for t trips of a warp, and has 2 operations for each of n elements.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end + 1 - begin));
  return lines;
}

std::vector<double> cells(const std::string& line) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin < line.size(); begin = std::min(line.find(',', begin), line.size() - 1) + 1)
    numbers.push_back(std::strtod(line.c_str() + begin, nullptr));
  return numbers;
}

const Words kWorked{"sweep", "worked", "--device", "tiny", "--quiet", "--vary"};

Lines csv(const Words& words) {
  const auto outcome = warpipe(words + Words{"--csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return lines_of(outcome.out);
}

/// The header, and the rows for which the condition holds.
Lines filtered(const Lines& grid, const std::function<bool(double, double)>& is_so) {
  Lines kept{grid.front()};
  for (std::size_t i = 1; i < grid.size(); ++i)
    if (const auto row = cells(grid[i]); is_so(row[0], row[1])) kept.push_back(grid[i]);
  return kept;
}

const Words kGrid = kWorked + Words{"trips=1:6", "concurrent_groups=1:4"};

TEST(Where, LeavesTheRowsOfTheGridForWhichItHolds) {
  const auto expected =
      filtered(csv(kGrid), [](double trips, double groups) { return trips * groups <= 6 && trips != 4; });
  EXPECT_THAT(expected, SizeIs(1 + 4 + 3 + 2 + 1 + 1));  // 6/t groups, at most 4; no row of 4 trips
  EXPECT_EQ(csv(kGrid + Words{"--where", "trips * concurrent_groups <= 6 && trips != 4"}), expected);
  EXPECT_EQ(csv(kGrid + Words{"--where", "trips * concurrent_groups <= 6", "--where", "trips != 4"}), expected);
}

TEST(Where, IsResumedLikeTheGrid) {
  const Workplace place;
  const auto words = kGrid + Words{"--where", "mod(trips, 2) == 1", "--csv=rows"};
  EXPECT_EQ(place.run(words).status, 0);
  const auto whole = place.read("rows");
  EXPECT_THAT(lines_of(whole), SizeIs(1 + 3 * 4));
  place.write("rows", whole.substr(0, whole.find("\r\n5,") + 2));
  EXPECT_EQ(place.run(words + Words{"--resume"}).status, 0);
  EXPECT_EQ(place.read("rows"), whole);
  const auto other = place.run(kGrid + Words{"--where", "trips > 2", "--csv=rows", "--resume"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("the rows of another command: found 1 instead of 3"));
}

/// The first cells of the rows of a table, below its header.
std::vector<double> shown(const std::string& table) {
  std::vector<double> firsts;
  const auto lines = lines_of(table);
  for (std::size_t i = 1; i < lines.size() && lines[i].size() > 1; ++i) firsts.push_back(cells(lines[i])[0]);
  return firsts;
}

TEST(Top, ShowsTheFastestPointsInTheirOrder) {
  const auto outcome = warpipe(kWorked + Words{"trips=3,1,5,2,4", "--top", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(shown(outcome.out), ElementsAre(1, 2, 3));
  EXPECT_THAT(outcome.out, HasSubstr(" 440 "));
  EXPECT_THAT(outcome.out, HasSubstr(" 874 "));
  EXPECT_THAT(shown(warpipe(kWorked + Words{"trips=3,1", "--top", "9"}).out), ElementsAre(1, 3));
}

// In groups of a single warp, 2 units with room for 4 groups take up to 8 in about the time of a single group.
TEST(Top, RanksPointsThatDoDifferentWorkByTheTimeOfAnOperation) {
  auto grid = csv(kWorked + Words{"n=32,64,256,1024", "trips=1,2"});
  grid.erase(grid.begin());
  std::ranges::stable_sort(grid, {}, [](const std::string& line) { return cells(line)[5] / (2 * cells(line)[0]); });
  const auto table = lines_of(warpipe(kWorked + Words{"n=32,64,256,1024", "trips=1,2", "--top", "3"}).out);
  ASSERT_GE(table.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = cells(grid[i]);
    EXPECT_THAT(table[i + 1], testing::ContainsRegex(fmt::format("^ *{} +{} ", row[0], row[1])));
  }
}

TEST(Top, StandsBesideTheFileOfAllRowsAndIsTheSameAfterAResumption) {
  const Workplace place;
  const auto words = kWorked + Words{"n=32,64,256,1024", "trips=1,2", "--csv=rows", "--top", "2"};
  const auto whole = place.run(words);
  EXPECT_EQ(whole.status, 0) << whole.err;
  const auto rows = place.read("rows");
  EXPECT_EQ(lines_of(rows), csv(kWorked + Words{"n=32,64,256,1024", "trips=1,2"}));
  EXPECT_THAT(shown(whole.out), SizeIs(2));
  for (const std::size_t kept : {2U, 5U, 8U}) {
    const auto all = lines_of(rows);
    std::string left;
    for (std::size_t i = 0; i <= kept; ++i) left += all[i];
    place.write("rows", left);
    EXPECT_EQ(place.run(words + Words{"--resume"}).out, whole.out) << kept;
    EXPECT_EQ(place.read("rows"), rows);
  }
}

TEST(SearchRandom, DrawsAsManyPointsOfTheGridAndTheSameForASeed) {
  const auto grid = csv(kWorked + Words{"trips=1:50", "concurrent_groups=1:4"});
  const auto drawn = [&](const std::string& seed) {
    return csv(kWorked +
               Words{"trips=1:50", "concurrent_groups=1:4", "--search", "random", "--budget", "20", "--seed", seed});
  };
  const auto one = drawn("7");
  EXPECT_THAT(one, SizeIs(1 + 20));
  auto next = grid.begin();
  for (const auto& line : one) {
    next = std::find(next, grid.end(), line);
    ASSERT_NE(next, grid.end()) << "no row of the grid, or out of its order: " << line;
  }
  EXPECT_EQ(drawn("7"), one);
  EXPECT_NE(drawn("8"), one) << "of 10^27 draws";
}

TEST(SearchRandom, DrawsOfThePointsForWhichWhereHolds) {
  const auto drawn = csv(kWorked + Words{"trips=1:50", "concurrent_groups=1:4", "--search", "random", "--budget", "9",
                                         "--where", "trips > 40 && concurrent_groups == 2"});
  ASSERT_THAT(drawn, SizeIs(1 + 9));
  for (std::size_t i = 1; i < drawn.size(); ++i) {
    EXPECT_GT(cells(drawn[i])[0], 40);
    EXPECT_EQ(cells(drawn[i])[1], 2);
  }
}

// A budget of 16 whole points is 32 eighths, 16 quarters, 8 halves and 4 whole points. 64 groups are 8 times the 8
// groups held by the device: an eighth takes an eighth of the time, and more trips more of it.
TEST(SearchHalving, LeavesTheRowsOfThoseThatDoBestInPart) {
  const auto grid = csv(kWorked + Words{"trips=1:32", "--param", "n=2048"});
  const auto halved = csv(kWorked + Words{"trips=1:32", "--param", "n=2048", "--search", "halving", "--budget", "16"});
  EXPECT_EQ(halved, Lines(grid.begin(), grid.begin() + 5));
}

TEST(SearchHalving, IsTheGridWhereTheBudgetIsEnoughForIt) {
  EXPECT_EQ(csv(kGrid + Words{"--search", "halving", "--budget", "24"}), csv(kGrid));
}

struct WrongSearch {
  std::string name;
  Words words;
  std::string said;
};

class SearchSlip : public testing::TestWithParam<WrongSearch> {};

TEST_P(SearchSlip, IsRefusedWithTheWayOut) {
  const auto outcome = warpipe(kWorked + Words{"trips=1:3"} + GetParam().words);
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(outcome.err, StartsWith("warpipe: error: "));
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().said));
  EXPECT_THAT(outcome.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Runs, SearchSlip,
    testing::Values(
        WrongSearch{"WhereOfAnotherName", {"--where", "trip < 2"}, "unknown name \"trip\""},
        WrongSearch{"WhereOfAnotherNameSaysWhich", {"--where", "trip < 2"}, "what varies can be used as trips"},
        WrongSearch{"WhereOfNoExpression", {"--where", "trips <"}, "--where trips <"},
        WrongSearch{"WhereOfNoPoint", {"--where", "trips > 3"}, "it holds for none of the 3 points; vary more"},
        WrongSearch{"WhereWithoutAValue", {"--where", "1 / (trips - 2) > 0"}, "it has no value at trips=2"},
        WrongSearch{"SearchWithoutAnEnd", {"--search", "random"}, "--budget 100"},
        WrongSearch{"SearchOfAnotherKind", {"--search", "annealing", "--budget", "4"}, "halving"},
        WrongSearch{"BudgetWithoutASearch", {"--budget", "4"}, "give --search random or --search halving too"},
        WrongSearch{"SeedWithoutASearch", {"--seed", "4"}, "give --search random or --search halving too"},
        WrongSearch{"BudgetOfNothing", {"--search", "random", "--budget", "0"}, "whole number from 1"},
        WrongSearch{"TopOfNothing", {"--top", "0"}, "whole number from 1"},
        WrongSearch{"TopBehindRowsOnStandardOutput", {"--top", "2", "--csv"}, "give --csv=FILE"},
        WrongSearch{"PageOfChosenPoints", {"--where", "trips < 3", "--html", "page.html"}, "leave one of them out"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace warpipe::test
