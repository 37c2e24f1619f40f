#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/access.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/latency_tables/memory_op.hpp"

/// The steps of binding an instruction to a device.

namespace warpipe::detail {

/// An instruction of one warp with its row, device and values.
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

/// The instruction's own latency, else its row's at the resident warps.
Cycles issue_of(const Binding& binding);
Cycles completion_of(const Binding& binding);

/// The addresses of the instruction's lanes, if known.
/// @throws ModelError as lane_access, and on a device without `memory`
std::optional<LaneAccess> lanes_of(const Binding& binding);

/// The conflict degree given by the instruction itself.
/// @param takes  whether its op can take one
/// @throws ModelError if it cannot, and for more ways than lanes
std::optional<std::int64_t> given_conflict_degree(const Binding& binding, bool takes);
/// The transactions given by the instruction itself, likewise.
std::optional<std::int64_t> given_transactions(const Binding& binding, bool takes);

/// @throws ModelError for more ways than lanes
void check_conflict_degree(const Binding& binding, std::int64_t degree);

/// Binds an access to a memory with levels.
/// @throws ModelError as bind_latencies, for shares with a sum other than 1, and for a level missing on the device
/// @source rule 4 of the model, "Accesses on a device with levels"
BoundInstruction bind_to_levels(const Binding& binding, const MemoryOp& access);

}  // namespace warpipe::detail
