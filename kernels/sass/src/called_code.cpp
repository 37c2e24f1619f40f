#include "called_code.hpp"

#include <algorithm>

#include "decode.hpp"

namespace warpipe::sass {
namespace {

constexpr std::uint64_t kInstructionBytes = 16;

bool has_function(const Kernel& kernel, const std::string& name) {
  return std::ranges::any_of(kernel.functions, [&](const auto& one) { return one.second == name; });
}

/// Whether the constants of a callee fit beside the constants of a kernel.
bool fits(const Kernel& callee, const Kernel& kernel) {
  const auto is_relocated = [](const Kernel& of, unsigned bank) {
    const auto found = of.constant_relocations.find(bank);
    return found != of.constant_relocations.end() && !found->second.empty();
  };
  return std::ranges::all_of(callee.constants, [&](const auto& bank) {
    const auto own = kernel.constants.find(bank.first);
    if (own == kernel.constants.end()) return true;
    return own->second == bank.second && !is_relocated(callee, bank.first) && !is_relocated(kernel, bank.first);
  });
}

void append(Kernel& whole, const Kernel& callee) {
  const auto start = whole.code.size();
  whole.code += callee.code;
  whole.functions[start] = callee.symbol;
  for (const auto& [address, name] : callee.functions) whole.functions[start + address] = name;
  whole.lines[start] = {};
  for (const auto& [address, line] : callee.lines) whole.lines[start + address] = line;
  for (const auto& one : callee.relocations) whole.relocations.push_back({start + one.offset, one.symbol, one.addend});
  whole.constants.insert(callee.constants.begin(), callee.constants.end());
  whole.constant_relocations.insert(callee.constant_relocations.begin(), callee.constant_relocations.end());
  whole.registers = std::max(whole.registers, callee.registers);
  whole.stack += callee.stack;
}

}  // namespace

Kernel with_called_code(const Module& module, const Kernel& kernel) {
  auto whole = kernel;
  for (std::size_t i = 0; i < whole.relocations.size(); ++i) {
    const auto name = whole.relocations[i].symbol;
    const auto callee = std::ranges::find(module.kernels, name, &Kernel::symbol);
    if (callee == module.kernels.end() || name == kernel.symbol || has_function(whole, name)) continue;
    const auto address = whole.relocations[i].offset / kInstructionBytes * kInstructionBytes;
    if (callee->code.empty() || address + kInstructionBytes > whole.code.size() || !fits(*callee, whole)) continue;
    const auto one = decode(word_at(whole.code, address), address, module.architecture);
    if (is(one, "CALL.ABS") || is(one, "CALL.REL")) append(whole, *callee);
  }
  return whole;
}

}  // namespace warpipe::sass
