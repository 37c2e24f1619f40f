#include "warpipe/sass/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "decode.hpp"
#include "program_reader.hpp"
#include "rows.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::sass {
namespace {

/// How many axes of the numbers from a special register on an entry reads.
int axes_read(const Kernel& kernel, int architecture, std::uint64_t first) {
  int axes = 0;
  for (std::uint64_t address = 0; address + 16 <= kernel.code.size(); address += 16) {
    const auto one = decode(word_at(kernel.code, address), address, architecture);
    if (one.row == nullptr || one.row->layout != Layout::Special) continue;
    const auto number = one.word.bits(72, 8);
    if (number >= first && number < first + 3) axes = std::max(axes, static_cast<int>(number - first) + 1);
    if (first == 0x21 && number == 0x20) axes = 3;
  }
  return axes;
}

isa::Entry entry_of(const Module& module, const Kernel& kernel) {
  isa::Entry entry;
  entry.symbol = kernel.symbol;
  std::map<std::uint32_t, std::size_t> counts;
  for (const auto& [address, line] : kernel.lines)
    if (line.line > 0) ++counts[line.file];
  if (!counts.empty()) {
    const auto most = std::ranges::max_element(counts, {}, [](const auto& of) { return of.second; });
    const auto there = std::ranges::find_if(
        kernel.lines, [&](const auto& one) { return one.second.line > 0 && one.second.file == most->first; });
    if (const auto name = module.sources.find(most->first); name != module.sources.end()) entry.source = name->second;
    entry.source_line = there->second.line;
    entry.sources = isa::names_of_files(counts, module.sources);
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& of = kernel.parameters[i];
    const bool one = of.bytes == 1 || of.bytes == 2 || of.bytes == 4 || of.bytes == 8;
    entry.parameters.push_back({one ? fmt::format(".b{}", 8 * of.bytes) : fmt::format(".b8[{}]", of.bytes),
                                fmt::format("{}_param_{}", kernel.symbol, i), "", "", of.offset, of.bytes});
  }
  entry.required_block = kernel.required_block;
  entry.most_block = kernel.most_block;
  if (kernel.required_block) entry.block_directive = "__block_size__";
  if (!kernel.required_block && kernel.most_block) entry.block_directive = "__launch_bounds__";
  if (kernel.registers > 0) entry.registers = kernel.registers;
  entry.stack_bytes = kernel.stack;
  entry.block_axes = axes_read(kernel, module.architecture, 0x21);
  entry.grid_axes = axes_read(kernel, module.architecture, 0x25);
  if (kernel.code.empty()) entry.problem = "it has no code";
  return entry;
}

}  // namespace

std::vector<isa::Entry> entries(const Module& module) {
  std::vector<isa::Entry> all;
  for (const auto& kernel : module.kernels) all.push_back(entry_of(module, kernel));
  return all;
}

}  // namespace warpipe::sass
