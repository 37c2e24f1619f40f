#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

/// Scopes of pipelines and scheduling policies, with their names in device files, options and the engine.

namespace warpipe {

/// The warps sharing one instance of a pipeline (rule 5 of the model).
enum class Scope { ComputeUnit, Scheduler, Device };
/// "compute_unit", "scheduler", "device".
std::string to_string(Scope scope);
std::optional<Scope> parse_scope(std::string_view name);

/// The rule for the next of several ready warps to issue (rule 6 of the model).
enum class Policy { FirstReady, Oldest, GreedyOldest, RoundRobin };

/// A scheduling policy with its names for users.
struct PolicyRow {
  Policy policy;
  std::string_view name;         ///< in device files, options and results
  std::string_view description;  ///< of the first warp to issue
};

/// Every policy, in the order of help and error messages: a further policy is a row here and a rule in the engine.
inline constexpr std::array<PolicyRow, 4> kPolicies{
    {{Policy::FirstReady, "first-ready", "the warp that has been ready longest"},
     {Policy::Oldest, "oldest", "the warp of the oldest group with the lowest index"},
     {Policy::GreedyOldest, "greedy-oldest", "the warp that issued last, then the oldest"},
     {Policy::RoundRobin, "round-robin", "the next warp slot after the one that issued last"}}};

/// The policy's name.
std::string to_string(Policy policy);
std::optional<Policy> parse_policy(std::string_view name);

}  // namespace warpipe
