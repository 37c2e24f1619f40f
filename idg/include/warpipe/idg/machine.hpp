#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Words that device files, options and the engine share.

namespace warpipe {

/// Who shares one instance of a pipeline (rule 5 of the model).
enum class Scope { ComputeUnit, Scheduler, Device };
/// "compute_unit", "scheduler", "device".
std::string to_string(Scope scope);
std::optional<Scope> parse_scope(std::string_view name);

/// Who issues first among warps that could issue at the same time (rule 6 of the model).
enum class Policy { FirstReady, Oldest, GreedyOldest, RoundRobin };
/// "first-ready", "oldest", "greedy-oldest", "round-robin".
std::string to_string(Policy policy);
std::optional<Policy> parse_policy(std::string_view name);

}  // namespace warpipe
