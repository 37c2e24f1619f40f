#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernel_values.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The factor on the time of device pipelines where one unit stands for all: the unit occupies a pipeline for as long
/// as all groups of the launch together would. 1 where all units are simulated.
struct FairShare {
  std::int64_t all = 1;   ///< Ntotal
  std::int64_t here = 1;  ///< groups of the simulated unit

  /// @param time  >= 0
  /// @return floor(time x all / here + 1/2)
  /// @throws ModelError where it does not fit 64 bits
  Ticks of(Ticks time) const;
};

/// Lowers warps of a launch, each to a stream of its own.
class StreamLowering {
 public:
  /// @param expressions     of the kernel; outlives this, as the device does
  /// @param launch          outlives this
  /// @param share           of device pipelines
  StreamLowering(const KernelValues& expressions, const Device& device, const Launch& launch, FairShare share);

  /// @param values  of the body, with `warp` and the values of the kind of group
  /// @throws as lower
  InstructionStream lower(const Values& values);

 private:
  friend class StreamBuilder;

  /// An instruction with its latencies, for warps with these values.
  const BoundInstruction& bound(std::size_t instruction, const Values& values);

  const KernelValues& expressions_;
  const Device& device_;
  const Launch& launch_;
  FairShare share_;
  std::vector<bool> is_alike_;           ///< by instruction: whether it has the same latencies in every warp
  std::vector<BoundInstruction> bound_;  ///< by instruction; the latest
  std::vector<bool> is_bound_;
};

}  // namespace warpipe
