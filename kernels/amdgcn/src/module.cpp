#include "warpipe/amdgcn/module.hpp"

#include <algorithm>

#include "warpipe/isa/symbols.hpp"

namespace warpipe::amdgcn {

std::optional<std::string> TextInstruction::modifier(const std::string& key) const {
  for (const auto& one : modifiers)
    if (one.size() > key.size() && one.starts_with(key) && one[key.size()] == ':') return one.substr(key.size() + 1);
  return std::nullopt;
}

bool TextInstruction::has(const std::string& word) const {
  return std::ranges::find(modifiers, word) != modifiers.end();
}

const KernelText& Module::find(const std::string& name) const {
  std::vector<std::string> symbols;
  for (const auto& kernel : kernels) symbols.push_back(kernel.symbol);
  return kernels[isa::find_symbol(symbols, name, file)];
}

}  // namespace warpipe::amdgcn
