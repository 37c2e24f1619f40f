#include "warpipe/predict/launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel_values.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/predict/group_kinds.hpp"
#include "warpipe/predict/launch_work.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostResidentWarps = std::int64_t{1} << 20;  // of a unit; real units hold 64

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// The number of groups with so many resident warps.
/// @param of_group  warps of a group
/// @throws ModelError where they are no whole number of groups
std::int64_t groups_of(std::int64_t resident_warps, std::int64_t of_group) {
  if (resident_warps % of_group != 0) {
    throw ModelError(Diagnostic{.where = "occupancy",
                                .problem = "resident warps must be a whole number of groups",
                                .found = fmt::format("found {} warps, a group has {}", resident_warps, of_group),
                                .advice = fmt::format("give a multiple of {}, or another group size", of_group)});
  }
  return resident_warps / of_group;
}

/// Settles the values of a launch one after the other; an expression may use the values before it.
class Resolver {
 public:
  Resolver(const Kernel& kernel, const Device& device, const LaunchOptions& options)
      : device_(device), options_(options), kernel_(kernel), expressions_(kernel, options) {}

  Launch resolve() {
    require_all();
    launch_.values = kernel_.parameters;
    for (const auto& [name, value] : kernel_.parameters)
      launch_.parameter_origins[name] = options_.parameters.contains(name) ? Origin::CommandLine : Origin::Kernel;
    launch_.group_size = settle("group_size", options_.group_size, kernel_.launch.group_size);
    launch_.warps_per_group = ceil_divide(launch_.group_size.value, device_.warp_size);
    launch_.values["group_size"] = static_cast<double>(launch_.group_size.value);
    launch_.values["warps"] = static_cast<double>(launch_.warps_per_group);
    launch_.groups = settle("groups", options_.groups, kernel_.launch.groups);
    settle_shape();
    launch_.groups_per_unit = ceil_divide(launch_.groups.value, device_.compute_units);
    settle_concurrent_groups();
    settle_residents();
    settle_work(kernel_, device_.warp_size, options_, launch_);
    return launch_;
  }

 private:
  /// @throws ModelError with all values missing in the kernel, the options and the device
  void require_all() const {
    std::vector<Diagnostic> missing;
    const auto require = [&](const char* name, bool is_known) {
      if (!is_known)
        missing.push_back({fmt::format("kernel \"{}\"", kernel_.name),
                           fmt::format("the kernel file does not give {}", name), "", fmt::format("give `{}`", name)});
    };
    require("group_size", options_.group_size || kernel_.launch.group_size);
    require("groups", options_.groups || kernel_.launch.groups);
    if (!options_.concurrent_groups && !options_.occupancy && !kernel_.launch.concurrent_groups &&
        !occupancy({1, 1, 1}, device_.limits, device_.warp_size).groups)
      missing.push_back({fmt::format("device \"{}\"", device_.name), "no limit says how many groups a unit holds", "",
                         "give `concurrent_groups`, or add limits to the device"});
    if (!missing.empty()) throw ModelError(std::move(missing));
  }

  /// From the options, else from the kernel.
  Launch::Value settle(const std::string& name, std::optional<std::int64_t> given,
                       const std::optional<Expression>& expression) const {
    if (given) {
      if (*given < 1)
        throw UsageError(Diagnostic{fmt::format("`{}`", name), fmt::format("{} is less than 1", *given), "",
                                    "give a larger number"});
      return {*given, Origin::CommandLine};
    }
    return {expressions_.evaluate_whole(*expression, launch_.values, 1, "/launch/" + name),
            options_.kernel_launch_is_given ? Origin::CommandLine : Origin::Kernel};
  }

  void settle_shape() {
    Values values = launch_.values;
    values["groups"] = static_cast<double>(launch_.groups.value);
    launch_.shape = expressions_.in_file([&] { return launch_shape(kernel_, values); });
    const std::vector<std::string> names = names_of_kinds(kernel_.kinds);
    launch_.shape.names_of_kinds = NameSet(names.begin(), names.end());
    if (addresses_differ_by_kind(kernel_, launch_.shape.names_of_kinds))
      launch_.shape.first_groups = expressions_.in_file(
          [&] { return launch_kinds(kernel_, launch_.values, launch_.groups.value).first_groups(); });
  }

  std::int64_t resource(const std::optional<Expression>& expression, const std::string& name) const {
    return expression ? expressions_.evaluate_whole(*expression, launch_.values, 0, "/resources/" + name) : 0;
  }

  void settle_concurrent_groups() {
    launch_.registers_per_thread = resource(kernel_.resources.registers_per_thread, "registers_per_thread");
    launch_.shared_memory_per_group = resource(kernel_.resources.shared_memory_per_group, "shared_memory_per_group");
    const Occupancy allowed =
        occupancy({launch_.group_size.value, launch_.registers_per_thread, launch_.shared_memory_per_group},
                  device_.limits, device_.warp_size);
    auto given = options_.concurrent_groups;
    if (!given && options_.occupancy) given = groups_of(*options_.occupancy, launch_.warps_per_group);
    if (given || kernel_.launch.concurrent_groups) {
      launch_.concurrent_groups = settle("concurrent_groups", given, kernel_.launch.concurrent_groups);
      check_limits(allowed);
    } else if (allowed.groups) {
      launch_.concurrent_groups = {*allowed.groups, Origin::Occupancy};
    } else {
      throw ModelError(Diagnostic{fmt::format("device \"{}\"", device_.name),
                                  "no limit says how many groups a unit holds", "",
                                  "give `concurrent_groups`, or add limits to the device"});
    }
  }

  void check_limits(const Occupancy& allowed) {
    const std::int64_t asked = launch_.concurrent_groups.value;
    if (!allowed.groups || asked <= *allowed.groups) return;
    if (!options_.ignore_limits)
      throw ModelError(Diagnostic{
          launch_.concurrent_groups.origin == Origin::CommandLine ? "`concurrent_groups`"
                                                                  : "kernel: /launch/concurrent_groups",
          fmt::format("{} groups are too many: device \"{}\" holds at most {} groups of {} threads per unit (by {})",
                      asked, device_.name, *allowed.groups, launch_.group_size.value,
                      to_string(allowed.limiters.front())),
          "", fmt::format("give at most {}, or set `ignore_limits`", *allowed.groups)});
    launch_.limits_ignored = true;
  }

  void settle_residents() {
    launch_.slots = std::min(launch_.concurrent_groups.value, launch_.groups_per_unit);
    if (launch_.warps_per_group > kMostResidentWarps / launch_.slots)
      throw ModelError(Diagnostic{"launch",
                                  fmt::format("a unit can hold at most {} warps in a simulation", kMostResidentWarps),
                                  fmt::format("found {} groups of {} warps", launch_.slots, launch_.warps_per_group),
                                  "use smaller or fewer concurrent groups"});
    launch_.resident_warps = launch_.slots * launch_.warps_per_group;
    const std::int64_t most = device_.limits.warps_per_unit.value_or(0);
    if (most > 0) launch_.occupancy = static_cast<double>(launch_.resident_warps) / static_cast<double>(most);
  }

  const Device& device_;
  const LaunchOptions& options_;
  const Kernel& kernel_;
  KernelValues expressions_;
  Launch launch_;
};

}  // namespace

Launch resolve_launch(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  return Resolver(kernel, device, options).resolve();
}

std::int64_t warps_of_group(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  LaunchOptions any_occupancy = options;
  any_occupancy.concurrent_groups = 1;  // the warps of a group do not depend on M, and a device may have no limit
  return resolve_launch(with_options(kernel, any_occupancy), device, any_occupancy).warps_per_group;
}

std::int64_t groups_of_resident_warps(std::int64_t resident_warps, const Kernel& kernel, const Device& device,
                                      const LaunchOptions& options) {
  return groups_of(resident_warps, warps_of_group(kernel, device, options));
}

}  // namespace warpipe
