#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/lane_operation.hpp"
#include "warpipe/isa/type.hpp"

/// A kernel's instructions in one form, whatever language they were read from: what all analyses of this library work
/// on. A reader decodes each instruction once.

namespace warpipe::isa {

/// Which numbers a register holds: one for each lane of a warp, or one for all of them.
enum class File {
  Lane,
  LanePredicate,
  Uniform,
  UniformPredicate,
  Mask  ///< uniform; bit i is of lane i
};
constexpr bool is_per_lane(File file) { return file == File::Lane || file == File::LanePredicate; }

/// A register, physical or virtual: the smallest part that an instruction may write by itself.
struct Register {
  std::string name;
  File file = File::Lane;
  int bits = 32;  ///< 1 to 64
};

/// Registers of one file in a row that together hold one number of at most 64 bits, the lowest bits first.
struct RegisterRange {
  std::uint32_t first = 0;
  std::uint32_t count = 1;  ///< 0: none
  friend bool operator==(const RegisterRange&, const RegisterRange&) = default;
};

/// A number that the hardware gives to a thread.
struct Special {
  enum class Name {
    ThreadIndex,   ///< in its group, along an axis
    GroupSize,     ///< threads, along an axis
    GroupIndex,    ///< in the grid, along an axis
    GridSize,      ///< groups, along an axis
    LaneIndex,     ///< in its warp
    LaneBit,       ///< 1 << lane; the next four are masks, too
    LanesBelow,    ///< less than the own one
    LanesUpTo,     ///< the own one and less
    LanesAbove,    ///< greater than the own one
    LanesFrom,     ///< the own one and greater
    WarpIndex,     ///< in its group
    WarpCount,     ///< of a group
    LanesPerWarp,  ///< active or not
    DynamicSharedBytes,
    Clock,        ///< cycles; this and what follows is told to machines alone
    Nanoseconds,  ///< of a clock
    UnitIndex,    ///< of the compute unit
    UnitCount,
    Other  ///< of no concern to control and addresses: clocks, numbers of compute units; reads as 0
  };
  Name name = Name::Other;
  std::uint8_t axis = 0;  ///< 0 to 2: x, y, z
};

inline constexpr std::uint32_t kNoParameter = UINT32_MAX;

/// Where an input of an instruction comes from.
struct Input {
  enum class Kind {
    Register,   ///< `registers`
    Constant,   ///< `bits`
    Special,    ///< `special`
    Parameter,  ///< the argument given for parameter `index`; `bits` is not used
    Region,     ///< the address of memory region `index`, plus `bits`
    Missing     ///< not known
  };
  Kind kind = Kind::Constant;
  RegisterRange registers{};
  bool negated = false;  ///< of a register: its truth is turned
  /// Of a uniform register: each lane reads its own bit of it.
  bool bit_of_lane = false;
  /// Of a register per lane: all lanes read the number of this one, active or not.
  std::optional<std::uint8_t> lane = {};
  std::uint64_t bits = 0;
  Special special{};
  std::uint32_t index = 0;  ///< of a parameter, kNoParameter where the text does not tell; or of a region
  bool part = false;        ///< of a parameter: a field of it or a computed place in it, whose value is not known
};

/// Where a result goes.
struct Output {
  RegisterRange registers{};  ///< of no registers: nowhere
  /// Into a uniform register: each active lane writes its own bit, those of the others become 0.
  bool bit_of_lane = false;
};

/// `outputs` = `operation` of `inputs`. A move with several inputs packs them into one number, one with several outputs
/// cuts it into as many equal parts; a comparison with two outputs writes the opposite to the second. A load's only
/// gives the outputs: elements that are neighbours in memory.
struct Assignment {
  LaneOperation operation;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

/// What an instruction reaches in memory, in each active lane at base x scale + uniform base + offset.
struct Access {
  enum class Kind {
    Load,
    Store,
    Atomic,
    Copy,   ///< reads here, into another space
    Matrix  ///< reads a tile that lanes hold together
  };
  /// Added to the address: a coordinate of a tensor.
  struct Term {
    Input coordinate;
    std::int64_t bytes = 1;  ///< from one to the next
  };
  Kind kind = Kind::Load;
  Space space = Space::Global;
  Input base;                          ///< a register, or a constant where there is none
  std::optional<Input> uniform_base;   ///< a uniform register
  std::uint32_t scale = 1;             ///< of `base`
  std::int64_t offset = 0;             ///< bytes
  int bytes = 4;                       ///< per lane; 1 to 64, of a bulk copy more
  Type element{Type::Kind::Bits, 32};  ///< of what is loaded; a signed one is widened by its sign
  /// What one lane asks for a copy engine moves: all lanes of the warp count, each with its part.
  bool bulk = false;
  bool past_unit = false;  ///< the compute unit's own caches neither serve nor keep what is loaded
  /// Of an atomic: where the address is alike in all lanes, the compiler combines their numbers, and one lane goes.
  bool combines = false;
  /// Of an atomic of shared memory: what lanes do that go to one word.
  enum class Meeting {
    Turns,     ///< one after the other
    Together,  ///< all at once, as where each adds one
    Retry      ///< a loop of a load and a compare-and-swap, in which one of them gets through in each round
  };
  Meeting meeting = Meeting::Turns;
  std::vector<Term> terms{};
  int lanes = 64;  ///< the first so many take part
  /// Of a matrix that the warp holds together: neighbouring lanes in rows that lie `pitch` x `element_bytes` apart.
  struct Tile {
    int lanes_per_row = 1;
    Input pitch;
    std::int64_t element_bytes = 1;
  };
  std::optional<Tile> tile{};
  std::vector<Input> stored{};  ///< by a store: elements that are neighbours in memory; empty: not known
  // Told to machines alone:
  LaneOperation atomic{};               ///< of an atomic: what becomes of the old number and those that are stored
  std::optional<Input> copied_to = {};  ///< of a Copy: the address in shared memory
  std::int64_t copied_offset = 0;       ///< bytes, added to that
  std::optional<Input> copied_bytes{};  ///< of a Copy: how many are read; the others become zero
};

/// What an instruction does at a barrier object of the group: an mbarrier at an address of shared memory, or a named
/// barrier with a number.
struct BarrierUse {
  bool arrives = false;               ///< when the first of its ops is complete
  bool awaits = false;                ///< before the last of its ops issues
  bool named = false;                 ///< a named barrier
  Input place;                        ///< the address, or the number
  std::int64_t offset = 0;            ///< bytes, added to the address
  std::optional<Input> parity;        ///< of the phase that is awaited
  std::optional<Input> threads = {};  ///< of a named barrier: how many meet; told to machines alone
};

/// Instructions that raise a counter end in order, and each then lowers it by one. A wait ends once at most `pending`
/// of the instructions before it that raised the counter have not.
struct Wait {
  std::uint8_t counter = 0;
  std::uint32_t pending = 0;
};

/// Counters of groups count what is under way in groups: an instruction joins the youngest group, which is open until
/// an instruction commits it. A wait that lets `pending` pend counts the open group, too. An instruction that raises a
/// counter is a group of its own.
struct Timing {
  std::vector<std::uint8_t> raises;          ///< counters
  std::vector<std::uint8_t> joins, commits;  ///< counters of groups
  std::vector<Wait> waits;
};

/// A place in the source that a program was compiled from; line 0: not known.
struct SourceLine {
  std::uint32_t file = 0;  ///< key of Program::sources
  std::uint32_t line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

struct Instruction {
  enum class Flow {
    Next,
    Jump,   ///< to its target where the guard holds
    Table,  ///< to the target with the number of `index`
    Exit,
    Barrier,  ///< of the group
    Wait      ///< for counters, and nothing else
  };
  Flow flow = Flow::Next;
  bool fails = false;                  ///< of an Exit: in an error. Where nobody knows the way, none leads there
  bool per_lane = true;                ///< executed in each active lane; else once for the warp
  std::vector<std::uint32_t> targets;  ///< instructions; may be one past the end
  /// A lane predicate: lanes in which it is not true take no part. A uniform register, or several: where it is zero,
  /// the warp takes no part.
  std::optional<Input> guard;
  std::uint64_t first_index = 0;  ///< of a Table: that of its first target
  std::optional<Input> index;     ///< of a Table
  /// All registers read and written, those of guard, index and access included; not the execution mask, which all
  /// instructions per lane of a program with an explicit one read. What a guard leaves alone is not counted as read.
  std::vector<RegisterRange> reads, writes;
  /// What it computes, one after the other: each reads what those before it wrote. None, or an Unknown operation: what
  /// it writes is not followed.
  std::vector<Assignment> assignments;
  std::optional<Access> access;
  std::optional<BarrierUse> barrier;
  /// Whose writes to memory of the group a warp may find behind it: behind a barrier those of the group's other warps.
  enum class Others { None, OfGroup, Anybody };
  Others others = Others::None;
  std::vector<std::string> ops;  ///< of the vocabulary of graphs, one after the other; empty: issues nothing
  /// Of an access to global memory whose addresses nobody knows, as of a texture: the level that is taken to serve it,
  /// and the transactions of an execution; else empty.
  std::string level;
  int texture_turns = 0;  ///< of a read of a texture or a surface: at the texture unit, turns_of(TextureRead)
  int transactions = 1;   ///< of a matrix product: pieces of 256 multiply-adds
  /// Operands that the busier bank of registers gives one after the other, beyond what it gave while the instructions
  /// before it issued; at least 1.
  int register_reads = 1;
  int stall = 0;  ///< cycles until the warp's next instruction may issue, at least
  Timing timing;
  int flops = 0;           ///< of one lane; a fused multiply-add counts as two
  std::uint32_t line = 0;  ///< in the program's file
  SourceLine source;
  std::string name, text;  ///< for messages: "ld.f32", "ld.f32 %f2, [%r6]"
};

/// Memory that a program names: an array of its own.
struct MemoryRegion {
  std::string name;
  Space space = Space::Global;
  Type element;
  std::int64_t alignment = 1;         ///< bytes
  std::int64_t elements = 1;          ///< 0: as large as the launch says (dynamic shared memory)
  bool known = false;                 ///< what it holds at first is known, and nothing writes to it
  std::vector<std::uint64_t> values;  ///< where known, one an element as bit patterns; zero beyond
  std::string label = {};             ///< its name in the source; empty: as `name`
  /// It is a structure among the parameters, which instructions read at places that only execution tells.
  std::uint32_t parameter = kNoParameter;

  std::int64_t bytes() const { return elements * (element.bits / 8); }
};

struct Parameter {
  std::string name;
  Type type;
  std::int64_t elements = 1;                ///< more: a structure or an array
  bool is_pointer = false;                  ///< said to be one; others are found by how they are used
  std::string declaration;                  ///< for messages: ".u32 n"
  std::optional<std::int64_t> offset = {};  ///< bytes from the start of the parameters
  bool field = false;                       ///< stands for a field of a structure among the parameters: "shape+8"
};

/// A kernel's entry with all calls inlined.
struct Program {
  std::string name;
  std::string file;  ///< for messages
  std::vector<Instruction> instructions;
  std::vector<Register> registers;
  std::vector<MemoryRegion> regions;
  std::vector<Parameter> parameters;
  std::map<std::uint32_t, std::string> labels;   ///< by the instruction that they stand before
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::int64_t lanes = 32;                       ///< per warp, at most 64
  /// Loads of 8 and 16 bytes per lane from shared memory take half as many passes where lanes read the same in pairs:
  /// each active lane i as lane i ^ 1, or each as lane i ^ 2; of 16 bytes among the 16 lanes that are served together.
  /// @source tests/single_effects/measured_h100.csv, products_shared; GPUs of NVIDIA
  bool shares_pairs = false;
  std::size_t instruction_bytes = 0;  ///< of machine code; 0 where they differ
  /// Where nothing says how large the shared memory of a group is, the most that it may be: unless a launch says its
  /// size, it ends where accesses do.
  std::optional<std::int64_t> most_shared_bytes = {};
  /// The uniform registers that hold the execution mask, where instructions read and write it: then a warp is at one
  /// place at a time, guards of branches are uniform, and the active lanes are the mask's. Else the lanes that get to a
  /// place are the active ones there.
  std::optional<RegisterRange> mask;
};

/// The name of an instruction's place for messages: a label, or "line 12" where none stands there.
std::string place_name(const Program& program, std::uint32_t instruction);
/// "kernel.s: line 12".
std::string at_line(const std::string& file, std::uint32_t line);
/// "saxpy.cu:9"; empty where it is not known.
std::string source_of(const Program& program, std::uint32_t instruction);

/// The registers that an instruction reads, the execution mask included, and those that it writes; one may occur twice.
std::vector<std::uint32_t> read_registers(const Program& program, const Instruction& instruction);
std::vector<std::uint32_t> written_registers(const Instruction& instruction);
/// Whether an instruction writes the program's execution mask, and whether no lane becomes active by that.
bool writes_mask(const Program& program, const Instruction& instruction);
bool narrows_mask(const Program& program, const Instruction& instruction);

/// Whether a jump, table or exit: control may go elsewhere than on.
bool is_jump(const Instruction& instruction);

/// Whether an access to global memory under a predicate, which moves nothing where that holds in no lane: as if the
/// warp had jumped over it.
bool may_idle(const Instruction& instruction);

inline constexpr std::string_view kSharedAtomic = "shared.atomic";  ///< an op

/// Whether it is a loop around an atomic of shared memory: Access::Meeting::Retry. `kSharedAtomic` is among its ops.
bool retries(const Instruction& instruction);

}  // namespace warpipe::isa
