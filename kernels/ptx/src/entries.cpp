#include "warpipe/ptx/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "warpipe/isa/symbols.hpp"

namespace warpipe::ptx {
namespace {

/// How many instructions of an entry are from each file.
std::map<std::uint32_t, std::size_t> instructions_by_file(const Function& entry) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const auto& one : entry.instructions)
    if (one.source.line > 0) ++counts[one.source.file];
  return counts;
}

/// The first source line of an entry's instructions in the file that most of them come from: some come from headers.
SourceLine first_line(const Function& entry) {
  const auto counts = instructions_by_file(entry);
  if (counts.empty()) return {};
  const auto most = std::ranges::max_element(counts, {}, [](const auto& of) { return of.second; });
  const auto is_there = [&](const auto& one) { return one.source.line > 0 && one.source.file == most->first; };
  return std::ranges::find_if(entry.instructions, is_there)->source;
}

/// How many axes of a number an entry reads: 2 where it reads "%tid.y" and not "%tid.z".
int axes_read(const Function& entry, const std::string& name) {
  int axes = 0;
  for (const auto& instruction : entry.instructions)
    for (const auto& operand : instruction.operands)
      for (int axis = 0; axis < 3; ++axis)
        if (operand.kind == Operand::Kind::Special && operand.name == fmt::format("%{}.{}", name, "xyz"[axis]))
          axes = std::max(axes, axis + 1);
  return axes;
}

/// ".u32", or ".b8[24]" of a structure.
std::string type_of(const Variable& parameter) {
  const auto type = "." + to_string(parameter.type);
  return parameter.elements == 1 ? type : fmt::format("{}[{}]", type, parameter.elements);
}

isa::Entry entry_of(const Module& module, const Function& function) {
  isa::Entry entry;
  entry.symbol = function.name;
  const auto first = first_line(function);
  if (const auto file = module.sources.find(first.file); file != module.sources.end() && first.line > 0) {
    entry.source = file->second;
    entry.source_line = first.line;
  }
  entry.sources = isa::names_of_files(instructions_by_file(function), module.sources);
  const auto offsets = parameter_offsets(function.parameters);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto& parameter = function.parameters[i];
    entry.parameters.push_back({type_of(parameter), parameter.name, "", "", offsets[i], parameter.bytes()});
  }
  entry.required_block = function.required_block;
  entry.most_block = function.most_block;
  entry.block_directive = function.required_block ? ".reqntid" : function.most_block ? ".maxntid" : "";
  entry.most_registers = function.most_registers;
  entry.least_groups = function.least_groups;
  if (!function.problems.empty()) entry.problem = to_string(function.problems.front());
  entry.block_axes = axes_read(function, "tid");
  entry.grid_axes = axes_read(function, "ctaid");
  return entry;
}

}  // namespace

std::vector<const Function*> entries_of(const Module& module) {
  std::vector<const Function*> entries;
  std::set<std::string_view> seen;
  for (const auto& function : module.functions) {
    if (!function.entry || !seen.insert(function.name).second) continue;
    const auto* defined = module.find(function.name);
    if (defined != nullptr && defined->entry && defined->defined) entries.push_back(defined);
  }
  return entries;
}

const Function& find_entry(const Module& module, std::string_view name) {
  const auto entries = entries_of(module);
  if (entries.empty())
    throw InputError(Diagnostic{module.file, "the module has no entry (.entry)", "",
                                "give a file with a kernel; a template makes one where the source instantiates it"});
  std::vector<std::string> symbols;
  for (const auto* entry : entries) symbols.push_back(entry->name);
  return *entries[isa::find_symbol(symbols, name, module.file)];
}

std::vector<std::int64_t> parameter_offsets(const std::vector<Variable>& parameters) {
  std::vector<std::int64_t> offsets;
  std::int64_t end = 0;
  for (const auto& parameter : parameters) {
    const auto alignment = std::max<std::int64_t>(parameter.alignment, 1);
    offsets.push_back((end + alignment - 1) / alignment * alignment);
    end = offsets.back() + parameter.bytes();
  }
  return offsets;
}

std::vector<isa::Entry> entries(const Module& module) {
  std::vector<isa::Entry> all;
  for (const auto* function : entries_of(module)) all.push_back(entry_of(module, *function));
  return all;
}

}  // namespace warpipe::ptx
