#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The rules of the model simulated as they are written: slow, obvious, and with no code of the product's own binding,
/// lowering or engine. It looks at every warp of every unit before each issue and keeps all it ever saw.

namespace warpipe::reference {

/// Rule 5: the groups sharing a device pipeline, on the whole device and on the unit that stands for all units; where
/// all units are simulated the two numbers are equal.
struct Share {
  std::int64_t all = 1, here = 1;
};

enum class Mode { OneUnit, AllUnits };

struct Launch {
  std::int64_t group_size = 1;         ///< threads
  std::int64_t groups = 1;             ///< Ntotal
  std::int64_t concurrent_groups = 1;  ///< M
  Policy policy = Policy::FirstReady;
  Mode mode = Mode::OneUnit;
  std::optional<Share> share;  ///< of a device pipeline; empty: as rule 5 has it
  std::int64_t first_age = 0;  ///< of the first group, where it is not the first of a launch
};

/// The launch given by the kernel's own defaults and the device's policy.
/// @throws std::bad_optional_access where the kernel leaves the group size or the groups open
/// @throws ModelError where it leaves the concurrent groups to the device's limits, and no group fits
Launch launch_of(const Kernel& kernel, const Device& device, Mode mode);

/// N of rule 8: ceil(Ntotal / P).
std::int64_t groups_per_unit(const Device& device, const Launch& launch);
/// Rule 4: min(M, ceil(Ntotal / P)).
std::int64_t slots(const Device& device, const Launch& launch);
/// Rule 5.
Share share(const Device& device, const Launch& launch);
std::int64_t warps_per_group(const Device& device, const Launch& launch);

/// An issued warp instruction.
struct Issued {
  Ticks time;
  std::int64_t group = 0;  ///< its age
  std::int64_t warp = 0;   ///< its index in the group
  std::size_t instruction = 0;
  friend bool operator==(const Issued&, const Issued&) = default;
};

/// The work of one instance of a pipeline.
struct InstanceUse {
  std::size_t pipeline = 0;
  Ticks busy;                           ///< sum of lambda, with the factor P where one unit stands for all
  bool completion_covers_issue = true;  ///< whether Lambda >= lambda for all its instructions
};

struct Outcome {
  Ticks cycles;
  std::vector<Issued> timeline;        ///< in order of issue
  std::vector<InstanceUse> instances;  ///< used instances only
};

Outcome simulate(const Kernel& kernel, const Device& device, const Launch& launch);

/// The time of one warp of the group of age `first_age` alone, as rule 10.3 has it: with its index and R kept, every D
/// and backlog hold, begin and end of the launch taken as 0 and the drain of `then` left out.
/// @param warp  its index in the group
Ticks warp_alone(const Kernel& kernel, const Device& device, const Launch& launch, std::int64_t warp);

}  // namespace warpipe::reference
