#include "warpipe/views/what_if_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Elasticity elasticity(const std::string& name, const std::string& op, const std::string& latency, double value,
                      double below, double above) {
  Elasticity row;
  row.name = name;
  row.op = op;
  row.latency = latency;
  row.value = Cycles{value};
  row.less = Cycles{value * 0.99};
  row.more = Cycles{value * 1.01};
  row.cycles_less = Ticks{439'000};
  row.cycles_more = Ticks{441'000};
  row.below = below;
  row.above = above;
  row.central = (below + above) / 2;
  return row;
}

WhatIf what_if_example() {
  WhatIf result;
  result.base.kernel = "worked";
  result.base.device = "tiny";
  result.base.device_title = "A small device for tests";
  result.base.clock = Hertz{1e9};
  result.base.cycles = Ticks{440'000};
  result.base.time = Seconds{440e-9};
  result.base.bounds = {{"latency", Ticks{440'000}}};
  result.step = 0.01;
  result.changes = {
      {"coalesced access", {"set", "load.transactions=4"}, "", Ticks{330'000}, 0.25, "", ""},
      {"policy oldest",
       {"policy", "oldest"},
       "",
       Ticks{440'000},
       0,
       "no effect until latency is no limit; then it saves 2.0 %",
       ""},
      {"next occupancy step", {}, "", {}, 0, "", "the device's limit of warps holds 8 groups of 8 warps"}};
  result.ops = {elasticity("global.load", "global.load", "completion", 400, 0.909, 0.909),
                elasticity("ffma", "ffma", "completion", 18, 0.003, -0.001),
                elasticity("ffma", "ffma", "issue", 1, 0, 0)};
  result.instructions = {elasticity("load", "global.load", "completion", 400, 0.909, 0.909)};
  return result;
}

TEST(WhatIfView, SaysOfASourceWhatItsAuthorHasToDo) {
  auto result = what_if_example();
  result.changes[0].part = ChangePart::Source;
  result.changes[0].needs = "stores of a.cu:7 that reach neighbours";
  EXPECT_THAT(write_text(result), HasSubstr("source    25.0 %      330  stores of a.cu:7 that reach neighbours\n"));
  EXPECT_THAT(write_json(result), HasSubstr("\"part\": \"source\""));
  EXPECT_THAT(write_text(result), Not(HasSubstr("--part device")));
  result.with_device = false;
  EXPECT_THAT(write_text(result), HasSubstr("\nMore: --part device; sweep --vary tries blocks.\n"));
}

TEST(WhatIfView, ShowsTheLineOfSourceOfAnInstruction) {
  auto result = what_if_example();
  result.instructions.front().text = "saxpy.cu:9: ld.global.f32 %f2, [%rd6]";
  EXPECT_THAT(write_text(result), HasSubstr("0.909    saxpy.cu:9: ld.global.f32 %f2, [%rd6]\n"));
  EXPECT_THAT(write_json(result), HasSubstr("\"text\": \"saxpy.cu:9: ld.global.f32 %f2, [%rd6]\""));
}

TEST(WhatIfView, TextReadsAsInTheGoldenFile) { expect_golden("what_if.txt", write_text(what_if_example())); }
TEST(WhatIfView, JsonReadsAsInTheGoldenFile) { expect_golden("what_if.json", write_json(what_if_example())); }

TEST(WhatIfView, SaysWhereTheSidesDisagree) {
  EXPECT_THAT(write_text(what_if_example()), HasSubstr("0.003  -0.001  sides disagree\n"));
}

TEST(WhatIfView, WarnsOfAnomaliesOnlyWhereThereAreAny) {
  auto result = what_if_example();
  EXPECT_THAT(write_text(result), HasSubstr("rely on neither figure, try another step"));
  result.ops.erase(result.ops.begin() + 1);
  EXPECT_THAT(write_text(result), Not(HasSubstr("rely on neither")));
}

TEST(WhatIfView, ShowsWhereTheTimesLie) {
  constexpr const char* kAlike = "while the\nlimit stays, what is saved is surer than the times.\n";
  auto result = what_if_example();
  EXPECT_THAT(write_text(result), Not(HasSubstr("in 9 of 10 cases")));
  EXPECT_THAT(write_text(result), Not(HasSubstr(kAlike)));
  result.base.range = TimeRange{{400, 484}, {400e-9, 484e-9}, {400e-9, 484e-9}};
  EXPECT_THAT(write_text(result), HasSubstr("\n0.44 us, 0.4 to 0.484 us in 9 of 10 cases, 440 cycles, limited by"));
  EXPECT_THAT(write_text(result), HasSubstr(kAlike));
  EXPECT_THAT(write_text(result), HasSubstr("saved   cycles  how\n")) << "the changes have none";
  result.changes[0].range = TimeRange{{300, 363}, {300e-9, 363e-9}, {300e-9, 363e-9}};
  EXPECT_THAT(write_text(result), HasSubstr("saved   cycles  in 9 of 10 cases  how\n"));
  EXPECT_THAT(write_text(result), HasSubstr("25.0 %      330   0.3 to 0.363 us  set load.transactions=4\n"));
  EXPECT_THAT(write_json(result),
              HasSubstr("\"saved\": 0.25,\n      \"range\": {\n        \"cycles\": [\n          300"));
}

TEST(WhatIfView, NamesInOneLineWhatIsBelowTheTolerance) {
  auto result = what_if_example();
  result.changes[0].saved = 0.004;
  result.changes[0].off = 0.005;
  EXPECT_THAT(write_text(result),
              HasSubstr("\n\n1 below 0.5 % (--tolerance): coalesced access\n\nNo gain: policy oldest.\n"));
  EXPECT_THAT(write_text(result), Not(HasSubstr("  coalesced access ")));
  EXPECT_THAT(write_json(result), HasSubstr("\"saved\": null"));
  result.changes[1].saved = -0.0049;
  result.changes[1].off = 0.005;
  EXPECT_THAT(write_text(result), HasSubstr("2 below 0.5 % (--tolerance): coalesced access, policy oldest\n"));
  EXPECT_THAT(write_text(result), Not(HasSubstr("Changes"))) << "no row is left";
  result.changes[0].saved = -0.005;
  EXPECT_THAT(write_text(result), HasSubstr("No gain: coalesced access (-0.5 %)."));
  EXPECT_THAT(write_text(result), HasSubstr("\n1 below 0.5 %"));
}

TEST(WhatIfView, SaysWhatNoElasticityIsBelow) {
  auto result = what_if_example();
  EXPECT_THAT(write_text(result), Not(HasSubstr("counts as none")));
  result.ops.front().off = 0.005;
  EXPECT_THAT(write_text(result), HasSubstr("What moves the time by less than 0.5 % (--tolerance) counts as none.\n"));
}

// Rows are written as they become certain, so each text has to begin with the previous text.
TEST(WhatIfView, OfAStudyThatRunsBeginsAsItsEndDoes) {
  const auto whole = what_if_example();
  std::vector<std::string> texts;
  auto known = whole;
  known.ops.clear();
  known.instructions.clear();
  known.pending = {{"coalesced access", "policy oldest"}, true, true};
  known.changes.erase(known.changes.begin(), known.changes.begin() + 2);
  texts.push_back(write_certain_text(known));
  known.changes.insert(known.changes.begin(), whole.changes[1]);  // behind the other change
  known.pending.changes.pop_back();
  texts.push_back(write_certain_text(known));
  EXPECT_EQ(texts[0], texts[1]);
  known.changes.insert(known.changes.begin(), whole.changes[0]);
  known.pending.changes.clear();
  known.certain = 2;
  texts.push_back(write_certain_text(known));
  known.ops = whole.ops;
  known.pending.ops = false;
  texts.push_back(write_certain_text(known));
  known = whole;
  known.certain = 2;
  texts.push_back(write_certain_text(known));
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_THAT(texts[i], testing::StartsWith(texts[i - 1]));
    EXPECT_TRUE(i == 1 || texts[i].size() > texts[i - 1].size());
  }
  EXPECT_EQ(texts.back(), write_text(whole));
}

TEST(WhatIfView, NothingSavedHasNoSign) {
  auto result = what_if_example();
  result.changes[1].saved = -0.0001;
  EXPECT_THAT(write_text(result), Not(HasSubstr("-0.0 %")));
}

TEST(WhatIfView, PartsThatWereNotAskedForAreNotShown) {
  auto result = what_if_example();
  result.changes.clear();
  result.instructions.clear();
  EXPECT_THAT(write_text(result), Not(HasSubstr("Changes")));
  EXPECT_THAT(write_text(result), Not(HasSubstr("Instructions")));
}

}  // namespace
}  // namespace warpipe::test
