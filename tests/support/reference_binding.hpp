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

/// Rule 5: floor(lambda x Ntotal / N + 1/2).
Ticks fair_share(Ticks lambda, Share share);

/// @param values          all that the body sees
/// @param resident_warps  R of rule 4
/// @param share           of a device pipeline
Bound bind(const Instruction& instruction, const Device& device, const Values& values, std::int64_t resident_warps,
           Share share);

}  // namespace warpipe::reference
