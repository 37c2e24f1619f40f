#include <fmt/format.h>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/kernel_numbers.hpp"

namespace warpipe {
namespace {

/// The number of a column for a warp of a group.
double value_at(const std::string& name, const GroupKinds::Column& column, const Values& values, std::int64_t kind,
                std::int64_t warp) {
  const std::string place = fmt::format("/kinds/values/{}", name);
  if (kind >= static_cast<std::int64_t>(column.size()))
    throw ModelError(Diagnostic{place, fmt::format("kind {} has no value", kind),
                                fmt::format("there are values for kinds 0 to {}", column.size() - 1),
                                "add values, or change \"of_group\" or the number of groups"});
  const std::vector<double>& numbers = column[static_cast<std::size_t>(kind)];
  if (numbers.size() == 1) return numbers.front();
  const double warps = values.at("warps");
  if (static_cast<double>(numbers.size()) != warps)
    throw ModelError(
        Diagnostic{fmt::format("{}/{}", place, kind),
                   fmt::format("a kind must have one number, or one for each of the {} warps of a group", warps),
                   fmt::format("found {}", numbers.size()), "change the list or the group size"});
  return numbers[static_cast<std::size_t>(warp)];
}

}  // namespace

Values body_values(const Kernel& kernel, Values of_launch, std::int64_t kind, std::int64_t warp) {
  of_launch["warp"] = static_cast<double>(warp);
  if (!kernel.kinds) return of_launch;
  of_launch["kind"] = static_cast<double>(kind);
  for (const auto& [name, column] : kernel.kinds->values)
    of_launch[name] = value_at(name, column, of_launch, kind, warp);
  return of_launch;
}

std::string KernelNumber::where() const {
  return element ? fmt::format("{}/{}/{}", owner, key, *element) : fmt::format("{}/{}", owner, key);
}

std::vector<std::string> names_of_kinds(const std::optional<GroupKinds>& kinds) {
  if (!kinds) return {};
  std::vector<std::string> names{"kind"};
  for (const auto& [name, column] : kinds->values) names.push_back(name);
  return names;
}

NameSet names_that_vary(const Kernel& kernel) {
  const std::vector<std::string> of_kinds = names_of_kinds(kernel.kinds);
  NameSet names(of_kinds.begin(), of_kinds.end());
  names.emplace("warp");
  return names;
}

}  // namespace warpipe
