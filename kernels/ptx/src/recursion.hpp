#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "function_pointers.hpp"
#include "routine.hpp"
#include "warpipe/isa/recursion.hpp"

/// Functions that call themselves. The body of such a function is put into place once for a call from outside. A call
/// from within the body keeps the live registers in memory of the thread, and jumps to the start of the body; at the
/// end of the body a register tells the call to go back to.

namespace warpipe::ptx {

/// The memory of a thread for the registers and the variables of functions that call themselves.
inline constexpr std::int64_t kRecursionBytes = 64 << 10, kFrameAlignment = 16;
using isa::kRecursionStack;

/// The names of the functions that an entry reaches and that reach themselves.
std::set<std::string_view> recursive_functions(const Function& entry, const Module& module,
                                               const FunctionBodies& bodies, const FunctionPointers& pointers);

/// A body that is jumped to by calls within it.
struct RecursiveBody {
  std::string function;
  std::uint32_t start = 0;                      ///< its first instruction
  std::uint32_t end = 0;                        ///< the jump by table behind it
  std::uint32_t first_register = 0;             ///< it writes registers from here on, and its arguments
  std::uint32_t back_to = 0;                    ///< register: 0 for the call from outside, from 1 on the calls within
  std::vector<std::string> returns, arguments;  ///< the variables that hold them
  struct Call {
    std::uint32_t at = 0;  ///< the jump in its place
    std::vector<std::string> returns, arguments;
  };
  std::vector<Call> calls;
};

/// The registers for the places in variables handed over by calls, by "variable+offset".
using ParameterRegisters = std::map<std::string, std::uint32_t, std::less<>>;

/// Adds the instructions around each call of a body within itself, behind all others.
/// @param stack  the register with the first free address of the stack
/// @throws InputError for registers of more than 64 bits alive behind such a call
void add_recursive_calls(Routine& routine, const std::vector<RecursiveBody>& bodies, ParameterRegisters& parameters,
                         std::uint32_t stack);

/// dst = reg + bytes.
Instruction add_to_address(std::uint32_t to, std::uint32_t from, std::int64_t bytes);
Instruction copy_of_register(std::uint32_t to, const Operand& from, Type type);

}  // namespace warpipe::ptx
