#include "what_if_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/latency_tables/memory_op.hpp"
#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/predict/launch_work.hpp"

namespace warpipe {
namespace {

Candidate possible(std::string name, std::vector<std::string> options, std::string needs, Edit edit) {
  Candidate candidate;
  candidate.change.name = std::move(name);
  candidate.change.options = std::move(options);
  candidate.change.needs = std::move(needs);
  candidate.edit = std::move(edit);
  return candidate;
}

Candidate impossible(std::string name, std::string why_not) {
  Candidate candidate;
  candidate.change.name = std::move(name);
  candidate.change.why_not = std::move(why_not);
  return candidate;
}

/// Marks a candidate as visible to the caches.
Candidate moving_levels(Candidate candidate) {
  candidate.moves_levels = true;
  return candidate;
}

/// Another number of resident groups.
Candidate with_groups(std::string name, std::int64_t groups, bool above_limits, std::string needs) {
  std::vector<std::string> options{"concurrent_groups", fmt::format("{}", groups)};
  if (above_limits) options.emplace_back("ignore_limits");
  const auto edit = [groups, above_limits](WhatIfModel& model) {
    model.options.concurrent_groups = groups;
    model.options.ignore_limits = model.options.ignore_limits || above_limits;
  };
  return moving_levels(possible(std::move(name), std::move(options), std::move(needs), edit));
}

std::string all_resident(const Launch& launch) {
  return fmt::format("no effect until the launch has more than {} group{} per unit", launch.groups_per_unit,
                     launch.groups_per_unit == 1 ? "" : "s");
}

Candidate one_fewer(const Launch& launch) {
  const std::string name = "one fewer resident group";
  if (launch.slots == 1) return impossible(name, "only one group is resident");
  return with_groups(name, launch.slots - 1, launch.limits_ignored, "");
}

Candidate one_more(const Launch& launch, const Occupancy& allowed) {
  const std::string name = "one more resident group";
  const std::int64_t groups = launch.concurrent_groups.value + 1;
  if (launch.groups_per_unit < groups) return impossible(name, all_resident(launch));
  if (allowed.groups && groups > *allowed.groups && !launch.limits_ignored)
    return impossible(name, "the occupancy is at its limit: see the next occupancy step");
  return with_groups(name, groups, launch.limits_ignored, "");
}

/// "at most 80 registers per thread (now 96)".
std::string shrunk(const LimitBound& bound, const Launch& launch) {
  const bool registers = bound.limit == OccupancyLimit::Registers;
  return fmt::format("at most {} {} (now {})", *bound.next_step,
                     registers ? "registers per thread" : "bytes of shared memory per group",
                     registers ? launch.registers_per_thread : launch.shared_memory_per_group);
}

/// A group more than the unit holds now: its registers or shared memory must shrink. Warps per group are another
/// change, since smaller groups do other work.
Candidate next_step(const Launch& launch, const Occupancy& allowed) {
  const std::string name = "next occupancy step";
  if (!allowed.groups) return impossible(name, "no limit of the device binds");
  const std::int64_t groups = *allowed.groups + 1;
  if (launch.limits_ignored) return impossible(name, "the limits are ignored already");
  if (launch.groups_per_unit < groups) return impossible(name, all_resident(launch));
  std::vector<std::string> needs;
  for (const LimitBound& bound : allowed.bounds) {
    if (bound.groups != *allowed.groups) continue;
    const bool fixed = bound.limit == OccupancyLimit::Groups || bound.limit == OccupancyLimit::Warps;
    if (fixed || !bound.next_step)
      return impossible(name, fmt::format("the device's limit of {} holds {} groups of {} warps",
                                          to_string(bound.limit), *allowed.groups, launch.warps_per_group));
    needs.push_back(shrunk(bound, launch));
  }
  return with_groups(name, groups, true, fmt::format("{}", fmt::join(needs, ", ")));
}

/// Smaller groups, so one more group fits by the limit of warps; only where the kernel then has more of them.
Candidate smaller_groups(const WhatIfModel& model, const Launch& launch, const Occupancy& allowed) {
  const std::string name = "smaller groups, one more fits by warps";
  const auto bound = std::ranges::find(allowed.bounds, OccupancyLimit::Warps, &LimitBound::limit);
  if (bound == allowed.bounds.end() || bound->groups != allowed.groups)
    return impossible(name, "warps do not limit the resident groups");
  if (!bound->next_step) return impossible(name, "a group has one warp already");
  if (const std::string why = why_groups_stay(model.kernel, model.options); !why.empty())
    return impossible(name, why + ": smaller ones would do less work");
  if (launch.concurrent_groups.origin != Origin::Occupancy)
    return impossible(name,
                      fmt::format("the {} fixes the resident groups", to_string(launch.concurrent_groups.origin)));
  const std::int64_t size = *bound->next_step;
  return moving_levels(
      possible(name, {"group_size", fmt::format("{}", size)},
               fmt::format("a kernel that takes groups of {} threads (now {})", size, launch.group_size.value),
               [size](WhatIfModel& changed) { changed.options.group_size = size; }));
}

/// Visits each instruction as the first warp with each stream meets it: equal warps have one stream.
template <class Visit>
void visit_bound(const RunningModel& running, const Launch& launch, const Visit& visit) {
  const auto& kernel = running.model.kernel;
  for (const InstructionStream& stream : running.program.streams) {
    const Values values = body_values(kernel, launch.values, stream.first_kind, stream.first_warp);
    for (const std::uint32_t index : stream.instructions)
      visit(index,
            bind_latencies(kernel.instructions[index], running.model.device, values, running.resident_warps,
                           launch.shape),
            values);
  }
}

/// The fewest transactions of an instruction: the transactions covered by the op's latencies, but no fewer than the
/// bytes of neighbouring lanes need.
std::int64_t coalesced(const Instruction& instruction, const Op& op, const Device& device, const Values& values) {
  const std::int64_t least = takes_transactions(op) ? op.transactions : 1;
  if (!instruction.access || !device.memory ||
      std::holds_alternative<AccessPattern::Broadcast>(instruction.access->lanes))
    return least;
  return std::max(least, transactions_of_neighbours(*instruction.access, values, device));
}

using Factors = std::map<std::string, std::int64_t, std::less<>>;

/// The option that gives instructions a conflict degree or transactions.
std::vector<std::string> words(const char* key, const Factors& factors) {
  std::vector<std::string> result{"set"};
  for (const auto& [id, factor] : factors) result.push_back(fmt::format("{}.{}={}", id, key, factor));
  return result;
}

/// "another padding of arrays in shared memory: transpose.cu:36"; empty where no line is known.
std::string padded(const Kernel& kernel, const Factors& factors) {
  std::set<std::string> places;
  for (const Instruction& instruction : kernel.instructions)
    if (factors.contains(instruction.id) && place_of(instruction) != instruction.id)
      places.insert(place_of(instruction));
  return places.empty() ? "" : fmt::format("another padding of what is read or written in {}", fmt::join(places, ", "));
}

Candidate conflict_free(const RunningModel& running, const Launch& launch) {
  const std::string name = "conflict-free access";
  Factors factors;
  visit_bound(running, launch, [&](std::size_t index, const BoundInstruction& bound, const Values&) {
    if (bound.conflict_degree > 1) factors[running.model.kernel.instructions[index].id] = 1;
  });
  if (factors.empty()) return impossible(name, "no access has bank conflicts");
  return possible(name, words("conflict_degree", factors), padded(running.model.kernel, factors),
                  [factors](WhatIfModel& model) {
                    for (const auto& [id, factor] : factors) model.options.conflict_degree.insert_or_assign(id, factor);
                  });
}

/// Neighbouring lanes reach neighbours: as few transactions as their bytes need, and none waits for another's line.
Candidate coalesced_access(const RunningModel& running, const Launch& launch) {
  const std::string name = "coalesced access";
  Factors fewest, free;
  visit_bound(running, launch, [&](std::size_t index, const BoundInstruction& bound, const Values& values) {
    const Instruction& instruction = running.model.kernel.instructions[index];
    const Device& device = running.model.device;
    const Op& op = *device.find_op(instruction.op);
    if (!takes_transactions(op) && !memory_op(instruction.op, device)) return;
    const std::int64_t least = coalesced(instruction, op, device, values);
    if (bound.transactions <= least) return;
    fewest[instruction.id] = least;
    if (bound.conflict_degree > 1) free[instruction.id] = 1;
  });
  if (fewest.empty()) return impossible(name, "no access has more transactions than a coalesced one");
  auto options = words("transactions", fewest);
  if (!free.empty()) {
    const auto more = words("conflict_degree", free);
    options.insert(options.end(), std::next(more.begin()), more.end());  // without a second "set"
  }
  return moving_levels(possible(name, std::move(options), "", [fewest, free](WhatIfModel& model) {
    for (const auto& [id, factor] : fewest) model.options.transactions.insert_or_assign(id, factor);
    for (const auto& [id, factor] : free) model.options.conflict_degree.insert_or_assign(id, factor);
  }));
}

void make_perfect(const std::set<std::string>& ops, WhatIfModel& model) {
  for (Op& op : model.device.ops) {
    if (!ops.contains(op.name)) continue;
    op.completion = Latency{{{1, 0.0}}};
    if (op.per_conflict) op.per_conflict->completion = Cycles{0};
    if (op.per_transaction) op.per_transaction->completion = Cycles{0};
    for (Then& then : op.then) then = Then{then.pipeline, Latency{{{1, 0.0}}}, then.after, {}, {}};
  }
  for (Instruction& instruction : model.kernel.instructions)
    if (ops.contains(instruction.op)) instruction.completion_latency.reset();
}

/// Whether `set` makes all of the op perfect.
bool is_perfected_by_options(const Op& op, const Kernel& kernel) {
  const auto adds = [](const std::optional<Increment>& increment) {
    return increment && increment->completion.count > 0;
  };
  return op.then.empty() && !adds(op.per_conflict) && !adds(op.per_transaction) &&
         std::ranges::none_of(kernel.instructions, [&](const Instruction& instruction) {
           return instruction.op == op.name && instruction.completion_latency;
         });
}

/// A memory with immediate results and no limit of bandwidth behind the unit; the lambdas of its accesses on the unit
/// stay.
Candidate perfect_memory(const RunningModel& running, OpClass memory, const std::string& kind) {
  const std::string name = fmt::format("perfect {} memory", kind);
  const auto& [kernel, device, options] = running.model;
  std::set<std::string> ops;
  bool by_options = true;
  std::vector<std::string> set{"set"};
  for (const std::size_t index : instructions_that_run(running.program)) {
    const Op& op = *device.find_op(kernel.instructions[index].op);
    if (op.barrier || class_of(op.name) != memory || !ops.insert(op.name).second) continue;
    by_options = by_options && is_perfected_by_options(op, kernel);
    set.push_back(op.name + ".completion=0");
  }
  if (ops.empty()) return impossible(name, fmt::format("nothing accesses {} memory", kind));
  const bool of_levels = memory == OpClass::GlobalMemory && has_levels(device);
  by_options = by_options && !of_levels;
  const std::string needs =
      by_options ? "" : fmt::format("a device on which {} complete at once", fmt::join(ops, ", "));
  return possible(name, by_options ? set : std::vector<std::string>(), needs, [ops, of_levels](WhatIfModel& model) {
    make_perfect(ops, model);
    if (!of_levels) return;
    remove_level_latencies(model.device);
    std::ranges::for_each(model.device.memory->levels, remove_level_rate);
  });
}

/// Whether the caches serve a running instruction: by its addresses, not by shares stated in the kernel.
bool is_cached(const RunningModel& running) {
  return std::ranges::any_of(instructions_that_run(running.program), [&](std::size_t index) {
    const Instruction& instruction = running.model.kernel.instructions[index];
    return has_addresses(instruction) && instruction.levels.empty();
  });
}

Candidate with_cache_of(const MemoryLevel& level, std::size_t index, const char* size, std::int64_t bytes) {
  Candidate candidate =
      possible(fmt::format("{} of {} the size", level.name, size),
               {"set", fmt::format("memory/levels/{}/bytes={}", level.name, bytes)}, "",
               [index, bytes](WhatIfModel& model) { model.device.memory->levels[index].bytes = bytes; });
  candidate.why_no_effect = "it serves the same accesses";
  return moving_levels(std::move(candidate));
}

/// Each cache twice and half as large.
std::vector<Candidate> other_caches(const RunningModel& running) {
  const std::string name = "caches of another size";
  const Device& device = running.model.device;
  if (!has_levels(device)) return {impossible(name, "the device has no caches")};
  if (!is_cached(running)) return {impossible(name, "no access says its addresses")};
  std::vector<Candidate> list;
  for (std::size_t i = 0; i < device.memory->levels.size(); ++i) {
    const MemoryLevel& level = device.memory->levels[i];
    if (!level.bytes) continue;
    list.push_back(with_cache_of(level, i, "twice", 2 * *level.bytes));
    list.push_back(with_cache_of(level, i, "half", *level.bytes / 2));
  }
  return list;
}

/// A change of the source, beyond the reach of options: an estimate.
Candidate of_author(const SourceChange& of_source) {
  const auto edit = [change = of_source.change](WhatIfModel& model) {
    if (change.edit) change.edit(model.kernel);
    for (const auto& [id, count] : change.options.transactions) model.options.transactions.insert_or_assign(id, count);
    for (const auto& [id, ways] : change.options.conflict_degree)
      model.options.conflict_degree.insert_or_assign(id, ways);
    if (change.options.set_device.size() > 0) {
      LaunchOptions only;
      only.set_device = {change.options.set_device.back()};
      model.device = with_options(std::move(model.device), only);
    }
    model.options.concurrent_groups = change.options.concurrent_groups;
    model.options.ignore_limits = change.options.ignore_limits;
  };
  auto candidate = moving_levels(possible(of_source.name, {}, of_source.where, edit));
  candidate.change.part = ChangePart::Source;
  return candidate;
}

Candidate other_policy(Policy policy) {
  return possible("policy " + to_string(policy), {"policy", to_string(policy)}, "",
                  [policy](WhatIfModel& model) { model.options.policy = policy; });
}

}  // namespace

std::vector<Candidate> candidates(const RunningModel& running, const Launch& launch,
                                  const std::vector<SourceChange>& of_source) {
  const Device& device = running.model.device;
  const Occupancy allowed =
      occupancy({launch.group_size.value, launch.registers_per_thread, launch.shared_memory_per_group}, device.limits,
                device.warp_size);
  std::vector<Candidate> list;
  const auto add = [&](ChangePart part, Candidate candidate) {
    candidate.change.part = part;
    list.push_back(std::move(candidate));
  };
  add(ChangePart::Source, conflict_free(running, launch));
  add(ChangePart::Source, coalesced_access(running, launch));
  for (const SourceChange& change : of_source) {
    auto& coalesced = list[1];
    if (change.name != coalesced.change.name)
      add(ChangePart::Source, of_author(change));
    else if (coalesced.edit && !change.change.edit)
      coalesced.change.needs = change.where;
    else  // with other addresses, as the sentence of `simulate` has it
      coalesced = of_author(change);
  }
  add(ChangePart::Source, next_step(launch, allowed));
  add(ChangePart::Launch, one_more(launch, allowed));
  add(ChangePart::Launch, one_fewer(launch));
  add(ChangePart::Launch, smaller_groups(running.model, launch, allowed));
  add(ChangePart::Device, perfect_memory(running, OpClass::GlobalMemory, "global"));
  add(ChangePart::Device, perfect_memory(running, OpClass::SharedMemory, "shared"));
  for (auto& candidate : other_caches(running)) add(ChangePart::Device, std::move(candidate));
  for (const PolicyRow& row : kPolicies)
    if (row.policy != policy_of(running.model.kernel, device)) add(ChangePart::Device, other_policy(row.policy));
  return list;
}

}  // namespace warpipe
