#include "warpipe/engine/program.hpp"

#include <algorithm>

namespace warpipe {
namespace {

/// The six binary digits of a number below 64 in reverse order.
std::uint32_t reversed(std::uint32_t number) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 1; bit < kMostTurns; bit *= 2) result = 2 * result + (number / bit) % 2;
  return result;
}

/// The smallest power of 2 after which the turns of a rotation repeat.
std::uint32_t period_of(const Rotation& rotation) {
  const auto repeats_after = [&](std::uint32_t period) {
    for (std::uint32_t turn = period; turn < kMostTurns; ++turn)
      if (rotation.service_of_turn[turn] != rotation.service_of_turn[turn - period]) return false;
    return true;
  };
  std::uint32_t period = 1;
  while (!repeats_after(period)) period *= 2;
  return period;
}

}  // namespace

Machine machine_of_one_group(Machine machine) {
  machine.units = machine.group_slots = machine.groups = 1;
  machine.launch_begin = machine.launch_end = {};
  return machine;
}

std::span<const Service> services_of(const InstructionStream& stream, const Step& step) {
  if (!step.has_services) return {};
  const Range range = stream.rotations[step.stages.begin].services;
  return std::span(stream.services).subspan(range.begin, range.end - range.begin);
}

Range all_stages(const InstructionStream& stream, const Step& step) {
  if (!step.has_services) return step.stages;
  const std::span<const Service> services = services_of(stream, step);
  return {services.front().stages.begin, services.back().stages.end};
}

SignalUse signals_of(const InstructionStream& stream, const Step& step) {
  if (!step.has_signals) return {};
  return stream.signals[static_cast<std::size_t>(&step - stream.steps.data())];
}

Ticks shortest_completion(const InstructionStream& stream, const Step& step) {
  Ticks shortest = step.completion;
  for (const Service& service : services_of(stream, step)) shortest = std::min(shortest, service.completion);
  return shortest;
}

Rotation make_rotation(Range services, const std::vector<std::int64_t>& positions) {
  Rotation rotation{.services = services};
  for (std::uint32_t turn = 0; turn < kMostTurns; ++turn) {
    std::int64_t position = reversed(turn);
    while (position >= positions[rotation.service_of_turn[turn]])
      position -= positions[rotation.service_of_turn[turn]++];
  }
  rotation.period = period_of(rotation);
  return rotation;
}

std::vector<std::int64_t> executions_by_service(const Rotation& rotation, std::int64_t first_turn,
                                                std::int64_t executions) {
  std::vector<std::int64_t> of_service(rotation.services.end - rotation.services.begin, 0);
  const std::int64_t period = rotation.period;
  for (std::int64_t i = 0; i < std::min(executions, period); ++i) {
    const auto turn = static_cast<std::size_t>((first_turn + i) % period);
    of_service[rotation.service_of_turn[turn]] += (executions - 1 - i) / period + 1;
  }
  return of_service;
}

std::int64_t longest_period(const InstructionStream& stream) {
  std::int64_t longest = 1;
  for (const Rotation& rotation : stream.rotations) longest = std::max<std::int64_t>(longest, rotation.period);
  return longest;
}

std::int64_t longest_period(const Program& program) {
  std::int64_t longest = 1;
  for (const InstructionStream& stream : program.streams) longest = std::max(longest, longest_period(stream));
  return longest;
}

std::vector<std::int64_t> warps_of_streams(const Program& program) {
  std::vector<std::int64_t> warps(program.streams.size(), 0);
  const std::vector<std::int64_t> groups = program.order.counts(program.kinds.size(), program.machine.groups);
  for (std::size_t kind = 0; kind < groups.size(); ++kind)
    for (const std::uint32_t stream : program.kinds[kind]) warps[stream] += groups[kind];
  return warps;
}

std::int64_t instances(const Machine& machine, Scope scope) {
  switch (scope) {
    case Scope::ComputeUnit:
      return machine.units;
    case Scope::Scheduler:
      return machine.units * schedulers_per_unit(machine);
    case Scope::Device:
      break;
  }
  return 1;
}

}  // namespace warpipe
