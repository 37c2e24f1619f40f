#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/program.hpp"

/// A PTX module as written in its text: stage 1 of the import. Nothing is interpreted yet.

namespace warpipe::ptx {

using StateSpace = isa::Space;
using isa::SourceLine;
using isa::to_string;
using isa::Type;

/// Reads "u32", "f16x2", "pred"; nothing for other words.
std::optional<Type> parse_type(std::string_view word);
/// "u32", "pred".
std::string to_string(Type type);

/// An operand of an instruction.
struct Operand {
  enum class Kind {
    Register,   ///< `reg`
    Special,    ///< `name`: "%tid.x"
    Immediate,  ///< `bits`, and `float_bits` where it was written as a floating-point number
    Symbol,     ///< `name` of a variable, a function or a label
    Address,    ///< [`base` + `offset`], where base is a register, a symbol or nothing
    Vector,     ///< `parts` in braces, in parentheses, or joined by `|`
    Sink        ///< `_`
  };
  Kind kind = Kind::Sink;
  std::uint32_t reg = 0;      ///< index into Function::registers
  bool negated = false;       ///< `!%p`
  bool has_register = false;  ///< of an Address: the base is a register
  std::uint64_t bits = 0;
  int float_bits = 0;  ///< 32: `bits` is a float's pattern; 64: a double's; 0: a whole number
  std::string name;
  std::int64_t offset = 0;
  std::vector<Operand> parts;
};

/// `@!%p1 ld.global.v4.f32 {...}, [%rd1+16];`
struct Instruction {
  std::string name;                ///< in full: "ld.global.nc.f32"
  std::vector<std::string> words;  ///< its parts: "ld", "global", "nc", "f32"
  std::vector<Type> types;         ///< its parts of kind type, in order
  std::optional<Operand> guard;    ///< a register, perhaps negated
  std::vector<Operand> operands;
  std::optional<std::uint32_t> carry_in, carry_out;  ///< registers for the carry flag, once calls are inlined
  std::uint32_t line = 0;                            ///< in the PTX file
  SourceLine source;
  bool rare = false;  ///< the first instruction of a function for extraordinary numbers, once calls are inlined

  const std::string& opcode() const { return words.front(); }
  bool has(std::string_view word) const;
  /// The last type: that of the operands; none without types.
  Type type() const { return types.empty() ? Type{} : types.back(); }
  /// The first type: that of the result, where an instruction has two; none without types.
  Type first_type() const { return types.empty() ? Type{} : types.front(); }
  /// Elements of a vector access: 4 for ".v4"; else 1.
  int vector_length() const;
  /// The state space named by the words; Generic where they name none.
  StateSpace space() const;
};

/// A variable of a module or of a function.
struct Variable {
  std::string name;
  StateSpace space = StateSpace::Global;
  Type type;
  std::int64_t alignment = 1;                  ///< bytes
  std::int64_t elements = 1;                   ///< 0: an array without a size (`extern .shared`)
  bool is_pointer = false;                     ///< of a parameter: marked `.ptr`
  std::vector<std::uint64_t> values;           ///< initialisers, one per element, as bit patterns; may be shorter
  bool known = false;                          ///< has initialisers, all of them numbers
  std::vector<isa::InitialAddress> addresses;  ///< initialisers other than numbers
  std::uint32_t line = 0;

  std::int64_t bytes() const { return elements * (type.bits / 8); }
};

struct Register {
  std::string name;
  Type type;
};

/// An entry or a function, with its scopes flattened: a name declared again in an inner scope has a suffix.
struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;              ///< has a body
  std::vector<Diagnostic> problems;  ///< why the body cannot be read; an error only for a kernel that runs it
  std::uint32_t line = 0;
  std::vector<Variable> returns, parameters;
  std::vector<Variable> variables;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::map<std::string, std::size_t, std::less<>> labels;  ///< index of the instruction behind; may be one past the end
  std::map<std::string, std::vector<std::string>, std::less<>> branch_tables;  ///< `.branchtargets`
  std::optional<std::array<std::int64_t, 3>> required_block;                   ///< `.reqntid`
  std::optional<std::array<std::int64_t, 3>> most_block;                       ///< `.maxntid`: the product is the limit
  std::optional<std::int64_t> most_registers;                                  ///< of a thread, `.maxnreg`
  std::optional<std::int64_t> least_groups;                                    ///< on a unit, `.minnctapersm`
};

struct Module {
  std::string file;     ///< for messages
  std::string version;  ///< of the language: "9.0"
  std::string target;   ///< "sm_80"
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::uint32_t, std::string> sources;             ///< `.file`
  std::map<std::string, std::string, std::less<>> aliases;  ///< names of functions for further names, `.alias`

  /// The names of its entries.
  std::vector<std::string> entries() const;
  /// Finds a function by name, preferring a definition over a declaration; nullptr without either.
  const Function* find(std::string_view function) const;
};

}  // namespace warpipe::ptx
