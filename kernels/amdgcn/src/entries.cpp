#include "warpipe/amdgcn/entries.hpp"

#include <algorithm>
#include <map>

#include "decode.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {
namespace {

/// The file of most instructions, and the first line there.
void find_source(const Module& module, const KernelText& kernel, isa::Entry& entry) {
  std::map<std::uint32_t, std::size_t> lines;
  for (const auto& one : kernel.instructions)
    if (one.source.line > 0 && module.sources.contains(one.source.file)) ++lines[one.source.file];
  const auto most = std::ranges::max_element(lines, {}, [](const auto& one) { return one.second; });
  if (most == lines.end()) return;
  entry.source = module.sources.at(most->first);
  entry.sources = isa::names_of_files(lines, module.sources);
  for (const auto& one : kernel.instructions)
    if (one.source.file == most->first && one.source.line > 0 &&
        (entry.source_line == 0 || one.source.line < entry.source_line))
      entry.source_line = one.source.line;
}

isa::Entry entry_of(const Module& module, const KernelText& kernel) {
  isa::Entry made;
  made.symbol = kernel.symbol;
  find_source(module, kernel, made);
  made.required_block = kernel.metadata.required_block;
  if (kernel.metadata.most_threads) made.most_block = isa::Dimensions{*kernel.metadata.most_threads, 1, 1};
  made.block_directive = made.required_block ? ".reqd_workgroup_size"
                         : made.most_block   ? ".max_flat_workgroup_size"
                                             : "";
  made.registers = registers_of(module, kernel);
  try {
    isa::LoweringOptions options;
    options.assume = true;
    const auto decoded = decode_kernel(module, kernel, options);
    made.block_axes = decoded.block_axes;
    made.grid_axes = decoded.grid_axes;
    for (const auto& parameter : decoded.program.parameters) {
      if (parameter.field) continue;
      const auto bytes = parameter.type.bits / 8 * parameter.elements;
      made.parameters.push_back(
          {parameter.declaration, parameter.name, parameter.name, "", parameter.offset.value_or(0), bytes});
    }
    for (const auto& one : decoded.assumed)
      made.problem =
          made.problem.empty() ? "it has opcodes that are not known: " + one.name : made.problem + ", " + one.name;
    std::ranges::stable_sort(made.parameters, {}, &isa::Entry::Parameter::offset);
  } catch (const InputError& error) {
    made.problem = error.what();
  }
  return made;
}

}  // namespace

std::vector<isa::Entry> entries(const Module& module) {
  std::vector<isa::Entry> made;
  for (const auto& kernel : module.kernels) made.push_back(entry_of(module, kernel));
  return made;
}

}  // namespace warpipe::amdgcn
