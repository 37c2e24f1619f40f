#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

using FunctionBodies = std::map<std::string_view, const Function*>;
/// The defined functions of a module, by name.
FunctionBodies bodies_of(const Module& module);

/// The address of the first function with a signature.
inline constexpr std::uint64_t kFirstFunction = 1;

/// The functions of a module whose address it takes. Functions with the same parameters are numbered from
/// kFirstFunction on, and the number is the address: a call through a register goes to the function with the register's
/// number, and 0 is no function.
class FunctionPointers {
 public:
  /// Bytes of the return values of a function, and of its parameters.
  using Signature = std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>;

  /// @param bodies  the defined functions of the module, by name
  FunctionPointers(const Module& module, const FunctionBodies& bodies);

  /// The address of a function; nothing for other names.
  std::optional<std::uint64_t> address_of(std::string_view function) const;

  /// The functions that a call with a signature may reach, the lowest address first.
  const std::vector<const Function*>& with(const Signature& signature) const;

  /// Puts addresses of functions into the initialisers of a variable.
  void fill_in(Variable& variable) const;

 private:
  void take_address(std::string_view name, const FunctionBodies& bodies);

  std::map<Signature, std::vector<const Function*>> functions_;
  std::map<std::string, std::uint64_t, std::less<>> addresses_;
};

/// The bytes of variables, in their order.
std::vector<std::int64_t> bytes_of(const std::vector<Variable>& variables);
/// The same of the variables handed over by a call in a function.
std::vector<std::int64_t> bytes_of(const Function& caller, const std::vector<Operand>& operands);

}  // namespace warpipe::ptx
