#include "command_line/launch_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;
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

/// What is in a file that Triton wrote of an entry; nothing in any other.
std::optional<TritonMetadata> read_metadata(const std::string& path, const std::string& text,
                                            const std::string& entry) {
  Diagnostics problems;
  const JsonDocument document(text, path, problems);
  const auto root = document.root();
  const auto warps = root.find("num_warps");
  if (!warps || !warps->is_number()) return std::nullopt;
  if (const auto name = root.find("name"); name && name->is_string() && *name->string() != entry) return std::nullopt;
  TritonMetadata found{fs::path(path).filename().string(), {}, {}};
  std::int64_t lanes = 32;
  if (const auto target = root.find("target"))
    if (const auto size = target->find("warp_size"); size && size->is_number()) lanes = size->whole(1).value_or(lanes);
  if (const auto count = warps->whole(1)) found.threads = *count * lanes;
  if (const auto shared = root.find("shared"); shared && shared->is_number()) found.shared_memory = shared->whole(0);
  problems.throw_if_any();
  return found;
}

}  // namespace

TritonMetadata read_triton_metadata(const TextFile& file, const Arguments& arguments, const std::string& entry) {
  if (const auto given = arguments.value("metadata")) {
    const auto found = read_metadata(*given, read_input(*given).text, entry);
    if (!found)
      throw InputError(Diagnostic{*given, fmt::format("it is no metadata of Triton of \"{}\"", entry), "",
                                  "give the JSON file that Triton wrote with num_warps, name and shared"});
    return *found;
  }
  if (!file.source.empty() || !file.name.ends_with(".ptx")) return {};
  auto beside = fs::path(file.name);
  beside.replace_extension(".json");
  std::error_code error;
  if (!fs::is_regular_file(beside, error)) return {};
  try {
    return read_metadata(beside.string(), read_input(beside.string()).text, entry).value_or(TritonMetadata{});
  } catch (const Error&) {
    return {};  // another file that happens to have this name
  }
}

void choose_launch(const GivenLaunch& given, const ptx::Function& entry, const TritonMetadata& metadata,
                   ptx::ImportOptions& options) {
  const auto compiled = ptx::compiled_block(entry);
  if (given.block) {
    options.launch.block = *given.block;
  } else if (metadata.threads && !entry.required_block) {
    options.launch.block = {*metadata.threads, 1, 1};
    options.block_from = "num_warps of " + metadata.file;
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
  options.launch.dynamic_shared_memory = given.dynamic_shared_memory.value_or(metadata.shared_memory.value_or(0));
  if (!given.dynamic_shared_memory && metadata.shared_memory) options.shared_memory_from = "shared of " + metadata.file;
}

}  // namespace warpipe::app
