#include <fmt/format.h>

#include <algorithm>

#include "warpipe/explain/outcome.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/predict/bounds.hpp"

namespace warpipe {
namespace {

constexpr const char* kFormat = "warpipe-result";
constexpr double kMostCycles = 9e15;   // what 64 bits of milli-cycles hold
constexpr double kMostNumber = 1e300;  // any

/// Reads a saved result; what is missing or wrong is diagnosed, and something stands in its place until all is read.
class ResultReader {
 public:
  explicit ResultReader(JsonNode root) : root_(std::move(root)) {}

  Outcome read() {
    outcome_.kernel = text(root_, "kernel");
    outcome_.device = text(root_, "device");
    outcome_.cycles = cycles(root_, "cycles");
    outcome_.time = {number(root_, "time_s", 0)};
    outcome_.clock = {number(root_, "clock_hz", 0)};
    if (const auto limiter = root_.find("limiter")) outcome_.limiter = limiter->string().value_or("");
    read_launch();
    read_bounds();
    if (const auto pipelines = root_.require("pipelines"))
      for (const JsonNode& each : pipelines->elements())
        outcome_.utilizations.emplace_back(text(each, "name"), number(each, "utilization", 0));
    if (const auto stalls = root_.find("stalls")) read_stalls(*stalls);
    if (const auto instructions = root_.find("instructions")) read_instructions(*instructions);
    return outcome_;
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

  static Ticks cycles(const JsonNode& object, std::string_view key) {
    const auto value = object.require(key);
    return round_to_ticks(Cycles{value ? value->number(0, kMostCycles).value_or(0) : 0});
  }

  void add(const char* name, std::string value) { outcome_.launch.emplace_back(name, std::move(value)); }

  void add_whole(const char* name, const JsonNode& object, std::string_view key) {
    const auto value = object.require(key);
    add(name, fmt::format("{}", value ? value->whole(0).value_or(0) : 0));
  }

  /// As outcome_of: the same names in the same order.
  void read_launch() {
    const auto launch = root_.require("launch");
    if (!launch) return;
    if (const auto parameters = launch->require("parameters"))
      for (const auto& [name, value] : parameters->members())
        outcome_.launch.emplace_back(name, fmt::format("{}", number(value, "value", -kMostNumber)));
    for (const auto& [name, key] : {std::pair{"group size", "group_size"}, std::pair{"groups", "groups"},
                                    std::pair{"concurrent groups", "concurrent_groups"}})
      if (const auto value = launch->require(key)) add_whole(name, *value, "value");
    add_whole("groups a unit", root_, "groups_per_unit");
    add_whole("resident warps", root_, "resident_warps");
    const auto occupancy = root_.find("occupancy");
    add("occupancy", occupancy ? fmt::format("{:.1f} %", 100 * occupancy->number(0, kMostNumber).value_or(0)) : "");
    add_whole("warp instructions", root_, "instructions_issued");
    add("clock", fmt::format("{:g} GHz", outcome_.clock.count / 1e9));
    add("policy", text(root_, "policy"));
    add("units", text(root_, "units"));
  }

  void read_bounds() {
    const auto bounds = root_.require("bounds");
    if (!bounds) return;
    for (const JsonNode& each : bounds->elements())
      outcome_.bounds.push_back({text(each, "name"), cycles(each, "cycles")});
  }

  static StallTimes times(const JsonNode& object) {
    StallTimes times;
    for (std::size_t i = 0; i < kStalls; ++i) {
      std::string key = to_string(static_cast<Stall>(i));
      std::ranges::replace(key, ' ', '_');
      times[i] = cycles(object, key + "_cycles");
    }
    return times;
  }

  void read_stalls(const JsonNode& stalls) {
    outcome_.warp_time = cycles(stalls, "warp_cycles");
    const auto by_state = stalls.require("by_state");
    if (!by_state) return;
    outcome_.times = times(*by_state);
    WideTicks all = 0;
    for (const Ticks time : outcome_.times) all += time.count;
    if (all != outcome_.warp_time->count) by_state->fail("the times of all states must add up to warp_cycles");
  }

  /// Parts that are more than the whole would leave a rest below 0.
  void read_instructions(const JsonNode& instructions) {
    for (const JsonNode& each : instructions.elements()) read_instruction(each);
    if (!outcome_.warp_time) return;
    for (std::size_t i = 0; i < kStalls; ++i) {
      WideTicks all = 0;
      for (const InstructionOutcome& each : outcome_.instructions) all += each.times[i].count;
      if (all > outcome_.times[i].count)
        instructions.fail(fmt::format("the times of all instructions in \"{}\" must be at most that of the state",
                                      to_string(static_cast<Stall>(i))));
    }
  }

  void read_instruction(const JsonNode& node) {
    InstructionOutcome instruction;
    instruction.id = text(node, "id");
    instruction.op = text(node, "op");
    instruction.issue = cycles(node, "issue_cycles");
    instruction.completion = cycles(node, "completion_cycles");
    if (const auto executions = node.require("executions")) instruction.executions = executions->whole(0).value_or(0);
    if (const auto all = node.require("times")) instruction.times = times(*all);
    WideTicks waited = 0;
    if (const auto waits = node.require("waits_for"))
      for (const JsonNode& each : waits->elements()) {
        instruction.waits_for.emplace_back(text(each, "id"), cycles(each, "cycles"));
        waited += instruction.waits_for.back().second.count;
      }
    if (waited > instruction.times[static_cast<std::size_t>(Stall::Result)].count)
      node.fail("the waits for all producers must be at most the time in \"result\"");
    outcome_.instructions.push_back(std::move(instruction));
  }

  JsonNode root_;
  Outcome outcome_;
};

}  // namespace

bool is_saved_result(std::string_view text) {
  try {
    Diagnostics ignored;
    const JsonDocument document(text, "", ignored);
    const auto format = document.root().find("format");
    return format && format->is_string() && format->string() == kFormat;
  } catch (const InputError&) {
    return false;  // whoever reads it as something else says what is wrong
  }
}

Outcome read_result_json(std::string_view text, const std::string& file) {
  Diagnostics diagnostics;
  const JsonDocument document(text, file, diagnostics);
  Outcome outcome;
  if (document.expect_format(kFormat, 1)) outcome = ResultReader(document.root()).read();
  diagnostics.throw_if_any();
  return outcome;
}

}  // namespace warpipe
