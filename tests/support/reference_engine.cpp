#include "support/reference_engine.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "support/reference_kinds.hpp"
#include "support/reference_levels.hpp"
#include "support/reference_state.hpp"
#include "support/reference_times.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::reference {
namespace {

// Rule 8: a launch writes "where a warp issues an instruction of an op `global.store...` or `global.atomic...`".
bool writes_global_memory(const std::string& op) {
  return op.starts_with("global.store") || op.starts_with("global.atomic");
}

class Simulation {
 public:
  Simulation(const Kernel& kernel, const Device& device, const Launch& launch);
  Outcome run();

 private:
  std::optional<Placement> next_placement() const;
  void place(const Placement& placement);

  std::optional<Issue> next_issue();
  std::int64_t policy_key(const Place& place);
  Ticks earliest_issue(const Place& place);
  void issue(const Issue& issue);
  const Service* next_service(const Bound& bound, const Place& place, std::size_t instruction);
  Ticks ticks_of(Seconds time) const { return round_to_ticks(Cycles{time.count * device_.clock.count}); }
  Ticks go_through(const std::vector<Stage>& stages, Ticks issue_time, const Place& place);
  Ticks wait_in_queue(const Stage& stage, Ticks arrival, Instance& further);
  Ticks wait_at_level(const Stage& stage, Ticks idle, Ticks arrival, Instance& level);

  void fetch(Warp& warp);
  Ticks ready_time(const Warp& warp);
  std::optional<Ticks> phase_awaited(const Group& group, const Warp& warp) const;
  std::optional<Ticks> ready_with_signal(const Place& place);
  void open_barrier_if_all_wait(Group& group);
  void free_slot_if_ended(Slot& slot);

  const Bound& bound(const Warp& warp, std::size_t instruction);
  std::int64_t index_of(const Place& place) const;
  std::size_t scheduler_of(const Place& place) const;
  Instance& instance(std::size_t pipeline, const Place& place);
  Warp& warp_at(const Place& place) { return units_[place.unit].slots[place.slot].group->warps[place.warp]; }

  const Kernel& kernel_;
  const Device& device_;
  const Launch launch_;
  const std::int64_t warps_per_group_;
  const std::int64_t slots_;
  const Share share_;                      // of a device pipeline
  const std::vector<std::int64_t> kinds_;  // of the placed groups, in this order
  std::int64_t placed_groups_ = 0;
  std::optional<Ticks> previous_placement_;
  Ticks last_end_;  // of a group
  bool has_written_ = false;
  std::vector<Unit> units_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Instance> instances_;  // pipeline, unit, scheduler
  std::map<std::tuple<std::int64_t, std::int64_t, std::size_t>, Bound> bound_;       // kind, warp index, instruction
  Outcome outcome_;
};

Simulation::Simulation(const Kernel& kernel, const Device& device, const Launch& launch)
    : kernel_(kernel),
      device_(device),
      launch_(launch),
      warps_per_group_(warps_per_group(device, launch)),
      slots_(slots(device, launch)),
      share_(share(device, launch)),
      // Rule 8: N groups on one unit stand for the device, or all units take Ntotal groups.
      kinds_(kinds_simulated(kernel, device, launch)) {
  Unit unit;
  Slot slot;
  slot.free = ticks_of(device.launch_begin);  // "At *begin* all group slots are free."
  unit.slots.resize(static_cast<std::size_t>(slots_), slot);
  unit.schedulers.resize(static_cast<std::size_t>(device.schedulers.value_or(1)));
  units_.assign(launch.mode == Mode::OneUnit ? 1 : static_cast<std::size_t>(device.compute_units), unit);
}

Outcome Simulation::run() {
  while (true) {
    const auto placement = next_placement();
    const auto next = next_issue();
    // "Placement at time t comes before any issue at t."
    if (placement && (!next || placement->time <= next->time)) {
      place(*placement);
    } else if (next) {
      issue(*next);
    } else {
      break;
    }
  }
  // Rule 7: "It is an error if no warp of the device can issue any more, and no group can be placed, while warps wait
  // for signals."
  for (const Unit& unit : units_)
    for (const Slot& slot : unit.slots)
      if (slot.group) throw ModelError(Diagnostic{"reference", "warps wait for signals that never come", "", ""});
  // Rule 8: "the latest of the groups' ends, *end* later where the launch writes".
  outcome_.cycles = std::max(outcome_.cycles, last_end_ + (has_written_ ? ticks_of(device_.launch_end) : Ticks{}));
  for (const auto& [key, instance] : instances_) outcome_.instances.push_back(instance.use);
  return std::move(outcome_);
}

// Rule 8: "Free slots take groups in order of (time free, slot, unit), among those known to be free when the placement
// is made; a group is placed at the later of the time its slot is free and the time of the previous placement on the
// device + `group_dispatch_interval`", of which one unit for all takes its fair share.
std::optional<Placement> Simulation::next_placement() const {
  if (placed_groups_ == static_cast<std::int64_t>(kinds_.size())) return {};
  std::optional<std::tuple<Ticks, std::size_t, std::size_t>> first;
  for (std::size_t u = 0; u < units_.size(); ++u)
    for (std::size_t s = 0; s < units_[u].slots.size(); ++s) {
      const Slot& slot = units_[u].slots[s];
      if (slot.group) continue;
      const auto order = std::tuple(slot.free, s, u);
      if (!first || order < *first) first = order;
    }
  if (!first) return {};
  const auto& [free, slot, unit] = *first;
  const Ticks interval = fair_share(round_to_ticks(device_.group_dispatch_interval), share_);
  const Ticks time = previous_placement_ ? std::max(free, *previous_placement_ + interval) : free;
  return Placement{time, {unit, slot, 0}};
}

void Simulation::place(const Placement& placement) {
  Slot& slot = units_[placement.place.unit].slots[placement.place.slot];
  const std::int64_t kind = kinds_[static_cast<std::size_t>(placed_groups_)];
  slot.group = Group{launch_.first_age + placed_groups_++, {}, {}, {}};
  previous_placement_ = placement.time;
  for (std::int64_t w = 0; w < warps_per_group_; ++w) {
    InstructionStream stream(kernel_, body_values(kernel_, device_, launch_, kind, w));
    InstructionStream all = stream;
    while (const auto instruction = all.next())
      if (const auto signal = kernel_.instructions[*instruction].arrives) ++slot.group->executions_to_come[*signal];
    Warp warp{w, kind, std::move(stream), {}, {}, placement.time, {}, {}, {}, {}, placement.time, {}};
    fetch(warp);
    slot.group->warps.push_back(std::move(warp));
  }
  free_slot_if_ended(slot);
}

// Rule 6: "of all warps' next instructions take the one with the smallest (e, policy key, age, warp)".
std::optional<Issue> Simulation::next_issue() {
  std::optional<Issue> best;
  std::tuple<Ticks, std::int64_t, std::int64_t, std::int64_t> best_order;
  for (std::size_t u = 0; u < units_.size(); ++u)
    for (std::size_t s = 0; s < units_[u].slots.size(); ++s) {
      if (!units_[u].slots[s].group) continue;
      const Group& group = *units_[u].slots[s].group;
      for (std::size_t w = 0; w < group.warps.size(); ++w) {
        if (!group.warps[w].next) continue;
        const Place place{u, s, w};
        // Rule 7: "It has no ready time until all arrivals of that phase have issued".
        if (!ready_with_signal(place)) continue;
        const Ticks time = earliest_issue(place);
        const auto order = std::tuple(time, policy_key(place), group.age, group.warps[w].index);
        if (best && !(order < best_order)) continue;
        best = Issue{time, place};
        best_order = order;
      }
    }
  return best;
}

std::int64_t Simulation::policy_key(const Place& place) {
  const Unit& unit = units_[place.unit];
  const Group& group = *unit.slots[place.slot].group;
  const Warp& warp = group.warps[place.warp];
  // "Where a unit has no schedulers, the unit keeps the last warp."
  const Last& last = unit.schedulers[scheduler_of(place)].last;
  const std::int64_t all = slots_ * warps_per_group_;
  switch (launch_.policy) {
    case Policy::FirstReady:
      return ready_with_signal(place)->count;
    case Policy::Oldest:
      return 0;
    case Policy::GreedyOldest:  // "a new group's warps are new warps"
      return last.age == group.age && last.warp == warp.index ? 0 : 1;
    case Policy::RoundRobin:  // the sum is >= 0, because the last index is < all
      return (index_of(place) - last.index - 1 + all) % all;
  }
  return 0;
}

// Rule 5: "Its earliest issue time e is the latest of r, the time its pipeline is free, the time its scheduler is
// free, and, for each entry of `then` whose pipeline has a `backlog` b, (the time that pipeline is free) - b - the
// entry's `after`".
Ticks Simulation::earliest_issue(const Place& place) {
  const Warp& warp = warp_at(place);
  const Bound& next = bound(warp, *warp.next);
  Ticks e = std::max(*ready_with_signal(place), instance(next.pipeline, place).free);
  if (device_.schedulers) e = std::max(e, units_[place.unit].schedulers[scheduler_of(place)].free);
  for (const Stage& stage : next.then)
    if (const auto& backlog = device_.pipelines[stage.pipeline].backlog)
      e = std::max(e, instance(stage.pipeline, place).free - round_to_ticks(*backlog) - stage.after);
  return e;
}

// Rule 5: "Then its pipeline is free again at e + lambda, its scheduler at e + (`interval` x the op's `issue_slots`,
// rounded once), and its result is complete at e + Lambda + D."
void Simulation::issue(const Issue& issue) {
  const Place& place = issue.place;
  Slot& slot = units_[place.unit].slots[place.slot];
  Warp& warp = warp_at(place);
  const std::size_t instruction = *warp.next;
  const Bound& now = bound(warp, instruction);

  Instance& own = instance(now.pipeline, place);
  own.free = issue.time + now.issue;
  own.use.busy = own.use.busy + now.issue;
  // Rule 5: "it has the Lambda of that level and goes through its stages".
  const Service* service = next_service(now, place, instruction);
  const Ticks latency = service != nullptr ? service->completion : now.completion;
  own.use.completion_covers_issue &= latency >= now.issue;
  const Ticks waited = go_through(service != nullptr ? service->stages : now.then, issue.time, place);

  // Rule 6: "A barrier counts as an issue."
  Scheduler& scheduler = units_[place.unit].schedulers[scheduler_of(place)];
  scheduler.free = issue.time + now.scheduler_busy;
  scheduler.last = {index_of(place), slot.group->age, warp.index};
  warp.last_issue = issue.time;
  warp.stall = Ticks{now.stall * kTicksPerCycle};
  outcome_.timeline.push_back({issue.time, slot.group->age, warp.index, instruction});
  has_written_ = has_written_ || writes_global_memory(kernel_.instructions[instruction].op);
  const auto [arrives, awaits] =
      std::pair(kernel_.instructions[instruction].arrives, kernel_.instructions[instruction].awaits);
  if (awaits) ++warp.awaited[*awaits];

  if (now.barrier) {
    warp.barrier = instruction;
    warp.next.reset();
  } else {
    const Ticks completion = issue.time + latency + waited;
    warp.history[instruction].push_back({completion, now.completion});
    if (arrives) slot.group->arrivals[*arrives].push_back(completion);
    // Rule 7: "An instruction ends at its completion; one of an op with `retires_at: "issue"` ends at e + lambda."
    warp.end = std::max(warp.end, now.retires_at_issue ? issue.time + now.issue : completion);
    fetch(warp);
  }
  open_barrier_if_all_wait(*slot.group);
  free_slot_if_ended(slot);
}

// Rule 5: "The warp with index *w* of the group of age *a* has the number *a* x warps per group + *w*. Take (executions
// of this load by this warp before + that number) mod 64; its six binary digits in reverse order are a position, and
// the level with that position serves the execution."
const Service* Simulation::next_service(const Bound& bound, const Place& place, std::size_t instruction) {
  if (bound.services.empty()) return nullptr;
  const Group& group = *units_[place.unit].slots[place.slot].group;
  const Warp& warp = group.warps[place.warp];
  const auto before = warp.history.find(instruction);
  const auto i = before == warp.history.end() ? 0 : static_cast<std::int64_t>(before->second.size());
  const std::int64_t position = position_of(i, group.age * warps_per_group_ + warp.index);
  return &*std::find_if(bound.services.begin(), bound.services.end(),
                        [&](const Service& service) { return position <= service.last_position; });
}

// Rule 5: "D is the time it waits in further pipelines: for each entry of `then` in order, it arrives at e + `after` +
// (the D of the entries before)".
Ticks Simulation::go_through(const std::vector<Stage>& stages, Ticks issue_time, const Place& place) {
  Ticks waited;
  for (const Stage& stage : stages) {
    Instance& further = instance(stage.pipeline, place);
    const Ticks arrival = issue_time + stage.after + waited;
    const auto level = device_.pipelines[stage.pipeline].level;
    if (level) {
      const Seconds idle = device_.memory->levels[*level].latency_s;
      waited =
          waited + wait_at_level(stage, round_to_ticks(Cycles{idle.count * device_.clock.count}), arrival, further);
    } else {
      waited = waited + wait_in_queue(stage, arrival, further);
    }
    // Rule 8: the cycles are the latest of the groups' ends "and of (start + lambda) of every `then` entry".
    outcome_.cycles = std::max(outcome_.cycles, further.free);
  }
  return waited;
}

// Rule 5: the instruction "starts when that pipeline is free but not before it arrives, D grows by start - arrival, and
// the pipeline is free again at start + the entry's lambda."
Ticks Simulation::wait_in_queue(const Stage& stage, Ticks arrival, Instance& further) {
  const Ticks start = std::max(further.free, arrival);
  further.free = start + stage.issue;
  further.use.busy = further.use.busy + stage.issue;
  return start - arrival;
}

// Rule 5, the pipeline of a level.
Ticks Simulation::wait_at_level(const Stage& stage, Ticks idle, Ticks arrival, Instance& level) {
  const std::int64_t t = arrival.count, latency = idle.count;  // *idle*
  // "1. If *now* > *latest*, or nothing has arrived so far: let *window* = min(*now* - *latest*, *idle*), or *idle*
  // where nothing has arrived. *area* is the sum over the accesses in flight of *taken* x (*release* - (*now* -
  // *window*)), the second factor at least 0 and at most *window*. *load* becomes floor((*load* x (*idle* - *window*) +
  // *area*) / *idle*), or 0 where *idle* = 0. Accesses with *release* <= *now* leave for good, and *latest* becomes
  // *now*."
  if (!level.latest_arrival || arrival > *level.latest_arrival) {
    const std::int64_t w = level.latest_arrival ? std::min(t - level.latest_arrival->count, latency) : latency;
    std::int64_t sum = level.load.count * (latency - w);
    for (const InFlight& access : level.in_flight)
      sum += access.lambda.count * std::clamp<std::int64_t>(access.release.count - (t - w), 0, w);
    level.load.count = latency == 0 ? 0 : sum / latency;
    std::erase_if(level.in_flight, [&](const InFlight& access) { return access.release <= arrival; });
    level.latest_arrival = arrival;
  }
  // "2. *taken* is its *lambda*; its *mixed* lambda where an access of the other kind is in flight."
  const auto is_other = [&](const InFlight& access) { return access.is_write != stage.is_write; };
  const bool is_mixed = std::any_of(level.in_flight.begin(), level.in_flight.end(), is_other);
  const Ticks m = is_mixed ? stage.mixed : stage.issue;
  // "3. It starts at the later of *now* and the time at which the pipeline is free, and the pipeline is free again at
  // start + *taken*. Let *late* = max(0, start + *taken* - *now* - *idle*), and *loaded* = max(*idle* + floor(*load* /
  // 3), *load*). Unless *taken* = 0, the access is in flight, and its *release* is *now* + max(*loaded*, *idle* +
  // *late*)."
  const Ticks start = std::max(level.free, arrival);
  level.free = start + m;
  level.use.busy = level.use.busy + stage.issue;  // at least, where the kinds do not mix
  const Ticks late = std::max(Ticks{}, start + m - arrival - idle);
  const Ticks loaded = std::max(Ticks{latency + level.load.count / 3}, level.load);
  if (m != Ticks{}) level.in_flight.push_back({m, arrival + std::max(loaded, idle + late), stage.is_write});
  // "4. *D* grows by 0 where *weight* = 0, else by the larger of *late* and floor((*loaded* - *idle*) x *weight* /
  // *idle*), which is 0 where *idle* = 0."
  if (stage.waits == Ticks{}) return {};
  const Ticks slower{latency == 0 ? 0 : (loaded - idle).count * stage.waits.count / latency};
  return std::max(slower, late);
}

void Simulation::fetch(Warp& warp) {
  warp.next = warp.stream.next();
  // A warp issues in order: all instructions read for r have been issued by now.
  if (warp.next) warp.ready = ready_time(warp);
}

// Rule 5: the ready time r is the latest of "the time its group was placed on the unit, and the opening of the last
// barrier the warp passed; the issue time of the warp's previous instruction + the largest of `warp_interval`, its
// `stall` cycles and the `warp_interval` of its *far*; the completion of each producer in `after`; where the entry has
// a `latency` l, the producer's completion - its Lambda + l instead".
Ticks Simulation::ready_time(const Warp& warp) {
  Ticks r = warp.go_on;
  if (warp.last_issue) r = std::max(r, *warp.last_issue + std::max(round_to_ticks(device_.warp_interval), warp.stall));
  for (const Wait& wait : bound(warp, *warp.next).after) {
    const auto history = warp.history.find(wait.producer);
    // Rule 3: "Where there is no such execution there is nothing to wait for."
    if (history == warp.history.end() || static_cast<std::int64_t>(history->second.size()) < wait.back) continue;
    const Execution& execution = history->second[history->second.size() - static_cast<std::size_t>(wait.back)];
    r = std::max(r, wait.latency ? execution.completion - execution.latency + *wait.latency : execution.completion);
  }
  return r;
}

// Rule 7, signals: "Every `arrivals` of them in a row are a phase; behind the first `open` phases, which are complete
// when the group is placed. A phase is complete at the latest completion of its arrivals and of those before them. The
// k-th execution of a warp that awaits s waits for phase k."
// @return the completion of the phase, or time 0 without a phase to wait for; nothing while it is not known
std::optional<Ticks> Simulation::phase_awaited(const Group& group, const Warp& warp) const {
  const auto signal = kernel_.instructions[*warp.next].awaits;
  if (!signal) return Ticks{};
  const auto at = [&](const auto& by_signal) {
    const auto found = by_signal.find(*signal);
    return found == by_signal.end() ? typename std::decay_t<decltype(by_signal)>::mapped_type{} : found->second;
  };
  const Signal& declared = kernel_.signals[*signal];
  const Values values = body_values(kernel_, device_, launch_, warp.kind, warp.index);
  const std::int64_t phase = at(warp.awaited) + 1 - declared.open.evaluate_whole(values, 0);
  const std::int64_t needed = phase * declared.arrivals.evaluate_whole(values, 1);
  // "Where the executions of all warps of the group are too few arrivals for phase k, there is nothing to wait for."
  if (phase <= 0 || at(group.executions_to_come) < needed) return Ticks{};
  const std::vector<Ticks> arrivals = at(group.arrivals);
  if (static_cast<std::int64_t>(arrivals.size()) < needed) return {};
  return *std::max_element(arrivals.begin(), arrivals.begin() + needed);
}

// Rule 7: "then the completion of the phase is one more of the times that its ready time is the latest of".
std::optional<Ticks> Simulation::ready_with_signal(const Place& place) {
  const Warp& warp = warp_at(place);
  const auto phase = phase_awaited(*units_[place.unit].slots[place.slot].group, warp);
  if (!phase) return {};
  return std::max(warp.ready, *phase);
}

// Rule 7: "The barrier opens when every warp of the group that has not ended is waiting; all go on at (the latest of
// the issue times of the waiting warps' barriers and of the ended warps' last instructions) + (the largest Lambda of
// the waiting barriers), which is also these barriers' completion."
void Simulation::open_barrier_if_all_wait(Group& group) {
  Ticks latest_issue, largest_latency;
  bool anyone_waits = false;
  for (const Warp& warp : group.warps) {
    if (warp.next) return;
    if (warp.last_issue) latest_issue = std::max(latest_issue, *warp.last_issue);
    if (!warp.barrier) continue;
    anyone_waits = true;
    largest_latency = std::max(largest_latency, bound(warp, *warp.barrier).completion);
  }
  if (!anyone_waits) return;
  const Ticks opening = latest_issue + largest_latency;
  for (Warp& warp : group.warps) {
    if (!warp.barrier) continue;
    warp.history[*warp.barrier].push_back({opening, largest_latency});
    warp.end = std::max(warp.end, opening);
    warp.go_on = opening;
    warp.barrier.reset();
    fetch(warp);
  }
}

// Rule 7: "A group ends at the latest end time of its warps." Rule 8: "A slot whose group ended at t is free for the
// next waiting group at t + `group_launch_latency`."
void Simulation::free_slot_if_ended(Slot& slot) {
  Ticks end;
  for (const Warp& warp : slot.group->warps) {
    if (!warp.ended()) return;
    end = std::max(end, warp.end);
  }
  last_end_ = std::max(last_end_, end);
  slot.free = end + round_to_ticks(device_.group_launch_latency);
  slot.group.reset();
}

const Bound& Simulation::bound(const Warp& warp, std::size_t instruction) {
  const auto key = std::tuple(warp.kind, warp.index, instruction);
  if (const auto known = bound_.find(key); known != bound_.end()) return known->second;
  const std::int64_t resident_warps = slots_ * warps_per_group_;  // R of rule 4
  return bound_[key] =
             bind_instruction(kernel_.instructions[instruction], device_,
                              body_values(kernel_, device_, launch_, warp.kind, warp.index), resident_warps, share_);
}

// Rule 6: "index = s x warps per group + w".
std::int64_t Simulation::index_of(const Place& place) const {
  return static_cast<std::int64_t>(place.slot) * warps_per_group_ + static_cast<std::int64_t>(place.warp);
}

// Rule 5: "the warp with index w in the group in slot s belongs to scheduler (s x warps per group + w) mod S of its
// unit".
std::size_t Simulation::scheduler_of(const Place& place) const {
  return static_cast<std::size_t>(index_of(place)) % units_[place.unit].schedulers.size();
}

// Rule 5: "one instance per unit (`compute_unit`), per scheduler (`scheduler`; per unit where there are no
// schedulers), or one for the whole device (`device`)".
Instance& Simulation::instance(std::size_t pipeline, const Place& place) {
  const Scope scope = device_.pipelines[pipeline].scope;
  const std::size_t unit = scope == Scope::Device ? 0 : place.unit;
  const std::size_t scheduler = scope == Scope::Scheduler ? scheduler_of(place) : 0;
  Instance& found = instances_[std::tuple(pipeline, unit, scheduler)];
  found.use.pipeline = pipeline;
  return found;
}

}  // namespace

Outcome simulate(const Kernel& kernel, const Device& device, const Launch& launch) {
  return Simulation(kernel, device, launch).run();
}

}  // namespace warpipe::reference
