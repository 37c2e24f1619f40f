#include <fmt/format.h>

#include <array>

#include "space_reader.hpp"

/// Kernel Tuner's T1 input and its cache.
/// @source Kernel Tuner: kernel_tuner/schema/T1/1.0.0/input-schema.json, kernel_tuner/interface.py (tune_kernel_T1),
///         "Cache files"

namespace warpipe {
namespace {

constexpr std::array kAxes{"X", "Y", "Z"};
constexpr std::array kBlockSizes{"block_size_x", "block_size_y", "block_size_z"};
constexpr double kFailedTime = 1e20;  ///< milliseconds: written by Kernel Tuner before 0.4 for failures
constexpr double kAny = 1e300;

bool has_tunable(const TuningSpace& space, const std::string& name) {
  for (const auto& tunable : space.tunables)
    if (tunable.name == name) return true;
  return false;
}

std::string text_of(const JsonNode& node) {
  const auto value = value_of(node);
  return value ? to_string(*value) : "";
}

/// The formulas of an object with members X, Y and Z.
std::vector<std::string> along_axes(const std::optional<JsonNode>& node) {
  std::vector<std::string> axes;
  if (!node) return axes;
  for (const char* axis : kAxes) {
    const auto found = node->find(axis);
    if (!found) break;
    axes.push_back(text_of(*found));
  }
  return axes;
}

void add_formula(const std::string& text, const JsonNode& node, std::vector<Formula>& formulas) {
  if (auto formula = formula_of(text, node)) formulas.push_back(*std::move(formula));
}

std::vector<std::string> texts_of(const std::optional<JsonNode>& list) {
  std::vector<std::string> texts;
  if (!list || !list->is_array()) return texts;
  for (const auto& each : list->elements()) texts.push_back(text_of(each));
  return texts;
}

/// The sizes of the problem, one per axis: of a number, a list or the text of one of these. Formulas may name them.
std::vector<std::string> read_problem(const std::optional<JsonNode>& node, TuningSpace& space) {
  std::vector<std::string> sizes;
  if (!node || node->is_null()) return sizes;
  if (node->is_array()) {
    sizes = texts_of(node);
  } else if (const auto formula = formula_of(*node)) {
    if (!formula->names().empty()) return {formula->text()};
    const auto value = formula->evaluate({});
    if (value.is_list())
      for (const auto& each : value.list()) sizes.push_back(to_string(each));
    else
      sizes.push_back(to_string(value));
  }
  FormulaValue::List numbers;
  for (const auto& text : sizes) {
    const auto formula = formula_of(text, *node);
    if (!formula || !formula->names().empty()) continue;
    numbers.push_back(formula->evaluate({}));
    if (numbers.size() <= kAxes.size())
      space.constants[fmt::format("problem_size_{}", "xyz"[numbers.size() - 1])] = numbers.back();
  }
  for (const char* name : {"problem_size", "ProblemSize"}) space.constants[name] = FormulaValue(numbers);
  return sizes;
}

/// As in Kernel Tuner: the stated divisors of the problem along an axis, else the size of the block there.
void put_grid(const std::vector<std::string>& sizes, const std::array<std::vector<std::string>, 3>& divisors,
              TuningSpace& space) {
  for (std::size_t axis = 0; axis < std::min(sizes.size(), kAxes.size()); ++axis) {
    auto by = divisors[axis];
    if (by.empty() && has_tunable(space, kBlockSizes[axis])) by = {kBlockSizes[axis]};
    space.grid.push_back(groups_that_hold(sizes[axis], by));
  }
}

void put_block_of_names(TuningSpace& space) {
  std::size_t axes = 0;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis)
    if (has_tunable(space, kBlockSizes[axis])) axes = axis + 1;
  for (std::size_t axis = 0; axis < axes; ++axis)
    space.block.push_back(Formula::parse(has_tunable(space, kBlockSizes[axis]) ? kBlockSizes[axis] : "1"));
}

void read_arguments(const std::optional<JsonNode>& node, TuningSpace& space) {
  if (!node) return;
  std::size_t position = 0;
  for (const auto& argument : node->elements()) {
    const auto kind = argument.require("MemoryType");
    const auto value = argument.find("FillValue");
    if (kind && kind->string().value_or("") == "Scalar" && value)
      if (auto formula = formula_of(*value)) space.arguments.emplace(fmt::format("{}", position), *std::move(formula));
    ++position;
  }
}

void read_launch(const JsonNode& kernel, TuningSpace& space) {
  const auto local = kernel.find("LocalSize"), global = kernel.find("GlobalSize");
  for (const auto& text : along_axes(local)) add_formula(text, *local, space.block);
  if (space.block.empty()) put_block_of_names(space);
  std::array<std::vector<std::string>, 3> divisors;
  bool has_divisors = false;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    divisors[axis] = texts_of(kernel.find(fmt::format("GridDiv{}", kAxes[axis])));
    has_divisors = has_divisors || !divisors[axis].empty();
  }
  const auto sizes = read_problem(kernel.find("ProblemSize"), space);
  const auto globals = along_axes(global);
  if (!sizes.empty() && (has_divisors || globals.empty())) return put_grid(sizes, divisors, space);
  const auto type = kernel.find("GlobalSizeType");
  const bool counts_threads = type && type->string().value_or("") == "OpenCL";
  for (std::size_t axis = 0; axis < globals.size(); ++axis) {
    const auto by = counts_threads && axis < space.block.size() ? space.block[axis].text() : "1";
    if (formula_of(globals[axis], *global)) space.grid.push_back(groups_that_hold(globals[axis], {by}));
  }
}

/// @return the milliseconds of a run, or why it has none
MeasuredTime time_of(const JsonNode& configuration) {
  const auto time = configuration.require("time");
  if (!time || time->is_null()) return {.failure = "no time"};
  if (time->is_string()) return {.failure = time->string().value_or("no time")};
  const auto milliseconds = time->number(-kAny, kAny);
  if (!milliseconds || *milliseconds <= 0 || *milliseconds >= kFailedTime) return {.failure = "no time"};
  return {.seconds = *milliseconds * 1e-3, .runs = 1, .failure = ""};
}

}  // namespace

void read_tuning_input(const JsonNode& root, TuningSpace& space) {
  const auto of_space = root.require("ConfigurationSpace"), kernel = root.require("KernelSpecification");
  if (!of_space || !kernel) return;
  if (const auto tunables = of_space->require("TuningParameters"))
    for (const auto& each : tunables->elements()) {
      const auto name = each.require("Name"), values = each.require("Values");
      if (name && values) space.tunables.push_back({name->string().value_or(""), values_of(*values)});
    }
  if (const auto conditions = of_space->find("Conditions"))
    for (const auto& each : conditions->elements())
      if (const auto expression = each.require("Expression"))
        if (auto formula = formula_of(*expression)) space.restrictions.push_back(*std::move(formula));
  if (const auto name = kernel->find("KernelName")) space.entry = name->string().value_or("");
  if (const auto file = kernel->find("KernelFile")) space.source = file->string().value_or("");
  space.flags = texts_of(kernel->find("CompilerOptions"));
  if (const auto memory = kernel->find("SharedMemory"); memory && !memory->is_null())
    space.dynamic_shared_memory = formula_of(*memory);
  read_launch(*kernel, space);
  read_arguments(kernel->find("Arguments"), space);
}

TriedRows read_tuner_cache(const JsonNode& root, TuningSpace* space) {
  TriedRows tried;
  if (const auto device = root.find("device_name")) tried.device = device->string().value_or("");
  if (const auto keys = root.require("tune_params_keys")) tried.names = texts_of(keys);
  const auto cache = root.require("cache");
  if (!cache) return tried;
  for (const auto& [key, configuration] : cache->members()) {
    TriedRows::Row row;
    for (const auto& name : tried.names)
      if (const auto node = configuration.require(name))
        if (auto value = value_of(*node)) row.values.push_back(*std::move(value));
    row.time = time_of(configuration);
    if (row.values.size() == tried.names.size()) tried.rows.push_back(std::move(row));
  }
  if (space == nullptr) return tried;
  if (const auto kernel = root.find("kernel_name")) space->entry = kernel->string().value_or("");
  TuningSpace named;  // the tunables follow from the rows, later
  for (const auto& name : tried.names) named.tunables.push_back({name, {}});
  put_block_of_names(named);
  put_grid(read_problem(root.find("problem_size"), named), {}, named);
  space->constants = std::move(named.constants);
  space->block = std::move(named.block);
  space->grid = std::move(named.grid);
  space->grid_is_assumed = !space->grid.empty();
  return tried;
}

}  // namespace warpipe
