#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/engine/skipping.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/device.hpp"

/// A launch with every number settled, from options: they change the kernel and the device, so nothing behind this step
/// depends on an option.

namespace warpipe {

/// Whether one unit is simulated for all, or each unit of the device (rule 8 of the model).
enum class Units { One, All };
std::string to_string(Units units);  ///< "one", "all"

/// The options of a launch. Empty options take their values from the kernel and the device.
struct LaunchOptions {
  /// A number of the device, or of an instruction.
  struct SetNumber {
    std::string name;  ///< "ffma.issue", "l2.latency_s": as number_names; "load.transactions": instruction_number
    double value;      ///< in the number's unit
  };
  struct ScaleLatency {
    std::string op;
    double factor;
  };

  std::optional<std::int64_t> groups, group_size, concurrent_groups;
  std::optional<std::int64_t> occupancy;  ///< resident warps of a unit; concurrent_groups goes before
  std::map<std::string, double, std::less<>> parameters;
  std::optional<Policy> policy;
  Units units = Units::One;
  std::optional<Hertz> clock;
  std::vector<SetNumber> set_device;  ///< by their paths in the device's file; applied first, in order
  std::vector<SetNumber> set;         ///< applied in order, before `scale`; replaces points by the value
  std::vector<ScaleLatency> scale;    ///< applied in order to issue and completion, point by point
  /// Names or paths, applied in order after `scale`: a value varied by a sweep replaces the results of `set` and
  /// `scale` for the same number.
  std::vector<SetNumber> final_set;
  std::map<std::string, std::int64_t, std::less<>> conflict_degree;  ///< by instruction id
  std::map<std::string, std::int64_t, std::less<>> transactions;     ///< by instruction id
  Skipping skipping = Skipping::On;
  double tolerance = 0;                 ///< of the time, a fraction of it: run_within.hpp; 0: exact
  bool range = false;                   ///< also say where the time lies, by two further predictions
  bool doubts = true;                   ///< warn where one unit may not stand for all; short launches: of all units
  bool ignore_limits = false;           ///< accept an M above the occupancy
  bool repeated = false;                ///< launched many times: caches begin with the data of the launch before
  bool kernel_launch_is_given = false;  ///< the kernel's own launch was given by the user, not by a file
};

/// Which warp issues first (rule 6): the kernel says it, else the device.
inline Policy policy_of(const Kernel& kernel, const Device& device) { return kernel.policy.value_or(device.policy); }

/// Applies parameters, conflict degrees and transactions to a kernel; a policy of the options removes the kernel's own.
/// @throws UsageError for a parameter or an instruction unknown to the kernel (with the nearest name); ModelError for a
///                    fraction where the kernel counts with a parameter
Kernel with_options(Kernel kernel, const LaunchOptions& options);

/// Applies numbers of the device's file, policy, clock, set and scaled latencies to a device. The clock is the clock of
/// the units: pipelines with one instance per device (scope `device`) keep their rate in seconds, so their cycles are
/// scaled, and levels of the memory beyond the unit are in seconds. Everything else keeps its number of cycles, on a
/// device without levels the latencies of the memory too.
/// @throws UsageError for an op or a number unknown to the device, with the nearest name, and for an invalid value
Device with_options(Device device, const LaunchOptions& options);

/// As with_options, at the highest clock for the kernel's pipelines, unless the options give a clock.
Device device_of_run(Device device, const Kernel& kernel, const LaunchOptions& options);

/// The origin of a value of a launch.
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
  std::int64_t groups_per_unit = 1;          ///< N = ceil(Ntotal / P)
  std::int64_t slots = 1;                    ///< min(M, N)
  std::int64_t resident_warps = 1;           ///< R = slots x warps per group
  std::optional<double> occupancy;           ///< R / warps_per_unit; empty where the device has no such limit
  bool limits_ignored = false;               ///< M is above what the occupancy allows, and the user said so
  std::int64_t registers_per_thread = 0;     ///< 0: unknown
  std::int64_t shared_memory_per_group = 0;  ///< bytes; 0: none
  std::optional<double> flops, bytes;        ///< work of the whole launch
  std::optional<double> compulsory_bytes;    ///< part of `bytes` that no cache can save
  std::string work_of_others;                ///< "4 groups of 256 threads", with the stated work; the launch differs
  Values values;                             ///< parameters, group_size, warps: the values of the body except `warp`
  LaunchShape shape;                         ///< where threads and groups are, and the kernel's arrays
  std::map<std::string, Origin, std::less<>> parameter_origins;  ///< CommandLine or Kernel, for each parameter
};

/// Settles a launch: evaluates the kernel's launch and resources, then takes M from the options, the kernel or the
/// occupancy, in this order.
/// @throws InputError  for an expression failing with the kernel file's own values
/// @throws ModelError  for an expression failing with parameters, group size or groups of the options; a missing launch
///                    value; a group that fits no unit; an M above the occupancy (unless limits are ignored); no limit
///                    to derive M from; more resident warps than 2^20
/// @source rules 8 and 9 of the model
Launch resolve_launch(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @return the warps of a group, for the group size of the options or the kernel
/// @throws as with_options and resolve_launch do
std::int64_t warps_of_group(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// Turns an occupancy in warps into a number of concurrent groups, for the group size of the options or the kernel.
/// @throws ModelError where resident warps are no whole number of groups
/// @throws as with_options and resolve_launch do
std::int64_t groups_of_resident_warps(std::int64_t resident_warps, const Kernel& kernel, const Device& device,
                                      const LaunchOptions& options);

}  // namespace warpipe
