#include "warpipe/idg/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

std::int64_t whole_at(const std::string& place, const Expression& expression, const Values& values,
                      std::int64_t least) {
  try {
    return expression.evaluate_whole(values, least);
  } catch (const ModelError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.where = place;
    throw ModelError(std::move(diagnostics));
  }
}

/// Sets `x` and `y` to the sizes along the first two axes; a missing size is 1, but an empty list changes nothing.
void set_sizes(const std::vector<Expression>& sizes, const char* key, const Values& values, std::int64_t& x,
               std::int64_t& y) {
  if (sizes.empty()) return;
  const auto along = [&](std::size_t axis) {
    return axis < sizes.size() ? whole_at(fmt::format("/launch/{}/{}", key, axis), sizes[axis], values, 1) : 1;
  };
  x = along(0);
  y = along(1);
}

void set_axes(Values& values, const std::array<const char*, 3>& names, std::int64_t index, std::int64_t x,
              std::int64_t y) {
  values[names[0]] = static_cast<double>(index % x);
  values[names[1]] = static_cast<double>(index / x % y);
  values[names[2]] = static_cast<double>(index / x / y);
}

}  // namespace

LaunchShape launch_shape(const Kernel& kernel, const Values& values) {
  LaunchShape shape;
  set_sizes(kernel.launch.block, "block", values, shape.block_x, shape.block_y);
  set_sizes(kernel.launch.grid, "grid", values, shape.grid_x, shape.grid_y);
  for (const Array& array : kernel.arrays)
    shape.arrays.push_back(
        {whole_at(fmt::format("/arrays/{}/bytes", array.name), array.bytes, values, 1), array.thread_private});
  return shape;
}

std::span<const std::string> place_names() {
  static const std::array<std::string, 8> kNames{"lane",  "thread_x", "thread_y", "thread_z",
                                                 "group", "group_x",  "group_y",  "group_z"};
  return kNames;
}

void set_group(Values& values, const LaunchShape& shape, std::int64_t group) {
  values["group"] = static_cast<double>(group);
  set_axes(values, {"group_x", "group_y", "group_z"}, group, shape.grid_x, shape.grid_y);
}

void set_thread(Values& values, const LaunchShape& shape, std::int64_t thread, std::int64_t lane) {
  values["lane"] = static_cast<double>(lane);
  set_axes(values, {"thread_x", "thread_y", "thread_z"}, thread, shape.block_x, shape.block_y);
}

bool is_inside(const LaunchShape::Array& array, std::int64_t address) { return address >= 0 && address < array.bytes; }

const std::vector<std::int64_t>& sampled_addresses(const AccessPattern::Sampled& sampled, std::int64_t warp,
                                                   std::int64_t execution) {
  const auto warps = static_cast<std::int64_t>(sampled.executions.size()) / sampled.executions_per_warp;
  const std::int64_t at = warp % warps * sampled.executions_per_warp + execution % sampled.executions_per_warp;
  return sampled.executions[static_cast<std::size_t>(at)];
}

std::int64_t sampled_shift(const AccessPattern::Sampled& sampled, std::int64_t warp, std::int64_t execution,
                           std::int64_t bytes) {
  if (std::ranges::binary_search(sampled.fixed, execution % sampled.executions_per_warp)) return 0;
  const auto warps = static_cast<std::int64_t>(sampled.executions.size()) / sampled.executions_per_warp;
  const auto shift =
      static_cast<double>(warp / warps) * static_cast<double>(sampled.shift_bytes % bytes) +
      static_cast<double>(execution / sampled.executions_per_warp) * static_cast<double>(sampled.again_bytes % bytes);
  return static_cast<std::int64_t>(std::fmod(shift, static_cast<double>(bytes)));
}

}  // namespace warpipe
