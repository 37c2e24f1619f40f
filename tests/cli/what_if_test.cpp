#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "golden.hpp"
#include "program.hpp"
#include "support/drawn_cases.hpp"
#include "support/sanitizers.hpp"
#include "terminal.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Json result_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const auto outcome = warpipe(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? Json::parse(outcome.out) : Json();
}

/// A shipped kernel on a shipped device.
struct Call {
  std::string kernel, device;
  std::vector<std::string> options = {};
};

void PrintTo(const Call& call, std::ostream* stream) { *stream << call.kernel << " on " << call.device; }

std::vector<std::string> words(const std::string& verb, const Call& call, const std::vector<std::string>& more) {
  std::vector<std::string> result{verb, call.kernel, "--device", call.device, "--tolerance", "0"};
  result.insert(result.end(), call.options.begin(), call.options.end());
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

/// By hand: the public way to a prediction.
double simulated(const Call& call, const std::vector<std::string>& more) {
  return result_of(words("simulate", call, more)).at("cycles").get<double>();
}

/// The options of a change replace options of the same name.
Call without(Call call, const std::string& option) {
  if (!call.options.empty() && call.options.front() == option) call.options.clear();
  return call;
}

class WhatIfOfShippedKernels : public testing::TestWithParam<Call> {};

TEST_P(WhatIfOfShippedKernels, ElasticitiesAreTheDifferencesThatSetMakes) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; the rest of what-if goes through the same code";
  const Json result = result_of(words("what-if", GetParam(), {"--part", "ops"}));
  const double base = simulated(GetParam(), {});
  int compared = 0;
  for (const Json& row : result.at("ops")) {
    const std::string latency = row.at("latency");
    if (latency != "issue" && latency != "completion") continue;  // --set does not reach further pipelines
    const auto with = [&](const char* value) {
      return simulated(GetParam(), {"--set", fmt::format("{}.{}={}", row.at("name").get<std::string>(), latency,
                                                         row.at(value).get<double>())});
    };
    const double distance = row.at("more_cycles").get<double>() - row.at("less_cycles").get<double>();
    const double by_hand =
        (with("more_cycles") - with("less_cycles")) / base / (distance / row.at("value_cycles").get<double>());
    EXPECT_NEAR(row.at("elasticity").get<double>(), by_hand, 1e-9) << row;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST_P(WhatIfOfShippedKernels, ElasticitiesAreTheDifferencesThatScaleMakes) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; the rest of what-if goes through the same code";
  const Json result = result_of(words("what-if", GetParam(), {"--part", "ops"}));
  std::map<std::string, double> values;
  const auto key = [](const Json& row, const std::string& latency) {
    return row.at("name").get<std::string>() + "." + latency;
  };
  for (const Json& row : result.at("ops")) values[key(row, row.at("latency"))] = row.at("value_cycles");
  for (const Json& row : result.at("ops")) {
    const std::string latency = row.at("latency");
    if (latency != "issue" && latency != "completion") continue;
    // --scale moves both latencies of an op: the other latency is set so that the factor brings it back.
    const std::string other = key(row, latency == "issue" ? "completion" : "issue");
    const auto with = [&](const char* value) {
      const double factor = row.at(value).get<double>() / row.at("value_cycles").get<double>();
      return simulated(GetParam(), {"--set", fmt::format("{}={}", other, values[other] / factor), "--scale",
                                    fmt::format("{}={}", row.at("name").get<std::string>(), factor)});
    };
    EXPECT_EQ(with("less_cycles"), row.at("cycles_less").get<double>()) << row;
    EXPECT_EQ(with("more_cycles"), row.at("cycles_more").get<double>()) << row;
  }
}

TEST_P(WhatIfOfShippedKernels, OptionsOfAChangeGiveItsCyclesExactly) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  const Json result = result_of(words("what-if", GetParam(), {"--part", "device"}));
  int compared = 0;
  for (const Json& change : result.at("changes")) {
    if (change.at("cycles").is_null() || change.at("options").empty()) continue;
    const auto options = change.at("options").get<std::vector<std::string>>();
    EXPECT_EQ(simulated(without(GetParam(), options.front()), options), change.at("cycles").get<double>()) << change;
    EXPECT_NEAR(change.at("saved").get<double>(),
                1 - change.at("cycles").get<double>() / result.at("cycles").get<double>(), 1e-12);
    ++compared;
  }
  EXPECT_GE(compared, 3) << "the other policies at least";
}

TEST_P(WhatIfOfShippedKernels, BytesDoNotDependOnTheThreads) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  const auto arguments = words("what-if", GetParam(), {"--json"});
  auto with_one = arguments;
  with_one.insert(with_one.end(), {"--threads", "1"});
  EXPECT_EQ(warpipe(arguments).out, warpipe(with_one).out);
}

/// Each row of a result is a run of the program here: a call at a commit.
std::vector<Call> calls_to_try() {
  const std::vector<Call> all{{"saxpy", "v100"},
                              {"saxpy", "gtx1060", {"--concurrent-groups", "2"}},
                              {"transpose_conflicts", "v100"},
                              {"transpose_padded", "gtx1060"},
                              {"strided_copy", "v100", {"--param", "stride=2"}},
                              {"mmul16", "v100", {"--param", "n=64"}},
                              {"reduction", "a100", {"--param", "n=1048576"}}};
  std::vector<Call> drawn;
  for (const std::size_t i : drawn_cases("elasticities of shipped kernels", all.size())) drawn.push_back(all[i]);
  return drawn;
}

INSTANTIATE_TEST_SUITE_P(All, WhatIfOfShippedKernels, testing::ValuesIn(calls_to_try()),
                         [](const testing::TestParamInfo<Call>& call) {
                           return fmt::format("{}_{}", call.param.kernel, call.param.device);
                         });

TEST(WhatIfVerb, ReadsAsInTheGoldenFiles) {
  expect_golden("what_if_worked.txt", warpipe({"what-if", "worked", "--device", "tiny"}).out);
  expect_golden("what_if_worked.json", warpipe({"what-if", "worked", "--device", "tiny", "--json"}).out);
}

TEST(WhatIfVerb, RefusesWhatIsNoPartAndNoStep) {
  const auto part = warpipe({"what-if", "worked", "--device", "tiny", "--part", "op"});
  EXPECT_EQ(part.status, 2);
  EXPECT_THAT(part.err, HasSubstr("ops"));
  for (const auto* step : {"0", "100", "-1", "x"})
    EXPECT_EQ(warpipe({"what-if", "worked", "--device", "tiny", "--step", step}).status, 2) << step;
}

TEST(WhatIfVerb, RefusesAnOpThatTheDeviceLacks) {
  EXPECT_EQ(warpipe({"what-if", "worked", "--device", "tiny", "--set", "nothing.issue=3"}).status, 2);
}

TEST(WhatIfVerb, TellsWhatItHasFoundWhereItIsInterrupted) {
  for (const bool as_json : {false, true}) {
    Terminal terminal;
    Workplace::Settings settings;
    settings.standard_error = terminal.path();
    settings.signals = {SIGINT};
    settings.sent_when = [&] {
      return std::regex_search(terminal.text_so_far(), std::regex("warpipe: [1-9][0-9]* of [0-9]+ simulations"));
    };
    std::vector<std::string> arguments{"what-if", "mmul16", "--device",      "gtx1060",
                                       "--param", "n=512",  "--skipping=off"};
    if (as_json) arguments.emplace_back("--json");
    const auto outcome = Workplace().run(arguments, settings);
    EXPECT_EQ(outcome.status, 130);
    EXPECT_THAT(terminal.text(),
                testing::ContainsRegex("warpipe: interrupted after [0-9]+ of [0-9]+ simulations" +
                                       std::string(as_json ? ", nothing is written" : "; what they found")));
    EXPECT_EQ(outcome.out.find("one more resident group") != std::string::npos, !as_json) << outcome.out;
  }
}

}  // namespace
}  // namespace warpipe::test
