#include "warpipe/predict/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "executions.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {
namespace {

constexpr double kMostUsed = 0.75;        // of the bytes of sectors: beyond that rows that begin anywhere cost as much
constexpr double kFewestConflicts = 1.5;  // ways, as a mean
constexpr double kStandsOut = 0.3;        // of the work: less, and the cause lies in no single line

/// All executions of an instruction.
struct Use {
  double executions = 0;
  double work = 0;                ///< on what limits, in its own unit
  double ways = 0;                ///< bank conflicts, summed over executions
  double touched = 0, asked = 0;  ///< bytes of sectors of global memory, and of lanes; 0 where not known
  std::int64_t needed = 0;        ///< sectors that lanes that are neighbours touch
};

/// "transpose.cu:17" of "transpose.cu:17: st.global.f32 [%rd8], %f1", else the id.
std::string place_of(const Instruction& instruction) {
  const auto& text = instruction.text;
  const auto colon = text.find(':');
  if (colon != std::string::npos && colon + 1 < text.size() && text.find(' ') > colon) {
    auto end = colon + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > colon + 1 && (end == text.size() || text[end] == ':')) return text.substr(0, end);
  }
  return instruction.id;
}

/// Loads, stores and atomics of a line are told apart; of other instructions each op.
std::string kind_of(const std::string& op) {
  const auto of = class_of(op);
  if (of != OpClass::GlobalMemory && of != OpClass::SharedMemory) return op;
  return fmt::format("{} {}", static_cast<int>(of), static_cast<int>(access_kind(op)));
}

class CauseFinder {
 public:
  CauseFinder(const LoweredLaunch& launch, const Prediction& prediction)
      : launch_(launch), prediction_(prediction), uses_(launch.kernel.instructions.size()) {
    const auto& limit = limiter_name(prediction);
    for (std::size_t i = 0; i < launch.device.pipelines.size(); ++i)
      if (limit == "pipeline " + launch.device.pipelines[i].name) pipeline_ = i;
    for (std::size_t k = 0; k < prediction.memory.levels.size(); ++k)
      if (limit == "pipeline " + prediction.memory.levels[k].name) level_ = k;
  }

  Finding find() {
    Finding finding;
    finding.limit = limiter_name(prediction_);
    if (pipeline_ || level_) {
      add_uses();
      describe(finding);
    } else if (prediction_.launch.groups.value < prediction_.compute_units) {
      finding.cause = Finding::Cause::Groups;
      finding.amount = static_cast<double>(prediction_.launch.groups.value);
      finding.of = static_cast<double>(prediction_.compute_units);
    } else {
      describe_warps(finding);
    }
    return finding;
  }

 private:
  void add_uses() {
    for_each_execution(launch_, launch_.program,
                       [&](std::size_t index, double count, const Values& values) { add(index, count, values); });
    if (prediction_.memory.levels.empty()) return;
    const auto& kernel = launch_.kernel;
    for (const auto& access : prediction_.memory.accesses) {
      const auto found = std::ranges::find(kernel.instructions, access.id, &Instruction::id);
      auto& use = uses_[static_cast<std::size_t>(found - kernel.instructions.begin())];
      use.touched = access.levels.front().bytes;
      if (level_) use.work = access.levels[*level_].bytes;
    }
  }

  void add(std::size_t index, double count, const Values& values) {
    const auto& instruction = launch_.kernel.instructions[index];
    const auto bound =
        bind_latencies(instruction, launch_.device, values, prediction_.launch.resident_warps, launch_.launch.shape);
    auto& use = uses_[index];
    use.executions += count;
    use.ways += count * static_cast<double>(bound.conflict_degree);
    if (pipeline_ && !level_) {
      auto cost = bound.pipeline == *pipeline_ ? bound.issue : Ticks{};
      for (const auto& then : bound.then)
        if (then.pipeline == *pipeline_) cost = Ticks{cost.count + then.issue.count};
      use.work += count * to_cycles(cost).count;
    }
    if (!instruction.access || !launch_.device.memory) return;
    const auto width = instruction.access->width_bytes.evaluate_whole(values, 1);
    const auto sector = launch_.device.memory->transaction_bytes;
    use.needed = transactions_of_neighbours(*instruction.access, values, launch_.device);
    use.asked += count * static_cast<double>(launch_.device.warp_size * width);
    if (prediction_.memory.levels.empty()) use.touched += count * static_cast<double>(bound.transactions * sector);
  }

  /// Lanes ask for less than the sectors that they touch hold, and than the level moves that limits: caches may keep
  /// the rest for other warps.
  bool is_scattered(std::size_t index) const {
    const auto& use = uses_[index];
    const auto& instruction = launch_.kernel.instructions[index];
    return class_of(instruction.op) == OpClass::GlobalMemory && use.needed > 0 &&
           !std::holds_alternative<AccessPattern::Broadcast>(instruction.access->lanes) &&
           use.asked < kMostUsed * use.touched && (!level_ || use.asked < kMostUsed * use.work);
  }

  bool has_conflicts(std::size_t index) const {
    return class_of(launch_.kernel.instructions[index].op) == OpClass::SharedMemory &&
           uses_[index].ways > kFewestConflicts * uses_[index].executions;
  }

  void describe(Finding& finding) const {
    auto heavy = heaviest([&](const Instruction& one) { return place_of(one) + " " + kind_of(one.op); });
    if (heavy.instructions.empty()) return;
    if (heavy.share >= kStandsOut)
      finding.place = place_of(launch_.kernel.instructions[heavy.instructions.front()]);
    else
      heavy = heaviest([](const Instruction& one) { return kind_of(one.op); });
    const auto& alike = heavy.instructions;
    finding.op = launch_.kernel.instructions[alike.front()].op;
    if (std::ranges::any_of(alike, [&](auto i) { return is_scattered(i); }))
      describe_scattered(alike, finding);
    else if (std::ranges::any_of(alike, [&](auto i) { return has_conflicts(i); }))
      describe_conflicts(alike, finding);
    else if (level_)
      describe_bytes(finding);
    else
      finding.cause = Finding::Cause::Line, finding.amount = heavy.share;
  }

  struct Heavy {
    std::vector<std::size_t> instructions;
    double work = 0, share = 0;  ///< of the work of all
  };

  /// The instructions of one name that have the most of the work.
  template <class Name>
  Heavy heaviest(const Name& name_of) const {
    std::map<std::string, Heavy> all;
    double work = 0;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (uses_[i].work <= 0) continue;
      auto& of_name = all[name_of(launch_.kernel.instructions[i])];
      of_name.instructions.push_back(i);
      of_name.work += uses_[i].work;
      work += uses_[i].work;
    }
    Heavy most;
    for (const auto& [name, heavy] : all)
      if (heavy.work > most.work) most = heavy;
    most.share = work > 0 ? most.work / work : 0;
    return most;
  }

  LaunchOptions unchanged() const {
    auto options = launch_.options;
    options.range = options.doubts = false;
    return options;
  }

  void describe_scattered(const std::vector<std::size_t>& line, Finding& finding) const {
    double asked = 0, touched = 0;
    for (const auto i : line) asked += uses_[i].asked, touched += uses_[i].touched;
    finding.cause = Finding::Cause::Scattered;
    finding.of = static_cast<double>(launch_.device.memory->transaction_bytes);
    finding.amount = finding.of * asked / touched;
    finding.changed = unchanged();
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (!is_scattered(i)) continue;
      const auto& id = launch_.kernel.instructions[i].id;
      finding.changed->transactions.insert_or_assign(id, uses_[i].needed);
      if (uses_[i].ways > uses_[i].executions) finding.changed->conflict_degree.insert_or_assign(id, 1);
    }
  }

  void describe_conflicts(const std::vector<std::size_t>& line, Finding& finding) const {
    double ways = 0, executions = 0;
    for (const auto i : line) ways += uses_[i].ways, executions += uses_[i].executions;
    finding.cause = Finding::Cause::Conflicts;
    finding.amount = ways / executions;
    finding.changed = unchanged();
    for (std::size_t i = 0; i < uses_.size(); ++i)
      if (has_conflicts(i)) finding.changed->conflict_degree.insert_or_assign(launch_.kernel.instructions[i].id, 1);
  }

  void describe_bytes(Finding& finding) const {
    finding.cause = Finding::Cause::Bytes;
    finding.amount = bytes_at(prediction_.memory, *level_);
    for (const auto& access : prediction_.memory.accesses) {
      finding.of += access.compulsory_bytes.value_or(0);
      if (!access.compulsory_bytes) return void(finding.of = 0);
    }
  }

  void describe_warps(Finding& finding) const {
    const Bound* busiest = nullptr;
    for (const auto& bound : prediction_.bounds)
      if (bound.name.starts_with("pipeline ") && (busiest == nullptr || bound.cycles > busiest->cycles))
        busiest = &bound;
    if (busiest == nullptr || finding.limit != "latency") return;
    const auto needed = std::ranges::find(prediction_.warps_needed, busiest->name, &WarpsNeeded::name);
    if (needed == prediction_.warps_needed.end()) return;
    finding.cause = Finding::Cause::Warps;
    finding.busiest = busiest->name;
    finding.amount = static_cast<double>(prediction_.launch.resident_warps);
    finding.of = std::ceil(needed->warps);
  }

  const LoweredLaunch& launch_;
  const Prediction& prediction_;
  std::optional<std::size_t> pipeline_;  ///< that limits; nothing: another bound does
  std::optional<std::size_t> level_;     ///< of the memory, whose pipeline limits
  std::vector<Use> uses_;                ///< by instruction
};

}  // namespace

Finding find_cause(const LoweredLaunch& launch, const Prediction& prediction) {
  return CauseFinder(launch, prediction).find();
}

std::optional<Seconds> time_without(const Finding& finding, const Kernel& kernel, const Device& device) {
  if (!finding.changed) return std::nullopt;
  return predict(kernel, device, *finding.changed).time;
}

}  // namespace warpipe
