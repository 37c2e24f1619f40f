#include "size_parameter.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpipe {
namespace {

/// What is not rounded is not whole, and says so itself.
bool rounds(const Expression& expression, const std::string& parameter) {
  const auto& text = expression.text();
  return expression.uses(parameter) && (text.find("ceil") < text.size() || text.find("floor") < text.size());
}

bool rounds_trips(const std::vector<Item>& body, const std::string& parameter) {
  return std::ranges::any_of(body, [&](const Item& item) {
    if (const auto* when = std::get_if<When>(&item.node)) return rounds_trips(when->body, parameter);
    const auto* loop = std::get_if<Loop>(&item.node);
    return loop != nullptr && (rounds(loop->trip_count, parameter) || rounds_trips(loop->body, parameter));
  });
}

}  // namespace

std::string rounded_with(const Kernel& kernel, const std::string& parameter) {
  for (const auto& [place, expression] :
       {std::pair{"/launch/group_size", kernel.launch.group_size},
        {"/launch/groups", kernel.launch.groups},
        {"/launch/concurrent_groups", kernel.launch.concurrent_groups},
        {"/resources/registers_per_thread", kernel.resources.registers_per_thread},
        {"/resources/shared_memory_per_group", kernel.resources.shared_memory_per_group}})
    if (expression && rounds(*expression, parameter)) return place;
  if (rounds_trips(kernel.body, parameter)) return "the trips of a loop";
  for (const Instruction& instruction : kernel.instructions) {
    for (const auto& [key, expression] :
         {std::pair{"/conflict_degree", instruction.conflict_degree}, {"/transactions", instruction.transactions}})
      if (expression && rounds(*expression, parameter)) return instruction.where + key;
  }
  return {};
}

}  // namespace warpipe
