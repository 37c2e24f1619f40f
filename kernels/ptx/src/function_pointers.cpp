#include "function_pointers.hpp"

namespace warpipe::ptx {

FunctionBodies bodies_of(const Module& module) {
  FunctionBodies bodies;
  for (const auto& function : module.functions)
    if (function.defined) bodies.emplace(function.name, &function);
  return bodies;
}

FunctionPointers::FunctionPointers(const Module& module, const FunctionBodies& bodies) {
  const auto take_those_of = [&](const std::vector<Variable>& variables) {
    for (const auto& variable : variables)
      for (const auto& one : variable.addresses) take_address(one.name, bodies);
  };
  take_those_of(module.variables);
  for (const auto& function : module.functions) {
    take_those_of(function.variables);
    for (const auto& instruction : function.instructions) {
      if (instruction.opcode() != "mov") continue;
      for (const auto& operand : instruction.operands)
        if (operand.kind == Operand::Kind::Symbol) take_address(operand.name, bodies);
    }
  }
}

void FunctionPointers::take_address(std::string_view name, const FunctionBodies& bodies) {
  const auto body = bodies.find(name);
  if (body == bodies.end() || body->second->entry || addresses_.contains(name)) return;
  auto& alike = functions_[{bytes_of(body->second->returns), bytes_of(body->second->parameters)}];
  alike.push_back(body->second);
  addresses_.emplace(name, kFirstFunction + alike.size() - 1);
}

std::optional<std::uint64_t> FunctionPointers::address_of(std::string_view function) const {
  const auto found = addresses_.find(function);
  return found == addresses_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<const Function*>& FunctionPointers::with(const Signature& signature) const {
  static const std::vector<const Function*> kNone;
  const auto found = functions_.find(signature);
  return found == functions_.end() ? kNone : found->second;
}

void FunctionPointers::fill_in(Variable& variable) const {
  if (variable.addresses.empty()) return;
  std::erase_if(variable.addresses, [&](const isa::InitialAddress& one) {
    const auto address = address_of(one.name);
    if (address) variable.values[one.index] = one.bits_of(*address);
    return address.has_value();
  });
  variable.known = variable.addresses.empty();
}

std::vector<std::int64_t> bytes_of(const std::vector<Variable>& variables) {
  std::vector<std::int64_t> bytes;
  for (const auto& variable : variables) bytes.push_back(variable.bytes());
  return bytes;
}

std::vector<std::int64_t> bytes_of(const Function& caller, const std::vector<Operand>& operands) {
  std::vector<std::int64_t> bytes;
  for (const auto& operand : operands)
    for (const auto* variables : {&caller.variables, &caller.parameters, &caller.returns})
      for (const auto& variable : *variables)
        if (variable.name == operand.name) bytes.push_back(variable.bytes());
  return bytes;
}

}  // namespace warpipe::ptx
