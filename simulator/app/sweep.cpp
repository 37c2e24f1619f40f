#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inputs.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe::app {
namespace {

std::vector<Variation> read_variations(const Arguments& arguments, const Inputs& inputs) {
  std::vector<Variation> variations;
  std::set<std::string> names;
  for (const auto& text : arguments.values("vary")) {
    variations.push_back(parse_variation(text, inputs.kernel, inputs.device));
    const auto& name = variations.back().name;
    if (!names.insert(name).second) refuse("--vary " + name, "the same name is given twice");
  }
  if (!variations.empty()) return variations;
  refuse("--vary", "the option is needed", "", "give --vary NAME=VALUES");
}

void warn_once_each(const std::vector<SweepPoint>& points) {
  std::set<std::string> said;
  for (const auto& point : points) {
    if (!point.prediction) continue;
    for (const auto& warning : point.prediction->warnings) {
      if (said.insert(warning).second) warn(warning);
    }
  }
}

/// A sweep has done its work where any point has; the others say in their rows why not.
void require_a_point(const std::vector<SweepPoint>& points) {
  const auto worked = [](const SweepPoint& point) { return point.prediction.has_value(); };
  if (points.empty() || std::ranges::any_of(points, worked)) return;
  throw ModelError(Diagnostic{"--vary", fmt::format("none of the {} points makes a model", points.size()),
                              "the first says: " + points.front().error, ""});
}

ExitStatus run(const Arguments& arguments) {
  if (arguments.has("csv") && arguments.has("jsonl")) {
    refuse("--jsonl", "a sweep has one form", "--csv is given too", "choose one of them");
  }
  const auto options = read_launch_options(arguments);
  const auto threads = read_threads(arguments);
  const auto inputs = read_inputs(arguments);
  require_ops(inputs.kernel, inputs.device);
  const auto variations = read_variations(arguments, inputs);
  const Output output(arguments.value("csv").value_or(arguments.value("jsonl").value_or("")));

  SweepTable table;
  for (const auto& variation : variations) table.names.push_back(variation.name);
  table.points = run_sweep(inputs.kernel, inputs.device, options, variations, threads, progress_on_terminal("points"));
  warn_once_each(table.points);
  output.write(arguments.has("csv")     ? write_csv(table)
               : arguments.has("jsonl") ? write_jsonl(table)
                                        : write_text(table));
  require_a_point(table.points);
  return ExitStatus::Done;
}

constexpr std::string_view kNotes = R"(
NAME of --vary:
  group_size, groups, concurrent_groups, occupancy (resident warps), a parameter,
  OP.issue, OP.completion, ID.conflict_degree, ID.transactions
VALUES of --vary:
  1,2,4          these
  MIN:MAX        all whole steps from MIN up to MAX
  MIN:MAX:STEP   MIN + i x STEP up to MAX
  MIN:MAX:xF     MIN times powers of F up to MAX
)";

}  // namespace

Verb sweep_verb() {
  OptionTable options("Options");
  options.add("device", "DEVICE", "the device: a shipped name or a file")
      .add("vary", "NAME=VALUES...", "what varies; all combinations, the last varies fastest")
      .add("csv", "[=FILE]", "the points as CSV, to standard output or FILE")
      .add("jsonl", "[=FILE]", "the points as JSON, one a line, to standard output or FILE");
  return {"sweep",
          "KERNEL --device DEVICE --vary NAME=VALUES... [options]",
          "predict a kernel for many launches or latencies",
          options.add(launch_option_table()).add(common_option_table()),
          run,
          kNotes};
}

}  // namespace warpipe::app
