#include "size_parameter.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpipe {
namespace {

bool uses(const std::optional<Expression>& expression, const std::string& parameter) {
  return expression && expression->uses(parameter);
}

bool counts_trips(const std::vector<Item>& body, const std::string& parameter) {
  return std::ranges::any_of(body, [&](const Item& item) {
    if (const auto* when = std::get_if<When>(&item.node)) return counts_trips(when->body, parameter);
    const auto* loop = std::get_if<Loop>(&item.node);
    return loop != nullptr && (loop->trip_count.uses(parameter) || counts_trips(loop->body, parameter));
  });
}

}  // namespace

std::string counted_with(const Kernel& kernel, const std::string& parameter) {
  for (const auto& [place, expression] :
       {std::pair{"/launch/group_size", kernel.launch.group_size},
        {"/launch/groups", kernel.launch.groups},
        {"/launch/concurrent_groups", kernel.launch.concurrent_groups},
        {"/resources/registers_per_thread", kernel.resources.registers_per_thread},
        {"/resources/local_memory_per_group", kernel.resources.local_memory_per_group}})
    if (uses(expression, parameter)) return place;
  if (counts_trips(kernel.body, parameter)) return "the trips of a loop";
  for (const Instruction& instruction : kernel.instructions) {
    if (uses(instruction.conflict_degree, parameter)) return instruction.where + "/conflict_degree";
    if (uses(instruction.transactions, parameter)) return instruction.where + "/transactions";
  }
  return {};
}

}  // namespace warpipe
