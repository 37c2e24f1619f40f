#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "change_maker.hpp"
#include "lines_of_launch.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/latency_tables/occupancy.hpp"

namespace warpipe {
namespace {

using Cause = Finding::Cause;

constexpr double kStandsOut = 0.3;         // of the work: less, and the cause lies in no single line
constexpr double kUneven = 0.1;            // of the time of units, without a group on them
constexpr std::size_t kLikelyToDelay = 3;  // places with the longest latencies
/// Of the time with a change, shown as an estimate where it saves several times as much.
constexpr double kToleranceOfEstimate = 0.01;

class CauseFinder {
 public:
  CauseFinder(const LoweredLaunch& launch, const Prediction& prediction)
      : launch_(launch), prediction_(prediction), lines_(launch, prediction), make_(launch, prediction, lines_) {}

  Finding find() {
    found_.limit = limiter_name(prediction_);
    if (found_.limit == "latency")
      describe_latency();
    else if (found_.limit == "group dispatch")
      describe_starts();
    else
      describe_work();
    if (found_.cause == Cause::None || found_.cause == Cause::Line || found_.cause == Cause::Warps) {
      describe_lanes();
      describe_rounds();
    }
    return std::move(found_);
  }

 private:
  const Launch& launch() const { return prediction_.launch; }
  const Instruction& instruction(std::size_t index) const { return launch_.kernel.instructions[index]; }

  void name_place(std::size_t index) {
    const auto& one = instruction(index);
    found_.place = place_of(one);
    found_.op = one.op;
    const auto array = array_of(one);
    found_.thread_private = array && launch_.kernel.arrays[*array].thread_private;
  }

  /// The outstanding instructions: a kind of access or op of one line, a line, or a kind of access or op.
  Heavy heaviest() {
    const bool by_op = lines_.pipeline || lines_.level;
    if (const auto lines = lines_.by_weight(kind_and_place_of, &Use::work);
        !lines.empty() && by_op && lines.front().share >= kStandsOut) {
      name_place(lines.front().instructions.front());
      return lines.front();
    }
    if (const auto places = lines_.by_weight(place_of, &Use::work);
        !places.empty() && places.front().share >= kStandsOut) {
      found_.place = place_of(instruction(places.front().instructions.front()));
      return places.front();
    }
    const auto kinds = lines_.by_weight(kind_of, &Use::work);
    if (kinds.empty() || !by_op) return {};
    found_.op = instruction(kinds.front().instructions.front()).op;
    return kinds.front();
  }

  void describe_work() {
    const auto heavy = heaviest();
    const auto& alike = heavy.instructions;
    if (alike.empty()) return;
    found_.share = heavy.share;
    std::vector<std::size_t> scattered;
    std::ranges::copy_if(alike, std::back_inserter(scattered), [&](auto i) { return lines_.is_scattered(i); });
    if (!scattered.empty() && (lines_.pipeline || lines_.level))
      describe_scattered(scattered);
    else if (std::ranges::any_of(alike, [&](auto i) { return lines_.has_conflicts(i); }))
      describe_conflicts(alike);
    else if (lines_.level && access_kind(instruction(alike.front()).op) != AccessKind::Atomic)
      describe_bytes();
    else
      describe_line(alike);
  }

  void describe_scattered(const std::vector<std::size_t>& scattered) {
    double asked = 0, touched = 0;
    for (const auto i : scattered) asked += lines_.uses[i].asked, touched += lines_.uses[i].touched;
    found_.cause = Cause::Scattered;
    found_.of = static_cast<double>(launch_.device.memory->transaction_bytes);
    found_.amount = found_.of * asked / touched;
    found_.change = make_.neighbours();
  }

  void describe_conflicts(const std::vector<std::size_t>& line) {
    double ways = 0, executions = 0;
    for (const auto i : line) ways += lines_.uses[i].ways, executions += lines_.uses[i].executions;
    found_.cause = Cause::Conflicts;
    found_.amount = ways / executions;
    found_.change = {make_.unchanged(), {}, "without them"};
    for (const auto i : lines_.all_that([&](auto each) { return lines_.has_conflicts(each); }))
      found_.change->options.conflict_degree.insert_or_assign(instruction(i).id, 1);
  }

  void describe_bytes() {
    found_.cause = Cause::Bytes;
    found_.amount = bytes_at(prediction_.memory, *lines_.level);
    for (const auto& access : prediction_.memory.accesses) {
      found_.of += access.compulsory_bytes.value_or(0);
      if (!access.compulsory_bytes) return void(found_.of = 0);
    }
  }

  void describe_line(const std::vector<std::size_t>& alike) {
    found_.cause = Cause::Line;
    found_.amount = found_.share;
    if (found_.place.empty() || found_.limit != "pipeline fp64" || !make_.has_conversions(found_.place)) return;
    found_.cause = Cause::Doubles;
    found_.change = make_.floats();
    for (const auto i : alike)
      if (!instruction(i).op.starts_with("convert")) found_.op = instruction(i).op;
  }

  void describe_latency() {
    const auto groups = launch().groups.value;
    name_what_delays();
    if (groups < prediction_.compute_units) {
      found_.cause = Cause::Groups;
      found_.amount = static_cast<double>(groups);
      found_.of = static_cast<double>(prediction_.compute_units);
      return;
    }
    const auto most = launch_.device.limits.warps_per_unit;
    if (most && launch().resident_warps < *most) return describe_warps(*most);
    if (found_.share == 0) return;
    found_.cause = Cause::Line;
    found_.amount = found_.share;
    found_.change = make_.loads_ahead(delaying_);
  }

  /// The line with the most awaited results: without them a warp alone would end much earlier.
  void name_what_delays() {
    const auto bound_of = [&](const Program& program) {
      const auto bounds = lower_bounds(program, launch_.device, launch_.options.skipping).bounds;
      return static_cast<double>(std::ranges::find(bounds, "latency", &Bound::name)->cycles.count);
    };
    const auto all = bound_of(launch_.program);
    const auto share_of = [&](const Heavy& some) { return 1 - bound_of(without_latency(some.instructions)) / all; };
    auto lines = lines_.by_weight(kind_and_place_of, &Use::latency);
    lines.resize(std::min(lines.size(), kLikelyToDelay));
    if (all <= 0 || lines.empty()) return;
    for (const auto& line : lines)
      if (const auto share = share_of(line); share >= kStandsOut && share > found_.share) {
        name_place(line.instructions.front());
        note_delay(line, share);
      }
    if (found_.share > 0) return;
    const auto kind = lines_.by_weight(kind_of, &Use::latency).front();
    if (const auto share = share_of(kind); share >= kStandsOut) {
      found_.op = instruction(kind.instructions.front()).op;
      note_delay(kind, share);
    }
  }

  void note_delay(const Heavy& some, double share) {
    found_.share = share;
    delaying_ = some.instructions;
  }

  Program without_latency(const std::vector<std::size_t>& instructions) const {
    auto program = launch_.program;
    for (auto& stream : program.streams)
      for (std::size_t i = 0; i < stream.steps.size(); ++i) {
        auto& step = stream.steps[i];
        if (std::ranges::find(instructions, std::size_t{stream.instructions[i]}) == instructions.end()) continue;
        step.completion = step.issue;
        if (!step.has_services) continue;
        const auto& services = stream.rotations[step.stages.begin].services;
        for (auto s = services.begin; s < services.end; ++s) stream.services[s].completion = step.issue;
      }
    return program;
  }

  void describe_warps(std::int64_t most) {
    found_.cause = Cause::Warps;
    found_.amount = static_cast<double>(launch().resident_warps);
    found_.of = static_cast<double>(most);
    const bool all_reside = launch().groups_per_unit <= launch().concurrent_groups.value;
    found_.why = all_reside ? "the launch has no more" : why_no_more();
    if (all_reside || make_.more_groups() == launch().slots) return void(found_.change = make_.loads_ahead(delaying_));
    const auto warps = make_.more_groups() * launch().warps_per_group;
    found_.change = {make_.unchanged(), {}, fmt::format("with {}", counted(warps, "warp"))};
    ChangeMaker::let_reside(make_.more_groups(), *found_.change);
  }

  std::string why_no_more() const {
    if (launch().concurrent_groups.origin != Origin::Occupancy)
      return fmt::format("the {} says {}", to_string(launch().concurrent_groups.origin),
                         counted(launch().concurrent_groups.value, "group"));
    const auto allowed =
        occupancy({launch().group_size.value, launch().registers_per_thread, launch().shared_memory_per_group},
                  launch_.device.limits, launch_.device.warp_size);
    if (allowed.limiters.empty()) return {};
    const auto room = fmt::format("room for {}", counted(allowed.groups.value_or(1), "group"));
    switch (allowed.limiters.front()) {
      case OccupancyLimit::Registers:
        return fmt::format("{} registers per thread leave {}", launch().registers_per_thread, room);
      case OccupancyLimit::SharedMemory:
        return fmt::format("{} bytes of shared memory per group leave {}", launch().shared_memory_per_group, room);
      case OccupancyLimit::Groups:
        return fmt::format("a unit holds {}, here of {}", counted(*allowed.groups, "group"),
                           counted(launch().group_size.value, "thread"));
      case OccupancyLimit::Warps:
        return fmt::format("there is {} of {}", room, counted(launch().group_size.value, "thread"));
    }
    return {};
  }

  void describe_starts() {
    found_.cause = Cause::Starts;
    found_.amount = static_cast<double>(launch().groups.value);
    found_.of = static_cast<double>(launch().group_size.value);
    found_.change = make_.fewer_starts();
  }

  void describe_lanes() {
    const auto share = make_.share_of_lanes();
    if (share > kMostLanes) return;
    found_.cause = Cause::Lanes;
    found_.of = static_cast<double>(launch_.device.warp_size);
    found_.amount = share * found_.of;
    found_.place = place_of(instruction(make_.busiest().instructions.front()));
    found_.op.clear();
    found_.change = make_.all_lanes();
  }

  /// Finds units with a group, or a round, more than the rest.
  void describe_rounds() {
    if (found_.cause == Cause::Lanes) return;
    const auto units = static_cast<double>(prediction_.compute_units);
    const auto groups = static_cast<double>(launch().groups.value);
    if (groups <= units || launch_.program.kinds.size() > 1 || lines_.level || prediction_.units == Units::All) return;
    const auto of_unit = static_cast<double>(launch().groups_per_unit);
    const auto slots = static_cast<double>(launch().slots);
    const auto used =
        found_.limit == "latency" ? groups / (units * slots * std::ceil(of_unit / slots)) : groups / (units * of_unit);
    if (1 - used < kUneven || (found_.limit == "latency" && of_unit <= slots)) return;
    found_.cause = Cause::Rounds;
    found_.amount = groups;
    found_.of = units;
    found_.change = {make_.unchanged(), {}, "spread evenly", used};
  }

  const LoweredLaunch& launch_;
  const Prediction& prediction_;
  LinesOfLaunch lines_;
  ChangeMaker make_;
  std::vector<std::size_t> delaying_;  ///< instructions of the delaying line
  Finding found_;
};

}  // namespace

Finding find_cause(const LoweredLaunch& launch, const Prediction& prediction) {
  return CauseFinder(launch, prediction).find();
}

std::optional<Seconds> time_without(const Finding& finding, Seconds time, const Kernel& kernel, const Device& device) {
  if (!finding.change) return std::nullopt;
  const auto& [options, edit, words, times] = *finding.change;
  if (times != 1) return Seconds{times * time.count};
  auto changed = kernel;
  if (edit) edit(changed);
  auto roughly = options;
  roughly.tolerance = std::max(options.tolerance, kToleranceOfEstimate);
  return predict(lower_launch(changed, device, roughly)).time;
}

}  // namespace warpipe
