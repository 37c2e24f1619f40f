#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Where a kernel meets a device: instructions get their latencies in whole milli-cycles (rule 4 of the model).

namespace warpipe {

/// A stage of `then` with its times bound.
struct BoundThen {
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Ticks issue;               ///< lambda there
  Ticks after;
  Ticks waits{};  ///< of the latency of a memory level, what the instruction waits for; 0: it does not wait there
  Ticks mixed{};  ///< lambda at a memory level while accesses of the other kind are in flight
  bool is_write = false;  ///< its kind there
  friend bool operator==(const BoundThen&, const BoundThen&) = default;
};

/// Executions that one level of the memory hierarchy serves (rule 4 of the model).
struct BoundService {
  std::size_t level = 0;       ///< index into Memory::levels
  std::int64_t positions = 0;  ///< of the 64 of a rotation
  Ticks completion;            ///< Lambda
  std::vector<BoundThen> then;
  friend bool operator==(const BoundService&, const BoundService&) = default;
};

/// The costs of one instruction of one warp on one device.
struct BoundInstruction {
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Ticks issue;               ///< lambda
  Ticks completion;          ///< Lambda
  Ticks scheduler_busy;      ///< until its scheduler may issue again, at least
  std::int64_t stall = 0;    ///< whole cycles until its warp may issue again, at least
  std::vector<BoundThen> then;
  /// Of a load on a device with levels: by level that serves executions, the nearest first. Then it has no `then`, and
  /// `completion` is that of the nearest. Empty: all executions are alike.
  std::vector<BoundService> services;
  bool barrier = false;
  bool retires_at_issue = false;
  std::int64_t conflict_degree = 1;  ///< as used
  std::int64_t transactions = 1;     ///< as used
  std::int64_t lines = 0;            ///< as used; 0 but of an access to memory with levels
  friend bool operator==(const BoundInstruction&, const BoundInstruction&) = default;
};

/// Finds what a kernel asks of a device's ops that cannot be, whatever the launch.
/// An op that names a level, on a device with levels, is noted as an old name.
/// @throws ModelError that lists every op that the device lacks, with the nearest names, and every latency of an
///                    `after` entry whose producer is a barrier on this device, and counts of accesses that hold for
///                    other sizes of sectors, lines or banks than the device has
/// @complexity        instructions x ops
void require_ops(const Kernel& kernel, const Device& device);

/// Binds one instruction. Device pipelines are not yet multiplied by the number of units.
/// An access to the global memory of a device with levels is served by those that the instruction says, else by the one
/// that its op names, else by the last one, an atomic by the first beyond the unit.
/// @param values          parameters, group_size, warps, warp
/// @param resident_warps  R of rule 4
/// @param shape           of the launch, for addresses in an array
/// @throws ModelError (`where` is the path in the kernel's file, which this does not know)
///                    for an op that the device lacks, a conflict degree or transactions that the op cannot take, an
///                    access without `memory`, shares of levels that do not add up to 1, a level that the device lacks,
///                    levels on a device that has none, an expression that fails, a latency that overflows
/// @source rule 4 of the model
BoundInstruction bind_latencies(const Instruction& instruction, const Device& device, const Values& values,
                                std::int64_t resident_warps, const LaunchShape& shape = {});

}  // namespace warpipe
