#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/lane_operation.hpp"
#include "warpipe/isa/type.hpp"

/// Program: a kernel's decoded instructions with their registers, memory regions and parameters, in one form for all
/// languages. A reader decodes each instruction once; all analyses of this library work on the decoded form.

namespace warpipe::isa {

/// The kind of number in a register: one for each lane of a warp, or one for all lanes.
enum class File {
  Lane,
  LanePredicate,
  Uniform,
  UniformPredicate,
  Mask  ///< uniform; bit i is of lane i
};
constexpr bool is_per_lane(File file) { return file == File::Lane || file == File::LanePredicate; }

/// A register, physical or virtual: the smallest part an instruction may write by itself.
struct Register {
  std::string name;
  File file = File::Lane;
  int bits = 32;              ///< 1 to 64
  bool is_temporary = false;  ///< no content outlives an instruction
};

/// Consecutive registers of one file, together holding one number of at most 64 bits, the lowest bits first.
struct RegisterRange {
  std::uint32_t first = 0;
  std::uint32_t count = 1;  ///< 0: none
  friend bool operator==(const RegisterRange&, const RegisterRange&) = default;
};

/// A number given to a thread by the hardware.
struct Special {
  enum class Name {
    ThreadIndex,   ///< in its group, along an axis
    GroupSize,     ///< threads, along an axis
    GroupIndex,    ///< in the grid, along an axis
    GridSize,      ///< groups, along an axis
    LaneIndex,     ///< in its warp
    LaneBit,       ///< 1 << lane; the next four are masks, too
    LanesBelow,    ///< lanes below the thread's own
    LanesUpTo,     ///< the own lane and all below
    LanesAbove,    ///< lanes above the thread's own
    LanesFrom,     ///< the own lane and all above
    WarpIndex,     ///< in its group
    WarpCount,     ///< of a group
    LanesPerWarp,  ///< active or not
    DynamicSharedBytes,
    Clock,        ///< cycles; Clock to UnitCount are set for machine execution only
    Nanoseconds,  ///< of a clock
    UnitIndex,    ///< of the compute unit
    UnitCount,
    GridWorkspace,  ///< the address of Program::grid_workspace: its lower and its upper word
    Other           ///< irrelevant to control and addresses, as clocks; reads as 0
  };
  Name name = Name::Other;
  std::uint8_t axis = 0;  ///< 0 to 2: x, y, z
};

inline constexpr std::uint32_t kNoParameter = UINT32_MAX;

/// The source of an instruction's input.
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
  bool negated = false;  ///< of a register: its truth is inverted
  /// Of a uniform register: each lane reads its own bit of it.
  bool bit_of_lane = false;
  /// Of a register per lane: all lanes read this lane's number, whether active or not.
  std::optional<std::uint8_t> lane = {};
  std::uint64_t bits = 0;
  Special special{};
  std::uint32_t index = 0;  ///< of a parameter, kNoParameter where the text does not tell; or of a region
  bool part = false;        ///< of a parameter: a field or a computed place in it, with an unknown value
};

/// The destination of a result.
struct Output {
  RegisterRange registers{};  ///< of no registers: nowhere
  /// Into a uniform register: each active lane writes its own bit, the bits of inactive lanes become 0.
  bool bit_of_lane = false;
};

/// `outputs` = `operation` of `inputs`. A move with several inputs packs them into one number, a move with several
/// outputs cuts its input into as many equal parts; a comparison with two outputs writes the opposite to the second.
/// For a load only the outputs are given: neighbouring elements in memory.
struct Assignment {
  LaneOperation operation;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

/// The memory an instruction reaches, in each active lane at base x scale + uniform base + offset.
struct Access {
  enum class Kind {
    Load,
    Store,
    Atomic,
    Copy,   ///< reads here, into another space
    Matrix  ///< reads a tile held by several lanes together
  };
  /// Added to the address: a coordinate of a tensor.
  struct Term {
    Input coordinate;
    std::int64_t bytes = 1;  ///< from one to the next
  };
  Kind kind = Kind::Load;
  Space space = Space::Global;
  Input base;                          ///< a register, or a constant without a base register
  std::optional<Input> uniform_base;   ///< a uniform register
  std::uint32_t scale = 1;             ///< of `base`
  std::int64_t offset = 0;             ///< bytes
  int bytes = 4;                       ///< per lane; 1 to 64, of a bulk copy more
  Type element{Type::Kind::Bits, 32};  ///< type of a loaded element; a signed element is widened by its sign
  /// A copy engine moves the bytes one lane asks for: all lanes of the warp count, each with its part.
  bool bulk = false;
  bool past_unit = false;  ///< the compute unit's own caches neither serve nor keep the loaded data
  /// Of an atomic: where all lanes have the same address, the compiler combines their numbers, and one lane goes.
  bool combines = false;
  bool adds_floats = false;  ///< an atomic of global memory
  /// Of an atomic of shared memory: how lanes at one word proceed.
  enum class Meeting {
    Turns,     ///< one after the other
    Together,  ///< all at once, as where each adds 1
    Retry      ///< a loop of a load and a compare-and-swap; one lane gets through in each round
  };
  Meeting meeting = Meeting::Turns;
  std::vector<Term> terms{};
  int lanes = 64;  ///< the first so many take part
  /// Of a matrix held by the warp together: neighbouring lanes in rows `pitch` x `element_bytes` apart.
  struct Tile {
    int lanes_per_row = 1;
    Input pitch;
    std::int64_t element_bytes = 1;
  };
  std::optional<Tile> tile{};
  std::vector<Input> stored{};  ///< by a store: neighbouring elements in memory; empty: not known
  // Set for machine execution only:
  LaneOperation atomic{};               ///< of an atomic: the function of the old number and the stored numbers
  std::optional<Input> copied_to = {};  ///< of a Copy: the address in shared memory
  std::int64_t copied_offset = 0;       ///< bytes, added to `copied_to`
  std::optional<Input> copied_bytes{};  ///< of a Copy: the number of bytes read; the rest becomes zero
};

/// The effect of an instruction on a barrier object of the group: an mbarrier at an address of shared memory, or a
/// named barrier with a number.
struct BarrierUse {
  bool arrives = false;               ///< when the first of its ops is complete
  bool awaits = false;                ///< before the last of its ops issues
  bool named = false;                 ///< a named barrier
  Input place;                        ///< the address, or the number
  std::int64_t offset = 0;            ///< bytes, added to the address
  std::optional<Input> parity;        ///< of the awaited phase
  std::optional<Input> threads = {};  ///< of a named barrier: how many meet; set for machine execution only
};

/// Instructions that raise a counter end in order, and each then lowers the counter by one. A wait ends once at most
/// `pending` of the earlier instructions that raised the counter are unfinished.
struct Wait {
  std::uint8_t counter = 0;
  std::uint32_t pending = 0;
};

/// Counters of groups count pending work in groups of instructions: an instruction joins the youngest group, which
/// stays open until an instruction commits it. A wait with `pending` counts the open group, too. An instruction that
/// raises a counter is a group of its own.
struct Timing {
  std::vector<std::uint8_t> raises;          ///< counters
  std::vector<std::uint8_t> joins, commits;  ///< counters of groups
  std::vector<Wait> waits;
};

/// A place in the source of a compiled program; line 0: not known.
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
  bool fails = false;    ///< of an Exit: in an error. Where the way is unknown, control is taken not to go there
  bool rare = false;     ///< of the slow path of a function, for extraordinary numbers: likewise
  bool per_lane = true;  ///< executed in each active lane; else once for the warp
  std::vector<std::uint32_t> targets;  ///< instructions; may be one past the end
  /// A lane predicate: lanes where it is false take no part. One uniform register or several: where the number is zero,
  /// the warp takes no part.
  std::optional<Input> guard;
  std::uint64_t first_index = 0;  ///< of a Table: the index of its first target
  std::optional<Input> index;     ///< of a Table
  /// All registers read and written, including the registers of guard, index and access; not the execution mask, which
  /// every instruction per lane reads in a program with an explicit mask. A register left alone under a guard is not
  /// counted as read.
  std::vector<RegisterRange> reads, writes;
  /// The computations, in order: each reads the results of the earlier ones. None, or an Unknown operation: the written
  /// numbers are not followed.
  std::vector<Assignment> assignments;
  std::optional<Access> access;
  std::optional<BarrierUse> barrier;
  /// The warps whose writes to memory of the group become visible to a warp behind this instruction: behind a barrier,
  /// the group's other warps.
  enum class Others { None, OfGroup, Anybody };
  Others others = Others::None;
  std::vector<std::string> ops;  ///< of the vocabulary of graphs, one after the other; empty: issues nothing
  /// Of an access to global memory with unknown addresses, as of a texture: the level taken to serve it, and the
  /// transactions of an execution; else empty.
  std::string level;
  int texture_turns = 0;  ///< of a read of a texture or a surface: at the texture unit, turns_of(TextureRead)
  int transactions = 1;   ///< of a matrix product: pieces of 256 multiply-adds
  /// Operands from the busier bank of registers, given one after the other, beyond the operands given while earlier
  /// instructions issued; at least 1.
  int register_reads = 1;
  int stall = 0;  ///< cycles until the warp's next instruction may issue, at least
  Timing timing;
  int flops = 0;           ///< of one lane; a fused multiply-add counts as two
  std::uint32_t line = 0;  ///< in the program's file
  SourceLine source;
  std::string name, text;  ///< for messages: "ld.f32", "ld.f32 %f2, [%r6]"
};

/// The address of a variable or a function as the initial value of an element: bits of `address + offset`.
struct InitialAddress {
  std::size_t index = 0;  ///< of the element
  std::string name;       ///< of the variable or the function
  std::int64_t offset = 0;
  std::uint64_t mask = UINT64_MAX;  ///< a byte of an address, as in packed structures: 0xff00

  std::uint64_t bits_of(std::uint64_t address) const {
    return mask == 0 ? 0 : ((address + static_cast<std::uint64_t>(offset)) & mask) >> std::countr_zero(mask);
  }
};

/// An array in memory, declared by a program.
struct MemoryRegion {
  std::string name;
  Space space = Space::Global;
  Type element;
  std::int64_t alignment = 1;         ///< bytes
  std::int64_t elements = 1;          ///< 0: as large as the launch says (dynamic shared memory)
  bool known = false;                 ///< the initial values are known, and nothing writes to the region
  std::vector<std::uint64_t> values;  ///< where known, one per element as bit patterns; zero beyond
  std::string label = {};             ///< its name in the source; empty: as `name`
  /// Of a structure among the parameters, read by instructions at places known only during execution: the parameter.
  std::uint32_t parameter = kNoParameter;
  std::vector<InitialAddress> addresses = {};  ///< of other regions: in place of values

  std::int64_t bytes() const { return elements * (element.bits / 8); }
};

struct Parameter {
  std::string name;
  Type type;
  std::int64_t elements = 1;                ///< more: a structure or an array
  bool is_pointer = false;                  ///< declared as a pointer; further pointers are found by their use
  std::string declaration;                  ///< for messages: ".u32 n"
  std::optional<std::int64_t> offset = {};  ///< bytes from the start of the parameters
  bool field = false;                       ///< stands for a field of a structure among the parameters: "shape+8"
};

/// The most threads of a group and groups of a launch along each axis.
struct LaunchLimits {
  std::array<std::int64_t, 3> block{1024, 1024, 1024}, grid{INT32_MAX, INT32_MAX, INT32_MAX};
};
/// @source CUDA C++ Programming Guide, technical specifications per compute capability: the same from 3.0 on
inline constexpr LaunchLimits kCudaLimits{{1024, 1024, 64}, {INT32_MAX, 65535, 65535}};

/// A kernel's entry with all calls inlined.
struct Program {
  std::string name;
  std::string file;  ///< for messages
  std::vector<Instruction> instructions;
  std::vector<Register> registers;
  std::vector<MemoryRegion> regions;
  std::optional<std::uint32_t> grid_workspace = {};  ///< the region in which all groups of a launch meet, if they do
  std::vector<Parameter> parameters;
  std::map<std::uint32_t, std::string> labels;   ///< by the instruction behind the label
  std::map<std::uint32_t, std::string> sources;  ///< names of source files
  std::int64_t lanes = 32;                       ///< per warp, at most 64
  LaunchLimits limits;                           ///< of the language
  /// Loads of 8 and 16 bytes per lane from shared memory take half as many passes where lanes read the same in pairs:
  /// each active lane i as lane i ^ 1, or each as lane i ^ 2; of 16 bytes among the 16 lanes served together.
  /// @source bench/validation/single_effects/measured_h100.csv, products_shared; GPUs of NVIDIA
  bool shares_pairs = false;
  std::size_t instruction_bytes = 0;  ///< of machine code; 0 where lengths differ
  /// The upper limit of a group's shared memory of unknown size: unless a launch gives the size, shared memory ends
  /// where accesses do.
  std::optional<std::int64_t> most_shared_bytes = {};
  /// The uniform registers holding the execution mask, where instructions read and write it: a warp is then at one
  /// place at a time, guards of branches are uniform, and the mask gives the active lanes. Without an explicit mask,
  /// the lanes that get to a place are active there.
  std::optional<RegisterRange> mask;
};

/// Gives a program the region in which all groups meet, once.
void add_grid_workspace(Program& program);

/// The name of an instruction's place for messages: a label, or "line 12" without a label there.
std::string place_name(const Program& program, std::uint32_t instruction);
/// "kernel.s: line 12".
std::string at_line(const std::string& file, std::uint32_t line);
/// "saxpy.cu:9"; empty where unknown.
std::string source_of(const Program& program, std::uint32_t instruction);

/// The registers an instruction reads, including the execution mask, and the registers it writes; one may occur twice.
std::vector<std::uint32_t> read_registers(const Program& program, const Instruction& instruction);
std::vector<std::uint32_t> written_registers(const Instruction& instruction);
/// Whether an instruction writes the program's execution mask, and whether the write leaves inactive lanes inactive.
bool writes_mask(const Program& program, const Instruction& instruction);
bool narrows_mask(const Program& program, const Instruction& instruction);

/// Whether a jump, table or exit: control may go elsewhere than to the next instruction.
bool is_jump(const Instruction& instruction);

/// Whether an access to global memory under a predicate: with a predicate false in all lanes it moves nothing, as if
/// the warp had jumped over it.
bool may_idle(const Instruction& instruction);

inline constexpr std::string_view kSharedAtomic = "shared.atomic";  ///< an op

/// Whether an instruction is a loop around an atomic of shared memory: Access::Meeting::Retry. `kSharedAtomic` is among
/// its ops.
bool retries(const Instruction& instruction);

}  // namespace warpipe::isa
