#include "finding_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "executions.hpp"
#include "lines_of_launch.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

using Accessed = std::vector<std::pair<std::size_t, AccessPattern>>;

constexpr double kNotAgain = 1.25;  // times the bytes reached by accesses: no access comes to the same bytes again

/// The loops around each instruction, outermost first.
class LoopsAround {
 public:
  explicit LoopsAround(const Kernel& kernel) : of_(kernel.instructions.size()) { visit(kernel.body); }
  const std::vector<const Loop*>& of(std::size_t instruction) const { return of_[instruction]; }

 private:
  void visit(const std::vector<Item>& body) {
    for (const auto& item : body) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) of_[*index] = around_;
      if (const auto* when = std::get_if<When>(&item.node)) visit(when->body);
      const auto* loop = std::get_if<Loop>(&item.node);
      if (loop == nullptr) continue;
      around_.push_back(loop);
      visit(loop->body);
      around_.pop_back();
    }
  }

  std::vector<std::vector<const Loop*>> of_;
  std::vector<const Loop*> around_;
};

/// Bytes of an array: asked for by lanes, and held by the sectors of first touches.
struct Asked {
  double bytes = 0, reached = 0;
};

class Neighbours {
 public:
  Neighbours(const LoweredLaunch& launch, const std::vector<std::size_t>& instructions, const MemoryTraffic& traffic)
      : launch_(launch), loops_(launch.kernel), asked_(launch.kernel.arrays.size()) {
    for_each_execution(launch, launch.program, [&](std::size_t index, double count, const Values& values) {
      const auto& instruction = launch.kernel.instructions[index];
      if (std::ranges::find(instructions, index) == instructions.end()) return;
      const auto width = instruction.access->width_bytes.evaluate_whole(values, 1);
      bytes_[index] += count * static_cast<double>(launch.device.warp_size * width);
    });
    for (const auto& [index, bytes] : bytes_)
      if (const auto array = array_of(launch.kernel.instructions[index])) asked_[*array].bytes += bytes;
    for (const auto& access : traffic.accesses) {
      const auto found = std::ranges::find(launch.kernel.instructions, access.id, &Instruction::id);
      if (const auto array = array_of(*found)) asked_[*array].reached += access.compulsory_bytes.value_or(0);
    }
  }

  std::optional<Accessed> patterns() const {
    Accessed patterns;
    std::map<std::size_t, double> begins;
    for (const auto& [index, bytes] : bytes_) {
      const auto& instruction = launch_.kernel.instructions[index];
      const auto array = array_of(instruction);
      if (!array || launch_.kernel.arrays[*array].thread_private) return std::nullopt;
      auto changed = *instruction.access;
      changed.lanes = AccessPattern::Addressed{*array, address(index, asked_[*array], begins[*array])};
      begins[*array] += bytes;
      patterns.emplace_back(index, std::move(changed));
    }
    return patterns;
  }

 private:
  /// By execution, then by warp of the launch, then by lane.
  Expression address(std::size_t index, const Asked& asked, double begin) const {
    const auto warps = launch_.launch.warps_per_group;
    std::string execution = "0";
    std::vector<std::string> names{"group", "warp", "lane"};
    for (const auto* loop : loops_.of(index)) {
      execution = fmt::format("({}) * ({}) + {}", execution, loop->trip_count.text(), loop->name);
      names.push_back(loop->name);
      std::ranges::copy(loop->trip_count.names(), std::back_inserter(names));
    }
    const auto width = launch_.kernel.instructions[index].access->width_bytes;
    std::ranges::copy(width.names(), std::back_inserter(names));
    auto text = fmt::format("{} + ((({}) * {} + group * {} + warp) * {} + lane) * ({})", begin, execution,
                            warps * launch_.launch.groups.value, warps, launch_.device.warp_size, width.text());
    if (asked.reached > 0 && asked.bytes > kNotAgain * asked.reached)
      text = fmt::format("mod({}, {})", text, std::ceil(asked.reached));
    return Expression::parse(text, names);
  }

  const LoweredLaunch& launch_;
  LoopsAround loops_;
  std::vector<Asked> asked_;             ///< by array
  std::map<std::size_t, double> bytes_;  ///< asked for by lanes, by instruction
};

/// "dfma" as "ffma"; empty for any other op.
std::string_view as_float(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOps{
      {{"dadd", "fadd"}, {"dmul", "fmul"}, {"dfma", "ffma"}, {"ddiv", "fdiv"}, {"dsqrt", "sqrt"}}};
  const auto found = std::ranges::find(kOps, op, &std::pair<std::string_view, std::string_view>::first);
  return found == kOps.end() ? std::string_view() : found->second;
}

void shorten(std::vector<Item>& body, const std::set<std::string>& loops, double share) {
  for (auto& item : body) {
    if (auto* when = std::get_if<When>(&item.node)) shorten(when->body, loops, share);
    auto* loop = std::get_if<Loop>(&item.node);
    if (loop == nullptr) continue;
    if (!loops.contains(loop->name)) {
      shorten(loop->body, loops, share);
      continue;
    }
    loop->trip_count =
        Expression::parse(fmt::format("ceil(({}) * {})", loop->trip_count.text(), share), loop->trip_count.names());
  }
}

/// The results that need an instruction's own result, directly or through further results.
class Followers {
 public:
  explicit Followers(const Kernel& kernel) : of_(kernel.instructions.size()) {
    for (std::size_t i = 0; i < of_.size(); ++i)
      for (const auto& dependence : kernel.instructions[i].after) of_[dependence.producer].push_back(i);
  }

  bool need_itself(std::size_t instruction) const {
    std::vector<bool> seen(of_.size());
    std::vector<std::size_t> open = of_[instruction];
    while (!open.empty()) {
      const auto next = open.back();
      open.pop_back();
      if (next == instruction) return true;
      if (seen[next]) continue;
      seen[next] = true;
      std::ranges::copy(of_[next], std::back_inserter(open));
    }
    return false;
  }

 private:
  std::vector<std::vector<std::size_t>> of_;
};

}  // namespace

std::function<void(Kernel&)> as_neighbours(const LoweredLaunch& launch, const std::vector<std::size_t>& instructions,
                                           const MemoryTraffic& traffic) {
  auto patterns = Neighbours(launch, instructions, traffic).patterns();
  if (!patterns) return {};
  return [patterns = std::move(*patterns)](Kernel& kernel) {
    for (const auto& [index, pattern] : patterns) {
      auto& instruction = kernel.instructions[index];
      instruction.access = pattern;
      instruction.conflict_degree.reset();
      instruction.transactions.reset();
      instruction.lines.reset();
      instruction.turns.reset();
      instruction.levels.clear();
    }
  };
}

std::function<void(Kernel&)> in_floats(const Kernel& kernel) {
  std::set<std::string> places;
  for (const auto& instruction : kernel.instructions)
    if (!as_float(instruction.op).empty()) places.insert(place_of(instruction));
  return [places = std::move(places)](Kernel& changed) {
    for (auto& instruction : changed.instructions) {
      if (const auto op = as_float(instruction.op); !op.empty()) instruction.op = op;
      if (!instruction.op.starts_with("convert") || !places.contains(place_of(instruction))) continue;
      instruction.op = "fadd";  // a place in the graph without time
      instruction.issue_latency = instruction.completion_latency = Cycles{0};
    }
  };
}

std::function<void(Kernel&)> with_fewer_trips(const Kernel& kernel, const std::vector<std::size_t>& instructions,
                                              double share) {
  const LoopsAround around(kernel);
  std::set<std::string> loops;
  for (const auto index : instructions) {
    if (around.of(index).empty()) return {};
    loops.insert(around.of(index).front()->name);
  }
  return [loops = std::move(loops), share](Kernel& changed) { shorten(changed.body, loops, share); };
}

std::function<void(Kernel&)> with_loads_ahead(const Kernel& kernel, const std::vector<std::size_t>& loads,
                                              std::int64_t trips) {
  const LoopsAround around(kernel);
  const Followers followers(kernel);
  std::set<std::pair<std::size_t, std::size_t>> moved;  // consumer, producer
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
    for (const auto& dependence : kernel.instructions[i].after) {
      const auto load = dependence.producer;
      const bool is_asked = std::ranges::find(loads, load) != loads.end() && !around.of(load).empty();
      if (is_asked && around.of(load) == around.of(i) && !followers.need_itself(load)) moved.emplace(i, load);
    }
  if (moved.empty()) return {};
  return [moved = std::move(moved), trips](Kernel& changed) {
    for (const auto& [consumer, producer] : moved)
      for (auto& dependence : changed.instructions[consumer].after)
        if (dependence.producer == producer)
          dependence.back =
              Expression::parse(fmt::format("({}) + {}", dependence.back.text(), trips), dependence.back.names());
  };
}

}  // namespace warpipe
