#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

/// A program with a pipeline of each scope, and an issue port for each.

namespace warpipe {

/// Pipelines, and the issue ports of the same number.
inline constexpr std::uint32_t kUnit = 0, kScheduler = 1, kDevice = 2;

inline Program program_with(std::int64_t units, std::int64_t schedulers) {
  Program program;
  program.machine.pipelines = {{Scope::ComputeUnit, {}}, {Scope::Scheduler, {}}, {Scope::Device, {}}};
  program.machine.units = units;
  program.machine.schedulers = schedulers;
  program.issue_ports = {{kUnit, {}}, {kScheduler, {}}, {kDevice, {}}};
  program.streams.emplace_back();
  program.kinds = {{0}};
  return program;
}

}  // namespace warpipe
