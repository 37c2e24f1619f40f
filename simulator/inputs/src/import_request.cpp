#include "warpipe/inputs/import_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "warpipe/inputs/source_names.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/latency_tables/special_forms.hpp"

namespace warpipe {
namespace {

using Kind = isa::Assumption::Kind;

/// By the number of axes used by a kernel.
constexpr const char* kBlocks[] = {"256", "256", "16,16", "8,8,4"};
constexpr const char* kGrids[] = {"1024", "1024", "32,32", "16,8,8"};
/// Other sizes, to see their effect.
constexpr std::array<const char*, 2> kOtherBlocks[] = {
    {"128", "512"}, {"128", "512"}, {"8,8", "32,32"}, {"4,4,4", "8,8,8"}};
constexpr std::array<const char*, 2> kOtherGrids[] = {
    {"512", "2048"}, {"512", "2048"}, {"16,16", "64,64"}, {"8,8,8", "16,16,16"}};

void assume(isa::ImportOptions& options, isa::Assumption assumption) {
  isa::answer(options.launch, assumption, assumption.value);
  options.assumed.push_back(std::move(assumption));
}

void assume_block(const isa::Entry& entry, isa::ImportOptions& options) {
  isa::Assumption block{Kind::Block, "", kBlocks[entry.block_axes], "a common size", {}, 0, "", {}};
  block.others = {kOtherBlocks[entry.block_axes].begin(), kOtherBlocks[entry.block_axes].end()};
  block.question = {"`block`", "it is missing, and the entry is compiled for no block", "", "give `block X[,Y[,Z]]`"};
  assume(options, std::move(block));
}

void assume_grid(const isa::Entry& entry, isa::ImportOptions& options) {
  isa::Assumption grid{Kind::Grid, "", kGrids[entry.grid_axes], "a launch that fills a device", {}, 0, "", {}};
  grid.others = {kOtherGrids[entry.grid_axes].begin(), kOtherGrids[entry.grid_axes].end()};
  grid.question = {"`grid`", "it is missing", "", "give `grid X[,Y[,Z]]`"};
  assume(options, std::move(grid));
}

/// The given sizes, else the sizes compiled into the entry, else questions or assumptions.
void choose_launch(const GivenLaunch& given, const isa::Entry& entry, isa::ImportOptions& options) {
  const auto compiled = isa::compiled_block(entry);
  if (given.block) {
    options.launch.block = *given.block;
  } else if (compiled) {
    options.launch.block = *compiled;
    if (!entry.required_block) options.block_from = entry.block_directive;
  } else {
    assume_block(entry, options);
  }
  if (given.grid)
    options.launch.grid = *given.grid;
  else
    assume_grid(entry, options);
  options.launch.dynamic_shared_memory = given.dynamic_shared_memory.value_or(0);
}

}  // namespace

std::optional<AccessSizes> access_sizes(const Device& device) {
  if (!device.memory) return std::nullopt;
  const auto& memory = *device.memory;
  AccessSizes sizes{memory.transaction_bytes, AccessSizes{}.line_bytes, memory.banks, memory.bank_bytes};
  if (has_levels(device)) sizes.line_bytes = memory.levels.front().line_bytes;
  return sizes;
}

isa::Target import_target(const Device& device) {
  isa::Target target{device.name, compile_target(device), device.warp_size, {}, access_sizes(device)};
  target.resident_threads = device.compute_units * device.limits.warps_per_unit.value_or(0) * device.warp_size;
  for (const auto& op : device.ops) target.latencies[op.name] = latency_at(op.completion, 1).count;
  for (const auto& form : special_forms())
    if (const auto row = target.latencies.find(form.row); row != target.latencies.end())
      target.latencies.try_emplace(std::string(form.op), row->second);
  return target;
}

isa::ImportOptions import_options(const ImportRequest& request, const TextFile& file, const code::Module& module,
                                  const isa::Target& target, const BeforeReading& before) {
  const auto& given = request.launch;
  const auto& entry = module.find_entry(given.entry);
  isa::ImportOptions options;
  options.entry = entry.symbol;
  choose_launch(given, entry, options);
  auto& launch = options.launch;
  options.target = target;
  launch.resident_threads = target.resident_threads;
  launch.max_instructions = request.max_instructions.value_or(launch.max_instructions);
  launch.arguments = given.arguments;
  launch.arrays = given.arrays;
  launch.parameters = given.parameters;
  launch.trips = given.trips;
  launch.taken = given.taken;
  launch.addresses = given.addresses;
  launch.assume = request.assume;
  options.lowering = request.lowering;
  for (const auto& parameter : with_source_names(entry, module, file, before).parameters)
    options.parameter_names.push_back(parameter.name);
  options.registers = request.registers;
  if (request.registers) options.registers_from = "as given";
  return options;
}

}  // namespace warpipe
