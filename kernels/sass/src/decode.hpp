#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/texture_read.hpp"
#include "word.hpp"

namespace warpipe::sass {

struct Row;

struct Operand {
  enum class Kind {
    Register,
    Uniform,
    Predicate,
    UniformPredicate,
    Immediate,
    Constant,         ///< bank and offset
    IndirectConstant  ///< a uniform register holds the place of a bank
  };
  Kind kind = Kind::Register;
  unsigned number = 0;
  std::uint64_t bits = 0;  ///< of an immediate; of a constant, bytes from the start of its bank
  unsigned bank = 0;
  bool negated = false, absolute = false;
  bool reuse = false;  ///< of a register: its value is kept for the same operand of the next instruction
  int words = 1;       ///< of 32 bits
};

/// The register that reads as zero and keeps nothing; the predicate that is always true.
constexpr unsigned kZeroRegister = 255, kTrue = 7;
unsigned zero_uniform(int architecture);

bool is_true(const Operand& predicate);   ///< reads as true
bool is_false(const Operand& predicate);  ///< reads as false: !PT
bool is_nothing(const Operand& operand);  ///< a zero register, or a constant predicate

struct MemoryPlace {
  Operand base;
  std::vector<Operand> uniform;  ///< addends
  unsigned scale = 1;
  std::int64_t offset = 0;
};

/// An instruction decoded from its bits.
struct Decoded {
  const Row* row = nullptr;  ///< null for an unknown opcode
  Word word;
  std::uint64_t address = 0;
  Control control;
  Operand guard;
  std::vector<Operand> results, sources;
  bool has_place = false;
  MemoryPlace place;
  int bytes = 0;             ///< of an access, a lane
  std::uint64_t target = 0;  ///< of a branch
  std::string name;          ///< with its modifiers: "LDG.E.128"
  unsigned opcode12() const { return static_cast<unsigned>(word.bits(0, 12)); }
};

/// Whether the decoder knows an architecture: 80 of sm_80.
bool is_known_architecture(int architecture);

/// Bytes of a group's shared memory, from its start, reserved by the system.
std::int64_t reserved_shared_memory(int architecture);

/// Bytes of a lane, by the type of an access.
inline constexpr std::array<int, 8> kBytesOfTypes{1, 1, 2, 2, 4, 8, 16, 16};

/// Whether an instruction has the row of this name.
bool is(const Decoded& decoded, const char* name);

/// The read of a texture or a surface, as far as its bits tell. They do not tell whether it is filtered, taken as yes
/// for TEX with coordinates between texels, nor whether a channel has fewer than 4 bytes.
isa::TextureRead texture_read(const Decoded& decoded);

/// Whether an ISETP compares numbers of 64 bits.
bool compares_two(const Decoded& decoded, int architecture);
/// Whether a MATCH compares numbers of 64 bits.
bool matches_two(const Decoded& decoded);

/// Whether an instruction has a place in the vocabulary of graphs.
bool is_known(const Decoded& decoded);

Decoded decode(const Word& word, std::uint64_t address, int architecture);

/// "@!P0 FFMA R7, R2, c[0x0][0x164], R7".
std::string text_of(const Decoded& decoded, int architecture);
/// "[--2---:R-:W-:Y:S05]": the scoreboards to wait for, the scoreboards set when its operands are read and when its
/// results are there, whether the warp gives way, cycles to the next instruction.
std::string text_of(const Control& control);

}  // namespace warpipe::sass
