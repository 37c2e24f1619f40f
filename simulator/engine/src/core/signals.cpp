#include "core/signals.hpp"

#include <string>

namespace warpipe {

ModelError never_comes(const BoundSignal& signal, std::size_t warp) {
  return ModelError(
      Diagnostic{"signal " + signal.name, "a phase that a warp awaits must become complete",
                 "found warps that wait for each other: warp " + std::to_string(warp) + " of a group here",
                 "let arrivals come before what waits for them, or say with `open` how many phases are "
                 "complete at the start"});
}

Signals::Signals(const Program& program, const Layout& layout)
    : bound_(program.signals), signals_(bound_.size()), warps_per_group_(layout.warps_per_group) {
  if (signals_ == 0) return;
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind) last_phases_.push_back(phases_of_kind(program, kind));
  states_.resize(layout.group_slots() * signals_);
  passed_.resize(layout.warp_slots() * signals_);
}

/// The phases of each signal completed by a group of a kind.
std::vector<std::int64_t> Signals::phases_of_kind(const Program& program, std::size_t kind) const {
  std::vector<std::int64_t> arrivals(signals_, 0);
  for (const std::uint32_t number : program.kinds[kind]) {
    const InstructionStream& stream = program.streams[number];
    for (std::size_t i = 0; i < stream.signals.size(); ++i)
      if (const std::uint32_t signal = stream.signals[i].arrives; signal != kNoSignal)
        arrivals[signal] = time_sum(arrivals[signal], stream.runs[i]);
  }
  for (std::size_t i = 0; i < signals_; ++i) arrivals[i] = time_sum(bound_[i].open, arrivals[i] / bound_[i].arrivals);
  return arrivals;
}

void Signals::start_group(std::size_t group_slot, std::uint32_t kind) {
  for (std::size_t i = 0; i < signals_; ++i) {
    State& state = states_[group_slot * signals_ + i];
    state.arrived = 0;
    state.phases.restart();
    state.last_phase = last_phases_[kind][i];
    state.latest = kNever;
    state.completions.clear();
  }
  const std::size_t first = group_slot * warps_per_group_ * signals_;
  for (std::size_t i = 0; i < warps_per_group_ * signals_; ++i) passed_[first + i].restart();
}

bool Signals::arrive(std::size_t group_slot, std::uint32_t signal, std::int64_t now, std::int64_t completion) {
  if (signal >= signals_) return false;
  State& state = states_[group_slot * signals_ + signal];
  state.latest = std::max(state.latest, completion);
  if (++state.arrived < bound_[signal].arrivals) return false;
  state.arrived = 0;
  ++state.phases.trips_done;
  std::erase_if(state.completions, [now](std::int64_t time) { return time <= now; });
  state.completions.push_back(state.latest);
  return true;
}

std::int64_t Signals::next_phase(std::size_t warp_slot, std::uint32_t signal) const {
  if (signal >= signals_) return kNever;
  const State& state = states_[warp_slot / warps_per_group_ * signals_ + signal];
  const std::int64_t phase = passed_[warp_slot * signals_ + signal].trips_done + 1;
  const std::int64_t complete = bound_[signal].open + state.phases.trips_done;
  if (phase > complete) return phase > state.last_phase ? kNever : kForever;
  const std::int64_t from_last = complete - phase;
  const auto kept = static_cast<std::int64_t>(state.completions.size());
  return from_last < kept ? state.completions[static_cast<std::size_t>(kept - 1 - from_last)] : kNever;
}

void Signals::forget(std::int64_t now) {
  for (State& state : states_) std::erase_if(state.completions, [now](std::int64_t time) { return time <= now; });
}

}  // namespace warpipe
