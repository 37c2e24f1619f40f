#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Rules 2 and 4 of the model, from the nouns alone and independent of the product's code.

namespace warpipe::reference {

struct Stage {  ///< an entry of `then`
  std::size_t pipeline = 0;
  Ticks issue, after;
};

struct Wait {  ///< an entry of `after`
  std::size_t producer = 0;
  std::int64_t back = 1;
  std::optional<Ticks> latency;
};

/// An instruction of one warp with all its times.
struct Bound {
  std::size_t pipeline = 0;
  Ticks issue;       ///< lambda
  Ticks completion;  ///< Lambda
  Ticks scheduler_busy;
  std::vector<Stage> then;
  std::vector<Wait> after;
  bool barrier = false;
  bool retires_at_issue = false;
};

/// A latency at R resident warps; cycles.
double interpolate(const Latency& latency, std::int64_t resident_warps);

/// @param values             parameters, group_size, warps, warp
/// @param resident_warps     R of rule 4
/// @param units_of_a_device  what a device pipeline's lambda is multiplied by: P where one unit stands for all, else 1
Bound bind(const Instruction& instruction, const Device& device, const Values& values, std::int64_t resident_warps,
           std::int64_t units_of_a_device);

}  // namespace warpipe::reference
