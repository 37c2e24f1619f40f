#include "warpipe/latency_tables/device.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/memory_op.hpp"
#include "warpipe/latency_tables/special_forms.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <iterator>

namespace warpipe {
namespace {

constexpr std::array kSourceKinds{"measured",  "documented", "published", "simulator", "derived",
                                  "estimated", "fitted",     "carried",   "given"};

}  // namespace

std::string to_string(LevelScope scope) {
  constexpr std::array kNames{"compute_unit", "die", "device"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::string to_string(WritePolicy policy) { return policy == WritePolicy::Through ? "through" : "back"; }

std::string to_string(SourceKind kind) { return kSourceKinds[static_cast<std::size_t>(kind)]; }

Cycles latency_at(const Latency& latency, std::int64_t resident_warps) {
  const auto& points = latency.points;
  assert(!points.empty());
  const auto right = std::ranges::upper_bound(points, resident_warps, {}, &std::pair<std::int64_t, double>::first);
  if (right == points.begin()) return Cycles{points.front().second};
  if (right == points.end()) return Cycles{points.back().second};
  const auto [x0, y0] = *std::prev(right);
  const auto [x1, y1] = *right;
  return Cycles{y0 + (y1 - y0) * static_cast<double>(resident_warps - x0) / static_cast<double>(x1 - x0)};
}

Cycles latency_of(const MemoryLevel& level, Hertz clock) {
  return level.scope == LevelScope::ComputeUnit ? level.latency : Cycles{level.latency_s.count * clock.count};
}

bool has_levels(const Device& device) { return device.memory && !device.memory->levels.empty(); }

std::optional<BytesPerSecond> bandwidth_of(const Device& device) {
  if (!device.memory) return std::nullopt;
  const Memory& memory = *device.memory;
  return memory.levels.empty() ? memory.bandwidth : memory.levels.back().read_rate;
}

void set_clock(Device& device, Hertz clock) {
  const double factor = clock.count / device.clock.count;
  const auto is_shared = [&](std::size_t pipeline) { return device.pipelines[pipeline].scope == Scope::Device; };
  const auto scale = [&](Latency& latency) {
    for (auto& [residents, cycles] : latency.points) cycles *= factor;
  };
  const auto scale_more = [&](std::optional<Cycles>& cycles) {
    if (cycles) cycles->count *= factor;
  };
  for (Op& op : device.ops) {
    if (is_shared(op.pipeline)) {
      scale(op.issue);
      for (std::optional<Increment>* increment : {&op.per_conflict, &op.per_transaction})
        if (*increment) (*increment)->issue.count *= factor;
    }
    for (Then& then : op.then) {
      if (!is_shared(then.pipeline)) continue;
      scale(then.issue);
      scale_more(then.per_conflict);
      scale_more(then.per_transaction);
      scale_more(then.per_turn);
    }
  }
  for (Pipeline& pipeline : device.pipelines)
    if (pipeline.scope == Scope::Device) scale_more(pipeline.backlog);
  device.clock = clock;
}

Hertz clock_in(const Device& device, const Kernel& kernel) {
  Hertz most = device.clock;
  const auto is_limit = [](const Pipeline& pipeline) { return pipeline.clock.has_value(); };
  if (std::ranges::none_of(device.pipelines, is_limit)) return most;  // searches ask for each run
  const auto limit = [&](std::size_t pipeline) {
    if (const auto& clock = device.pipelines[pipeline].clock) most = std::min(most, *clock);
  };
  for (const Instruction& instruction : kernel.instructions) {
    const Op* const op = device.find_op(instruction.op);
    if (op == nullptr) continue;
    limit(op->pipeline);
    for (const Then& then : op->then) limit(then.pipeline);
  }
  return most;
}

std::size_t first_shared_level(const std::vector<MemoryLevel>& levels) {
  const auto first =
      std::ranges::find_if(levels, [](const MemoryLevel& level) { return level.scope != LevelScope::ComputeUnit; });
  return static_cast<std::size_t>(first - levels.begin());
}

void add_level_pipelines(Device& device) {
  if (!device.memory) return;
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].scope != LevelScope::ComputeUnit && levels[i].read_rate)
      device.pipelines.push_back({levels[i].name, Scope::Device, std::nullopt, i});
}

std::int64_t further_ways(const Op& op, std::int64_t degree) { return std::max<std::int64_t>(degree - op.ways, 0); }

bool takes_conflict_degree(const Op& op) {
  return op.per_conflict ||
         std::ranges::any_of(op.then, [](const Then& then) { return then.per_conflict.has_value(); });
}

bool takes_transactions(const Op& op) {
  return op.per_transaction ||
         std::ranges::any_of(op.then, [](const Then& then) { return then.per_transaction.has_value(); });
}

namespace {

constexpr std::array<SpecialForm, 10> kSpecialForms{{{"imad.wide", "imad"},
                                                     {"ffma.constant", "ffma"},
                                                     {"convert.64", "convert"},
                                                     {"constant.load.uniform", "constant.load"},
                                                     {"global.atomic.float", "global.atomic"},
                                                     {"shuffle.match", "shuffle"},
                                                     {"shuffle.reduce", "shuffle"},
                                                     {"compare.guard", "compare"},
                                                     {"branch.back", "branch"},
                                                     {"branch.taken", "branch"}}};

}  // namespace

std::span<const SpecialForm> special_forms() { return kSpecialForms; }

const Op* Device::find_op(std::string_view op_name) const {
  const auto found = std::ranges::find(ops, op_name, &Op::name);
  if (found != ops.end()) return &*found;
  if (const auto special = std::ranges::find(kSpecialForms, op_name, &SpecialForm::op); special != kSpecialForms.end())
    return find_op(special->row);
  const auto access = memory_op(op_name, *this);
  return access && access->row != op_name ? find_op(access->row) : nullptr;
}

}  // namespace warpipe
