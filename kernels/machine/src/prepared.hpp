#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lanes.hpp"
#include "warpipe/isa/program.hpp"
#include "warpipe/machine/machine.hpp"

/// A program in the form for execution by warps.

namespace warpipe::machine {

inline constexpr std::uint32_t kNoBlock = UINT32_MAX;

/// Instructions executed in sequence, and the blocks behind. Blocks are numbered in an order in which all jumps go
/// forward, except jumps back to a loop's header.
struct Block {
  enum class End { Next, Jump, Table, Exit, Barrier };
  std::uint32_t first_step = 0, last_step = 0;
  std::uint32_t first = 0, last = 0;  ///< instructions
  End end = End::Next;
  std::uint32_t next = kNoBlock;  ///< kNoBlock: the kernel ends there
  std::vector<std::uint32_t> targets;
  bool guarded = false, negated = false;
  Operand guard = 0;  ///< of 32 bits by lane
  Operand index = 0;  ///< of a Table: of 64 bits by lane
  std::uint64_t first_index = 0;
  bool fails = false;  ///< of an Exit
  struct Meeting {
    bool awaits = true;
    Operand number = 0, threads = 0;  ///< of 32 bits by lane
    bool counted = false;             ///< `threads` is given
    isa::LaneOp reduction = isa::LaneOp::Unknown;
    Operand truth = 0, result = 0;  ///< of 32 bits by lane
  };
  Meeting meeting;
};

/// Lanes that change numbers of 32 or 64 bits in memory.
struct AtomicLanes {
  const std::uint64_t* at = nullptr;  ///< places of the host's memory, by lane
  Mask active = 0;
  const std::byte *a = nullptr, *b = nullptr;  ///< numbers by lane
  std::byte* old = nullptr;                    ///< receives the old numbers, by lane; null: not needed
};
/// @return whether a number changed
using AtomicFunction = bool (*)(const AtomicLanes& lanes);

/// The properties of an access to memory beside the operands of its step.
struct AccessMore : SimpleAccess {
  const isa::Access* access = nullptr;
  std::uint32_t instruction = 0;
  isa::Space space = isa::Space::Global;
  std::uint32_t width = 4;  ///< bytes of an element
  std::uint32_t bytes = 4;  ///< of a lane
  bool narrow = false;      ///< addresses have 32 bits
  bool is_signed = false;
  struct Cells {
    Operand place = 0;
    bool wide = false;
  };
  std::vector<Cells> cells;  ///< the loaded or stored numbers, element by element; of an atomic, its operands
  Cells old;                 ///< of an atomic: the old number
  bool gives_old = false;
  Operand copied_to = 0;     ///< of 64 bits by lane
  Operand copied_bytes = 0;  ///< of 32 bits by lane
  bool copies_part = false;
  AtomicFunction atomic = nullptr;
};

inline const AccessMore& more_of(const Step& step) {
  return static_cast<const AccessMore&>(*static_cast<const SimpleAccess*>(step.more));
}

/// The properties of an operation evaluated lane by lane, or across lanes.
struct OperationMore {
  isa::LaneOperation operation;
  std::vector<AccessMore::Cells> inputs, outputs;
  std::uint32_t lanes = 32;
};

/// Whether an instruction ends the kernel by an assertion, which has more to print than `trap`.
inline bool is_assertion(const isa::Instruction& instruction) {
  return instruction.fails && !instruction.assignments.empty();
}

/// A number shared by all lanes of a launch.
struct SharedNumber {
  enum class From {
    Constant,
    Argument,
    GroupSize,
    GridSize,
    DynamicSharedBytes,
    UnitCount,
    GridWorkspace
  } from = From::Constant;
  bool wide = false;
  std::uint64_t value = 0;  ///< or bytes from the start of the arguments, or the axis, or the word of an address
  std::uint32_t bytes = 0;  ///< of an argument
  friend bool operator==(const SharedNumber&, const SharedNumber&) = default;
};

/// A number given by the hardware to a thread, at its place in a warp.
struct SpecialSlot {
  isa::Special special;
  std::uint32_t offset = 0;  ///< of 32 bits by lane
};

/// The place of a register in a warp.
struct RegisterBytes {
  std::uint32_t offset = 0, bytes = 0;
};

struct Code {
  isa::Program program;
  std::vector<Step> steps;
  std::vector<Block> blocks;
  std::vector<SharedNumber> shared_numbers;  ///< an array of 64 lanes of 64 bits for each, in order
  std::vector<SpecialSlot> specials;
  std::deque<AccessMore> accesses;
  std::deque<OperationMore> operations;
  std::size_t register_bytes = 0;     ///< of a warp
  std::size_t kept_bytes = 0;         ///< of these, the first so many are registers of the program
  std::vector<RegisterBytes> zeroed;  ///< registers possibly read before they are written
  std::uint64_t shared_bytes = 0, local_bytes = 0, argument_bytes = 0;
  bool has_heap = false;  ///< it asks for memory itself
};

/// @throws Fault for a missing variable
Code prepare(const isa::Program& program, const Variables& variables);

/// The place of each register of a program in a warp: registers that no lane needs at the same time share a place.
struct Slots {
  std::vector<std::uint32_t> offset;  ///< by register
  std::size_t bytes = 0;
  std::vector<RegisterBytes> unset;  ///< of registers possibly read before they are written
};
/// @param order  blocks of instructions [first, last) in the order in which they are executed, with their successors
struct BlockOfSlots {
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> successors;
};
Slots place_registers(const isa::Program& program, const std::vector<BlockOfSlots>& order);

inline bool is_wide(int bits) { return bits > 32; }

}  // namespace warpipe::machine
