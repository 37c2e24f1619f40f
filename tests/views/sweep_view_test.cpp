#include "warpipe/views/sweep_view.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "example_prediction.hpp"
#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A device's number, without influence on the work.
Variation varied(const std::string& name) {
  return {.name = name, .kind = Variation::Kind::DeviceNumber, .target = name, .values = {}};
}

/// Two points with results and a failed point.
SweepTable example_table() {
  auto slower = example_prediction();
  slower.cycles = Ticks{752598};
  slower.time = Seconds{752.598e-9};
  return {{varied("n"), varied("lsu.issue")},
          {{{10240, 0.5}, slower, ""},
           {{10240, 1}, example_prediction(), ""},
           {{0, 1}, std::nullopt, "n is 0, \"n / group_size\" too"}}};
}

TEST(SweepView, TextReadsAsInTheGoldenFile) { expect_golden("sweep.txt", write_text(example_table())); }
TEST(SweepView, CsvReadsAsInTheGoldenFile) { expect_golden("sweep.csv", write_csv(example_table())); }
TEST(SweepView, JsonLinesReadAsInTheGoldenFile) { expect_golden("sweep.jsonl", write_jsonl(example_table())); }

TEST(SweepView, CsvQuotesCommasAndDoublesQuotes) {
  EXPECT_THAT(write_csv(example_table()), HasSubstr(",\"n is 0, \"\"n / group_size\"\" too\"\r\n"));
}

TEST(SweepView, FailedPointHasItsErrorAndNoResult) {
  EXPECT_THAT(write_jsonl(example_table()), HasSubstr("\"cycles\": null"));
}

TEST(SweepView, VariedResultStandsOnce) {
  const SweepTable table{{varied("concurrent_groups")}, {{{4}, example_prediction(), ""}}};
  EXPECT_THAT(write_csv(table), StartsWith("concurrent_groups,resident_warps,cycles,"));
}

TEST(SweepView, NamesTheFastestPoint) {
  EXPECT_THAT(write_text(example_table()), HasSubstr("fastest: n=10240 lsu.issue=1, 0.3763 us"));
}

TEST(SweepView, ErrorOfSeveralLinesStaysInItsRow) {
  const SweepTable table{{varied("n")}, {{{4}, std::nullopt, "one\ntwo"}}};
  EXPECT_THAT(write_text(table), HasSubstr("one two"));
  EXPECT_THAT(write_csv(table), HasSubstr("one\\ntwo"));
}

TEST(SweepRows, OneByOneAreTheWholeTable) {
  const auto table = example_table();
  for (const auto& [form, whole] :
       {std::pair(RowForm::Csv, write_csv(table)), std::pair(RowForm::JsonLines, write_jsonl(table))}) {
    const SweepRows rows(names_of(table.variations), form);
    auto text = rows.header();
    for (const auto& point : table.points) text += rows.row(point);
    EXPECT_EQ(text, whole);
  }
}

// A value that begins another value does not start its row.
TEST(SweepRows, StartWithTheVariedValuesUpToAComma) {
  EXPECT_EQ(SweepRows({"n", "lsu.issue"}, RowForm::Csv).row_start({10240, 0.5}), "10240,0.5,");
  EXPECT_EQ(SweepRows({"n"}, RowForm::JsonLines).row_start({10240}), "{\"n\": 10240,");
  for (const auto form : {RowForm::Csv, RowForm::JsonLines}) {
    const SweepRows rows({"n", "lsu.issue"}, form);
    for (const auto& point : example_table().points) {
      EXPECT_THAT(rows.row(point), StartsWith(rows.row_start(point.values)));
    }
  }
}

TEST(SweepRows, TellByTheirEndWhetherThereIsAPrediction) {
  for (const auto form : {RowForm::Csv, RowForm::JsonLines}) {
    const SweepRows rows({"n", "lsu.issue"}, form);
    for (const auto& point : example_table().points) {
      EXPECT_EQ(rows.row(point).ends_with(rows.end_of_predicted()), point.prediction.has_value());
    }
  }
}

TEST(SweepView, TextLeavesOutAColumnWithoutAnyValue) {
  const SweepTable table{{varied("n")}, {{{4}, example_prediction(), ""}}};
  EXPECT_THAT(write_text(table), Not(HasSubstr("error")));
}

TEST(SweepView, ShowsSizesAlongAxesAsText) {
  const SweepTable table{{varied("block")}, {{{VariedValue(ptx::Dimensions{16, 8, 1})}, example_prediction(), ""}}};
  EXPECT_THAT(write_csv(table), HasSubstr("\r\n16x8,"));
  EXPECT_THAT(write_jsonl(table), StartsWith("{\"block\": \"16x8\","));
  EXPECT_THAT(write_text(table), HasSubstr("fastest: block=16x8, "));
}

/// Two points of a parameter, the second with twice the work in three times the time.
SweepTable other_work() {
  auto more = example_prediction();
  more.launch.flops = 2 * *more.launch.flops;
  more.time = Seconds{3 * more.time.count};
  auto n = varied("n");
  n.kind = Variation::Kind::Parameter;
  return {{n, varied("lsu.issue")}, {{{1, 1}, example_prediction(), ""}, {{2, 1}, more, ""}}};
}

TEST(SweepView, NamesNoFastestPointWhereTheyDoDifferentWork) {
  const auto text = write_text(other_work());
  EXPECT_THAT(text, HasSubstr("The points do different work (n varies): none is called the fastest."));
  EXPECT_THAT(text, HasSubstr("highest throughput: n=1 lsu.issue=1, "));
  EXPECT_THAT(text, Not(HasSubstr("fastest: ")));
}

TEST(SweepView, NamesTheFastestOfEqualWork) {
  auto table = other_work();
  auto slow = example_prediction();
  slow.time = Seconds{2 * slow.time.count};
  table.points.push_back({{1, 4}, slow, ""});
  EXPECT_THAT(write_text(table), HasSubstr("(n varies); fastest of equal work:\n  n=1 lsu.issue=1, 0.3763 us\n"
                                           "  n=2 lsu.issue=1, 1.129 us\n"));
}

/// The occupancy in 4, 8 and 16 warps for 1 and 2 ways: 1000 cycles of latency for each warp's share of the work, and a
/// pipeline with 100 cycles for each way.
SweepTable over_occupancy() {
  Variation groups{.name = "concurrent_groups", .kind = Variation::Kind::ConcurrentGroups, .target = "", .values = {}};
  groups.values = {1, 2, 4};
  auto ways = varied("ways");
  ways.values = {1, 2};
  SweepTable table{{groups, ways}, {}};
  for (const std::int64_t count : {1, 2, 4})
    for (const std::int64_t way : {1, 2}) {
      auto point = example_prediction();
      point.launch.resident_warps = 4 * count;
      point.bounds = {{"pipeline lsu", Ticks{100'000 * way}}, {"latency", Ticks{1'000'000 / (4 * count)}}};
      point.limiter = 0;
      point.time = Seconds{1e-7 * static_cast<double>(way) + 1e-9 / static_cast<double>(count)};
      table.points.push_back({{static_cast<double>(count), static_cast<double>(way)}, point, ""});
    }
  return table;
}

// 1000 / w = 100 x ways where w = 10 / ways, whichever warps are simulated: rates of latency are straight.
TEST(SweepView, SaysWhereTheBoundsOfEachCurveCross) {
  EXPECT_THAT(
      write_text(over_occupancy()),
      HasSubstr("\nknees in resident warps, from which on the throughput bound is the higher one: 10 (ways=1), 5 "
                "(ways=2)\n"));
  auto one = over_occupancy();
  one.variations.pop_back();
  std::erase_if(one.points, [](const SweepPoint& point) { return point.values[1] == VariedValue(2); });
  for (auto& point : one.points) point.values.pop_back();
  EXPECT_THAT(write_text(one),
              HasSubstr("\nknee: 10 resident warps, from which on the throughput bound is the higher one\n"));
  one.has_best_alone = true;
  EXPECT_THAT(write_text(one), Not(HasSubstr("knee")));
}

TEST(SweepView, SaysNoKneeWhereOneBoundIsTheHigherOneEverywhere) {
  auto table = over_occupancy();
  std::erase_if(table.points, [](const SweepPoint& point) { return point.prediction->launch.resident_warps < 16; });
  EXPECT_THAT(write_text(table), Not(HasSubstr("knee"))) << "16 warps are behind the knees of 10 and 5";
}

// With one way 100.25, 100.5 and 101 ns, with two twice as long: within the model's error three are equal.
TEST(SweepView, JsonNamesTheFastestItsTiesAndTheKnees) {
  const auto json = nlohmann::json::parse(write_json(over_occupancy()));
  const auto at = [](int groups, int ways) { return nlohmann::json{{"concurrent_groups", groups}, {"ways", ways}}; };
  EXPECT_EQ(json.at("varied"), nlohmann::json({"concurrent_groups", "ways"}));
  EXPECT_EQ(json.at("points").size(), 6U);
  ASSERT_EQ(json.at("fastest").size(), 1U);
  EXPECT_EQ(json.at("fastest")[0].at("at"), at(4, 1));
  EXPECT_EQ(json.at("fastest")[0].at("ties"), nlohmann::json::array({at(1, 1), at(2, 1)}));
  ASSERT_EQ(json.at("knees").size(), 2U);
  EXPECT_EQ(json.at("knees")[1].at("at"), (nlohmann::json{{"ways", 2}}));
  EXPECT_NEAR(json.at("knees")[0].at("resident_warps"), 10, 1e-9);
  EXPECT_NEAR(json.at("knees")[1].at("resident_warps"), 5, 1e-9);
}

}  // namespace
}  // namespace warpipe::test
