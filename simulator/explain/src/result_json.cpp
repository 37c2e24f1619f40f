#include "warpipe/explain/result_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/json_writer.hpp"

namespace warpipe {
namespace {

constexpr const char* kFormat = "warpipe-result";
constexpr std::int64_t kVersion = 1;
constexpr double kMostCycles = 9e15;   // the range of 64 bits of milli-cycles
constexpr double kMostNumber = 1e300;  // any

/// "warp_interval_cycles"
std::string key_of(Stall stall) {
  std::string key = to_string(stall);
  std::ranges::replace(key, ' ', '_');
  return key + "_cycles";
}

void write_launch(JsonWriter& json, const Launch& launch) {
  const auto entry = [&](const std::string& name, auto value, Origin from) {
    json.key(name).begin_object().member("value", value).member("from", to_string(from)).end_object();
  };
  json.key("launch").begin_object();
  entry("group_size", launch.group_size.value, launch.group_size.origin);
  entry("groups", launch.groups.value, launch.groups.origin);
  entry("concurrent_groups", launch.concurrent_groups.value, launch.concurrent_groups.origin);
  json.key("parameters").begin_object();
  for (const auto& [name, origin] : launch.parameter_origins) entry(name, launch.values.at(name), origin);
  json.end_object().end_object();
}

void write_sample(JsonWriter& json, const GroupSample& sample) {
  if (sample.kinds == 1) return;
  json.key("kinds_of_groups").begin_object().member("launch", sample.kinds);
  json.member("played", sample.kinds_simulated).member("excess_work", sample.excess).end_object();
}

/// The stated work of the kernel, as far as it is the work of this launch.
void write_work(JsonWriter& json, const Launch& launch) {
  if (!launch.flops && !launch.bytes && !launch.compulsory_bytes) return;
  json.key("work").begin_object();
  if (launch.flops) json.member("flops", *launch.flops);
  if (launch.bytes) json.member("bytes", *launch.bytes);
  if (launch.compulsory_bytes) json.member("compulsory_bytes", *launch.compulsory_bytes);
  json.end_object();
}

void write_pipelines(JsonWriter& json, const std::vector<PipelineUse>& pipelines) {
  json.key("pipelines").begin_array();
  for (const PipelineUse& use : pipelines) {
    json.begin_object().member("name", use.name).member("scope", to_string(use.scope));
    json.member("instances", use.instances).member("busy_cycles", use.busy);
    json.member("utilization", use.utilization).end_object();
  }
  json.end_array();
}

void write_bounds(JsonWriter& json, const Prediction& prediction) {
  json.key("bounds").begin_array();
  for (const Bound& bound : prediction.bounds)
    json.begin_object().member("name", bound.name).member("cycles", bound.cycles).end_object();
  json.end_array();
  if (!prediction.bounds.empty()) json.member("limiter", limiter_name(prediction));
}

void write_times(JsonWriter& json, const StallTimes& times) {
  json.begin_object();
  for (std::size_t i = 0; i < kStalls; ++i) json.member(key_of(static_cast<Stall>(i)), times[i]);
  json.end_object();
}

/// @param key  of the name beside each time: "id", "pipeline"
void write_waits(JsonWriter& json, std::string_view key, const std::vector<std::pair<std::string, Ticks>>& waits) {
  json.begin_array();
  for (const auto& [name, time] : waits) json.begin_object().member(key, name).member("cycles", time).end_object();
  json.end_array();
}

/// Reads a saved result; a missing or wrong member is diagnosed, and a default stands in its place until all is read.
class ResultReader {
 public:
  explicit ResultReader(JsonNode root) : root_(std::move(root)) {}

  Outcome read() {
    Prediction& prediction = outcome_.prediction;
    prediction.kernel = text(root_, "kernel");
    prediction.device = text(root_, "device");
    if (const auto form = root_.find("form")) prediction.form = form->string().value_or("");
    read_policy();
    prediction.units = text(root_, "units") == to_string(Units::All) ? Units::All : Units::One;
    prediction.cycles = cycles(root_, "cycles");
    prediction.time = {number(root_, "time_s", 0)};
    prediction.clock = {number(root_, "clock_hz", 0)};
    if (const auto limit = root_.find("clock_limit")) prediction.clock_limit = limit->string().value_or("");
    read_range();
    prediction.instructions_issued = whole(root_, "instructions_issued");
    if (const auto extended = root_.find("extended")) {
      prediction.simulated = number(*extended, "simulated", 0);
      prediction.off = number(*extended, "off", 0);
    }
    read_launch(prediction.launch);
    read_bounds();
    if (const auto pipelines = root_.require("pipelines"))
      for (const JsonNode& each : pipelines->elements()) {
        PipelineUse& use = prediction.pipelines.emplace_back();
        use.name = text(each, "name");
        use.utilization = number(each, "utilization", 0);
      }
    if (const auto stalls = root_.find("stalls")) read_stalls(*stalls);
    if (const auto instructions = root_.find("instructions")) read_instructions(*instructions);
    return std::move(outcome_);
  }

 private:
  static std::string text(const JsonNode& object, std::string_view key) {
    const auto value = object.require(key);
    return value ? value->string().value_or("") : std::string();
  }

  static double number(const JsonNode& object, std::string_view key, double least) {
    const auto value = object.require(key);
    return value ? value->number(least, kMostNumber).value_or(0) : 0;
  }

  static std::int64_t whole(const JsonNode& object, std::string_view key) {
    const auto value = object.require(key);
    return value ? value->whole(0).value_or(0) : 0;
  }

  static Ticks cycles(const JsonNode& object, std::string_view key) {
    const auto value = object.require(key);
    return round_to_ticks(Cycles{value ? value->number(0, kMostCycles).value_or(0) : 0});
  }

  void read_policy() {
    const auto node = root_.require("policy");
    if (!node) return;
    const auto policy = parse_policy(node->string().value_or(""));
    if (!policy && node->is_string()) node->fail("a policy is one that the program knows");
    if (policy) outcome_.prediction.policy = *policy;
  }

  /// The two ends of an interval around a value.
  static Interval interval(const JsonNode& object, std::string_view key, double around) {
    const auto node = object.require(key);
    if (!node || !node->is_array()) {
      if (node) node->fail("a range is an array of its two ends");
      return {};
    }
    std::vector<double> ends;
    for (const JsonNode& each : node->elements())
      if (const auto end = each.number(0, kMostNumber)) ends.push_back(*end);
    constexpr double kRounding = 1e-9;  // the value and the ends were each computed for themselves
    const bool is_around =
        ends.size() == 2 && ends[0] * (1 - kRounding) <= around && around <= ends[1] * (1 + kRounding);
    if (!is_around) node->fail("a range has two ends, and its value lies between them");
    return is_around ? Interval{ends[0], ends[1]} : Interval{};
  }

  /// Results of earlier versions, and results with --range off, have none.
  void read_range() {
    const auto node = root_.find("range");
    if (!node) return;
    Prediction& prediction = outcome_.prediction;
    TimeRange& range = prediction.range.emplace();
    range.cycles = interval(*node, "cycles", to_cycles(prediction.cycles).count);
    range.time = interval(*node, "time_s", prediction.time.count);
  }

  void read_launch(Launch& launch) {
    launch.groups_per_unit = whole(root_, "groups_per_unit");
    launch.resident_warps = whole(root_, "resident_warps");
    if (const auto occupancy = root_.find("occupancy")) launch.occupancy = occupancy->number(0, kMostNumber);
    const auto node = root_.require("launch");
    if (!node) return;
    for (const auto& [key, value] : {std::pair{"group_size", &launch.group_size}, std::pair{"groups", &launch.groups},
                                     std::pair{"concurrent_groups", &launch.concurrent_groups}})
      if (const auto entry = node->require(key)) value->value = whole(*entry, "value");
    if (const auto parameters = node->require("parameters"))
      for (const auto& [name, entry] : parameters->members()) {
        launch.values[name] = number(entry, "value", -kMostNumber);
        launch.parameter_origins[name] = Origin::Kernel;
      }
  }

  void read_bounds() {
    Prediction& prediction = outcome_.prediction;
    if (const auto bounds = root_.require("bounds"))
      for (const JsonNode& each : bounds->elements())
        prediction.bounds.push_back({text(each, "name"), cycles(each, "cycles")});
    const auto limiter = root_.find("limiter");
    if (!limiter) return;
    const auto found = std::ranges::find(prediction.bounds, limiter->string().value_or(""), &Bound::name);
    if (found == prediction.bounds.end()) return limiter->fail("the limiter is one of the bounds");
    prediction.limiter = static_cast<std::size_t>(found - prediction.bounds.begin());
  }

  static StallTimes times(const JsonNode& object) {
    StallTimes times;
    for (std::size_t i = 0; i < kStalls; ++i) times[i] = cycles(object, key_of(static_cast<Stall>(i)));
    return times;
  }

  void read_stalls(const JsonNode& stalls) {
    Explanation& explanation = outcome_.explanation;
    explanation.total = cycles(stalls, "warp_cycles");
    const auto by_state = stalls.require("by_state");
    if (!by_state) return;
    explanation.times = times(*by_state);
    WideTicks all = 0;
    for (const Ticks time : explanation.times) all += time.count;
    if (all != explanation.total.count) by_state->fail("the times of all states must add up to warp_cycles");
    if (const auto units = stalls.find("by_unit"))
      for (const JsonNode& unit : units->elements()) explanation.units.push_back(times(unit));
    if (explanation.units.empty()) explanation.units = {explanation.times};
  }

  /// Parts larger than the whole would leave a rest below 0.
  void read_instructions(const JsonNode& instructions) {
    const Explanation& explanation = outcome_.explanation;
    for (const JsonNode& each : instructions.elements()) read_instruction(each);
    if (!has_stalls(outcome_)) return;
    for (std::size_t i = 0; i < kStalls; ++i) {
      WideTicks all = 0;
      for (const InstructionTimes& each : explanation.instructions) all += each.times[i].count;
      if (all > explanation.times[i].count)
        instructions.fail(fmt::format("the times of all instructions in \"{}\" must be at most that of the state",
                                      to_string(static_cast<Stall>(i))));
    }
  }

  void read_instruction(const JsonNode& node) {
    InstructionTimes& instruction = outcome_.explanation.instructions.emplace_back();
    instruction.id = text(node, "id");
    instruction.op = text(node, "op");
    instruction.issue = cycles(node, "issue_cycles");
    instruction.completion = cycles(node, "completion_cycles");
    instruction.executions = whole(node, "executions");
    if (const auto all = node.require("times")) instruction.times = times(*all);
    WideTicks waited = 0;
    if (const auto waits = node.require("waits_for"))
      for (const JsonNode& each : waits->elements()) {
        instruction.waits_for.emplace_back(text(each, "id"), cycles(each, "cycles"));
        waited += instruction.waits_for.back().second.count;
      }
    if (waited > instruction.times[static_cast<std::size_t>(Stall::Result)].count)
      node.fail("the waits for all producers must be at most the time in \"result\"");
  }

  JsonNode root_;
  Outcome outcome_;
};

}  // namespace

void write_range(JsonWriter& json, const TimeRange& range) {
  const auto ends = [&](std::string_view key, const Interval& interval) {
    json.key(key).begin_array().value(interval.low).value(interval.high).end_array();
  };
  json.key("range").begin_object();
  ends("cycles", range.cycles);
  ends("time_s", range.time);
  ends("total_time_s", range.total_time);
  json.end_object();
}

std::string stalls_json(const Explanation& explanation) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().member("warp_cycles", explanation.total).key("by_state");
  write_times(json, explanation.times);
  json.key("by_unit").begin_array();
  for (const StallTimes& unit : explanation.units) write_times(json, unit);
  json.end_array().key("by_pipeline").begin_array();
  for (const PipelineTimes& pipeline : explanation.pipelines) {
    json.begin_object().member("name", pipeline.name).member("busy_cycles", pipeline.busy_for_others);
    json.member("queue_full_cycles", pipeline.queue_full).end_object();
  }
  return json.end_array().end_object().value_text();
}

std::string instructions_json(const Explanation& explanation) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_array();
  for (const InstructionTimes& each : explanation.instructions) {
    json.begin_object().member("id", each.id).member("op", each.op);
    if (!each.text.empty()) json.member("text", each.text);
    json.member("pipeline", each.pipeline).member("issue_cycles", each.issue);
    json.member("completion_cycles", each.completion);
    if (each.source) json.member("source", to_string(*each.source));
    json.member("executions", each.executions);
    write_times(json.key("times"), each.times);
    write_waits(json.key("waits_for"), "id", each.waits_for);
    write_waits(json.key("waits_behind"), "pipeline", each.waits_behind);
    json.member("waited_for_cycles", each.waited_for).end_object();
  }
  return json.end_array().value_text();
}

std::string memory_json(const MemoryTraffic& traffic) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().key("levels").begin_array();
  for (const MemoryTraffic::Level& level : traffic.levels) {
    json.begin_object().member("name", level.name);
    if (level.bytes > 0) json.member("bytes", level.bytes);
    json.end_object();
  }
  json.end_array().key("accesses").begin_array();
  for (const AccessTraffic& access : traffic.accesses) {
    json.begin_object().member("id", access.id).member("op", access.op);
    if (!access.text.empty()) json.member("text", access.text);
    json.member("known", to_string(access.known)).member("executions", access.executions);
    json.key("levels").begin_array();
    for (const LevelTraffic& level : access.levels) {
      json.begin_object().member("share", level.share).member("sectors", level.sectors);
      json.member("bytes", level.bytes).end_object();
    }
    json.end_array();
    if (access.compulsory_bytes) json.member("compulsory_bytes", *access.compulsory_bytes);
    json.member("spread", access.spread).end_object();
  }
  return json.end_array().end_object().value_text();
}

std::string write_result_json(const Prediction& prediction, const std::vector<ResultMember>& further) {
  const Launch& launch = prediction.launch;
  JsonWriter json;
  json.begin_object().member("format", kFormat).member("version", kVersion);
  json.member("kernel", prediction.kernel).member("device", prediction.device);
  if (!prediction.form.empty()) json.member("form", prediction.form);
  json.member("policy", to_string(prediction.policy)).member("units", to_string(prediction.units));
  write_launch(json, launch);
  json.member("cycles", prediction.cycles).member("time_s", prediction.time.count);
  json.member("total_time_s", prediction.total_time.count).member("clock_hz", prediction.clock.count);
  if (!prediction.clock_limit.empty()) json.member("clock_limit", prediction.clock_limit);
  if (prediction.range) write_range(json, *prediction.range);
  json.member("groups_per_unit", launch.groups_per_unit).member("concurrent_groups", launch.concurrent_groups.value);
  json.member("resident_warps", launch.resident_warps);
  write_sample(json, prediction.sample);
  if (launch.occupancy) json.member("occupancy", *launch.occupancy);
  json.member("instructions_issued", prediction.instructions_issued);
  if (prediction.off > 0)
    json.key("extended")
        .begin_object()
        .member("simulated", prediction.simulated)
        .member("off", prediction.off)
        .end_object();
  write_pipelines(json, prediction.pipelines);
  write_bounds(json, prediction);
  json.member("limits_ignored", launch.limits_ignored);
  write_work(json, launch);
  json.member("every_load_misses", prediction.every_load_misses);
  if (!prediction.memory.notes.empty()) {
    json.key("notes").begin_array();
    for (const std::string& note : prediction.memory.notes) json.value(note);
    json.end_array();
  }
  json.key("warnings").begin_array();
  for (const std::string& warning : prediction.warnings) json.value(warning);
  json.end_array();
  for (const auto& [name, value] : further) json.member_text(name, value);
  return json.end_object().text();
}

bool is_saved_result(std::string_view text) {
  try {
    Diagnostics ignored;
    const JsonDocument document(text, "", ignored);
    const auto format = document.root().find("format");
    return format && format->is_string() && format->string() == kFormat;
  } catch (const InputError&) {
    return false;  // the reader of another format will report the error
  }
}

Outcome read_result_json(std::string_view text, const std::string& file) {
  Diagnostics diagnostics;
  const JsonDocument document(text, file, diagnostics);
  Outcome outcome;
  if (document.expect_format(kFormat, kVersion)) outcome = ResultReader(document.root()).read();
  diagnostics.throw_if_any();
  return outcome;
}

}  // namespace warpipe
