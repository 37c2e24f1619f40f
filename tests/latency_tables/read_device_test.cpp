#include <gmock/gmock.h>

#include <filesystem>
#include <stdexcept>

#include "bad_file.hpp"
#include "example_device.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// A device with the required fields only.
constexpr const char* kSmallest = R"({
  "format": "warpipe-device", "version": 1, "name": "small", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
  "pipelines": { "alu": {} }, "ops": { "iadd": { "pipeline": "alu", "issue": 1, "completion": 4 } }
})";

/// All problems found by reading; none in a good file.
std::vector<Diagnostic> problems(const std::string& text) {
  try {
    read_device_json(text, "device.json");
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

/// The example with a single place of its text changed.
std::string example_with(const std::string& text, const std::string& replacement) {
  std::string changed = example_device_text();
  const auto at = changed.find(text);
  if (at == std::string::npos) throw std::logic_error("the example does not hold " + text);
  return changed.replace(at, text.size(), replacement);
}

TEST(ReadDevice, ReadsTheHeadOfTheExample) {
  const Device device = example_device();
  EXPECT_EQ(device.name, "example");
  EXPECT_EQ(device.title, "An example device");
  EXPECT_EQ(device.architecture, "Example");
  EXPECT_EQ(device.file, "example.json");
  EXPECT_EQ(device.compute_units, 10);
  EXPECT_EQ(device.clock, Hertz{1708000000});
  EXPECT_EQ(device.warp_size, 32);
  EXPECT_EQ(device.schedulers, 4);
  EXPECT_EQ(device.issue_interval, Cycles{1});
  EXPECT_EQ(device.warp_interval, Cycles{1});
  EXPECT_EQ(device.policy, Policy::FirstReady);
  EXPECT_EQ(device.group_launch_latency, Cycles{200});
  EXPECT_EQ(device.group_dispatch_interval, Cycles{1});
  EXPECT_EQ(device.launch_overhead, Seconds{0.000004});
}

TEST(ReadDevice, ReadsTheLimitsAndMemoryOfTheExample) {
  const Device device = example_device();
  Limits limits;
  limits.warps_per_unit = 64;
  limits.groups_per_unit = 32;
  limits.threads_per_group = 1024;
  limits.registers_per_unit = 65536;
  limits.registers_per_thread = 255;
  limits.register_allocation = 256;
  limits.shared_memory_per_unit = 98304;
  limits.shared_memory_per_group = 49152;
  limits.shared_memory_allocation = 256;
  limits.shared_memory_reserved_per_group = 0;
  limits.warp_allocation = 4;
  EXPECT_EQ(device.limits, limits);
  EXPECT_EQ(device.memory, (Memory{BytesPerSecond{192e9}, 32, 32, 4}));
}

TEST(ReadDevice, ReadsThePipelinesOfTheExampleInFileOrder) {
  EXPECT_THAT(example_device().pipelines,
              ElementsAre(Pipeline{"alu", Scope::Scheduler, {}}, Pipeline{"lsu", Scope::ComputeUnit, {}},
                          Pipeline{"dram", Scope::Device, Cycles{600}}, Pipeline{"control", Scope::ComputeUnit, {}}));
}

TEST(ReadDevice, ReadsTheOpsOfTheExampleInFileOrder) {
  const Source source{SourceKind::Estimated, "example", "", "", ""};
  constexpr std::size_t kAlu = 0, kLsu = 1, kDram = 2, kControl = 3;
  const auto constant = [](double cycles) { return Latency{{{1, cycles}}}; };

  Op imad{"imad", kAlu, constant(2), constant(12), {}, {}, 1, 1, 1, {}, false, false, source};
  Op ffma{"ffma", kAlu, constant(1), constant(6), {}, {}, 1, 1, 1, {}, false, false, source};
  Op load{"global.load", kLsu,  constant(4), constant(400), {}, Increment{Cycles{1}, Cycles{8}}, 1, 4, 1, {},
          false,         false, source};
  load.then.push_back({kDram, constant(1.139), Cycles{150}, {}, Cycles{0.285}});
  Op measured{"global.load.measured",
              kLsu,
              constant(4),
              {{{1, 400}, {16, 430}, {64, 900}}},
              {},
              {},
              1,
              1,
              1,
              {},
              false,
              false,
              source};
  Op store{"global.store", kLsu, constant(4), constant(0), {}, {}, 1, 4, 1, {}, false, true, source};
  store.then.push_back({kDram, constant(1.139), Cycles{150}, {}, {}});
  Op barrier{"barrier", kControl, constant(1), constant(30), {}, {}, 1, 1, 1, {}, true, false, source};

  EXPECT_THAT(example_device().ops, ElementsAre(imad, ffma, load, measured, store, barrier));
}

TEST(ReadDevice, GivesWhatIsMissingItsDefault) {
  const Device device = read_device_json(kSmallest, "");
  EXPECT_EQ(device.title, "");
  EXPECT_EQ(device.limits, Limits{});
  EXPECT_EQ(device.limits.warps_per_unit, std::nullopt);
  EXPECT_EQ(device.limits.warp_allocation, 1);
  EXPECT_EQ(device.schedulers, std::nullopt);
  EXPECT_EQ(device.issue_interval, Cycles{1});
  EXPECT_EQ(device.warp_interval, Cycles{0});
  EXPECT_EQ(device.policy, Policy::FirstReady);
  EXPECT_EQ(device.memory, std::nullopt);
  EXPECT_EQ(device.group_launch_latency, Cycles{0});
  EXPECT_EQ(device.group_dispatch_interval, Cycles{0});
  EXPECT_EQ(device.launch_overhead, Seconds{0});
  EXPECT_EQ(device.launch_interval, Seconds{0});
  EXPECT_EQ(device.pipelines.at(0).scope, Scope::ComputeUnit);
  EXPECT_EQ(device.pipelines.at(0).backlog, std::nullopt);
  const Op& op = device.ops.at(0);
  EXPECT_EQ(op.per_conflict, std::nullopt);
  EXPECT_EQ(op.per_transaction, std::nullopt);
  EXPECT_EQ(op.transactions, 1);
  EXPECT_EQ(op.issue_slots, 1);
  EXPECT_TRUE(op.then.empty());
  EXPECT_FALSE(op.barrier);
  EXPECT_FALSE(op.retires_at_issue);
  EXPECT_EQ(op.source, std::nullopt);
}

TEST(ReadDevice, TakesValuesAtTheEdgeOfTheirRange) {
  EXPECT_THAT(problems(example_with("\"issue\": 2,", "\"issue\": 0,")), testing::IsEmpty());
  EXPECT_THAT(problems(example_with("\"issue\": 2,", "\"issue\": 1e9,")), testing::IsEmpty());
  EXPECT_THAT(problems(example_with("\"compute_units\": 10", "\"compute_units\": 9007199254740992")),
              testing::IsEmpty());
  EXPECT_THAT(problems(example_with("\"compute_units\": 10", "\"compute_units\": 1.0")), testing::IsEmpty());
  EXPECT_THAT(problems(example_with("\"warps_per_unit\": 64", "\"warps_per_unit\": 0")), testing::IsEmpty());
  EXPECT_THAT(problems(example_with("\"completion\": 12", "\"completion\": 12, \"issue_slots\": 0")),
              testing::IsEmpty());
}

TEST(ReadDevice, ReportsAllProblemsAtOnce) {
  const auto found = problems(R"({ "format": "warpipe-device", "version": 1, "compute_units": 0, "warp_size": 32,
      "limit": {}, "pipelines": { "alu": { "scop": "device" } },
      "ops": { "iadd": { "pipeline": "alu", "issue": -1, "completion": [] } } })");
  std::vector<std::string> places;
  for (const Diagnostic& problem : found) places.push_back(problem.where);
  EXPECT_THAT(places,
              testing::UnorderedElementsAre("device.json: /limit", "device.json: /", "device.json: /",
                                            "device.json: /compute_units", "device.json: /pipelines/alu/scop",
                                            "device.json: /ops/iadd/issue", "device.json: /ops/iadd/completion"));
}

TEST(ReadDevice, SuggestsTheNearestName) {
  const auto advice = [](const std::string& text, const std::string& replacement) {
    const auto found = problems(example_with(text, replacement));
    return found.size() == 1 ? found[0].advice : "not one problem";
  };
  EXPECT_THAT(advice("\"pipeline\": \"lsu\"", "\"pipeline\": \"lsv\""), HasSubstr("\"lsu\""));
  EXPECT_THAT(advice("\"first-ready\"", "\"first-redy\""), HasSubstr("\"first-ready\""));
  EXPECT_THAT(advice("\"clock_hz\": 1708000000,", "\"clock_hz\": 1708000000, \"titel\": \"x\","),
              HasSubstr("\"title\""));
}

TEST(ReadDevice, DoesNotBlameTheOpsForPipelinesThatAreMissing) {
  const auto found = problems(R"({ "format": "warpipe-device", "version": 1, "name": "x", "compute_units": 1,
      "clock_hz": 1, "warp_size": 32, "ops": { "iadd": { "pipeline": "alu", "issue": 1, "completion": 4 } } })");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].problem, HasSubstr("\"pipelines\""));
}

/// A wrong place in the example, and the only problem.
class ReadBadDevice : public testing::TestWithParam<BadFile> {};

TEST_P(ReadBadDevice, NamesThePlaceAndTheProblem) {
  const BadFile& bad = GetParam();
  EXPECT_THAT(problems(example_with(bad.text, bad.replacement)),
              ElementsAre(AllOf(Field(&Diagnostic::where, "device.json: " + bad.where),
                                Field(&Diagnostic::problem, HasSubstr(bad.problem)),
                                Field(&Diagnostic::found, testing::AnyOf("", testing::StartsWith("found"))))));
}

const BadFile kHeads[] = {
    {"Format", "warpipe-device", "warpipe-kernel", "/format", "this is a kernel file, a device file is needed here"},
    {"Version", "\"version\": 1", "\"version\": 2", "/version", "only version 1 can be read"},
    {"UnknownKey", "\"title\"", "\"colour\"", "/colour", "unknown key"},
    {"DuplicateKey", "\"title\"", "\"name\"", "/name", "is there twice"},
    {"NameIsNoText", "\"name\": \"example\"", "\"name\": 3", "/name", "a string is expected"},
    {"TitleIsNoText", "\"An example device\"", "null", "/title", "a string is expected"},
    {"NoUnits", "\"compute_units\": 10", "\"compute_units\": 0", "/compute_units", "a whole number from 1"},
    {"PartOfAUnit", "\"compute_units\": 10", "\"compute_units\": 2.5", "/compute_units", "a whole number from 1"},
    {"UnitsBeyondWhole", "\"compute_units\": 10", "\"compute_units\": 9007199254740993", "/compute_units", "2^53"},
    {"UnitsAsText", "\"compute_units\": 10", "\"compute_units\": \"10\"", "/compute_units", "a whole number from 1"},
    {"StoppedClock", "1708000000", "0", "/clock_hz", "a rate must be above 0"},
    {"NegativeClock", "1708000000", "-1", "/clock_hz", "a number"},
    {"NoWarpSize", "\"warp_size\": 32,", "", "/", "the key \"warp_size\" is missing"},
    {"IssueIsNoObject",
     "\"issue\": { \"schedulers\": 4, \"interval\": 1, \"warp_interval\": 1, \"policy\": \"first-ready\" }",
     "\"issue\": []", "/issue", "an object is expected"},
    {"NegativeLimit", "\"warps_per_unit\": 64", "\"warps_per_unit\": -1", "/limits/warps_per_unit", "from 0"},
    {"NoGranularity", "\"warp_allocation\": 4", "\"warp_allocation\": 0", "/limits/warp_allocation", "from 1"},
    {"UnknownLimit", "\"warp_allocation\": 4", "\"warp_granularity\": 4", "/limits/warp_granularity", "unknown key"},
    {"NoSchedulers", "\"schedulers\": 4", "\"schedulers\": 0", "/issue/schedulers", "from 1"},
    {"NegativeInterval", "\"warp_interval\": 1", "\"warp_interval\": -1", "/issue/warp_interval", "a number from 0"},
    {"UnknownPolicy", "first-ready", "fifo", "/issue/policy",
     "\"policy\" must be one of first-ready, oldest, greedy-oldest, round-robin"},
    {"FarCodeIsNoArray", "\"warp_interval\": 1", "\"far_code\": {}", "/issue/far_code", "an array is expected"},
    {"FarCodeWithoutBytes", "\"warp_interval\": 1", "\"far_code\": [{}]", "/issue/far_code/0",
     "the key \"bytes\" is missing"},
    {"FarCodeDescends", "\"warp_interval\": 1", "\"far_code\": [{ \"bytes\": 9 }, { \"bytes\": 9 }]",
     "/issue/far_code/1", "in the order of their bytes"},
    {"FarCodeTakesLong", "\"warp_interval\": 1", "\"far_code\": [{ \"bytes\": 9, \"warp_interval\": 256 }]",
     "/issue/far_code/0", "at most 255 cycles"},
    {"FarCodeTakesHalfACycle", "\"warp_interval\": 1", "\"far_code\": [{ \"bytes\": 9, \"warp_interval\": 2.5 }]",
     "/issue/far_code/0/warp_interval", "whole"},
    {"NoBandwidth", "192000000000", "0", "/memory/bandwidth_bytes_per_s", "a rate must be above 0"},
    {"NoBanks", "\"banks\": 32", "\"banks\": 0", "/memory/banks", "from 1"},
    {"LongLaunch", "\"group_launch_latency\": 200", "\"group_launch_latency\": 1000000001", "/group_launch_latency",
     "a number from 0"},
    {"NegativeOverhead", "0.000004", "-0.000004", "/launch_overhead_s", "a number"},
};

const BadFile kPipelinesAndOps[] = {
    {"UnknownScope", "\"scope\": \"scheduler\"", "\"scope\": \"warp\"", "/pipelines/alu/scope",
     "\"scope\" must be one of compute_unit, scheduler, device"},
    {"NegativeBacklog", "\"backlog\": 600", "\"backlog\": -1", "/pipelines/dram/backlog", "a number from 0"},
    {"PipelineName", "\"control\": { }", "\"control\": { }, \"2nd\": { }", "/pipelines/2nd", "\"2nd\" is not a name"},
    {"OpName", "\"ffma\":", "\"ffma.\":", "/ops/ffma.", "\"ffma.\" is not a name"},
    {"OpNameTwoDots", "\"ffma\":", "\"ffma..x\":", "/ops/ffma..x", "\"ffma..x\" is not a name"},
    {"OpNameLeadingDot", "\"ffma\":", "\".ffma\":", "/ops/.ffma", "\".ffma\" is not a name"},
    {"UnknownPipeline", "\"pipeline\": \"alu\"", "\"pipeline\": \"alv\"", "/ops/imad/pipeline", "one of /pipelines"},
    {"NoPipeline", "\"pipeline\": \"alu\", ", "", "/ops/imad", "the key \"pipeline\" is missing"},
    {"NoIssue", "\"issue\": 2, ", "", "/ops/imad", "the key \"issue\" is missing"},
    {"NoCompletion", "\"completion\": 12, ", "", "/ops/imad", "the key \"completion\" is missing"},
    {"NegativeLatency", "\"issue\": 2", "\"issue\": -0.5", "/ops/imad/issue", "a number from 0"},
    {"HugeLatency", "\"issue\": 2", "\"issue\": 1000000000.5", "/ops/imad/issue", "a number from 0"},
    {"LatencyAsText", "\"issue\": 2", "\"issue\": \"2\"", "/ops/imad/issue", "a number of cycles, or points"},
    {"NoPoints", "[[1, 400], [16, 430], [64, 900]]", "[]", "/ops/global.load.measured/completion", "at least one"},
    {"ShortPoint", "[16, 430]", "[16]", "/ops/global.load.measured/completion/1", "a point must have two numbers"},
    {"LongPoint", "[16, 430]", "[16, 430, 1]", "/ops/global.load.measured/completion/1",
     "a point must have two numbers"},
    {"PointIsNoArray", "[16, 430]", "16", "/ops/global.load.measured/completion/1", "an array is expected"},
    {"PointAtNoWarps", "[1, 400]", "[0, 400]", "/ops/global.load.measured/completion/0/0", "from 1"},
    {"PointAtHalfAWarp", "[1, 400]", "[1.5, 400]", "/ops/global.load.measured/completion/0/0", "whole"},
    {"PointTwice", "[16, 430]", "[1, 430]", "/ops/global.load.measured/completion/1/0", "strictly ascend"},
    {"PointsDescend", "[64, 900]", "[8, 900]", "/ops/global.load.measured/completion/2/0", "strictly ascend"},
    {"NegativePoint", "[64, 900]", "[64, -900]", "/ops/global.load.measured/completion/2/1", "a number from 0"},
    {"Increment", "\"issue\": 1, \"completion\": 8 }", "\"isue\": 1 }", "/ops/global.load/per_transaction/isue",
     "unknown key"},
    {"IncrementIsNoObject", "{ \"issue\": 1, \"completion\": 8 }", "1", "/ops/global.load/per_transaction",
     "an object is expected"},
    {"NegativeIncrement", "\"completion\": 8", "\"completion\": -8", "/ops/global.load/per_transaction/completion",
     "a number from 0"},
    {"NoTransactions", "\"transactions\": 4", "\"transactions\": 0", "/ops/global.load/transactions", "from 1"},
    {"NegativeSlots", "\"issue\": 2", "\"issue_slots\": -1, \"issue\": 2", "/ops/imad/issue_slots", "from 0"},
    {"ThenIsNoArray", "\"completion\": 12", "\"then\": {}, \"completion\": 12", "/ops/imad/then", "an array"},
    {"ThenPipeline", "\"pipeline\": \"dram\"", "\"pipeline\": \"dran\"", "/ops/global.load/then/0/pipeline",
     "one of /pipelines"},
    {"ThenWithoutIssue", "\"issue\": 1.139, ", "", "/ops/global.load/then/0", "the key \"issue\" is missing"},
    {"ThenIncrementIsPlain", "\"per_transaction\": 0.285", "\"per_transaction\": { \"issue\": 1 }",
     "/ops/global.load/then/0/per_transaction", "a number from 0"},
    {"ThenUnknownKey", "\"after\": 150", "\"afer\": 150", "/ops/global.load/then/0/afer", "unknown key"},
    {"UnknownKind", "\"kind\": \"barrier\"", "\"kind\": \"fence\"", "/ops/barrier/kind", "one of normal, barrier"},
    {"UnknownRetirement", "\"retires_at\": \"issue\"", "\"retires_at\": \"start\"", "/ops/global.store/retires_at",
     "one of completion, issue"},
    {"BarrierRetires", "\"kind\": \"barrier\"", "\"kind\": \"barrier\", \"retires_at\": \"issue\"",
     "/ops/barrier/retires_at", "kind barrier cannot have \"retires_at\""},
    {"BarrierGoesOn", "\"kind\": \"barrier\"", "\"kind\": \"barrier\", \"then\": []", "/ops/barrier/then",
     "kind barrier cannot have \"then\""},
    {"SourceKind", "\"estimated\"", "\"guessed\"", "/ops/imad/source/kind", "\"kind\" must be one of measured"},
    {"SourceWithoutReference", ", \"reference\": \"example\"", "", "/ops/imad/source", "\"reference\" is missing"},
    {"SourceUnknownKey", "\"reference\": \"example\"", "\"reference\": \"example\", \"page\": 3",
     "/ops/imad/source/page", "unknown key"},
};

#define SOURCE_WITH(text) "\"reference\": \"example\", " text

const BadFile kSources[] = {
    {"IntervalOfNothing", "\"reference\": \"example\"", SOURCE_WITH("\"intervals\": { \"isue\": [1, 2] }"),
     "/ops/imad/source/intervals/isue", "no number \"isue\" stands beside this source"},
    {"IntervalAside", "\"reference\": \"example\"", SOURCE_WITH("\"intervals\": { \"issue\": [3, 4] }"),
     "/ops/imad/source/intervals/issue", "the interval must hold the number, 2"},
    {"IntervalDescends", "\"reference\": \"example\"", SOURCE_WITH("\"intervals\": { \"issue\": [2, 1.5] }"),
     "/ops/imad/source/intervals/issue", "must not be above"},
    {"IntervalOfThree", "\"reference\": \"example\"", SOURCE_WITH("\"intervals\": { \"issue\": [1, 2, 3] }"),
     "/ops/imad/source/intervals/issue", "two ends"},
    {"IntervalIsPlain", "\"reference\": \"example\"", SOURCE_WITH("\"intervals\": { \"issue\": 2 }"),
     "/ops/imad/source/intervals/issue", "an array is expected"},
    {"UncalibratedText", "\"reference\": \"example\"", SOURCE_WITH("\"uncalibrated\": { \"issue\": \"2\" }"),
     "/ops/imad/source/uncalibrated/issue", "a number from 0"},
    {"SourceOfAnotherKey", "\"warp_size\": 32,",
     "\"warp_size\": 32, \"sources\": { \"clock\": { \"kind\": \"measured\", \"reference\": \"x\" } },",
     "/sources/clock", "\"clock\" must be one of compute_units, clock_hz"},
};

std::string case_name(const testing::TestParamInfo<BadFile>& bad) { return bad.param.name; }
INSTANTIATE_TEST_SUITE_P(Head, ReadBadDevice, testing::ValuesIn(kHeads), case_name);
INSTANTIATE_TEST_SUITE_P(Table, ReadBadDevice, testing::ValuesIn(kPipelinesAndOps), case_name);
INSTANTIATE_TEST_SUITE_P(Sources, ReadBadDevice, testing::ValuesIn(kSources), case_name);

TEST(ReadDevice, ReadsHowSureANumberIs) {
  const auto device = read_device_json(example_with("\"warp_size\": 32,", R"("warp_size": 32, "sources": {
        "clock_hz": { "kind": "documented", "reference": "sheet", "intervals": { "clock_hz": [1.6e9, 1.8e9] } },
        "issue.warp_interval": { "kind": "carried", "reference": "a40", "uncalibrated": { "issue.warp_interval": 2 } }
      },)"),
                                       "device.json");
  const Source& clock = device.sources.at("clock_hz");
  EXPECT_EQ(clock.kind, SourceKind::Documented);
  EXPECT_EQ(clock.intervals.at("clock_hz"), (Interval{1.6e9, 1.8e9}));
  EXPECT_EQ(device.sources.at("issue.warp_interval").uncalibrated.at("issue.warp_interval"), 2);
}

TEST(ReadDevice, KnowsTheNumbersOfARowInsideOthers) {
  const auto found = problems(example_with(
      "\"kind\": \"estimated\", \"reference\": \"example\"",
      SOURCE_WITH("\"kind\": \"fitted\", \"intervals\": { \"completion@16\": [1, 2], \"issue\": [1, 3] }")));
  EXPECT_THAT(found, ElementsAre(Field(&Diagnostic::problem, HasSubstr("must hold the number, 12"))));
}

// global.load goes on to dram with an issue of 1.139 and 0.285 for each transaction.
TEST(ReadDevice, KnowsTheNumbersOfFurtherPipelines) {
  const auto with = [](const std::string& intervals) {
    return problems(
        example_with("\"per_transaction\": 0.285 } ],\n                     \"source\": { \"kind\": \"estimated\",",
                     "\"per_transaction\": 0.285 } ],\n                     \"source\": { \"kind\": \"estimated\", "
                     "\"intervals\": { " +
                         intervals + " },"));
  };
  EXPECT_THAT(with("\"then.0.issue\": [1, 2], \"then.0.per_transaction\": [0.2, 0.3]"), IsEmpty());
  EXPECT_THAT(with("\"then.0.issue\": [2, 3]"),
              ElementsAre(Field(&Diagnostic::problem, HasSubstr("must hold the number, 1.139"))));
  EXPECT_THAT(with("\"then.1.issue\": [1, 2]"),
              ElementsAre(Field(&Diagnostic::problem, HasSubstr("no number \"then.1.issue\" stands beside"))));
}

TEST(ReadDevice, NeedsAtLeastOnePipelineAndOneOp) {
  const std::string head = R"({ "format": "warpipe-device", "version": 1, "name": "x", "compute_units": 1,
      "clock_hz": 1, "warp_size": 32, )";
  const auto found = problems(head + R"("pipelines": {}, "ops": {} })");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].where, "device.json: /pipelines");
  EXPECT_EQ(found[1].where, "device.json: /ops");
  EXPECT_EQ(problems(head + R"("pipelines": { "a": {} }, "ops": 7 })").size(), 1U);
}

TEST(ReadDevice, RefusesWhatTheSchemaRefuses) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("tests/latency_tables/refused"))) {
    EXPECT_EQ(problems(read_text_file(entry.path().string())).size(), 1U) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(ReadDevice, RefusesWhatIsNoJson) {
  EXPECT_EQ(problems("{").size(), 1U);
  EXPECT_EQ(problems("").size(), 1U);
  EXPECT_EQ(problems("[]").size(), 1U);
}

}  // namespace
}  // namespace warpipe
