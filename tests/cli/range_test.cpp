#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

/// --range: the ranges of predicted times, in the results of every verb that predicts times.

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kRangeOf{"saxpy", "--device", "v100", "--param", "n=65536"};

std::string printed_by(const Words& arguments) {
  const auto outcome = warpipe(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.out;
}

Json json_by(const Words& arguments) { return Json::parse(printed_by(arguments + Words{"--json"})); }

/// The range of simulate for saxpy with these options: the reference of the other verbs.
Json simulated_range(const Words& options = {}) { return json_by(Words{"simulate"} + kRangeOf + options).at("range"); }

TEST(Range, IsThatOfSimulateInEveryVerb) {
  const auto range = simulated_range();
  EXPECT_LT(range.at("time_s").at(0), range.at("time_s").at(1));
  EXPECT_EQ(json_by(Words{"diff"} + kRangeOf + Words{"--device-b", "a100"}).at("a").at("range"), range);
  EXPECT_EQ(json_by(Words{"what-if"} + kRangeOf + Words{"--part", "changes"}).at("range"), range);
  const auto resident = json_by(Words{"simulate"} + kRangeOf).at("concurrent_groups").get<int>();
  const auto compared = json_by(Words{"compare"} + kRangeOf + Words{"--concurrent-groups", std::to_string(resident)});
  const auto& row = compared.at("rows").at(0);
  EXPECT_NEAR(row.at("low_us").get<double>(), 1e6 * range.at("time_s").at(0).get<double>(), 1e-9);
  EXPECT_NEAR(row.at("high_us").get<double>(), 1e6 * range.at("time_s").at(1).get<double>(), 1e-9);
  EXPECT_TRUE(compared.at("rows").at(1).at("low_us").is_null()) << "a model of the literature says none";
}

TEST(Range, StandsInTheTextOfWhatTakesFewSimulations) {
  constexpr const char* kSays = " in 9 of 10 cases, ";
  const Words diff = Words{"diff"} + kRangeOf + Words{"--device-b", "a100"};
  const Words what_if = Words{"what-if"} + kRangeOf + Words{"--part", "changes"};
  for (const Words& call : {diff, what_if}) {
    EXPECT_THAT(printed_by(call), HasSubstr(kSays)) << call.front();
    EXPECT_THAT(printed_by(call + Words{"--range", "off"}), Not(HasSubstr(kSays))) << call.front();
  }
  const Words compare = Words{"compare"} + kRangeOf;
  EXPECT_THAT(printed_by(compare), Not(HasSubstr("in 9 of 10 cases")));
  EXPECT_THAT(printed_by(compare + Words{"--range=on"}), HasSubstr("  in 9 of 10 cases  "));
  EXPECT_THAT(printed_by(compare + Words{"--concurrent-groups=2"}), HasSubstr("  in 9 of 10 cases  "));
  EXPECT_THAT(printed_by(compare + Words{"--concurrent-groups=2", "--range=off"}), Not(HasSubstr("9 of 10")));
}

TEST(Range, OfAChangeIsThatOfSimulateWithItsOptions) {
  const auto found = json_by(Words{"what-if"} + kRangeOf + Words{"--part=device", "--range=on"});
  int compared = 0;
  for (const auto& change : found.at("changes")) {
    if (change.at("cycles").is_null()) {
      EXPECT_FALSE(change.contains("range")) << change;
      continue;
    }
    ASSERT_TRUE(change.contains("range")) << change;
    const auto options = change.at("options").get<Words>();
    if (options.empty() || !change.at("needs").get<std::string>().empty()) continue;
    ++compared;
    EXPECT_EQ(change.at("range"), simulated_range(options)) << change.at("name");
  }
  EXPECT_GE(compared, 3);
  const auto of_base_alone = json_by(Words{"what-if"} + kRangeOf + Words{"--part=changes"});
  for (const auto& change : of_base_alone.at("changes")) EXPECT_FALSE(change.contains("range")) << change;
}

TEST(Range, OfASavedResultIsRead) {
  const Workplace place;
  for (const std::string range : {"on", "off"})
    ASSERT_EQ(place.run(Words{"simulate"} + kRangeOf + Words{"--range", range, "--json=" + range + ".json"}).status, 0);
  const auto outcome = place.run({"diff", "on.json", "off.json", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto found = Json::parse(outcome.out);
  const auto range = simulated_range();
  EXPECT_EQ(found.at("a").at("range").at("time_s"), range.at("time_s"));
  EXPECT_EQ(found.at("a").at("range").at("cycles"), range.at("cycles"));
  EXPECT_FALSE(found.at("b").contains("range"));
  const auto hidden = place.run(Words{"diff", "on.json"} + kRangeOf + Words{"--range", "off"});
  EXPECT_EQ(hidden.status, 0) << hidden.err;
  EXPECT_THAT(hidden.out, Not(HasSubstr("9 of 10")));
}

TEST(Range, OfASavedResultMustHoldItsTime) {
  auto result = json_by(Words{"simulate"} + kRangeOf);
  for (const Json& wrong : {Json::array({1, 2}), Json::array({0}), Json::array({0, 1, 2}), Json("1 to 2"), Json(3)}) {
    result["range"]["time_s"] = wrong;
    const Workplace place(Files{{"a.json", result.dump()}});
    const auto outcome = place.run({"diff", "a.json", "a.json"});
    EXPECT_EQ(outcome.status, 3) << wrong;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("a.json: /range/time_s: "), HasSubstr("a range"))) << wrong;
  }
}

TEST(Range, TakesOnOrOff) {
  const auto refusal = [](const Words& arguments) {
    const auto outcome = warpipe(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    return outcome.err;
  };
  for (const char* verb : {"compare", "what-if", "simulate"}) {
    const Words call = Words{verb} + kRangeOf;
    EXPECT_THAT(refusal(call + Words{"--range", "maybe"}), HasSubstr("unknown value \"maybe\"; one of: on, off"));
    EXPECT_THAT(refusal(call + Words{"--range"}), HasSubstr("the option needs a value"));
    EXPECT_THAT(refusal(call + Words{"--range=on", "--range=off"}), HasSubstr("only once"));
  }
  for (const char* verb : {"occupancy", "graph"})  // no times are predicted
    EXPECT_THAT(refusal(Words{verb} + kRangeOf + Words{"--range=on"}), HasSubstr("--range: unknown option")) << verb;
  const Workplace place(Files{{"a.json", printed_by(Words{"simulate"} + kRangeOf + Words{"--json"})}});
  const auto saved = place.run({"diff", "a.json", "a.json", "--range=on"});
  EXPECT_EQ(saved.status, 2);
  EXPECT_THAT(saved.err, HasSubstr("--range: A and B are saved results"));
}

TEST(Range, OfModelsStandsBesideTheSimulation) {
  const Workplace place(Files{{"m.csv", "kernel,device,n,time_us\nworked,tiny,32,0.4\n"}});
  const Words call{"validate", "--measured", "m.csv", "--models", "all", "--csv"};
  const auto with = place.run(call + Words{"--range=on"});
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_THAT(with.out, HasSubstr(",error,low,high\r\n"));
  EXPECT_THAT(place.run(call).out, HasSubstr(",error\r\n"));
}

}  // namespace
}  // namespace warpipe::test
