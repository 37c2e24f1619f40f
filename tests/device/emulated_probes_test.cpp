#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <tuple>

#include "emulated_gpu.hpp"
#include "listed_probes.hpp"
#include "parts.hpp"
#include "session.hpp"
#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/accuracy/calibrate.hpp"

/// The probes on the emulated GPU: each row of probes.json, its count, and warpipe's reading of it.
namespace measure {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using warpipe::Measurement;

/// "read_full" out of "...; probe=read_full; how=...".
std::string probe_of(const Measurement& row) {
  const auto begin = row.source.find("; probe=");
  if (begin == std::string::npos) return "";
  const auto name = begin + std::string("; probe=").size();
  return row.source.substr(name, row.source.find(';', name) - name);
}

/// All probes as --probe --quick measures them, read as `warpipe calibrate` does.
const std::vector<Measurement>& probed() {
  static const std::vector<Measurement> rows = [] {
    std::ostringstream out;
    const DeviceFacts device = device_facts(0);
    CsvWriter writer(out, {"h100", device.gpu, device.driver, device.toolkit, 1}, true);
    Session session(device, {1, true}, writer);
    for (const Part& part : all_probes()) {
      session.begin_part(part.name, 1000);
      part.run(session);
      session.end_part();
    }
    EXPECT_EQ(session.wrong_results(), 0);
    return warpipe::read_measurements_csv(out.str(), "probes", {});
  }();
  return rows;
}

const Measurement& row_of(const std::string& probe, std::optional<warpipe::Quantity> quantity = {}) {
  for (const Measurement& row : probed())
    if (probe_of(row) == probe && row.quantity == quantity.value_or(row.quantity)) return row;
  throw std::runtime_error("no row of the probe " + probe);
}

double parameter(const std::string& probe, const std::string& name) {
  return row_of(probe).options.parameters.at(name);
}

/// The fields in which a row and an entry of the list must agree: name, kernel, quantity, whether with the launch,
/// fits.
using Line = std::tuple<std::string, std::string, warpipe::Quantity, bool, std::vector<std::string>>;

Line line_of(const std::string& name, const Measurement& row) {
  return {name, row.kernel, row.quantity, row.includes_overhead, row.fits};
}

TEST(Probes, AreThoseOfTheList) {
  std::vector<Line> measured, listed;
  for (const Measurement& row : probed()) measured.push_back(line_of(probe_of(row), row));
  for (const auto& [name, probe] : listed_probes())
    if (!name.starts_with("mma")) listed.push_back(line_of(name, row_on(table("h100"), probe)));  // mma: PTX only
  EXPECT_THAT(measured, testing::UnorderedElementsAreArray(listed));
}

TEST(Probes, OfTensorCoresAreListedLikeTheOthers) {
  for (const auto& [name, probe] : listed_probes()) {
    if (!name.starts_with("mma")) continue;
    EXPECT_EQ(rows_of_probe(name).at(0).fits, probe.at("fits").at(0).get<std::string>());
  }
}

// The words of probes.json on the emulated GPU: warps of 32, at most 256 threads per group, which then resides twice; 8
// groups of a warp at most; one alone where it holds enough shared memory.
TEST(Probes, LaunchWhatTheListSays) {
  for (const auto& [name, probe] : listed_probes()) {
    if (name.starts_with("mma")) continue;
    const json& launch = probe.at("launch");
    const auto& options = row_of(name).options;
    const std::map<std::string, int> sizes = {{"warp", 32}, {"4 warps", 128}, {"largest", 256}};
    const json& size = launch.at("group_size");
    if (size != "any") {
      EXPECT_EQ(options.group_size, size.is_number() ? std::min(size.get<int>(), 256) : sizes.at(size)) << name;
    }
    const int most = static_cast<int>(512 / *options.group_size < 8 ? 512 / *options.group_size : 8);
    const std::map<std::string, int> groups = {{"most", most}, {"fewest", 1}, {"a quarter of the most", 1}};
    const json& concurrent = launch.at("concurrent_groups");
    EXPECT_EQ(options.concurrent_groups, concurrent.is_number() ? concurrent.get<int>() : groups.at(concurrent))
        << name;
    const json parameters = launch.value("parameters", json::object());
    for (const auto& [parameter, value] : parameters.items())
      EXPECT_EQ(options.parameters.at(parameter), value.get<double>()) << name;
  }
}

// A step is a cycle of its thread, and warps of the emulation do not wait for each other.
TEST(Probes, CountTheirSteps) {
  for (const char* op : {"ffma", "iadd", "imad", "dfma", "rsqrt", "shuffle"}) {
    for (const std::string& probe : {op + std::string("_alone"), op + std::string("_full")})
      EXPECT_DOUBLE_EQ(row_of(probe).value, parameter(probe, "steps")) << probe;
  }
  for (const char* probe : {"chase_l1", "chase_l2", "chase_dram", "l1_full", "l2_full", "shared_alone", "shared_full",
                            "shared_alone_conflicts", "shared_full_conflicts", "barrier_small", "barrier_large"})
    EXPECT_DOUBLE_EQ(row_of(probe).value, parameter(probe, "steps")) << probe;
  for (const char* probe : {"stride_1", "stride_2", "stride_8", "stride_9", "stride_32", "stride_33"})
    EXPECT_DOUBLE_EQ(row_of(probe).value, 8 * parameter(probe, "trips")) << probe;  // eight loads a trip
}

// A step is a nanosecond too; launch and groups take the short and the long run the same time.
TEST(Probes, TimeTheStepsOfTheClock) {
  const Measurement& clock = row_of("ffma_full", warpipe::Quantity::TimeUs);
  const Measurement& issue = row_of("ffma_full", warpipe::Quantity::Cycles);
  EXPECT_NEAR(clock.value, issue.value / 1000, 1e-3);
  EXPECT_EQ(clock.options.parameters, issue.options.parameters);
  EXPECT_EQ(clock.options.concurrent_groups, issue.options.concurrent_groups);
}

// A group takes a nanosecond. The time of an empty launch, with its group, is left out.
TEST(Probes, TimeWhatGroupsTake) {
  for (const char* probe : {"read_full", "init_full", "scale_full", "triad_full", "init_alone", "read_alone",
                            "scale_alone", "read_quarter", "empty_alone", "dispatch"})
    EXPECT_NEAR(row_of(probe).value, static_cast<double>(*row_of(probe).options.groups - 1) / 1000, 1e-6) << probe;
}

// A launch takes 1000 ns, and a nanosecond for its group; work waiting in front of it does not count.
TEST(Probes, TimeALaunch) {
  EXPECT_NEAR(row_of("launch_alone").value, 1.001, 1e-6);
  EXPECT_NEAR(row_of("launch_in_a_row").value, 1.001, 1e-6);
}

TEST(Probes, StreamMoreThanAnyCacheHolds) {
  for (const char* probe : {"read_full", "init_full", "scale_full", "triad_full"}) {
    const auto& options = row_of(probe).options;
    EXPECT_GE(*options.groups * *options.group_size * 8, 4 * static_cast<std::int64_t>(emulated::kL2Bytes)) << probe;
  }
}

TEST(Probes, AreRowsThatTheModelPredicts) {
  warpipe::for_each_comparison(probed(), kernel_of, table, {}, 1, [](const warpipe::Comparison& row) {
    EXPECT_EQ(row.error, "") << probe_of(row.measurement);
    EXPECT_TRUE(row.predicted) << probe_of(row.measurement);
  });
}

double predicted(const Measurement& row, const warpipe::Device& device) {
  double value = 0;
  const auto same = [&](const std::string&) { return device; };
  warpipe::for_each_comparison(std::vector{row}, kernel_of, same, {}, 1, [&](const warpipe::Comparison& compared) {
    EXPECT_EQ(compared.error, "") << row.kernel;
    value = compared.predicted.value_or(0);
  });
  return value;
}

// A row independent of its number would let a fit choose any. The a100 has no launch interval.
TEST(Probes, TakeLongerWhereTheirNumberIsWorse) {
  warpipe::Device device = table("a100");
  device.launch_interval = warpipe::Seconds{2 * device.launch_overhead.count};
  const auto one_launch = table("a100");
  for (const auto& [name, probe] : listed_probes()) {
    const auto& start = name == "launch_alone" ? one_launch : device;
    const Measurement row = row_on(start, probe);
    for (const std::string number : probe.at("fits")) {
      const auto parameter = warpipe::parse_fit({number}, start).parameters.at(0);
      warpipe::Device worse = start;
      warpipe::set_value(parameter, value_of(parameter, start) * (is_rate(parameter) ? 0.8 : 1.25), worse);
      EXPECT_GT(predicted(row, worse), 1.015 * predicted(row, start)) << name << " for " << number;
    }
  }
}

// Both rows are of the same launch, and the model gives it the longer of the two.
TEST(Probes, TellTheLaunchIntervalWhereItIsLongerThanALaunch) {
  const Measurement row =
      row_on(table("a100"), {{"kernel", "empty_groups"},
                             {"fits", {"launch_interval_s"}},
                             {"quantity", "time"},
                             {"includes_overhead", true},
                             {"launch", {{"group_size", "warp"}, {"groups", "1"}, {"concurrent_groups", "most"}}}});
  warpipe::Device device = table("a100");
  const double alone = predicted(row, device);
  device.launch_interval = warpipe::Seconds{0.9e-6 * alone};
  EXPECT_EQ(predicted(row, device), alone);
  device.launch_interval = warpipe::Seconds{1.1e-6 * alone};
  EXPECT_NEAR(predicted(row, device), 1.1 * alone, 1e-9);
}

TEST(Probes, AreAllInTheReadme) {
  const std::string readme = text_of(kSuite / "README.md");
  for (const auto& [name, probe] : listed_probes()) {
    EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name;
    for (const std::string& number : probe.at("fits").get<std::vector<std::string>>())
      EXPECT_NE(readme.find("`" + number + "`"), std::string::npos) << number;
  }
}

TEST(Probes, AreDoneInTwoMinutes) {
  double seconds = 0;
  for (const Part& part : all_probes()) seconds += part.budget_s;
  EXPECT_LE(seconds, 110);
}

TEST(Probes, AreChosenByName) { EXPECT_EQ(chosen_parts({"ffma", "strides"}, all_probes()).size(), 2u); }

TEST(Session, LeavesOutAProbeWithWrongResults) {
  std::ostringstream out;
  CsvWriter writer(out, {"t", "g", "d", "k", 0}, true);
  Session session(device_facts(0), {1, true}, writer);
  Row row;
  row.kernel = "stream_read";
  row.time_us = 1;
  session.begin_part("elements", 100);
  session.begin_probe("read_full");
  session.wrong_result("an element");
  session.write(row);
  EXPECT_EQ(writer.rows(), 0);
  EXPECT_EQ(session.wrong_results(), 1);
  session.begin_probe("init_full");
  session.write(row);
  EXPECT_EQ(writer.rows(), 1);
  EXPECT_THAT(out.str(), HasSubstr("; probe=init_full; how="));
}

TEST(Session, LeavesOutATimeThatTheEventsDoNotShow) {
  std::ostringstream out;
  CsvWriter writer(out, {"t", "g", "d", "k", 0}, true);
  Session session(device_facts(0), {1, true}, writer);
  Row row;
  row.kernel = "chain_ffma";
  row.cycles = 5;
  session.begin_part("ffma", 100);
  session.begin_probe("ffma_full");
  session.write(row);
  EXPECT_EQ(writer.rows(), 1);  // the row in cycles
  EXPECT_THAT(out.str(), HasSubstr(",5,,,ffma.issue,"));
}

TEST(Session, KnowsTheProbesOfTheList) {
  EXPECT_EQ(rows_of_probe("ffma_full").size(), 2u);
  EXPECT_THROW(rows_of_probe("ffma_half"), std::logic_error);
}

}  // namespace
}  // namespace measure
