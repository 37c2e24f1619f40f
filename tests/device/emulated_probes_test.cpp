#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "emulated_gpu.hpp"
#include "parts.hpp"
#include "session.hpp"
#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/kernels/read_kernel.hpp"

/// The probes on the emulated GPU: each row of probes.json, what it counts, and what warpipe makes of it.
namespace measure {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using warpipe::Measurement;

const std::filesystem::path kSuite = WARPIPE_SUITE;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The entry of probes.json of each name, in the order of the file.
std::vector<std::pair<std::string, json>> listed_probes() {
  std::vector<std::pair<std::string, json>> probes;
  const json list = json::parse(text_of(kSuite / "probes.json"));
  for (const json& probe : list.at("probes")) probes.emplace_back(probe.at("name"), probe);
  return probes;
}

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
    CsvWriter writer(out, {"h100", device.gpu, device.driver, device.toolkit, 1});
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

const Measurement& row_of(const std::string& probe) {
  for (const Measurement& row : probed())
    if (probe_of(row) == probe) return row;
  throw std::runtime_error("no row of the probe " + probe);
}

double parameter(const std::string& probe, const std::string& name) {
  return row_of(probe).options.parameters.at(name);
}

TEST(Probes, AreThoseOfTheList) {
  std::map<std::string, int> rows;
  for (const Measurement& row : probed()) ++rows[probe_of(row)];
  for (const auto& [name, probe] : listed_probes()) {
    if (name.starts_with("mma")) continue;  // PTX only
    ASSERT_EQ(rows[name], 1) << name;
    EXPECT_EQ(row_of(name).kernel, probe.at("kernel").get<std::string>()) << name;
  }
  EXPECT_EQ(rows.size(), listed_probes().size() - 2);
}

// What the words of probes.json stand for, on the emulated GPU: warps of 32, at most 256 threads per group, which then
// resides twice; 8 groups of a warp at most; one alone where it holds enough shared memory.
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

// A step is a cycle of its thread, and one warp of the emulation does not wait for another.
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

// A group takes a nanosecond, which is a cycle at the 1000 MHz of the emulation. What an empty launch takes, the one of
// its group too, is not in it.
TEST(Probes, TimeWhatGroupsTake) {
  for (const char* probe : {"read_full", "init_full", "scale_full", "triad_full", "init_alone", "read_alone",
                            "scale_alone", "read_quarter", "empty_alone", "dispatch"})
    EXPECT_NEAR(row_of(probe).value, static_cast<double>(*row_of(probe).options.groups - 1), 1e-3) << probe;
}

// A launch takes 1000 ns and one for its group; what waits in front of it does not count.
TEST(Probes, TimeALaunch) {
  EXPECT_NEAR(row_of("launch_alone").value, 1001, 1e-3);
  EXPECT_NEAR(row_of("launch_in_a_row").value, 1001, 1e-3);
}

TEST(Probes, StreamMoreThanAnyCacheHolds) {
  for (const char* probe : {"read_full", "init_full", "scale_full", "triad_full"}) {
    const auto& options = row_of(probe).options;
    EXPECT_GE(*options.groups * *options.group_size * 8, 4 * static_cast<std::int64_t>(emulated::kL2Bytes)) << probe;
  }
}

warpipe::Kernel kernel_of(const std::string& name) {
  const std::string file = name + ".json";
  const auto own = kSuite / "kernels" / file;
  const auto path = std::filesystem::exists(own) ? own : kSuite / "../../kernels/data" / file;
  return warpipe::read_kernel_json(text_of(path), file);
}

warpipe::Device table(const std::string& name) {
  return warpipe::read_device_json(text_of(kSuite / "../../latency_tables/data" / (name + ".json")), name);
}

TEST(Probes, AreRowsThatTheModelPredicts) {
  warpipe::for_each_comparison(probed(), kernel_of, table, {}, 1, [](const warpipe::Comparison& row) {
    EXPECT_EQ(row.error, "") << probe_of(row.measurement);
    EXPECT_TRUE(row.predicted) << probe_of(row.measurement);
  });
}

/// A probe as it is launched on a device; what the list leaves to the suite (lengths, footprints) as the kernel has it.
Measurement row_on(const warpipe::Device& device, const json& probe) {
  const json& launch = probe.at("launch");
  const std::int64_t warp = device.warp_size;
  const std::map<std::string, std::int64_t> sizes = {
      {"warp", warp}, {"4 warps", 4 * warp}, {"largest", 1024}, {"any", 1024}};
  const json& size = launch.at("group_size");
  Measurement row;
  row.kernel = probe.at("kernel");
  row.value = 1;
  row.options.group_size = size.is_number() ? size.get<std::int64_t>() : sizes.at(size);
  const auto most =
      std::min(*device.limits.warps_per_unit * warp / *row.options.group_size, *device.limits.groups_per_unit);
  const json& concurrent = launch.at("concurrent_groups");
  row.options.concurrent_groups = concurrent == "most" ? most : 1;
  const std::string groups = launch.at("groups");
  const auto waves = std::stoll(groups) * (groups.find("wave") == std::string::npos ? 0 : 1);
  row.options.groups = waves > 0 ? waves * device.compute_units * *row.options.concurrent_groups : std::stoll(groups);
  const json parameters = launch.value("parameters", json::object());
  for (const auto& [parameter, value] : parameters.items()) row.options.parameters[parameter] = value;
  return row;
}

double predicted(const Measurement& row, const warpipe::Device& device) {
  double cycles = 0;
  const auto same = [&](const std::string&) { return device; };
  warpipe::for_each_comparison(std::vector{row}, kernel_of, same, {}, 1, [&](const warpipe::Comparison& compared) {
    EXPECT_EQ(compared.error, "") << row.kernel;
    cycles = compared.predicted.value_or(0);
  });
  return cycles;
}

// A row that says nothing of its number would let a fit choose any. The numbers of a launch and the clock are no part
// of a run in cycles.
TEST(Probes, TakeLongerWhereTheirNumberIsWorse) {
  const std::set<std::string> of_no_run = {"launch_overhead_s", "launch_interval_s", "clock_hz"};
  const warpipe::Device device = table("a100");
  for (const auto& [name, probe] : listed_probes()) {
    const Measurement row = row_on(device, probe);
    for (const std::string number : probe.at("fits")) {
      if (of_no_run.contains(number)) continue;
      warpipe::Device worse = device;
      if (number == "group_dispatch_interval") {
        worse.group_dispatch_interval.count *= 1.25;
      } else {
        const auto fit = warpipe::parse_fit({number}, device);
        const bool is_rate = number.find("bytes_per") != std::string::npos;
        warpipe::set_value(fit.parameters.at(0), value_of(fit.parameters.at(0), device) * (is_rate ? 0.8 : 1.25),
                           worse);
      }
      EXPECT_GT(predicted(row, worse), 1.015 * predicted(row, device)) << name << " for " << number;
    }
  }
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
  CsvWriter writer(out, {"t", "g", "d", "k", 0});
  Session session(device_facts(0), {1, true}, writer);
  Row row;
  row.kernel = "stream_read";
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

}  // namespace
}  // namespace measure
