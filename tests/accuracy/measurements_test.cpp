#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Measurement> read(const std::string& text, const MeasurementFilter& filter = {}) {
  return read_measurements_csv(text, "m.csv", filter);
}

std::vector<std::string> problems(const std::string& text, const MeasurementFilter& filter = {}) {
  std::vector<std::string> shown;
  try {
    read(text, filter);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) shown.push_back(to_string(diagnostic));
  }
  return shown;
}

TEST(Measurements, HoldWhatEachColumnSays) {
  const auto rows = read(
      "kernel,device,group_size,groups,concurrent_groups,n,time_us,includes_overhead,source\n"
      "saxpy,small,256,1e3,4,1048576,12.5,1,a paper\n");
  ASSERT_THAT(rows, SizeIs(1));
  const Measurement& row = rows[0];
  EXPECT_EQ(row.line, 2u);
  EXPECT_EQ(row.kernel, "saxpy");
  EXPECT_EQ(row.device, "small");
  EXPECT_EQ(row.options.group_size, 256);
  EXPECT_EQ(row.options.groups, 1000);
  EXPECT_EQ(row.options.concurrent_groups, 4);
  EXPECT_EQ(row.options.parameters.at("n"), 1048576.0);
  EXPECT_EQ(row.quantity, Quantity::TimeUs);
  EXPECT_EQ(row.value, 12.5);
  EXPECT_TRUE(row.includes_overhead);
  EXPECT_EQ(row.source, "a paper");
}

TEST(Measurements, ADeviceMayStandForAMissingColumnAlone) {
  MeasurementFilter filter;
  filter.device_of_no_column = "h100";
  EXPECT_EQ(read("kernel,time_us\nk,1\n", filter).at(0).device, "h100");
  EXPECT_EQ(read("kernel,device,time_us\nk,mine,1\n", filter).at(0).device, "mine") << "rows of any device are taken";
}

TEST(Measurements, LeaveOutWhatACellDoesNotGive) {
  const auto rows = read(
      "kernel,device,group_size,groups,concurrent_groups,occupancy_warps,n,includes_overhead,time_us,source\n"
      "k,d,,,,8,,,1,\n");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_FALSE(rows[0].options.group_size);
  EXPECT_FALSE(rows[0].options.groups);
  EXPECT_FALSE(rows[0].options.concurrent_groups);
  EXPECT_EQ(rows[0].occupancy_warps, 8);
  EXPECT_THAT(rows[0].options.parameters, IsEmpty());
  EXPECT_FALSE(rows[0].includes_overhead);
}

TEST(Measurements, AreInOneOfFourQuantities) {
  for (const Quantity quantity : {Quantity::Cycles, Quantity::TimeUs, Quantity::BandwidthGbps, Quantity::Gflops}) {
    EXPECT_EQ(read("kernel,device," + to_string(quantity) + "\nk,d,2\n")[0].quantity, quantity);
  }
  EXPECT_THAT(problems("kernel,device\nk,d\n"),
              ElementsAre(AllOf(HasSubstr("line 1: one of cycles, time_us, bandwidth_gbps, gflops must be a column"),
                                HasSubstr("add what was measured"))));
}

TEST(Measurements, MayBeInAnotherQuantityInEachRow) {
  const auto rows = read("kernel,device,cycles,time_us,includes_overhead\nk,d,7,,\nk,d,,2.5,1\nk,d,,3,0\n");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0].quantity, Quantity::Cycles);
  EXPECT_EQ(rows[0].value, 7);
  EXPECT_EQ(rows[1].quantity, Quantity::TimeUs);
  EXPECT_EQ(rows[1].value, 2.5);
  EXPECT_TRUE(rows[1].includes_overhead);
  EXPECT_FALSE(rows[2].includes_overhead);
}

TEST(Measurements, AreInExactlyOneQuantityPerRow) {
  const std::string header = "kernel,device,cycles,gflops\n";
  EXPECT_THAT(problems(header + "k,d,1,\nk,d,1,1\n"),
              ElementsAre(AllOf(HasSubstr("line 3: a row must have exactly one of cycles"), HasSubstr("found 2"))));
  EXPECT_THAT(problems(header + "k,d,,\n"),
              ElementsAre(AllOf(HasSubstr("line 2: a row must have exactly one of cycles"), HasSubstr("found 0"))));
  EXPECT_THAT(problems("kernel,device,cycles\nk,d,\n"), ElementsAre(HasSubstr("found 0")));
}

TEST(Measurements, OfCyclesDoNotIncludeTheLaunch) {
  EXPECT_THAT(problems("kernel,device,cycles,time_us,includes_overhead\nk,d,1,,1\n"),
              ElementsAre(AllOf(HasSubstr("line 2, column \"includes_overhead\""), HasSubstr("only a time can"))));
}

TEST(Measurements, NameWhatTheyWereMeasuredFor) {
  const auto rows = read("kernel,device,fits,cycles\nk,d, a.issue  l2.latency_s ,1\nk,d,,1\n");
  EXPECT_THAT(rows[0].fits, ElementsAre("a.issue", "l2.latency_s"));
  EXPECT_THAT(rows[1].fits, IsEmpty());
}

TEST(MeasurementsCsv, IgnoresBlanksAroundCellsAndBlankLinesAndAByteOrderMark) {
  const auto rows = read("\xEF\xBB\xBF kernel ,\tdevice, cycles , source\n\n \t\n k , d ,\t3 ,  \" kept \"  \n  \n");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].line, 4u);
  EXPECT_EQ(rows[0].kernel, "k");
  EXPECT_EQ(rows[0].value, 3);
  EXPECT_EQ(rows[0].source, " kept ");
}

TEST(MeasurementsCsv, ReadsQuotedCellsWithCommasQuotesAndLineBreaks) {
  const auto rows = read("kernel,device,cycles,source\r\n\"a,b\",d,1,\"say \"\"x\"\"\r\ny\"\r\nk,d,2,z");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].kernel, "a,b");
  EXPECT_EQ(rows[0].source, "say \"x\"\r\ny");
  EXPECT_EQ(rows[1].line, 4u);  // the first row takes lines 2 and 3
  EXPECT_EQ(rows[1].source, "z");
}

TEST(MeasurementsCsv, TellsWhereAQuoteIsInTheWrongPlace) {
  EXPECT_THAT(problems("kernel,device,cycles\nk\"x,d,1\n"),
              ElementsAre(AllOf(HasSubstr("m.csv: line 2"), HasSubstr("quotes must stand around a whole cell"))));
  EXPECT_THAT(problems("kernel,device,cycles\n\"k\"x,d,1\n"), ElementsAre(HasSubstr("must follow a closing quote")));
  EXPECT_THAT(problems("kernel,device,cycles,source\nk,d,1,\"open\nk,d,2,b\n"),
              ElementsAre(AllOf(HasSubstr("m.csv: line 2"), HasSubstr("a quoted cell is not closed"))));
}

TEST(MeasurementsCsv, RefusesWhatIsNoText) {
  using namespace std::string_literals;
  EXPECT_THAT(problems("kernel,device,cycles\nk\0,d,1\n"s),
              ElementsAre(AllOf(HasSubstr("m.csv: line 2"), HasSubstr("NUL"))));
  EXPECT_THAT(problems(""), ElementsAre(HasSubstr("the first line must name the columns")));
  EXPECT_THAT(problems("\xEF\xBB\xBF\n\n"), ElementsAre(HasSubstr("the first line must name the columns")));
}

RC_GTEST_PROP(MeasurementsCsv, GivesBackAnyTextThatWasQuoted, (const std::vector<std::string>& texts)) {
  RC_PRE(!texts.empty());
  std::string csv = "kernel,source,device,cycles\n";
  std::vector<std::string> written;
  for (std::string text : texts) {
    std::erase(text, '\0');
    std::string quoted;
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    csv += "\"k" + quoted + "\" , \"" + quoted + "\",d,1\n";
    written.push_back(text);
  }
  const auto rows = read(csv);
  RC_ASSERT(rows.size() == written.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RC_ASSERT(rows[i].source == written[i]);
    RC_ASSERT(rows[i].kernel == "k" + written[i]);
  }
}

RC_GTEST_PROP(MeasurementsCsv, OfAnyBytesIsReadOrRefusedWithAReason, ()) {
  const auto body = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("kd1\",\r\n \t.e-\0x", 15)));
  try {
    read("kernel,device,cycles\n" + body);
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
  }
}

TEST(MeasurementsHeader, NeedsAKernelAndADeviceUnlessTheyAreGiven) {
  EXPECT_THAT(problems("cycles\n1\n"),
              ElementsAre(AllOf(HasSubstr("column \"kernel\""), HasSubstr("`kernel`")), HasSubstr("`device`")));
  const auto rows = read("cycles\n1\n", {.kernel = "k", .device = "d"});
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].kernel, "k");
  EXPECT_EQ(rows[0].device, "d");
}

TEST(MeasurementsHeader, HasEachColumnOnceAndNoneThatMeansNothing) {
  EXPECT_THAT(problems("kernel,device,n,n,cycles\nk,d,1,1,1\n"),
              ElementsAre(HasSubstr("column \"n\": the column is there twice")));
  EXPECT_THAT(problems("kernel,device,a note,cycles\nk,d,1,1\n"), ElementsAre(HasSubstr("column \"a note\"")));
  EXPECT_THAT(problems("kernel,device,,cycles\nk,d,1,1\n"),
              ElementsAre(HasSubstr(": \"\" is neither a column of the format")));
  EXPECT_THAT(problems("kernel,device,warps,cycles\nk,d,1,1\n"), ElementsAre(HasSubstr("column \"warps\"")));
  EXPECT_THAT(problems("kernel,device,includes_overhead,cycles\nk,d,1,1\n"), ElementsAre(HasSubstr("time_us")));
}

TEST(MeasurementsFilter, ChoosesTheRowsOfThatName) {
  const std::string csv = "kernel,device,cycles\na,x,1\nb,x,bad\na,y,3\n";
  const auto rows = read(csv, {.kernel = "a", .device = {}});
  ASSERT_THAT(rows, SizeIs(2));  // the bad row is not asked for
  EXPECT_EQ(rows[1].line, 4u);
  EXPECT_THAT(read(csv, {.kernel = "a", .device = "y"}), SizeIs(1));
}

TEST(MeasurementsFilter, ThatLeavesNoRowSaysWhatThereIs) {
  EXPECT_THAT(
      problems("kernel,device,cycles\nsaxpy,x,1\n", {.kernel = "saxpi", .device = {}}),
      ElementsAre(AllOf(HasSubstr("none of the 1 rows is of the chosen kernel and device"), HasSubstr("\"saxpy\""))));
  EXPECT_THAT(problems("kernel,device,cycles\n"), ElementsAre(HasSubstr("there is no row of measured data")));
}

TEST(MeasurementsRow, TellsLineColumnRuleAndWhatWasFoundForEveryProblem) {
  const auto shown = problems(
      "kernel,device,group_size,concurrent_groups,occupancy_warps,n,includes_overhead,time_us\n"
      "k,d,0,,,,,1\n"
      "k,d,1.5,,,,,1\n"
      "k,d,,1,1,,,1\n"
      "k,d,,,,many,,1\n"
      "k,d,,,,,yes,1\n"
      ",d,,,,,,1\n"
      "k,d,1\n");
  EXPECT_THAT(shown,
              ElementsAre(HasSubstr("m.csv: line 2, column \"group_size\": group_size must be a whole number"),
                          HasSubstr("line 3, column \"group_size\""), HasSubstr("line 4, column \"occupancy_w"),
                          AllOf(HasSubstr("line 5, column \"n\""), HasSubstr("found many")),
                          HasSubstr("line 6, column \"includes_overhead\""), HasSubstr("line 7, column \"kernel\""),
                          AllOf(HasSubstr("line 8: "), HasSubstr("8 columns; found 3"))));
}

TEST(MeasurementsRow, HasAMeasuredValueAboveZero) {
  for (const char* value : {"0", "-1", "inf", "nan", "1e400", "1,5x", "fast"}) {
    const std::string row = std::string("kernel,device,cycles\nk,d,\"") + value + "\"\n";
    EXPECT_THAT(problems(row), ElementsAre(HasSubstr("a measured value must be a number above 0"))) << value;
  }
}

TEST(MeasurementsRow, ThatIsVeryLongIsCutInTheMessage) {
  // "found k" and 72 letters are 79 bytes: a cut after 80 would split the letter of two bytes.
  const std::string cell = std::string(72, 'x') + "\xC3\xA9\"" + std::string(1000, 'y');
  const auto shown = problems("kernel,device,cycles\nk" + cell + ",d,1\n");
  EXPECT_THAT(shown, ElementsAre(HasSubstr("found k" + std::string(72, 'x') + "...;")));
}

TEST(MeasurementsRow, OfAWrongColumnDoesNotFloodTheMessages) {
  std::string csv = "kernel,device,cycles\n";
  for (int i = 0; i < 25; ++i) csv += "k,d,none\n";
  const auto shown = problems(csv);
  ASSERT_THAT(shown, SizeIs(21));
  EXPECT_THAT(shown.back(), HasSubstr("5 more problems"));
}

}  // namespace
}  // namespace warpipe
