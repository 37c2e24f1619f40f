#include "warpipe/idg/machine.hpp"

#include <algorithm>

namespace warpipe {
namespace {

constexpr std::array<std::string_view, 3> kScopes{"compute_unit", "scheduler", "device"};

}  // namespace

std::string to_string(Scope scope) { return std::string(kScopes[static_cast<std::size_t>(scope)]); }

std::optional<Scope> parse_scope(std::string_view name) {
  const auto found = std::ranges::find(kScopes, name);
  if (found == kScopes.end()) return std::nullopt;
  return static_cast<Scope>(found - kScopes.begin());
}

std::string to_string(Policy policy) {
  return std::string(std::ranges::find(kPolicies, policy, &PolicyRow::policy)->name);
}

std::optional<Policy> parse_policy(std::string_view name) {
  const auto found = std::ranges::find(kPolicies, name, &PolicyRow::name);
  if (found == kPolicies.end()) return std::nullopt;
  return found->policy;
}

}  // namespace warpipe
