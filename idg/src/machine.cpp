#include "warpipe/idg/machine.hpp"

#include <array>
#include <cstddef>

namespace warpipe {
namespace {

constexpr std::array kScopes{"compute_unit", "scheduler", "device"};
constexpr std::array kPolicies{"first-ready", "oldest", "greedy-oldest", "round-robin"};

template <class Enumeration, std::size_t kCount>
std::optional<Enumeration> parse(std::string_view name, const std::array<const char*, kCount>& names) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (name == names[i]) return static_cast<Enumeration>(i);
  return std::nullopt;
}

}  // namespace

std::string to_string(Scope scope) { return kScopes[static_cast<std::size_t>(scope)]; }
std::optional<Scope> parse_scope(std::string_view name) { return parse<Scope>(name, kScopes); }

std::string to_string(Policy policy) { return kPolicies[static_cast<std::size_t>(policy)]; }
std::optional<Policy> parse_policy(std::string_view name) { return parse<Policy>(name, kPolicies); }

}  // namespace warpipe
