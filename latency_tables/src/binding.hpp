#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/latency_tables/memory_op.hpp"

/// The parts of binding an instruction to a device.

namespace warpipe::detail {

/// An instruction of one warp that is bound to a device.
struct Binding {
  const Instruction& instruction;
  const Op& op;  ///< its row
  const Device& device;
  const Values& values;
  std::int64_t resident_warps;
  const LaunchShape& shape;
};

std::string shown(const Device& device);            ///< "device \"v100\"", for messages
std::string place(const Instruction& instruction);  ///< JSON path of the instruction, for messages

/// The latency of a row at the resident warps, where the instruction has none of its own.
Cycles issue_of(const Binding& binding);
Cycles completion_of(const Binding& binding);

/// The addresses of its lanes, where it says them.
/// @throws ModelError as lane_access, and on a device without `memory`
std::optional<LaneAccess> lanes_of(const Binding& binding);

/// The conflict degree that the instruction gives itself.
/// @param takes  whether its op can take one
/// @throws ModelError where it cannot, and for more ways than lanes
std::optional<std::int64_t> given_conflict_degree(const Binding& binding, bool takes);
/// The transactions that it gives itself, likewise.
std::optional<std::int64_t> given_transactions(const Binding& binding, bool takes);

/// @throws ModelError for more ways than lanes
void check_conflict_degree(const Binding& binding, std::int64_t degree);

/// Binds an access to a memory that has levels.
/// @throws ModelError as bind_latencies, for shares that do not add up, and for a level that the device lacks
/// @source rule 4 of the model, "Accesses on a device with levels"
BoundInstruction bind_to_levels(const Binding& binding, const MemoryOp& access);

}  // namespace warpipe::detail
