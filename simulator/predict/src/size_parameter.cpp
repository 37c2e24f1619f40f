#include "size_parameter.hpp"

#include <optional>
#include <utility>

#include "warpipe/idg/kernel_numbers.hpp"

namespace warpipe {
namespace {

/// What is not rounded is not whole, and says so itself.
bool rounds(const Expression& expression, const std::string& parameter) {
  const auto& text = expression.text();
  return expression.uses(parameter) && (text.find("ceil") < text.size() || text.find("floor") < text.size());
}

/// What rounds with the parameter in a body: the trips of a loop, or else the factor of an instruction; empty where
/// nothing does.
std::string rounded_in_body(const Kernel& kernel, const std::string& parameter) {
  std::string first;
  const auto note = [&](const KernelNumber& number) {
    const bool is_trips = number.key == "trip_count";
    if (!is_trips && number.key != "conflict_degree" && number.key != "transactions") return;
    if (first.empty() && rounds(number.expression, parameter))
      first = is_trips ? "the trips of a loop" : number.where();
  };
  for_each_number(kernel.body, note);
  for (const Instruction& instruction : kernel.instructions) for_each_number(instruction, note);
  return first;
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
  return rounded_in_body(kernel, parameter);
}

}  // namespace warpipe
