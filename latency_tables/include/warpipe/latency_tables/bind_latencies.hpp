#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Binds a kernel to a device: instructions get their latencies in whole milli-cycles (rule 4 of the model).

namespace warpipe {

/// A stage of `then` with its times bound.
struct BoundThen {
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Ticks issue;               ///< lambda there
  Ticks after;
  Ticks waits{};          ///< the wait for a memory level, a part of its latency; 0: no wait
  Ticks mixed{};          ///< lambda at a memory level while accesses of the other kind are in flight
  bool is_write = false;  ///< a store
  friend bool operator==(const BoundThen&, const BoundThen&) = default;
};

/// Executions served by one level of the memory hierarchy (rule 4 of the model).
struct BoundService {
  std::size_t level = 0;       ///< index into Memory::levels
  std::int64_t positions = 0;  ///< of the 64 of a rotation
  Ticks completion;            ///< Lambda
  std::vector<BoundThen> then;
  friend bool operator==(const BoundService&, const BoundService&) = default;
};

/// The costs of an instruction of a warp on a device.
struct BoundInstruction {
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Ticks issue;               ///< lambda
  Ticks completion;          ///< Lambda
  Ticks scheduler_busy;      ///< until its scheduler may issue again, at least
  std::int64_t stall = 0;    ///< whole cycles until its warp may issue again, at least
  std::vector<BoundThen> then;
  /// Of a load on a device with levels: by serving level, the nearest first. It then has no `then`, and `completion` is
  /// the nearest service's. Empty: all executions are alike.
  std::vector<BoundService> services;
  bool barrier = false;
  bool retires_at_issue = false;
  std::int64_t conflict_degree = 1;  ///< as used
  std::int64_t transactions = 1;     ///< as used
  std::int64_t lines = 0;            ///< as used; 0 unless an access to memory with levels
  friend bool operator==(const BoundInstruction&, const BoundInstruction&) = default;
};

/// Checks a kernel for requests impossible for a device's ops in any launch. An op with a level in its name, on a
/// device with levels, is noted as an old name.
/// @throws ModelError with every op missing on the device, with the nearest names, every latency of an `after` entry on
///         a barrier of this device, and counts of accesses made for other sizes of sectors, lines or banks than the
///         device's
/// @complexity        instructions x ops
void require_ops(const Kernel& kernel, const Device& device);

/// Binds one instruction. Device pipelines are not yet multiplied by the number of units. On a device with levels, the
/// instruction's own levels serve an access to global memory; without them, the level in its op's name; without either,
/// the last level, or for an atomic the first level beyond the unit.
/// @param values          parameters, group_size, warps, warp
/// @param resident_warps  R of rule 4
/// @param shape           of the launch, for addresses in an array
/// @throws ModelError (`where` is the path in the kernel's file, unknown here) for an op missing on the device, a
///         conflict degree or transactions that the op cannot take, an access without `memory`, shares of levels with a
///         sum other than 1, a level missing on the device, levels on a device without any, an expression that fails, a
///         latency that overflows
/// @source rule 4 of the model
BoundInstruction bind_latencies(const Instruction& instruction, const Device& device, const Values& values,
                                std::int64_t resident_warps, const LaunchShape& shape = {});

}  // namespace warpipe
