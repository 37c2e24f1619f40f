#include "warpipe/report/html.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "samples.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/summary_view.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::Gt;
using testing::HasSubstr;
using testing::Lt;
using testing::Not;
using testing::SizeIs;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// The data for the scripts of a page.
Json figures_of(const std::string& html) {
  const std::string start = "<script type=\"application/json\" id=\"figures\">";
  const auto from = html.find(start) + start.size();
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

Json figure_of(const std::string& html, const std::string& id) {
  for (const auto& figure : figures_of(html)) {
    if (figure.at("id") == id) return figure.at("content");
  }
  ADD_FAILURE() << "no figure " << id;
  return {};
}

/// The page up to the scripts: the readable text.
std::string body_of(const std::string& html) {
  const auto from = html.find("<body>");
  return html.substr(from, html.find("<footer>") - from);
}

/// As HTML writes it.
std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text)
    html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return html;
}

/// Pages need the optional packages of the build.
class Html : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_charts()) GTEST_SKIP() << "the build has no charts: the npm packages were missing";
  }
};

TEST_F(Html, OfALaunchHoldsTheNumbersOfTheTextView) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  const auto body = body_of(write_html(report));
  for (const auto& bound : report.base.bounds)
    EXPECT_THAT(body, HasSubstr(fmt::format("<td>{}</td><td class=\"number\">{}</td>", bound.name,
                                            format_cycles(bound.cycles))));
  const auto text = write_text(report.base);
  for (const auto& use : report.base.pipelines) EXPECT_THAT(body, HasSubstr(format_cycles(use.busy)));
  EXPECT_THAT(text, HasSubstr(format_cycles(report.base.cycles)));
  EXPECT_THAT(body, HasSubstr("<dd>" + format_cycles(report.base.cycles) + "</dd>"));
}

// Two floats of each of 2^20 elements are read, a third is written: 12 * 2^20 bytes.
TEST_F(Html, OfALaunchBeginsWithItsSentence) {
  const auto body = body_of(write_html(report_of(shipped_kernel("saxpy"), shipped_device("v100"))));
  const auto sentence = body.find("<p class=\"finding\">Limited by DRAM: 12.58 MB go through it, each byte once.</p>");
  EXPECT_LT(sentence, body.find("<dl"));
}

// As the page in a browser shows it first, before other occupancies are simulated.
TEST_F(Html, OfALaunchWithoutItsSurroundingsHasNoCurves) {
  const auto whole = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  LaunchReport alone;
  alone.base = whole.base;
  alone.explanation = whole.explanation;
  const auto has = [](const std::string& html, const std::string& id) {
    return std::ranges::any_of(figures_of(html), [&](const Json& figure) { return figure.at("id") == id; });
  };
  for (const char* id : {"run-time", "throughput"}) {
    EXPECT_TRUE(has(write_html(whole), id));
    EXPECT_FALSE(has(write_html(alone), id));
  }
  EXPECT_TRUE(has(write_html(alone), "bounds"));
}

TEST_F(Html, DrawsEachOccupancyAsItWasSimulated) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  const auto rows = figure_of(write_html(report), "run-time").at("datasets").at("curves");
  ASSERT_THAT(report.occupancies, SizeIs(8)) << "v100 holds 64 warps, a group of 256 threads has 8";
  ASSERT_THAT(rows, SizeIs(3 * 8)) << "the simulation and two bounds at each";
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& prediction = *report.occupancies[i].prediction;
    const auto& row = rows[3 * i];
    EXPECT_EQ(row.at("series"), "simulated");
    EXPECT_EQ(row.at("x").get<double>(), static_cast<double>(8 * (i + 1)));
    EXPECT_DOUBLE_EQ(row.at("y").get<double>() * 1e-6, prediction.time.count) << "microseconds";
    // The text view compares with the higher of the two bounds.
    const double bound = std::max(rows[3 * i + 1].at("y").get<double>(), rows[3 * i + 2].at("y").get<double>());
    EXPECT_NEAR(row.at("y").get<double>() / bound, ratio_to_bound(prediction), 1e-9);
  }
}

/// The rows of a series of a line, ascending in x.
std::vector<Json> series_of(const Json& figure, const std::string& series, const std::string& line = "") {
  std::vector<Json> rows;
  for (const auto& row : figure.at("datasets").at("curves"))
    if (row.at("series") == series && (line.empty() || row.at("line") == line)) rows.push_back(row);
  return rows;
}

/// A value of a series at any x, where rates are straight between the points.
double rate_at(const std::vector<Json>& rows, double x) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double left = rows[i - 1].at("x"), right = rows[i].at("x");
    if (x < left || x > right) continue;
    const double before = 1 / rows[i - 1].at("y").get<double>(), after = 1 / rows[i].at("y").get<double>();
    return before + (after - before) * (x - left) / (right - left);
  }
  ADD_FAILURE() << x << " is beyond the points";
  return 0;
}

TEST_F(Html, MarksTheKneeWhereTheTwoBoundsCross) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  const auto figure = figure_of(write_html(report), "run-time");
  const auto knee = figure.at("datasets").at("knee");
  ASSERT_THAT(knee, SizeIs(1));
  const double x = knee[0].at("x");
  const double latency = rate_at(series_of(figure, "latency bound"), x);
  EXPECT_NEAR(rate_at(series_of(figure, "throughput bound"), x), latency, 1e-9 * latency);
  EXPECT_EQ(knee[0].at("label"), fmt::format("knee: {:.3g} warps", x));
}

TEST_F(Html, RooflineHoldsTheKernelBelowItsRoofs) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  const auto data = figure_of(write_html(report), "roofline").at("datasets");
  // saxpy: 2 operations for 12 bytes, less the bytes of y that stay in the caches at the end.
  const auto launch = data.at("launch")[0];
  const double bytes = bytes_at(report.base.memory, 2), intensity = *report.base.launch.flops / bytes;
  EXPECT_LE(bytes, *report.base.launch.bytes);
  EXPECT_GT(bytes, *report.base.launch.bytes * 2 / 3);
  EXPECT_NEAR(launch.at("intensity").get<double>(), intensity, 1e-12);
  EXPECT_NEAR(launch.at("rate").get<double>(), *report.base.launch.flops / report.base.time.count / 1e9, 1e-6);
  EXPECT_THAT(launch.at("rate").get<double>(), AllOf(Gt(0), Lt(intensity * report.rates.bandwidth->count / 1e9)))
      << "memory binds there";
}

TEST_F(Html, RooflineHasARoofForEachCacheBeyondTheUnits) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  const auto data = figure_of(write_html(report), "roofline").at("datasets");
  ASSERT_THAT(report.rates.levels, SizeIs(1));
  EXPECT_EQ(report.rates.levels[0].name, "l2");
  const auto& roofs = data.at("roofs");
  EXPECT_TRUE(std::any_of(roofs.begin(), roofs.end(), [](const auto& roof) {
    return roof.at("roof").template get<std::string>().starts_with("l2 ");
  }));
  const auto at_l2 = data.at("launch")[1];
  EXPECT_EQ(at_l2.at("label"), "l2");
  EXPECT_NEAR(at_l2.at("intensity").get<double>(), *report.base.launch.flops / bytes_at(report.base.memory, 1), 1e-12);
}

TEST_F(Html, SaysWhyThereIsNoHeatMapOrRoofline) {
  // mmul16's groups are tiles: their number does not follow their size. transpose computes nothing.
  LaunchOptions small;
  small.parameters["n"] = 64;
  EXPECT_THAT(write_html(report_of(shipped_kernel("mmul16"), shipped_device("gtx1060"), small)),
              HasSubstr("does not follow their size"));
  EXPECT_THAT(body_of(write_html(report_of(shipped_kernel("transpose_padded"), shipped_device("v100")))),
              HasSubstr("the kernel has no floating-point operations"));
}

// The instructions ask the first cache for more than the memory moves: mmul16 has both tiles of a block row and of a
// block column in its caches.
TEST_F(Html, ShowsTheBytesThatTheMemoryMoves) {
  LaunchOptions small;
  small.parameters["n"] = 128;
  auto kernel = shipped_kernel("mmul16");
  kernel.work.flops.reset();
  const auto report = report_of(kernel, shipped_device("gtx1060"), small);
  const auto& base = report.base;
  const double moved = bytes_at(base.memory, base.memory.levels.size() - 1), rate = moved / base.time.count / 1e9;
  ASSERT_LT(moved, *base.launch.bytes / 2);
  const auto html = write_html(report);
  EXPECT_THAT(body_of(html), HasSubstr(fmt::format("<dt>memory</dt><dd>{:.4g} GB/s at dram</dd>", rate)));
  EXPECT_THAT(write_text(base), HasSubstr(fmt::format("{:.4g} GB/s at dram", rate)));
  EXPECT_THAT(body_of(html), HasSubstr("Throughput (GB/s at dram)"));
  const auto launch = figure_of(html, "throughput").at("datasets").at("launch");
  EXPECT_NEAR(launch[0].at("y").get<double>(), rate, 1e-9 * rate);
}

TEST_F(Html, SaysWhichKeysOfTheFilesARooflineLacks) {
  auto kernel = shipped_kernel("saxpy");
  kernel.work.flops.reset();
  auto device = shipped_device("v100");
  device.memory->levels.back().read_rate.reset();
  const auto body = body_of(write_html(report_of(kernel, device)));
  EXPECT_THAT(body, HasSubstr("(work.flops)"));
  EXPECT_THAT(body, HasSubstr("(read_bytes_per_s in memory.levels)"));
  EXPECT_THAT(body, Not(HasSubstr("ops.ffma")));
}

// The point of the launch itself is not simulated again.
TEST_F(Html, TheLaunchItselfIsAPointLikeAllOthers) {
  LaunchOptions few;
  few.groups = 3;  // a unit has one group, and could hold more
  LaunchOptions middle;
  middle.concurrent_groups = 3;
  for (LaunchOptions options : {few, middle}) {
    options.range = true;
    const auto kernel = shipped_kernel("saxpy");
    const auto device = shipped_device("v100");
    const auto report = report_of(kernel, device, options);
    const auto own = std::ranges::find_if(report.occupancies, [&](const SweepPoint& point) {
      return point.values[0].number == static_cast<double>(report.base.launch.slots);
    });
    ASSERT_NE(own, report.occupancies.end());
    EXPECT_TRUE(
        std::ranges::is_sorted(report.occupancies, {}, [](const SweepPoint& point) { return point.values[0].number; }));
    options.concurrent_groups = report.base.launch.slots;
    EXPECT_EQ(write_result_json(*own->prediction), write_result_json(predict(kernel, device, options)));
  }
}

TEST_F(Html, IsBoundedInPoints) {
  auto device = shipped_device("v100");
  EXPECT_LE(report_of(shipped_kernel("saxpy"), device).group_sizes.size(), 70U);
  // However much a unit may hold: 40 numbers of groups, 6 sizes, 8 numbers of warps, and the launch's own of each.
  device.limits = {};
  LaunchOptions few;
  few.groups = 4096;
  few.concurrent_groups = 64;
  const auto report = report_of(shipped_kernel("saxpy"), device, few);
  EXPECT_LE(report.occupancies.size() + report.group_sizes.size(), 42U + 7 * 9);
}

TEST_F(Html, StallStackAddsUpToTheWholeTime) {
  const auto html = write_html(report_of(shipped_kernel("saxpy"), shipped_device("v100")));
  const auto total = [&](const char* id) {
    double sum = 0;
    const auto times = figure_of(html, id).at("datasets").at("times");
    for (const auto& part : times) sum += part.at("share").get<double>();
    return sum;
  };
  EXPECT_NEAR(total("stalls"), 1, 1e-9);
  EXPECT_THAT(total("stalls-by-instruction"), AllOf(Gt(0.5), Lt(1)))
      << "the rest: places whose warp has ended, or without a group";
}

TEST_F(Html, TakesNoNameOrTextForMarkup) {
  const auto html = write_html(report_of(hostile_kernel(), shipped_device("v100")));
  EXPECT_THAT(html, Not(HasSubstr("<script>throw")));
  EXPECT_THAT(html, Not(HasSubstr("<b>bold")));
  EXPECT_THAT(html, Not(HasSubstr("<!-- ")));
  // The style sheet has none, each script of the packages and of our own a single end, and the data a single end.
  EXPECT_EQ(count(html, "<script"), count(html, "</script>"));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;script&gt;throw 1"));
  const auto graph = figure_of(html, "graph");
  EXPECT_EQ(graph.at("kernel"), hostile_text());
  EXPECT_EQ(graph.at("instructions")[0].at("text"), hostile_text());
}

TEST_F(Html, ReplacesWhatIsNoUtf8) {
  auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  report.base.device_title = "\xFF\xC0 title";
  EXPECT_THAT(write_html(report), HasSubstr("\xEF\xBF\xBD title"));
}

TEST_F(Html, AsksForNothingFromElsewhere) {
  for (const auto& [name, html] : sample_pages()) {
    EXPECT_THAT(html, HasSubstr("default-src 'none'")) << name;
    EXPECT_EQ(count(body_of(html), "src="), 0U) << name;
    EXPECT_THAT(html, Not(HasSubstr("sourceMappingURL="))) << name;
  }
}

TEST_F(Html, DescribesEachFigureInWords) {
  for (const auto& [name, html] : sample_pages()) {
    EXPECT_EQ(count(body_of(html), "role=\"img\" aria-label=\""), figures_of(html).size()) << name;
    EXPECT_EQ(count(body_of(html), "aria-label=\"\""), 0U) << name;
    EXPECT_GT(figures_of(html).size(), 0U) << name;
  }
}

TEST_F(Html, HasTheSameBytesForTheSameResult) {
  const auto kernel = shipped_kernel("saxpy");
  const auto device = shipped_device("v100");
  EXPECT_EQ(write_html(report_of(kernel, device, {}, 1)), write_html(report_of(kernel, device, {}, 2)));
}

TEST_F(Html, OfASweepShowsAPointWithoutAPredictionAsSuch) {
  const auto kernel = shipped_kernel("saxpy");
  const auto device = shipped_device("v100");
  const auto groups = parse_variation("concurrent_groups=8,9", kernel, device);
  const auto html = write_html(SweepTable{{groups}, run_sweep(kernel, device, {}, {groups}, 0)});
  EXPECT_THAT(figure_of(html, "run-time").at("datasets").at("curves"), SizeIs(3)) << "of the first point alone";
  EXPECT_THAT(body_of(html), HasSubstr("<th>error</th>"));
}

/// The conflicts of a multiplication over resident groups, with measured times of some points.
SweepTable conflicts(const std::vector<std::string>& variations) {
  auto table = sweep_of("mmul16", "gtx1060", variations, small_matrices());
  for (std::size_t i = 0; i < table.points.size(); i += 3)
    table.points[i].measured = Seconds{table.points[i].prediction->time.count * (i == 0 ? 0.8 : 1.25)};
  return table;
}

TEST_F(Html, OfASweepOfTwoNamesHasALineForEachValueOfTheSecond) {
  const auto table = conflicts({"conflict_degree=1,2,4", "concurrent_groups=1:4"});
  const auto figure = figure_of(write_html(table), "run-time");
  EXPECT_EQ(figure.at("layer")[2].at("encoding").at("color").at("field"), "line");
  EXPECT_EQ(figure.at("layer")[1].at("encoding").at("color").at("scale").at("domain"), Json({"1", "2", "4"}));
  EXPECT_EQ(figure.at("layer")[1].at("encoding").at("color").at("legend").at("title"), "conflict_degree");
  for (std::size_t degree = 0; degree < 3; ++degree) {
    const auto rows = series_of(figure, "simulated", std::vector{"1", "2", "4"}[degree]);
    ASSERT_THAT(rows, SizeIs(4)) << "4 of the 12 points";
    for (std::size_t groups = 0; groups < 4; ++groups) {
      EXPECT_EQ(rows[groups].at("x"), 8.0 * static_cast<double>(groups + 1)) << "a group of 256 threads has 8 warps";
      EXPECT_NEAR(rows[groups].at("y").get<double>(), time_us(*table.points[4 * degree + groups].prediction), 1e-6);
    }
  }
}

TEST_F(Html, OfASweepOfTwoNamesPutsTheNameOfMostValuesAlongX) {
  const auto x_title = [](const std::vector<std::string>& variations) {
    return figure_of(write_html(conflicts(variations)), "run-time").at("encoding").at("x").at("title");
  };
  EXPECT_EQ(x_title({"conflict_degree=1,2,4", "concurrent_groups=1,2"}), "conflict_degree");
  EXPECT_EQ(x_title({"conflict_degree=1,2", "concurrent_groups=1,2,4"}), "resident warps of a unit");
  EXPECT_EQ(x_title({"conflict_degree=1,2", "concurrent_groups=1,2"}), "resident warps of a unit") << "of as many";
  EXPECT_EQ(x_title({"policy=oldest,first-ready,greedy-oldest", "concurrent_groups=1,2"}), "resident warps of a unit")
      << "names are no numbers";
}

TEST_F(Html, OfASweepOfTwoNumbersOfManyValuesIsAHeatMap) {
  const auto ids_of = [](const std::vector<std::string>& variations) {
    std::vector<std::string> ids;
    for (const auto& figure : figures_of(write_html(sweep_of("saxpy", "v100", variations, {}))))
      ids.push_back(figure.at("id"));
    return ids;
  };
  EXPECT_THAT(ids_of({"ffma.issue=1:9", "iadd.issue=1:9"}), testing::ElementsAre("heat-map"));
  EXPECT_THAT(ids_of({"ffma.issue=1:9", "iadd.issue=1:8"}), testing::ElementsAre("run-time", "throughput", "heat-map"));
  EXPECT_THAT(ids_of({"ffma.issue=1:9", "iadd.issue=1:4"}), testing::ElementsAre("run-time", "throughput"));
}

TEST_F(Html, OfASweepOfThreeNamesHasAPictureForEachValueOfTheThirdOnTheSameAxis) {
  const auto html =
      write_html(conflicts({"policy=oldest,first-ready", "concurrent_groups=1:4", "conflict_degree=1,2,4"}));
  ASSERT_THAT(figures_of(html), SizeIs(2)) << "policies, which have the fewest values";
  const auto first = figure_of(html, "run-time-1"), second = figure_of(html, "run-time-2");
  EXPECT_THAT(series_of(first, "simulated"), SizeIs(12));
  EXPECT_EQ(first.at("layer")[1].at("encoding").at("y").at("scale"),
            second.at("layer")[1].at("encoding").at("y").at("scale"));
  EXPECT_THAT(body_of(html), AllOf(HasSubstr("policy oldest: Run time"), HasSubstr("class=\"multiples\"")));
}

TEST_F(Html, OfASweepMarksTheFastestAndItsTiesAsTheTextNamesThem) {
  const auto table = conflicts({"conflict_degree=1,2", "concurrent_groups=1:8"});
  double fastest = 1e9;
  for (const auto& point : table.points) fastest = std::min(fastest, point.prediction->time.count);
  const auto figure = figure_of(write_html(table), "run-time");
  int ties = 0, fastest_points = 0;
  for (const auto& row : figure.at("datasets").at("curves")) {
    if (row.at("series") != "simulated") {
      EXPECT_TRUE(row.at("standing").is_null());
      continue;
    }
    const double ratio = row.at("y").get<double>() * 1e-6 / fastest;
    const bool is_fastest = row.at("standing") == "fastest", is_tie = row.at("standing") == "tie";
    EXPECT_EQ(is_fastest || is_tie, ratio <= 1.03) << row;
    EXPECT_TRUE(!is_fastest || std::abs(ratio - 1) < 1e-9) << row;
    fastest_points += is_fastest, ties += is_tie;
  }
  EXPECT_EQ(fastest_points, 1) << "of those that take as long the first";
  EXPECT_GT(ties, 0);
  EXPECT_THAT(write_text(table), HasSubstr("ties within 3 %"));
}

TEST_F(Html, OfASweepShowsWhatWasMeasuredOnTheLines) {
  const auto table = conflicts({"conflict_degree=1,2", "concurrent_groups=1:3"});  // points 0 and 3 of 6
  const auto html = write_html(table);
  const auto measured = figure_of(html, "run-time").at("datasets").at("measured");
  ASSERT_THAT(measured, SizeIs(2));
  EXPECT_EQ(measured[0].at("line"), "1");
  EXPECT_NEAR(measured[0].at("y").get<double>(), 0.8 * time_us(*table.points[0].prediction), 1e-6);
  EXPECT_EQ(measured[0].at("error"), "+25.0 %") << "1 / 0.8";
  EXPECT_EQ(measured[1].at("error"), "-20.0 %") << "1 / 1.25";
  const auto sum =
      "2 of 6 points measured: mean |error| 22.5 %, worst +25.0 % at conflict_degree=1 concurrent_groups=1";
  EXPECT_THAT(write_text(table), HasSubstr(sum));
  EXPECT_THAT(body_of(html), AllOf(HasSubstr(sum), HasSubstr("<td class=\"number\">-20.0 %</td>")));
}

TEST_F(Html, OfASweepOverNamesShowsThePointsOverEachName) {
  const auto html = sample_pages().at("sweep_names");
  EXPECT_THAT(body_of(html), AllOf(HasSubstr("kernels on devices: sweep"), HasSubstr("<td>vector_add</td>")));
  const auto over_devices = figure_of(html, "points-2");
  EXPECT_EQ(over_devices.at("encoding").at("x").at("type"), "nominal");
  EXPECT_THAT(over_devices.at("datasets").at("points"), SizeIs(2 * 3 * 2 * 2));
  EXPECT_EQ(over_devices.at("datasets").at("points")[4].at("x"), "gtx1060");
  EXPECT_EQ(figure_of(html, "points-4").at("encoding").at("x").at("type"), "quantitative");
}

/// Whether a page has each cell of a table, and the text too.
void expect_cells_of(const TextTable& table, const std::string& html, const std::string& text) {
  const auto body = body_of(html);
  for (const auto& row : table.rows()) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto cell = row[i].substr(std::min(row[i].find_first_not_of(' '), row[i].size()));
      EXPECT_THAT(body, HasSubstr(">" + escaped(cell) + "</td>")) << "column " << i;
      EXPECT_THAT(text, HasSubstr(cell));
    }
  }
}

TEST_F(Html, OfADifferenceHasTheTablesOfTheTextAndWhatChangedMostFirst) {
  const auto difference = conflicts_against_padding();
  const auto html = write_html(difference);
  ASSERT_THAT(tables_of(difference), SizeIs(Gt(3U)));
  for (const auto& table : tables_of(difference)) expect_cells_of(table, html, write_text(difference));
  const auto sides = figure_of(html, "stalls").at("datasets").at("sides");
  double before = 0, after = 0, largest = 1e300;
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    ASSERT_EQ(sides[i].at("name"), sides[i + 1].at("name"));
    const double a = sides[i].at("time"), b = sides[i + 1].at("time");
    EXPECT_LE(std::abs(b - a), largest);
    largest = std::abs(b - a);
    before += a, after += b;
  }
  // The parts of the mean warp's time are the time of the run.
  EXPECT_NEAR(before, difference.a.prediction.time.count * 1e6, 1e-6);
  EXPECT_NEAR(after, difference.b.prediction.time.count * 1e6, 1e-6);
}

TEST_F(Html, OfAnOccupancyHasEachLimitAndTheStepsOfOtherNeeds) {
  const auto report = occupancy_of_saxpy();
  const auto html = write_html(page_of(report, {}));
  expect_cells_of(table_of(report), html, write_text(report));
  const auto bars = figure_of(html, "limits").at("datasets").at("bars");
  ASSERT_THAT(bars, SizeIs(report.occupancy.bounds.size()));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_EQ(bars[i].at("value"), report.occupancy.bounds[i].groups);
    EXPECT_EQ(bars[i].at("kind") == "limits", report.occupancy.bounds[i].groups == *report.occupancy.groups);
  }
  // 2048 threads fit on a unit of a V100, and at most 32 groups: 32 groups of 32 threads have 32 warps, of 64 or
  // more 64.
  const auto steps = figure_of(html, "group-size").at("datasets").at("steps");
  ASSERT_THAT(steps, SizeIs(32)) << "32 to 1024 threads";
  EXPECT_EQ(steps[0].at("warps"), 32);
  EXPECT_EQ(steps[0].at("limiter"), "groups");
  EXPECT_EQ(steps[1].at("warps"), 64);
  EXPECT_EQ(steps[2].at("warps"), 63) << "21 groups of 3 warps";
  EXPECT_EQ(figure_of(html, "group-size").at("datasets").at("now")[0].at("x"), 256);
}

TEST_F(Html, OfAnOccupancyDrawsTheTimeOverIt) {
  const auto sweep = sweep_of("saxpy", "v100", {"concurrent_groups=1:8"});
  const auto figure = figure_of(write_html(occupancy_of_saxpy(), sweep.points), "run-time");
  const auto rows = series_of(figure, "simulated");
  ASSERT_THAT(rows, SizeIs(8));
  EXPECT_NEAR(rows[2].at("y").get<double>(), time_us(*sweep.points[2].prediction), 1e-6);
  EXPECT_EQ(figure.at("datasets").at("launch")[0].at("x"), 64);
}

TEST_F(Html, OfLaunchesEndsItsTimelineWhereTheLaunchesEndBackToBack) {
  const auto program = four_launches();
  const auto report = report_of(program);
  ASSERT_THAT(report.spans, SizeIs(2));
  EXPECT_NEAR(report.spans.back().end.count, sum_of(program).back_to_back, 1e-12);
  EXPECT_NEAR(report.spans.front().busy.count, 3 * program.launches[0].prediction->time.count, 1e-12);
  const auto html = write_html(report);
  expect_cells_of(table_of(program), html, write_text(program));
  const auto bars = figure_of(html, "kernels").at("datasets").at("bars");
  EXPECT_EQ(bars[0].at("name"), "saxpy") << "three times";
  EXPECT_NEAR(bars[0].at("value").get<double>() + bars[1].at("value").get<double>(), 1, 1e-12);
}

TEST_F(Html, OfAComparisonDrawsEachModelThatApplies) {
  const auto comparison = compare_models(shipped_kernel("mmul16"), shipped_device("gtx1060"), small_matrices(), {}, 0);
  const auto html = write_html(comparison);
  expect_cells_of(table_of(comparison), html, write_text(comparison));
  std::size_t estimates = 0;
  for (const auto& launch : comparison.launches)
    estimates += 1 + static_cast<std::size_t>(std::ranges::count_if(
                         launch.estimates, [](const Estimate& estimate) { return estimate.cycles.has_value(); }));
  EXPECT_THAT(figure_of(html, "models").at("datasets").at("curves"), SizeIs(estimates));
  for (const auto& [model, why] : not_applied(comparison)) EXPECT_THAT(body_of(html), HasSubstr(escaped(why)));
}

TEST_F(Html, OfALaunchHasTheTableOfItsSource) {
  const auto report = report_of(shipped_kernel("saxpy"), shipped_device("v100"));
  ASSERT_TRUE(report.source);
  const auto body = body_of(write_html(report));
  for (const auto& row : report.source->rows())
    for (const auto& cell : row) EXPECT_THAT(body, HasSubstr(">" + escaped(cell) + "</td>"));
}

// 18 of 24 configurations have times; each line has a step for each tunable and a step for the time.
TEST_F(Html, OfATuningShowsAllThatWasSimulated) {
  const auto html = sample_pages().at("tune");
  EXPECT_THAT(body_of(html), AllOf(HasSubstr("filter.cu: tuning"), HasSubstr("18 of 24 configurations are simulated"),
                                   HasSubstr("tile=1, block=64, type=float")));
  EXPECT_THAT(figure_of(html, "all-1").at("datasets").at("steps"), SizeIs(18 * 4));
  const auto over_types = figure_of(html, "tunable-1-3").at("datasets").at("points");
  EXPECT_THAT(over_types, SizeIs(18));
  EXPECT_EQ(over_types[0].at("x"), "float");
}

TEST_F(Html, ShowsWhereTimesLieWhereThatIsAskedFor) {
  const auto kernel = shipped_kernel("saxpy");
  const auto device = shipped_device("v100");
  const auto groups = parse_variation("concurrent_groups=7,8", kernel, device);
  const auto page_of = [&](bool range) {
    LaunchOptions options;
    options.range = range;
    return body_of(write_html(SweepTable{{groups}, run_sweep(kernel, device, options, {groups}, 0)}));
  };
  EXPECT_THAT(page_of(true), HasSubstr("in 9 of 10 cases</th>"));
  EXPECT_THAT(page_of(false), Not(HasSubstr("in 9 of 10 cases")));
  LaunchOptions options;
  options.range = true;
  const WhatIfOptions of_all{0.01, {WhatIfPart::Device}, true};
  const auto what_if_page = body_of(write_html(what_if(kernel, device, options, of_all, 0)));
  const auto base = predict(kernel, device, options);
  EXPECT_THAT(what_if_page, HasSubstr(show_range(base.range->time)));
  EXPECT_THAT(what_if_page, HasSubstr("in 9 of 10 cases</th>"));
}

TEST_F(Html, OfASweepRefusesMorePointsThanAPageShows) {
  SweepTable table{{Variation{.name = "n", .target = "n", .values = {}}},
                   std::vector<SweepPoint>(5001, SweepPoint{{1}, std::nullopt, "failed"})};
  EXPECT_THROW(write_html(table), UsageError);
  table.points.pop_back();
  EXPECT_THAT(body_of(write_html(table)), HasSubstr("the first 500 points"));
}

TEST_F(Html, OfPredictionsAgainstMeasurementsTurnsRatesIntoTimes) {
  // 16 us measured, 20 % too slow: 19.2 us.
  Comparison row;
  row.measurement.kernel = "k";
  row.measurement.device = "d";
  row.measurement.line = 2;
  row.measurement.quantity = Quantity::BandwidthGbps;
  row.measurement.value = 120;
  row.predicted = 100;
  row.bound_only = 110;
  row.measured_time = Seconds{16e-6};
  AccuracyReport report;
  report.accuracy = {{row}, summarize({row}, &Comparison::predicted), summarize({row}, &Comparison::bound_only)};
  report.trends = trends({row});
  const auto points = figure_of(write_html(report), "predicted").at("datasets").at("rows");
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_NEAR(points[0].at("measured").get<double>(), 16, 1e-9);
  EXPECT_NEAR(points[0].at("predicted").get<double>(), 19.2, 1e-9);
  EXPECT_NEAR(points[0].at("error").get<double>(), 20, 1e-9);
}

TEST(HtmlOfMeasurements, ShowsRankingsAndNotesWhereThereAreAny) {
  AccuracyReport report;
  EXPECT_THAT(write_html(report), Not(HasSubstr("Kendall")));
  report.rankings.resize(1);
  report.rankings[0].kernel = "k";
  report.rankings[0].rows = 3;
  report.rankings[0].kendall = 0.345678;
  report.rankings[0].loss_percent = 12.34;
  report.notes = {"4 rows of another kernel not scored."};
  EXPECT_THAT(write_html(report), AllOf(HasSubstr("Kendall"), HasSubstr("0.346"), HasSubstr("12.3"),
                                        HasSubstr("4 rows of another kernel not scored.")));
}

TEST(HtmlWithoutCharts, IsRefusedWithTheWayOut) {
  if (has_charts()) {
    EXPECT_NO_THROW(require_charts());
    return;
  }
  try {
    require_charts();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("npm"));
  }
}

}  // namespace
}  // namespace warpipe::test
