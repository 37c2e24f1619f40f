#include "space_reader.hpp"

/// The form of warpipe itself: docs/formats.md.

namespace warpipe {
namespace {

std::vector<Formula> axes_of(const JsonNode& node) {
  std::vector<Formula> axes;
  const auto add = [&](const JsonNode& each) {
    if (auto formula = formula_of(each)) axes.push_back(*std::move(formula));
  };
  if (!node.is_array()) {
    add(node);
    return axes;
  }
  for (const auto& each : node.elements()) add(each);
  if (axes.empty() || axes.size() > 3) node.fail("there are one to three axes");
  axes.resize(std::min<std::size_t>(axes.size(), 3));
  return axes;
}

std::map<std::string, Formula> formulas_of(const std::optional<JsonNode>& node) {
  std::map<std::string, Formula> formulas;
  if (!node) return formulas;
  for (const auto& [name, value] : node->members())
    if (auto formula = formula_of(value)) formulas.emplace(name, *std::move(formula));
  return formulas;
}

std::vector<JsonNode> elements_of(const std::optional<JsonNode>& node) {
  return node ? node->elements() : std::vector<JsonNode>();
}

}  // namespace

void read_own_space(const JsonNode& root, TuningSpace& space) {
  if (!root.allow_keys({"format", "version", "description", "source", "entry", "constants", "tunables", "restrictions",
                        "macros", "compiler_flags", "block", "grid", "arguments", "dynamic_shared_memory"}))
    return;
  if (const auto source = root.find("source")) space.source = source->string().value_or("");
  if (const auto entry = root.find("entry")) space.entry = entry->string().value_or("");
  if (const auto constants = root.find("constants"))
    for (const auto& [name, node] : constants->members())
      if (auto value = value_of(node)) space.constants[name] = *std::move(value);
  if (const auto tunables = root.require("tunables"))
    for (const auto& [name, node] : tunables->members()) space.tunables.push_back({name, values_of(node)});
  for (const auto& node : elements_of(root.find("restrictions")))
    if (auto formula = formula_of(node)) space.restrictions.push_back(*std::move(formula));
  for (const auto& node : elements_of(root.find("compiler_flags")))
    if (auto flag = node.string()) space.flags.push_back(*std::move(flag));
  space.macros = formulas_of(root.find("macros"));
  space.arguments = formulas_of(root.find("arguments"));
  if (const auto block = root.find("block")) space.block = axes_of(*block);
  if (const auto grid = root.find("grid")) space.grid = axes_of(*grid);
  if (const auto memory = root.find("dynamic_shared_memory")) space.dynamic_shared_memory = formula_of(*memory);
}

}  // namespace warpipe
