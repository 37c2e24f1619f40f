#include "support/reference_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "support/reference_access.hpp"
#include "support/reference_times.hpp"

namespace warpipe::reference {
namespace {

constexpr std::array kAccesses{"global.load", "global.store", "global.atomic", "global.copy"};

// "an instruction of the op `global.load`, `global.copy`, `global.store` or `global.atomic`, with or without a width
// behind it"
std::string name_without_width(const std::string& op) {
  for (const std::string access : kAccesses)
    if (op == access || op.rfind(access + ".", 0) == 0) return access;
  return op;
}

double whole(const Expression& expression, const Values& values) {
  return static_cast<double>(expression.evaluate_whole(values, 1));
}

// "An *atomic with ways* is a `global.atomic` whose op, or an entry of its `then`, has `per_conflict`".
bool is_atomic(const Op& op) { return op.name == "global.atomic"; }
bool has_ways(const Op& op) {
  return is_atomic(op) && (op.per_conflict || std::any_of(op.then.begin(), op.then.end(), [](const Then& entry) {
                             return entry.per_conflict.has_value();
                           }));
}
bool is_store(const Op& op) { return op.name == "global.store" || op.retires_at_issue; }

struct Touched {
  double width, transactions, lines, turns;  // *width*, *sectors*, *lines*, *turns*
  double sent, masks;                        // 0 for other ops than stores
  std::optional<double> conflict_degree;
};

Touched touched_by(const Instruction& instruction, const Op& op, const Device& device, const Values& values) {
  const auto& access = instruction.access;
  const MemoryLevel& first = device.memory->levels.front();
  const auto sector = static_cast<double>(first.sector_bytes), line = static_cast<double>(first.line_bytes);
  const std::string base = name_without_width(instruction.op);
  Touched touched{};
  if (access)
    touched.width = whole(access->width_bytes, values);
  else
    touched.width = instruction.op == base ? 4 : std::stod(instruction.op.substr(base.size() + 1)) / 8;
  if (instruction.transactions)
    touched.transactions = whole(*instruction.transactions, values);
  else if (access)
    touched.transactions = static_cast<double>(segments(*access, values, device, first.sector_bytes));
  else
    touched.transactions = std::ceil(static_cast<double>(device.warp_size) * touched.width / sector);
  if (instruction.lines)
    touched.lines = whole(*instruction.lines, values);
  else if (access)
    touched.lines = static_cast<double>(segments(*access, values, device, first.line_bytes));
  else
    touched.lines = std::ceil(touched.transactions * sector / line);
  // "`turns`; *sectors*"
  touched.turns = instruction.turns ? whole(*instruction.turns, values) : touched.transactions;
  if (instruction.conflict_degree)
    touched.conflict_degree = whole(*instruction.conflict_degree, values);
  else if (access && !has_ways(op))
    touched.conflict_degree = static_cast<double>(conflict_degree(*access, values, device));
  return touched;
}

double further_ways(const Touched& touched) { return touched.conflict_degree.value_or(1) - 1; }

// "*degree* - 1 + ceil(*width* / `bank_bytes`), where *degree* is known"
double bank_cycles(const Touched& touched, const Device& device) {
  if (!touched.conflict_degree) return 0;
  return *touched.conflict_degree - 1 + std::ceil(touched.width / static_cast<double>(device.memory->bank_bytes));
}

/// Before it is rounded.
double lambda_of(const Instruction& instruction, const Touched& touched, const Op& op, const Device& device,
                 std::int64_t resident_warps) {
  if (instruction.issue_latency) return instruction.issue_latency->count;
  const MemoryLevel& first = device.memory->levels.front();
  double lambda = interpolate(op.issue, resident_warps);
  if (has_ways(op))
    lambda += further_ways(touched) * op.per_conflict.value_or(Increment{}).issue.count;
  else
    lambda = std::max(lambda, bank_cycles(touched, device));
  lambda = std::max(lambda, touched.lines * first.cycles_per_line.count);
  if (first.bytes_per_cycle)
    lambda = std::max(lambda, static_cast<double>(device.warp_size) * touched.width / *first.bytes_per_cycle);
  lambda = std::max(lambda, (touched.sent + touched.masks) * first.cycles_per_packet.count);
  return lambda;
}

// "`latency` where its scope is a compute unit, else its *idle* time `latency_s` * clock"
double latency(const MemoryLevel& level, const Device& device) {
  if (level.scope == LevelScope::ComputeUnit) return level.latency.count;
  return level.latency_s.count * device.clock.count;
}

/// The use of a level by an access.
struct Use {
  std::int64_t first_position, positions;
  std::int64_t positions_behind;  // *coming*
  double sectors;                 // *moved*
};

/// The share of each level.
std::vector<double> shares_of(const Instruction& instruction, const Op& op, const Device& device,
                              const Values& values) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::vector<double> shares(levels.size(), 0);
  for (const LevelUse& use : instruction.levels)
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (use.level == levels[k].name && use.share) shares[k] = use.share->evaluate(values);
  if (!instruction.levels.empty()) return shares;
  std::size_t only = levels.size() - 1;
  if (is_atomic(op)) only = levels.front().scope == LevelScope::ComputeUnit ? 1 : 0;
  shares[only] = 1;
  return shares;
}

/// *pieces*
double pieces_of(const Touched& touched, const MemoryLevel& level, const MemoryLevel& first) {
  const double times = static_cast<double>(first.sector_bytes) / static_cast<double>(level.sector_bytes);
  if (times >= 1) return touched.transactions;
  return std::max(std::min(touched.lines, touched.transactions), touched.transactions * times);
}

std::vector<Use> uses_of(const Instruction& instruction, const Op& op, const Touched& touched, const Device& device,
                         const Values& values) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  const std::vector<double> shares = shares_of(instruction, op, device, values);
  std::vector<double> sums{0};  // *sum*
  for (const double share : shares) sums.push_back(sums.back() + share);
  std::vector<Use> uses;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto first = static_cast<std::int64_t>(std::floor(64 * sums[k] + 0.5));
    const auto next = static_cast<std::int64_t>(std::floor(64 * sums[k + 1] + 0.5));
    Use use{first, next - first, 64 - first, 0};
    // "the number in `levels`; 0 where `levels` gives sectors of other levels only; else *pieces* * *coming* / 64"
    bool gives_sectors = false;
    for (const LevelUse& said : instruction.levels) gives_sectors = gives_sectors || said.sectors.has_value();
    if (!gives_sectors)
      use.sectors = pieces_of(touched, levels[k], levels.front()) * static_cast<double>(use.positions_behind) / 64;
    for (const LevelUse& said : instruction.levels)
      if (said.level == levels[k].name && said.sectors) use.sectors = said.sectors->evaluate(values);
    uses.push_back(use);
  }
  return uses;
}

/// Sets *sent* and *masks* of an op `global.store`.
void add_packets(const Instruction& instruction, const Device& device, const std::vector<Use>& uses, Touched& touched) {
  if (name_without_width(instruction.op) != "global.store") return;
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::size_t beyond = 0;  // "the first level beyond the units"
  while (levels[beyond].scope == LevelScope::ComputeUnit) ++beyond;
  touched.sent = uses[beyond].sectors;
  const double whole =
      static_cast<double>(device.warp_size) * touched.width / static_cast<double>(levels.front().sector_bytes);
  touched.masks = std::min(touched.lines, 2 * std::max(0.0, touched.sent - whole));
}

/// The stages of an access.
class Stages {
 public:
  Stages(const Op& op, const Touched& touched, const std::vector<Use>& uses, const Device& device,
         std::int64_t resident_warps, Share share)
      : op_(op), touched_(touched), uses_(uses), device_(device), resident_warps_(resident_warps), share_(share) {}

  /// Stages of the executions of a load served by a level.
  std::vector<Stage> of_load(std::size_t serving) const {
    std::vector<Stage> stages;
    for (std::size_t j = 0; j < uses_.size(); ++j) {
      const Use& use = uses_[j];
      const auto behind = static_cast<double>(use.positions_behind);
      const Ticks idle = round_to_ticks(Cycles{latency(device_.memory->levels[j], device_)});
      if (use.positions_behind == 0) add(j, use.sectors, {}, stages);
      if (use.positions_behind > 0 && j <= serving) add(j, use.sectors * 64 / behind, idle, stages);
    }
    return stages;
  }

  /// Of all executions of a store.
  std::vector<Stage> of_store(Ticks acknowledged) const {
    std::vector<Stage> stages;
    for (std::size_t j = 0; j < uses_.size(); ++j)
      add(j, uses_[j].sectors, uses_[j].positions_behind > 0 ? acknowledged : Ticks{}, stages);
    return stages;
  }

 private:
  // "Each level beyond the units that has a rate is a pipeline of the device"; "those with *moved* > 0".
  void add(std::size_t level, double sectors, Ticks waits, std::vector<Stage>& stages) const {
    const auto is_its = [&](const Pipeline& each) { return each.level == level; };
    const auto pipeline = std::find_if(device_.pipelines.begin(), device_.pipelines.end(), is_its);
    if (pipeline == device_.pipelines.end() || uses_[level].sectors == 0) return;
    const auto index = static_cast<std::size_t>(pipeline - device_.pipelines.begin());
    const MemoryLevel& at = device_.memory->levels[level];
    const double rate = is_store(op_) && at.write_rate ? at.write_rate->count : at.read_rate->count;
    const Ticks issue = round_to_ticks(Cycles{cycles_at(index, at, rate, sectors)});
    // "*lambda* with `mixed_bytes_per_s` as the rate, but at least *lambda*"
    Ticks mixed = issue;
    if (at.mixed_rate)
      mixed = std::max(issue, round_to_ticks(Cycles{cycles_at(index, at, at.mixed_rate->count, sectors)}));
    stages.push_back({index,
                      shared(issue, device_, index, share_),
                      {},
                      waits,
                      shared(mixed, device_, index, share_),
                      is_store(op_)});
  }

  double cycles_at(std::size_t pipeline, const MemoryLevel& level, double rate, double sectors) const {
    // "*amount* is *moved* + *masks*"
    const double amount = level.store_line_rate ? sectors + touched_.masks : sectors;
    const double bytes = amount * static_cast<double>(level.sector_bytes);
    double seconds = bytes / rate;
    if (level.store_line_rate && touched_.sent > 0) {
      const double lines = touched_.lines * std::min(1.0, touched_.sent / touched_.transactions);
      seconds = std::max(seconds, lines / level.store_line_rate->count);
    }
    const auto is_here = [&](const Then& then) { return then.pipeline == pipeline; };
    const bool is_named = std::any_of(op_.then.begin(), op_.then.end(), is_here);
    // "Where the level has `lines_per_s`, *lambda* of a load is at least *scattered* / `lines_per_s` * clock"
    if (level.line_rate && !is_store(op_) && !is_named) {
      const MemoryLevel& first = device_.memory->levels.front();
      const double asked = touched_.transactions * static_cast<double>(first.sector_bytes);
      const double scattered = std::max(0.0, touched_.lines - std::ceil(asked / static_cast<double>(first.line_bytes)));
      seconds = std::max(seconds, scattered * std::min(1.0, bytes / asked) / level.line_rate->count);
    }
    double cycles = seconds * device_.clock.count;
    for (const Then& then : op_.then)
      if (then.pipeline == pipeline) {
        cycles += interpolate(then.issue, resident_warps_);
        cycles += further_ways(touched_) * then.per_conflict.value_or(Cycles{}).count;
        // "and the sum is at least *turns* * `per_turn`"
        cycles = std::max(cycles, touched_.turns * then.per_turn.value_or(Cycles{}).count);
      }
    return cycles;
  }

  const Op& op_;
  const Touched& touched_;
  const std::vector<Use>& uses_;
  const Device& device_;
  std::int64_t resident_warps_;
  Share share_;
};

}  // namespace

bool is_access(const Instruction& instruction, const Device& device) {
  if (!device.memory || device.memory->levels.empty()) return false;
  return std::find(kAccesses.begin(), kAccesses.end(), name_without_width(instruction.op)) != kAccesses.end();
}

const Op& op_of(const Instruction& instruction, const Device& device) {
  const Op* own = device.find_op(instruction.op);
  return own != nullptr ? *own : *device.find_op(name_without_width(instruction.op));
}

Bound bind_by_levels(const Instruction& instruction, const Op& op, const Device& device, const Values& values,
                     std::int64_t resident_warps, Share share) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  Touched touched = touched_by(instruction, op, device, values);
  const std::vector<Use> uses = uses_of(instruction, op, touched, device, values);
  add_packets(instruction, device, uses, touched);
  const double lambda = lambda_of(instruction, touched, op, device, resident_warps);
  const Stages stages(op, touched, uses, device, resident_warps, share);
  const Ticks issue = round_to_ticks(Cycles{lambda});

  Bound bound;
  bound.pipeline = op.pipeline;
  bound.issue = shared(issue, device, op.pipeline, share);
  if (is_store(op)) {
    const auto& store_latency = device.memory->store_latency;
    const Ticks acknowledged =
        round_to_ticks(Cycles{store_latency.value_or(Seconds{}).count * device.clock.count});  // *acknowledged*
    bound.completion = store_latency ? acknowledged : issue;
    bound.then = stages.of_store(acknowledged);
    return bound;
  }
  const double added = interpolate(op.completion, resident_warps) +
                       further_ways(touched) * op.per_conflict.value_or(Increment{}).completion.count;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (uses[k].positions == 0) continue;
    double completion = latency(levels[k], device) + added + (lambda - interpolate(op.issue, resident_warps));
    if (instruction.completion_latency) completion = instruction.completion_latency->count;
    bound.services.push_back({uses[k].first_position, uses[k].first_position + uses[k].positions - 1,
                              round_to_ticks(Cycles{std::max(completion, 0.0)}), stages.of_load(k)});
  }
  bound.completion = bound.services.front().completion;
  return bound;
}

std::int64_t position_of(std::int64_t i, std::int64_t n) {
  const std::int64_t number = (i + n) % 64;
  std::int64_t position = 0;
  for (std::int64_t digit = 0; digit < 6; ++digit)
    if (number >> digit & 1) position += 32 >> digit;
  return position;
}

}  // namespace warpipe::reference
