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

/// The compute capability of a target: "sm_90a" is 90; 0 for a target without a number.
int capability(std::string_view target);

/// An entry with every call inlined and every branch resolved. Accesses to the parameters of inner functions became
/// copies between registers, and their `ret`s are gone. The only calls left are to functions without a body here, as
/// instructions without operands.
struct Routine {
  std::string name;
  std::string file;      ///< of the PTX, for messages
  int architecture = 0;  ///< 80 of sm_80
  std::vector<Variable> parameters;
  std::vector<Variable> variables;  ///< of the entry and its functions, and those of the module
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<std::vector<std::uint32_t>>
      targets;  ///< one per instruction; of a branch: its targets; may be one past the end
  std::map<std::uint32_t, std::string> labels;   ///< a label of an instruction's index
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::size_t calls = 0;                         ///< inlined
  std::size_t duplicated = 0;                    ///< instructions, by make_reducible
  std::size_t hoisted = 0;                       ///< loads, by hoist_loads
  std::map<std::string, std::size_t> removed;    ///< removed instructions, by the rule that removed them
  /// Registers that no text names, of instructions with a carry: the flag CC.CF, its next value, and a product.
  std::optional<std::array<std::uint32_t, 3>> carries;

  const Variable* find_variable(std::string_view name) const;
};

/// The last part of a variable's mangled name, "tile" of "_ZZ4gemmPfE4tile"; empty for a plain name.
std::string source_name(const std::string& variable);

/// Inlines an entry's calls.
/// @param entry  its name, as of find_entry
/// @throws InputError as find_entry, for a call through a register without a possible target in the module,
///                    more than a million instructions
/// @complexity linear in the instructions of the result
Routine inline_calls(const Module& module, std::string_view entry);

/// The registers written and read by an instruction according to its operands, with the guard and the base of an
/// address. A guarded write keeps the old value where the guard is false; the old value does not count as read.
std::vector<std::uint32_t> written_registers(const Instruction& instruction);
std::vector<std::uint32_t> read_registers(const Instruction& instruction);

/// The same for the carry flag, which is no operand.
bool writes_carry(const Instruction& instruction);
bool reads_carry(const Instruction& instruction);

/// The number of written operands, which come first: 0 for a store, a branch or a barrier.
std::size_t written_operands(const Instruction& instruction);

/// Whether an instruction is the call with which `assert` ends a kernel.
bool is_assertion(const Instruction& instruction);

/// Whether an instruction ends the kernel in an error: trap, and calls such as __assertfail.
bool ends_in_error(const Instruction& instruction);

/// Whether an instruction ends the kernel, in an error or not.
bool leaves(const Instruction& instruction);

/// Whether an instruction is a branch of every lane to one place.
bool is_plain_jump(const Instruction& instruction);

/// Whether an instruction reaches a texture or a surface, at an address made by the hardware.
bool reaches_texture(const Instruction& instruction);

/// Whether an instruction is a load, a store or an atomic operation, of parameters too.
bool touches_memory(const Instruction& instruction);

/// Whether an instruction reaches memory with addresses of its own: loads, stores and atomic operations, except on
/// parameters.
bool is_access(const Instruction& instruction);

/// Whether no access to memory may be moved across an instruction: barriers, fences, atomic operations, jumps.
bool orders_memory(const Instruction& instruction);
/// Whether two accesses may reach the same bytes, by their state spaces.
bool may_meet(const Instruction& one, const Instruction& other);

/// Gives branches and labels the new places of moved, removed or added instructions.
/// @param moved_to  by old index, with an entry for the end
void renumber(Routine& routine, const std::vector<std::uint32_t>& moved_to);

/// Takes instructions out; branches to them go to the instruction behind.
void remove_instructions(Routine& routine, const std::vector<bool>& gone);

}  // namespace warpipe::ptx
