#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

/// The compute capability of a target: "sm_90a" is 90; 0 where it says none.
int capability(std::string_view target);

/// An entry with every call inlined and every branch resolved. No access to the parameters of an
/// inner function (they became copies between registers) and no `ret` of one are left, and of calls only those of
/// functions that have no body here, as instructions without operands.
struct Routine {
  std::string name;
  std::string file;      ///< of the PTX, for messages
  int architecture = 0;  ///< 80 of sm_80
  std::vector<Variable> parameters;
  std::vector<Variable> variables;  ///< of the entry and its functions, and those of the module
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<std::vector<std::uint32_t>>
      targets;  ///< one an instruction; of a branch: where it may go; may be one past the end
  std::map<std::uint32_t, std::string> labels;   ///< a label of an instruction's index
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::size_t calls = 0;                         ///< inlined
  std::size_t duplicated = 0;                    ///< instructions, by make_reducible
  std::size_t hoisted = 0;                       ///< loads, by hoist_loads
  std::map<std::string, std::size_t> removed;    ///< instructions that are here no more, by the rule that took them out
  /// Registers that no text names, of instructions with a carry: the flag CC.CF, its next value, and a product.
  std::optional<std::array<std::uint32_t, 3>> carries;

  const Variable* find_variable(std::string_view name) const;
};

/// The last part of a mangled name of a variable, "tile" of "_ZZ4gemmPfE4tile"; empty for one that is not mangled.
std::string source_name(const std::string& variable);

/// Inlines an entry's calls.
/// @param entry  its name, as of find_entry
/// @throws InputError as find_entry, for recursion, a call through a register that no function of the module can be the
///                    target of, more than a million instructions
/// @complexity linear in the instructions that come out
Routine inline_calls(const Module& module, std::string_view entry);

/// The registers that an instruction's operands say it writes and reads, the guard and the base of an address included.
/// A guarded write keeps the old value where the guard is false; that is not counted as a read.
std::vector<std::uint32_t> written_registers(const Instruction& instruction);
std::vector<std::uint32_t> read_registers(const Instruction& instruction);

/// The same of the carry flag, which stands among no operands.
bool writes_carry(const Instruction& instruction);
bool reads_carry(const Instruction& instruction);

/// How many of the first operands are written: 0 for a store, a branch or a barrier.
std::size_t written_operands(const Instruction& instruction);

/// Whether an instruction ends the kernel in an error: trap, and calls such as __assertfail.
bool ends_in_error(const Instruction& instruction);

/// Whether an instruction ends the kernel, in an error or not.
bool leaves(const Instruction& instruction);

/// Whether an instruction is a branch that every lane takes, to one place.
bool is_plain_jump(const Instruction& instruction);

/// Whether an instruction reaches a texture or a surface, at an address that the hardware makes.
bool reaches_texture(const Instruction& instruction);

/// Whether an instruction is a load, a store or an atomic operation, of parameters too.
bool touches_memory(const Instruction& instruction);

/// Whether an instruction reaches memory with addresses of its own: loads, stores and atomic operations but those of
/// parameters.
bool is_access(const Instruction& instruction);

/// Whether no access to memory may be moved across an instruction: barriers, fences, atomic operations, jumps.
bool orders_memory(const Instruction& instruction);
/// Whether two accesses may reach the same bytes, by the spaces that they name.
bool may_meet(const Instruction& one, const Instruction& other);

/// Gives branches and labels the new places of instructions that were moved, removed or added.
/// @param moved_to  by old index, with one for the end
void renumber(Routine& routine, const std::vector<std::uint32_t>& moved_to);

/// Takes instructions out; branches to one of them go to what comes behind it.
void remove_instructions(Routine& routine, const std::vector<bool>& gone);

}  // namespace warpipe::ptx
