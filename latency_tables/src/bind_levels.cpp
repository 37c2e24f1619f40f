#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "binding.hpp"
#include "diagnose.hpp"
#include "warpipe/idg/nearest_name.hpp"

// Rule 4 of the model, "Accesses on a device with levels": the order of the operations is part of the rule.

namespace warpipe::detail {
namespace {

constexpr std::int64_t kPositions = 64;  ///< of a rotation
constexpr double kShareTolerance = 1e-6;

/// Distinct aligned segments touched by the lanes.
std::int64_t segments(const LaneAccess& lanes, Memory memory, std::int64_t bytes) {
  memory.transaction_bytes = bytes;
  return transactions(lanes, memory);
}

/// Bytes per lane: of the access, else of the op's name, else 32 bit.
double width_of(const std::optional<LaneAccess>& lanes, const MemoryOp& access) {
  if (lanes) return static_cast<double>(lanes->width_bytes);
  return static_cast<double>(access.width_bits.value_or(32)) / 8;
}

/// The request of one execution to the nearest level.
struct Request {
  double bytes = 0;  ///< read or written by the lanes, each for itself
  std::int64_t sectors = 1, lines = 1;
  std::int64_t parts = 1;                       ///< words of a bank read or written by each lane
  std::optional<std::int64_t> conflict_degree;  ///< if known
  std::int64_t turns = 1;                       ///< of an atomic
};

constexpr double kWidestOfALane = 64;  // bytes; a copy engine moves more

std::optional<std::int64_t> conflict_degree_of(const Binding& binding, const MemoryOp& access,
                                               const std::optional<LaneAccess>& lanes) {
  auto degree = given_conflict_degree(binding, true);
  // Where the row of an atomic has a cost per way, a way is a lane on the same word, not in the same bank.
  const bool of_words = access.kind == AccessKind::Atomic && takes_conflict_degree(binding.op);
  const bool by_engine = width_of(lanes, access) > kWidestOfALane;  // without banks
  if (!degree && lanes && !of_words && !by_engine)
    degree = placed(place(binding.instruction) + "/access",
                    [&] { return bank_conflict_degree(*lanes, *binding.device.memory); });
  check_conflict_degree(binding, degree.value_or(1));
  return degree;
}

std::optional<std::int64_t> given_count(const Binding& binding, const std::optional<Expression>& count,
                                        const char* key) {
  if (!count) return std::nullopt;
  return placed(place(binding.instruction) + key, [&] { return count->evaluate_whole(binding.values, 1); });
}

/// The lines of the nearest level.
std::int64_t lines_of(const Binding& binding, const std::optional<LaneAccess>& lanes, std::int64_t sectors) {
  const MemoryLevel& nearest = binding.device.memory->levels.front();
  if (const auto given = given_count(binding, binding.instruction.lines, "/lines")) return *given;
  if (lanes) return segments(*lanes, *binding.device.memory, nearest.line_bytes);
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(sectors) * static_cast<double>(nearest.sector_bytes) /
                                             static_cast<double>(nearest.line_bytes)));
}

Request request_of(const Binding& binding, const MemoryOp& access) {
  const Memory& memory = *binding.device.memory;
  const MemoryLevel& nearest = memory.levels.front();
  const auto lanes = lanes_of(binding);
  Request request;
  request.bytes = static_cast<double>(binding.device.warp_size) * width_of(lanes, access);
  request.conflict_degree = conflict_degree_of(binding, access, lanes);
  request.parts =
      static_cast<std::int64_t>(std::ceil(width_of(lanes, access) / static_cast<double>(memory.bank_bytes)));
  if (const auto given = given_transactions(binding, true))
    request.sectors = *given;
  else if (lanes)
    request.sectors = segments(*lanes, memory, nearest.sector_bytes);
  else
    request.sectors = static_cast<std::int64_t>(std::ceil(request.bytes / static_cast<double>(nearest.sector_bytes)));
  request.lines = lines_of(binding, lanes, request.sectors);
  request.turns = given_count(binding, binding.instruction.turns, "/turns").value_or(request.sectors);
  return request;
}

std::size_t level_named(const std::string& name, const Device& device) {
  const auto& levels = device.memory->levels;
  const auto found = std::ranges::find(levels, name, &MemoryLevel::name);
  if (found != levels.end()) return static_cast<std::size_t>(found - levels.begin());
  std::vector<std::string> names;
  std::ranges::transform(levels, std::back_inserter(names), &MemoryLevel::name);
  throw ModelError(Diagnostic{"/levels/" + name, fmt::format("no level \"{}\" on {}", name, shown(device)), "",
                              suggest(name, names)});
}

double at_least_zero(const Expression& expression, const Values& values, const std::string& where) {
  const double value = placed(where, [&] { return expression.evaluate(values); });
  if (value < 0) throw ModelError(Diagnostic{where, "a number from 0 is expected", fmt::format("found {}", value), ""});
  return value;
}

/// The part of a level in serving an instruction.
struct Use {
  double share = 0;            ///< of the executions: served here
  std::int64_t positions = 0;  ///< of a rotation, for that share
  std::int64_t coming = 0;     ///< positions of executions coming here: served here or by a level behind
  std::optional<double> said;  ///< sectors given by the kernel
  double sectors = 0;          ///< moved here by an execution, on average over all executions
};

/// Reads the kernel's shares and sectors of the levels.
std::vector<Use> uses_said(const Binding& binding, const MemoryOp& access) {
  const auto& levels = binding.device.memory->levels;
  std::vector<Use> uses(levels.size());
  const std::vector<LevelUse>& said = binding.instruction.levels;
  if (said.empty()) uses[level_of_the_unknown(access, levels)].share = 1;
  for (const LevelUse& use : said) {
    Use& own = uses[level_named(use.level, binding.device)];
    const std::string where = "/levels/" + use.level;
    if (use.share) own.share = at_least_zero(*use.share, binding.values, where + "/share");
    if (use.sectors) own.said = at_least_zero(*use.sectors, binding.values, where + "/sectors");
  }
  return uses;
}

/// The sectors of a level touched by a request. Sectors of level 1 that lie side by side in a line share a larger one.
double pieces_of(const Request& request, const MemoryLevel& level, const MemoryLevel& first) {
  const auto sectors = static_cast<double>(request.sectors);
  if (level.sector_bytes <= first.sector_bytes) return sectors;
  const double side_by_side =
      sectors * static_cast<double>(first.sector_bytes) / static_cast<double>(level.sector_bytes);
  return std::max(std::min(static_cast<double>(request.lines), sectors), side_by_side);
}

/// The uses of all levels, by level.
std::vector<Use> uses_of(const Binding& binding, const MemoryOp& access, const Request& request) {
  std::vector<Use> uses = uses_said(binding, access);
  const bool says_sectors = std::ranges::any_of(uses, [](const Use& use) { return use.said.has_value(); });
  const std::vector<MemoryLevel>& levels = binding.device.memory->levels;
  double sum = 0;
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < uses.size(); ++k) {
    Use& use = uses[k];
    const double asked = says_sectors ? 0 : pieces_of(request, levels[k], levels.front());
    sum += use.share;
    const auto end = static_cast<std::int64_t>(std::floor(static_cast<double>(kPositions) * sum + 0.5));
    use.positions = end - begin;
    use.coming = kPositions - begin;
    use.sectors = use.said.value_or(asked * static_cast<double>(use.coming) / static_cast<double>(kPositions));
    begin = end;
  }
  if (std::abs(sum - 1) > kShareTolerance)
    throw ModelError(Diagnostic{"/levels", "the shares of the levels must add up to 1", fmt::format("found {}", sum),
                                "write for each level the share of the executions that it serves"});
  return uses;
}

/// The packets that a store sends from the unit to the next level.
struct Sent {
  double sectors = 0;
  double masks = 0;  ///< one for each line with partly written sectors
  double lines = 0;  ///< of these sectors
};

Sent sent_by(const MemoryOp& access, const Request& request, const std::vector<Use>& uses, const Memory& memory) {
  if (access.kind != AccessKind::Store) return {};
  Sent sent;
  sent.sectors = uses[first_shared_level(memory.levels)].sectors;
  const double whole = request.bytes / static_cast<double>(memory.levels.front().sector_bytes);
  sent.masks = std::min(static_cast<double>(request.lines), 2 * std::max(0.0, sent.sectors - whole));
  sent.lines = static_cast<double>(request.lines) * std::min(1.0, sent.sectors / static_cast<double>(request.sectors));
  return sent;
}

/// The cycles of an access on the pipeline of its op: the slowest of its steps there.
double issue_cycles(const Binding& binding, const MemoryOp& access, const Request& request, const Sent& sent) {
  if (binding.instruction.issue_latency) return binding.instruction.issue_latency->count;
  const MemoryLevel& nearest = binding.device.memory->levels.front();
  double cycles = issue_of(binding).count;
  const auto degree = request.conflict_degree;
  if (access.kind == AccessKind::Atomic && takes_conflict_degree(binding.op))
    cycles += static_cast<double>(degree.value_or(1) - 1) * binding.op.per_conflict.value_or(Increment{}).issue.count;
  else if (degree)
    cycles = std::max(cycles, static_cast<double>(*degree - 1 + request.parts));
  cycles = std::max(cycles, static_cast<double>(request.lines) * nearest.cycles_per_line.count);
  if (nearest.bytes_per_cycle) cycles = std::max(cycles, request.bytes / *nearest.bytes_per_cycle);
  cycles = std::max(cycles, (sent.sectors + sent.masks) * nearest.cycles_per_packet.count);
  return cycles;
}

/// The stages of an instruction at the levels beyond the unit.
class Stages {
 public:
  Stages(const Binding& binding, const Request& request, const std::vector<Use>& uses, const Sent& sent, bool is_store)
      : binding_(binding),
        request_(request),
        uses_(uses),
        sent_(sent),
        is_store_(is_store),
        acknowledged_(round_to_ticks(
            Cycles{binding.device.memory->store_latency.value_or(Seconds{}).count * binding.device.clock.count})) {}

  /// Stages of executions served by a level. They go through the levels up to it, and also, without waiting, through
  /// levels where no execution comes (write-backs, say).
  std::vector<BoundThen> to(std::size_t level) const {
    std::vector<BoundThen> stages;
    const std::vector<Pipeline>& pipelines = binding_.device.pipelines;
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
      const auto each = pipelines[i].level;
      if (!each || uses_[*each].sectors == 0 || (*each > level && uses_[*each].coming > 0)) continue;
      const Ticks issue = issue_at(rate_alone(*each), i, *each);
      stages.push_back(
          {i, issue, {}, uses_[*each].coming > 0 ? waits(*each) : Ticks{}, mixed(issue, i, *each), is_store_});
    }
    return stages;
  }

 private:
  BytesPerSecond rate_alone(std::size_t index) const {
    const MemoryLevel& level = binding_.device.memory->levels[index];
    return is_store_ && level.write_rate ? *level.write_rate : *level.read_rate;
  }

  /// The lambda in mixed traffic, never less than alone.
  Ticks mixed(Ticks alone, std::size_t pipeline, std::size_t index) const {
    const auto rate = binding_.device.memory->levels[index].mixed_rate;
    return rate ? std::max(alone, issue_at(*rate, pipeline, index)) : alone;
  }

  Ticks issue_at(BytesPerSecond rate, std::size_t pipeline, std::size_t index) const {
    const MemoryLevel& level = binding_.device.memory->levels[index];
    const Use& use = uses_[index];
    double sectors = use.sectors;
    if (!is_store_ && use.coming > 0)
      sectors = sectors * static_cast<double>(kPositions) / static_cast<double>(use.coming);
    if (level.store_line_rate) sectors += sent_.masks;
    const double bytes = sectors * static_cast<double>(level.sector_bytes);
    double seconds = bytes / rate.count;
    if (level.store_line_rate) seconds = std::max(seconds, sent_.lines / level.store_line_rate->count);
    const bool is_named = std::ranges::find(binding_.op.then, pipeline, &Then::pipeline) != binding_.op.then.end();
    if (level.line_rate && !is_store_ && !is_named)
      seconds = std::max(seconds, scattered_lines_of(bytes) / level.line_rate->count);
    double cycles = seconds * binding_.device.clock.count;
    const auto further_ways = static_cast<double>(request_.conflict_degree.value_or(1) - 1);
    for (const Then& then : binding_.op.then) {
      if (then.pipeline != pipeline) continue;
      cycles += latency_at(then.issue, binding_.resident_warps).count;
      cycles += further_ways * then.per_conflict.value_or(Cycles{}).count;
      cycles = std::max(cycles, static_cast<double>(request_.turns) * then.per_turn.value_or(Cycles{}).count);
    }
    return round_to_ticks(Cycles{cycles});
  }

  /// Lines beyond the lines filled by the sectors: for these bytes, as many as for all bytes of the execution. A level
  /// with longer sectors moves more bytes, and no more lines.
  double scattered_lines_of(double bytes) const {
    const MemoryLevel& nearest = binding_.device.memory->levels.front();
    const auto all = static_cast<double>(request_.sectors * nearest.sector_bytes);
    const double scattered =
        static_cast<double>(request_.lines) - std::ceil(all / static_cast<double>(nearest.line_bytes));
    return std::max(0.0, scattered) * std::min(1.0, bytes / all);
  }

  Ticks waits(std::size_t level) const {
    if (is_store_) return acknowledged_;
    return round_to_ticks(latency_of(binding_.device.memory->levels[level], binding_.device.clock));
  }

  const Binding& binding_;
  const Request& request_;
  const std::vector<Use>& uses_;
  const Sent& sent_;
  bool is_store_;
  Ticks acknowledged_;
};

/// @return Lambda of an execution served by a level
/// @param lambda  before rounding
Ticks completion_at(const MemoryLevel& level, const Binding& binding, const Request& request, double lambda) {
  if (binding.instruction.completion_latency) return round_to_ticks(*binding.instruction.completion_latency);
  const Op& op = binding.op;
  double completion = latency_at(op.completion, binding.resident_warps).count;
  completion += static_cast<double>(request.conflict_degree.value_or(1) - 1) *
                op.per_conflict.value_or(Increment{}).completion.count;
  const double least = latency_at(op.issue, binding.resident_warps).count;
  const double cycles = latency_of(level, binding.device.clock).count + completion + (lambda - least);
  return round_to_ticks(Cycles{std::max(cycles, 0.0)});
}

/// A store is acknowledged after the same time wherever it goes, and goes through all levels each time.
void bind_store(const Binding& binding, const Stages& stages, BoundInstruction& result) {
  const auto acknowledged = binding.device.memory->store_latency;
  result.completion = result.issue;
  if (acknowledged) result.completion = round_to_ticks(Cycles{acknowledged->count * binding.device.clock.count});
  result.then = stages.to(binding.device.memory->levels.size() - 1);
}

void bind_load(const Binding& binding, const Request& request, const std::vector<Use>& uses, const Stages& stages,
               double lambda, BoundInstruction& result) {
  const auto& levels = binding.device.memory->levels;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (uses[i].positions > 0)
      result.services.push_back(
          {i, uses[i].positions, completion_at(levels[i], binding, request, lambda), stages.to(i)});
  result.completion = result.services.front().completion;
}

}  // namespace

BoundInstruction bind_to_levels(const Binding& binding, const MemoryOp& access) {
  const Request request = request_of(binding, access);
  const bool is_store = access.kind == AccessKind::Store || binding.op.retires_at_issue;
  BoundInstruction result;
  result.pipeline = binding.op.pipeline;
  result.conflict_degree = request.conflict_degree.value_or(1);
  result.transactions = request.sectors;
  result.lines = request.lines;
  placed(place(binding.instruction), [&] {
    const std::vector<Use> uses = uses_of(binding, access, request);
    const Sent sent = sent_by(access, request, uses, *binding.device.memory);
    const double lambda = issue_cycles(binding, access, request, sent);
    result.issue = round_to_ticks(Cycles{std::max(lambda, 0.0)});
    const Stages stages(binding, request, uses, sent, is_store);
    if (is_store)
      bind_store(binding, stages, result);
    else
      bind_load(binding, request, uses, stages, lambda, result);
  });
  return result;
}

}  // namespace warpipe::detail
