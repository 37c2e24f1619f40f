#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/engine/run.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// From "what the user says" to "what is simulated": options change copies of the kernel and the device, the rest
/// of the program never sees an option.

namespace warpipe {

/// One unit stands for all, or all units of the device are simulated (rule 8 of the model).
enum class Units { One, All };
std::string to_string(Units units);  ///< "one", "all"

/// What the launch options of the command line say. Everything that is empty is taken from the files.
struct LaunchOptions {
  /// A number of the device's latency table.
  struct SetNumber {
    std::string name;  ///< "ffma.issue", "global.load.dram": as number_names
    Cycles value;
  };
  struct ScaleLatency {
    std::string op;
    double factor;
  };

  std::optional<std::int64_t> groups, group_size, concurrent_groups;
  std::map<std::string, double, std::less<>> parameters;
  std::optional<Policy> policy;
  Units units = Units::One;
  std::optional<Hertz> clock;
  std::vector<SetNumber> set;       ///< applied in order, before `scale`; replaces points by the value
  std::vector<ScaleLatency> scale;  ///< applied in order to issue and completion, point by point
  /// Applied in order after `scale`: what a sweep varies replaces what both say of the same number.
  std::vector<SetNumber> final_set;
  std::map<std::string, std::int64_t, std::less<>> conflict_degree;  ///< by instruction id
  std::map<std::string, std::int64_t, std::less<>> transactions;     ///< by instruction id
  Skipping skipping = Skipping::On;
  bool ignore_limits = false;           ///< accept an M above the occupancy
  bool kernel_launch_is_given = false;  ///< the kernel was imported for a block and a grid of the user
};

/// Puts the parameters, conflict degrees and transactions of the options into a copy of the kernel.
/// @throws UsageError for a parameter or an instruction that the kernel lacks (the nearest); ModelError for half a size
Kernel with_options(const Kernel& kernel, const LaunchOptions& options);

/// Puts the policy, clock and latencies of the options into a copy of the device. The clock is that of the units: what
/// the device has once (pipelines of scope `device`) keeps its rate in seconds, so that its cycles are scaled. All else
/// stays as many cycles, latencies of the memory too.
/// @throws UsageError for an op or a number that the device does not have, with the nearest name
Device with_options(const Device& device, const LaunchOptions& options);

/// Where a value of a launch came from.
enum class Origin { CommandLine, Kernel, Occupancy };
std::string to_string(Origin origin);  ///< "command line", "kernel", "occupancy"

/// A launch with every number settled.
struct Launch {
  struct Value {
    std::int64_t value = 0;
    Origin origin = Origin::Kernel;
  };

  Value group_size;         ///< threads
  Value groups;             ///< Ntotal
  Value concurrent_groups;  ///< M, as asked for or as the occupancy allows
  std::int64_t warps_per_group = 1;
  std::int64_t groups_per_unit = 1;         ///< N = ceil(Ntotal / P)
  std::int64_t slots = 1;                   ///< min(M, N)
  std::int64_t resident_warps = 1;          ///< R = slots x warps per group
  std::optional<double> occupancy;          ///< R / warps_per_unit; empty where the device has no such limit
  bool limits_ignored = false;              ///< M is above what the occupancy allows, and the user said so
  std::int64_t registers_per_thread = 0;    ///< 0: unknown
  std::int64_t local_memory_per_group = 0;  ///< bytes; 0: none
  std::optional<double> flops, bytes;       ///< work of the whole launch
  std::optional<double> compulsory_bytes;   ///< of `bytes`, what no cache can save
  std::string work_of_others;               ///< "4 groups of 256 threads": the kernel tells their work, and others run
  Values values;                            ///< parameters, group_size, warps: what the body sees, less `warp`
  std::map<std::string, Origin, std::less<>> parameter_origins;  ///< CommandLine or Kernel, for each parameter
};

/// Settles a launch: evaluates the kernel's launch and resources, then M from the command line, the kernel, the
/// occupancy, in this order.
/// @throws InputError  for an expression of the kernel file that fails where options give no parameter, group size or
/// groups
/// @throws ModelError  for one that fails with what they give, a missing launch value, a
///                     group that fits no unit, an M above the occupancy (unless limits are ignored), no limit that
///                     gives M, more resident warps than 2^20
/// @source rules 8 and 9 of the model
Launch resolve_launch(const Kernel& kernel, const Device& device, const LaunchOptions& options);

}  // namespace warpipe
