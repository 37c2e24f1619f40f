#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/isa/lane_operation.hpp"

/// The means to execute warps: steps, each a function over the numbers of 32 lanes.

namespace warpipe::machine {

using Mask = std::uint64_t;  ///< bit i is of lane i

inline constexpr std::size_t kLanes = 32;      ///< in a step; a warp of 64 takes two steps
inline constexpr std::size_t kMostLanes = 64;  ///< of a warp
/// The alignment of registers, in bytes.
inline constexpr std::size_t kAlignment = 64;

/// The last range of addresses reached by an access, and the last address in it.
struct Reach {
  std::uint64_t begin = 1, end = 0, last = 0;
};

/// The state of a warp for a step. A register is an array of numbers by lane: of 32 bits, also for narrower numbers, or
/// of 64. Predicates are 0 or 1. Narrower numbers are filled up with zeros.
struct alignas(kAlignment) Lanes {
  std::byte* base[2] = {};              ///< of the warp's own registers, and of the numbers shared by the launch
  const std::uint32_t* mask = nullptr;  ///< all ones in active lanes, else zero
  Mask active = 0;                      ///< the same
  Mask outer = 0;                       ///< active lanes, while a guard holds
  // Masks: of the lanes at a place, and of the lanes under a guard.
  alignas(kAlignment) std::uint32_t words[kMostLanes] = {};
  alignas(kAlignment) std::uint32_t guard_words[kMostLanes] = {};
  Reach* reached = nullptr;                 ///< by access of the program
  const unsigned char* recorded = nullptr;  ///< by access: 1 where its loads are kept; null without a recorder
  std::byte* shared = nullptr;              ///< shared memory
  std::uint64_t shared_bytes = 0;
  std::uint64_t writes = 0;  ///< to memory
};

struct Step;
using Function = void (*)(Lanes&, const Step&);

/// The place of an array of numbers: bytes from a base, which the lowest bit chooses.
using Operand = std::uint32_t;

struct Step {
  Function function = nullptr;
  Operand out = 0;
  Operand in[4] = {};
  std::uint32_t first_lane = 0;   ///< 0 or 32
  std::uint64_t number = 0;       ///< of the operation, such as a table
  const void* more = nullptr;     ///< of steps that need more
  std::uint32_t instruction = 0;  ///< of the program
};

/// A load or a store of elements that are neighbours in memory. The step's in[1] are addresses, before `number` is
/// added; in[0] is room for the sums.
struct SimpleAccess {
  Function slow = nullptr;   ///< finds the addresses in in[0]
  std::uint32_t number = 0;  ///< among all accesses of the program
  std::uint32_t elements = 0;
  Operand places[4] = {};  ///< of the loaded or stored numbers, element by element
};

/// Functions over lanes, compiled for some vector instructions.
struct LaneFunctions {
  const char* name;
  /// @param inputs  how many
  /// @return the function of an operation with floats rounded to the nearest, neither flushed nor saturated, and a
  ///         truth neither turned nor joined; null without one
  Function (*find)(const isa::LaneOperation& operation, std::size_t inputs);
  /// The same for floats of 16 bits, alone or in pairs, in arrays of 32 bits.
  Function (*find_half)(const isa::LaneOperation& operation, std::size_t inputs);
  /// For a step with a further function in `number`: runs it with floats rounded otherwise than to the nearest; null
  /// where the host cannot.
  Function (*rounded_as)(isa::Rounding rounding);
  /// For a step with a SimpleAccess; null without a matching function.
  /// @param width     bytes of an element
  /// @param has_sign  loaded numbers are widened by their sign
  /// @param wide      the arrays of loaded or stored numbers are of 64 bits
  /// @param shared    in shared memory, by addresses of 32 bits; else in global memory
  Function (*find_access)(std::uint32_t width, bool has_sign, bool wide, bool shared, bool stores);
  /// For numbers of 32 bits in warps of 32 lanes: in[0] are numbers, in[1] distances, in[2] bounds; in[3] - 1, unless
  /// in[3] is 0, receives whether each lane reads within its segment. Null for other operations.
  Function (*find_shuffle)(isa::LaneOp op);
  Function begin_guard, end_guard;  ///< in[0]; `number` 1: turned; `first_lane`: lanes of a warp
  /// From a type of whole numbers to another: cuts, or fills up with zeros or the sign.
  Function (*resize)(isa::Type from, isa::Type to);
  Function join64, split64;                       ///< two arrays of 32 bits and one of 64: in[0], in[1]; out, in[1]
  Function is_zero;                               ///< of 32 bits: 1 or 0
  Function flush32, flush64;                      ///< floats below the normal ones become zero
  Function saturate32, saturate64;                ///< floats stay within 0 and 1
  Function combine_and, combine_or, combine_xor;  ///< of 32 bits
  Function add_number64;                          ///< in[0] and `number`
  Function widen_and_add;                         ///< in[0] of 32 bits and `number`, to 64
  void (*to_words)(Mask lanes, std::uint32_t* words);
  /// The mask of nonzero numbers among `count` lanes.
  Mask (*to_bits)(const std::uint32_t* numbers, std::size_t count);
  /// The least and the greatest of the addresses in active lanes, and all their bits joined.
  void (*bounds)(const std::uint64_t* addresses, const std::uint32_t* mask, std::size_t count, std::uint64_t* least,
                 std::uint64_t* most, std::uint64_t* joined);
  /// Whether all addresses are `step` apart.
  bool (*is_row)(const std::uint64_t* addresses, std::uint64_t step);
};

const LaneFunctions& portable_lanes();
const LaneFunctions& avx2_lanes();
const LaneFunctions& avx512_lanes();
/// The functions for the widest vector instructions of this host. All compute the same bits.
const LaneFunctions& lane_functions();

}  // namespace warpipe::machine
