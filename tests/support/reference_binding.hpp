#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/reference_engine.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Rules 2 and 4 of the model, from the nouns alone and independent of the product's code.

namespace warpipe::reference {

struct Stage {  ///< an entry of `then`, or a level
  std::size_t pipeline = 0;
  Ticks issue, after;
  // Of a level:
  Ticks waits{};          ///< W
  Ticks mixed{};          ///< its mixed lambda
  bool is_write = false;  ///< its kind
};

/// Executions served by one level.
struct Service {
  std::int64_t first_position = 0, last_position = 0;
  Ticks completion;
  std::vector<Stage> stages;
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
  std::int64_t stall = 0;  ///< whole cycles
  std::vector<Stage> then;
  std::vector<Service> services;  ///< of a load on a device with levels, the nearest first; then it has no `then`
  std::vector<Wait> after;
  bool barrier = false;
  bool retires_at_issue = false;
};

/// A latency at R resident warps; cycles.
double interpolate(const Latency& latency, std::int64_t resident_warps);

/// Rule 5: floor(lambda x Ntotal / N + 1/2).
Ticks fair_share(Ticks lambda, Share share);

/// Rule 5: "the rounded lambda of a device pipeline, its own or in `then`, becomes floor(lambda x Ntotal / N + 1/2)".
Ticks shared(Ticks lambda, const Device& device, std::size_t pipeline, Share share);

/// @param values          all values seen by the body
/// @param resident_warps  R of rule 4
/// @param share           of a device pipeline
Bound bind_instruction(const Instruction& instruction, const Device& device, const Values& values,
                       std::int64_t resident_warps, Share share);

}  // namespace warpipe::reference
