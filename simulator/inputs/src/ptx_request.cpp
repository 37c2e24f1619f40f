#include "warpipe/inputs/ptx_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warpipe/inputs/source_names.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe {
namespace {

using Kind = isa::Assumption::Kind;

/// By the number of axes that a kernel looks at.
constexpr const char* kBlocks[] = {"256", "256", "16,16", "8,8,4"};
constexpr const char* kGrids[] = {"1024", "1024", "32,32", "16,8,8"};

/// How many axes of a number an entry reads: 2 where it reads "%tid.y" and not "%tid.z".
std::size_t axes_read(const ptx::Function& entry, const std::string& name) {
  std::size_t axes = 0;
  for (const auto& instruction : entry.instructions)
    for (const auto& operand : instruction.operands)
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (operand.kind == ptx::Operand::Kind::Special && operand.name == fmt::format("%{}.{}", name, "xyz"[axis]))
          axes = std::max(axes, axis + 1);
  return axes;
}

void assume(ptx::ImportOptions& options, isa::Assumption assumption) {
  isa::answer(options.launch, assumption, assumption.value);
  options.assumed.push_back(std::move(assumption));
}

void assume_block(const ptx::Function& entry, ptx::ImportOptions& options) {
  const auto axes = axes_read(entry, "tid");
  isa::Assumption block{Kind::Block, "", kBlocks[axes], "a common size", {}, 0, "", {}};
  if (axes < 2) block.others = {"128", "512"};
  block.question = {"`block`", "it is missing, and the entry is compiled for no block", "", "give `block X[,Y[,Z]]`"};
  assume(options, std::move(block));
}

void assume_grid(const ptx::Function& entry, ptx::ImportOptions& options) {
  const auto axes = axes_read(entry, "ctaid");
  isa::Assumption grid{Kind::Grid, "", kGrids[axes], "a launch that fills a device", {}, 0, "", {}};
  if (axes < 2) grid.others = {"512", "2048"};
  grid.question = {"`grid`", "it is missing", "", "give `grid X[,Y[,Z]]`"};
  assume(options, std::move(grid));
}

/// What is given, else what the entry is compiled for, else something to be asked for or assumed.
void choose_launch(const GivenLaunch& given, const ptx::Function& entry, ptx::ImportOptions& options) {
  const auto compiled = ptx::compiled_block(entry);
  if (given.block) {
    options.launch.block = *given.block;
  } else if (compiled) {
    options.launch.block = compiled->sizes;
    if (!entry.required_block) options.block_from = compiled->directive;
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

ptx::ImportOptions import_options(const PtxRequest& request, const TextFile& file, const ptx::Module& module,
                                  std::int64_t warp_size, const BeforeReading& before) {
  const auto& given = request.launch;
  const auto& entry = ptx::find_entry(module, given.entry);
  ptx::ImportOptions options;
  options.entry = entry.name;
  choose_launch(given, entry, options);
  auto& launch = options.launch;
  options.warp_size = warp_size;
  launch.max_instructions = request.max_instructions.value_or(launch.max_instructions);
  launch.arguments = given.arguments;
  launch.arrays = given.arrays;
  launch.trips = given.trips;
  launch.taken = given.taken;
  launch.addresses = given.addresses;
  launch.assume = request.assume;
  options.lowering = request.lowering;
  for (const auto& parameter : source_parameters(module, entry, file, before))
    options.parameter_names.push_back(parameter.name);
  options.registers = request.registers;
  if (request.registers) options.registers_from = "as given";
  return options;
}

}  // namespace warpipe
