// Twenty kernels with one known fault each, and twenty sound kernels (findings/*.cu): the finding names the fault and
// its line and promises a gain that the mended kernel keeps; sound code gets no advice to change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using Cause = Finding::Cause;

constexpr double kPromiseOff = 0.15;  // of the mended kernel's time
constexpr double kWorth = 0.03;       // least promised saving, of the time
constexpr int kNamed = 18;            // of the twenty, at least
constexpr int kPromisesKept = 10;     // at least

const std::map<std::string, Cause>& causes() {
  static const std::map<std::string, Cause> all{
      {"scattered", Cause::Scattered}, {"conflicts", Cause::Conflicts}, {"line", Cause::Line},
      {"doubles", Cause::Doubles},     {"lanes", Cause::Lanes},         {"warps", Cause::Warps},
      {"groups", Cause::Groups},       {"rounds", Cause::Rounds},       {"starts", Cause::Starts}};
  return all;
}

std::string findings_text(const std::string& name) { return read_text_file(in_sources("tests/ptx/findings/" + name)); }

const ptx::Module& findings_module(const std::string& name) {
  static std::map<std::string, ptx::Module> read;
  if (!read.contains(name)) read.emplace(name, ptx::read_ptx(findings_text(name + ".ptx"), name + ".ptx"));
  return read.at(name);
}

std::vector<Json> launches_of(const std::string& name) {
  std::vector<Json> all;
  std::istringstream lines(findings_text(name + ".jsonl"));
  for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
  return all;
}

/// "faulty.cu:12", the line ending in "fault of NAME".
std::string line_of(const std::string& entry) {
  std::istringstream lines(findings_text("faulty.cu"));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto at = line.find("// fault of " + entry);
    const auto end = at + std::string("// fault of " + entry).size();
    if (at != std::string::npos && (end == line.size() || line[end] == ':')) return fmt::format("faulty.cu:{}", number);
  }
  return {};
}

struct Seen {
  Finding finding;
  double time = 0;
  std::optional<double> promised;  ///< where it is worth it
};

Device device_of(const Json& one) {
  const auto file = "latency_tables/data/" + one.value("device", std::string("h100")) + ".json";
  return read_device_json(read_text_file(in_sources(file)), file);
}

isa::Dimensions dimensions_of(const Json& list) {
  isa::Dimensions sizes{1, 1, 1};
  std::ranges::copy(list.get<std::vector<std::int64_t>>(), sizes.begin());
  return sizes;
}

/// The names of a kernel's parameters, in order.
std::vector<std::string> parameters_of(const std::string& name, const std::string& entry) {
  const auto text = findings_text(name + ".cu");
  const auto begin = text.find("KERNEL " + entry + "(");
  if (begin == std::string::npos) return {};
  const auto list = text.substr(begin, text.find(')', begin) + 1 - begin);
  static const std::regex kLast(R"((\w+)\s*[,)])");
  std::vector<std::string> names;
  for (std::sregex_iterator one(list.begin(), list.end(), kLast), end; one != end; ++one) names.push_back((*one)[1]);
  return names;
}

Kernel kernel_of(const std::string& name, const Json& one) {
  ptx::ImportOptions options;
  options.entry = one.at("entry");
  options.parameter_names = parameters_of(name, options.entry);
  options.launch.block = dimensions_of(one.at("block"));
  options.launch.grid = dimensions_of(one.at("grid"));
  for (const auto& [argument, value] : one.at("arguments").items()) options.launch.arguments[argument] = value.dump();
  if (one.contains("registers")) options.registers = one.at("registers").get<std::int64_t>();
  if (one.contains("dynamic_shared_memory"))
    options.launch.dynamic_shared_memory = one.at("dynamic_shared_memory").get<std::int64_t>();
  return ptx::import_ptx(findings_module(name), options).kernel;
}

Seen look(const std::string& name, const Json& one) {
  const auto device = device_of(one);
  const auto kernel = kernel_of(name, one);
  const auto launch = lower_launch(kernel, device, {});
  const auto prediction = predict(launch);
  Seen seen{find_cause(launch, prediction), prediction.time.count, {}};
  if (const auto without = time_without(seen.finding, prediction.time, kernel, device);
      without && without->count < (1 - kWorth) * seen.time)
    seen.promised = without->count;
  return seen;
}

double mended_time(const Json& one) {
  auto mended = one;
  const auto entry = one.at("entry").get<std::string>() + "_mended";
  if (findings_text("faulty.cu").find("KERNEL " + entry + "(") != std::string::npos) mended["entry"] = entry;
  mended.update(one.at("mended"));
  return predict(kernel_of("faulty", mended), device_of(one), {}).time.count;
}

bool names_the_line(const Json& one, const Seen& seen) {
  static const std::set<std::string> of_launch{"warps", "groups", "rounds", "starts"};
  return of_launch.contains(one.at("cause")) || seen.finding.place == line_of(one.at("entry"));
}

TEST(Findings, NameTheFaultAndItsLineAndPromiseWhatIsKept) {
  int named = 0, kept = 0;
  for (const auto& one : launches_of("faulty")) {
    const auto seen = look("faulty", one);
    const bool is_named = seen.finding.cause == causes().at(one.at("cause")) && names_the_line(one, seen) &&
                          seen.finding.op.starts_with(one.value("op", std::string()));
    named += is_named ? 1 : 0;
    if (!is_named) std::printf("  not named: %s, %s\n", one.at("entry").dump().c_str(), seen.finding.place.c_str());
    if (!seen.promised || !one.contains("mended")) continue;
    const auto mended = mended_time(one);
    const bool is_kept = std::abs(*seen.promised / mended - 1) <= kPromiseOff;
    kept += is_kept ? 1 : 0;
    EXPECT_TRUE(is_kept) << one.at("entry") << ": " << seen.time << " s, promised " << *seen.promised << ", mended "
                         << mended;
  }
  EXPECT_GE(named, kNamed);
  EXPECT_GE(kept, kPromisesKept);
}

TEST(Findings, TellNobodyToChangeWhatIsRight) {
  for (const auto& one : launches_of("sound")) {
    const auto seen = look("sound", one);
    EXPECT_FALSE(seen.promised) << one.at("entry") << ": " << seen.time << " s, promised " << seen.promised.value_or(0);
  }
}

}  // namespace
}  // namespace warpipe::test
