#include "warpipe/ptx/entries.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "warpipe/isa/symbols.hpp"

namespace warpipe::ptx {

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

std::optional<CompiledBlock> compiled_block(const Function& entry) {
  constexpr std::int64_t kMostThreads = 1024;
  if (entry.required_block) return CompiledBlock{*entry.required_block, ".reqntid"};
  if (!entry.most_block) return std::nullopt;
  const auto [x, y, z] = *entry.most_block;
  if (x * y * z > kMostThreads) return std::nullopt;
  return CompiledBlock{*entry.most_block, ".maxntid"};
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

}  // namespace warpipe::ptx
