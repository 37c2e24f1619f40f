#include "warpipe/predict/memory_traffic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <variant>

#include "executions.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/latency_tables/memory_op.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostNames = 4;  // in a sentence

/// Records the traffic of accesses at the levels.
class TrafficReader {
 public:
  explicit TrafficReader(const LoweredLaunch& lowered)
      : lowered_(lowered), levels_(lowered.device.memory->levels), executions_(lowered.kernel.instructions.size()) {
    for (const AccessLevels& access : lowered.filled) found_[access.instruction] = &access;
    find_said();
    for_each_execution(lowered, lowered.program, [&](std::size_t index, double count, const Values& values) {
      executions_[index] += count;
      if (const auto said = said_.find(index); said != said_.end()) add(index, count, values, said->second);
    });
  }

  MemoryTraffic read() {
    MemoryTraffic traffic;
    for (const MemoryLevel& level : levels_) traffic.levels.push_back(level_of(level));
    for (std::size_t i = 0; i < executions_.size(); ++i)
      if (const auto op = op_of(lowered_.kernel.instructions[i].op); op && executions_[i] > 0)
        traffic.accesses.push_back(read(i));
    if (lowered_.levels) traffic.notes = lowered_.levels->notes;
    add_notes(traffic);
    return traffic;
  }

 private:
  /// The stated traffic of an access without addresses: of all its warps, or of the first of them where all are alike.
  struct Said {
    MemoryOp op;
    bool varies = false;               ///< from warp to warp
    std::vector<LevelTraffic> levels;  ///< summed over executions
    double weight = 0;                 ///< executions
  };

  std::optional<MemoryOp> op_of(std::string_view name) const { return memory_op(name, lowered_.device); }

  MemoryTraffic::Level level_of(const MemoryLevel& level) const {
    const Device& device = lowered_.device;
    const std::int64_t instances = level.scope == LevelScope::ComputeUnit ? device.compute_units
                                   : level.scope == LevelScope::Die       ? device.dies
                                                                          : 1;
    return {level.name, level.scope == LevelScope::ComputeUnit,
            static_cast<double>(level.bytes.value_or(0)) * static_cast<double>(instances)};
  }

  AccessTraffic read(std::size_t index) const {
    const Instruction& instruction = lowered_.kernel.instructions[index];
    // Sampled groups of several kinds may stand for a fraction of a group.
    const double executions = std::max(1.0, std::round(executions_[index]));
    AccessTraffic access{instruction.id, instruction.op, instruction.text, {}, executions, {}, {}, 0};
    if (const auto found = found_.find(index); found != found_.end()) {
      const bool is_sample = std::holds_alternative<AccessPattern::Sampled>(instruction.access->lanes);
      access.known = is_sample ? LevelsKnown::FromSamples : LevelsKnown::FromAddresses;
      access.levels = found->second->levels;
      access.compulsory_bytes = found->second->compulsory_bytes;
      access.spread = found->second->spread;
    } else {
      const Said& said = said_.at(index);
      access.levels = mean_of(said);
      access.known = said.op.level || !instruction.levels.empty() ? LevelsKnown::Given : LevelsKnown::Assumed;
    }
    for (std::size_t k = 0; k < levels_.size(); ++k)
      access.levels[k].bytes =
          access.levels[k].sectors * access.executions * static_cast<double>(levels_[k].sector_bytes);
    return access;
  }

  void find_said() {
    const NameSet names = names_that_vary(lowered_.kernel);
    for (std::size_t i = 0; i < executions_.size(); ++i) {
      const Instruction& instruction = lowered_.kernel.instructions[i];
      const auto op = op_of(instruction.op);
      if (!op || found_.contains(i)) continue;
      bool varies = false;
      for_each_number(instruction, [&](const KernelNumber& number) {
        varies |= !number.is_address && number.expression.uses_any(names);
      });
      said_.emplace(i, Said{*op, varies, std::vector<LevelTraffic>(levels_.size()), 0});
    }
  }

  void add(std::size_t index, double count, const Values& values, Said& said) const {
    if (said.weight > 0 && !said.varies) return;
    const double weight = said.varies ? count : 1;
    const std::vector<LevelTraffic> levels = said_of(lowered_.kernel.instructions[index], said.op, values);
    said.weight += weight;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      said.levels[k].share += weight * levels[k].share;
      said.levels[k].sectors += weight * levels[k].sectors;
    }
  }

  static std::vector<LevelTraffic> mean_of(const Said& said) {
    std::vector<LevelTraffic> mean = said.levels;
    for (LevelTraffic& level : mean) {
      level.share /= said.weight;
      level.sectors /= said.weight;
    }
    return mean;
  }

  /// The levels stated by the kernel, as rule 4 reads them, but for the rounding of shares; of warps with these values.
  std::vector<LevelTraffic> said_of(const Instruction& instruction, const MemoryOp& op, const Values& values) const {
    const Launch& launch = lowered_.launch;
    const BoundInstruction bound =
        bind_latencies(instruction, lowered_.device, values, launch.resident_warps, launch.shape);
    std::vector<LevelTraffic> traffic(levels_.size());
    if (instruction.levels.empty()) traffic[level_of_the_unknown(op, levels_)].share = 1;
    for (const LevelUse& use : instruction.levels)
      if (use.share) of(use.level, traffic).share = use.share->evaluate(values);
    const bool says_sectors =
        std::ranges::any_of(instruction.levels, [](const LevelUse& use) { return use.sectors.has_value(); });
    double coming = says_sectors ? 0 : 1;
    for (LevelTraffic& level : traffic) {
      level.sectors = static_cast<double>(bound.transactions) * std::max(coming, 0.0);
      coming -= level.share;
    }
    for (const LevelUse& use : instruction.levels)
      if (use.sectors) of(use.level, traffic).sectors = use.sectors->evaluate(values);
    return traffic;
  }

  LevelTraffic& of(const std::string& level, std::vector<LevelTraffic>& traffic) const {
    return traffic[static_cast<std::size_t>(std::ranges::find(levels_, level, &MemoryLevel::name) - levels_.begin())];
  }

  void add_notes(MemoryTraffic& traffic) const {
    std::map<std::string, std::vector<std::string>> assumed;  // by level
    std::vector<std::string> samples;
    for (const AccessTraffic& access : traffic.accesses) {
      if (access.known == LevelsKnown::FromSamples) samples.push_back(access.id);
      if (access.known == LevelsKnown::Assumed)
        assumed[levels_[level_of_the_unknown(*op_of(access.op), levels_)].name].push_back(access.id);
    }
    if (!samples.empty())
      traffic.notes.push_back(fmt::format("Samples of the addresses of {} stand for all of them.", listed(samples)));
    for (const auto& [level, ids] : assumed)
      traffic.notes.push_back(fmt::format("{} {} no addresses: {} is taken to serve {}, and the caches do not see {}.",
                                          listed(ids), ids.size() == 1 ? "has" : "have", level,
                                          ids.size() == 1 ? "it" : "them", ids.size() == 1 ? "it" : "them"));
  }

  /// "a", "b", "c", "d" and 3 more
  static std::string listed(std::vector<std::string> ids) {
    const std::size_t shown = std::min(ids.size(), kMostNames), more = ids.size() - shown;
    ids.resize(shown);
    const std::string list = fmt::format("\"{}\"", fmt::join(ids, "\", \""));
    return more == 0 ? list : fmt::format("{} and {} more", list, more);
  }

  const LoweredLaunch& lowered_;
  const std::vector<MemoryLevel>& levels_;
  std::vector<double> executions_;                    ///< by instruction
  std::map<std::size_t, const AccessLevels*> found_;  ///< by instruction, of accesses without levels of their own
  std::map<std::size_t, Said> said_;                  ///< by instruction
};

}  // namespace

std::string to_string(LevelsKnown known) {
  switch (known) {
    case LevelsKnown::FromAddresses:
      return "addresses";
    case LevelsKnown::FromSamples:
      return "samples";
    case LevelsKnown::Given:
      return "given";
    case LevelsKnown::Assumed:
      break;
  }
  return "assumed";
}

MemoryTraffic memory_traffic(const LoweredLaunch& lowered) {
  if (!has_levels(lowered.device)) return {};
  return TrafficReader(lowered).read();
}

double bytes_at(const MemoryTraffic& traffic, std::size_t level) {
  double bytes = 0;
  for (const AccessTraffic& access : traffic.accesses) bytes += access.levels[level].bytes;
  return bytes;
}

double bytes_kept(const MemoryTraffic& traffic) {
  double bytes = 0;
  for (const AccessTraffic& access : traffic.accesses)
    if (access.compulsory_bytes) bytes += std::max(0.0, *access.compulsory_bytes - access.levels.back().bytes);
  return bytes;
}

}  // namespace warpipe
