#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/isa/lane_operation.hpp"

/// What warps are executed with: steps, each a function over the numbers of 32 lanes.

namespace warpipe::machine {

using Mask = std::uint64_t;  ///< bit i is of lane i

inline constexpr std::size_t kLanes = 32;      ///< that a step works on; a warp of 64 takes two steps
inline constexpr std::size_t kMostLanes = 64;  ///< of a warp
/// Registers begin at multiples of this.
inline constexpr std::size_t kAlignment = 64;

/// The range of addresses that an access reached last, and where in it.
struct Reach {
  std::uint64_t begin = 1, end = 0, last = 0;
};

/// What a step sees of a warp. A register is an array of numbers by lane: of 32 bits, also where it is narrower, or of
/// 64. Predicates are 0 or 1. What is narrower than its array is filled up with zeros.
struct alignas(kAlignment) Lanes {
  std::byte* base[2] = {};              ///< of the warp's own registers, and of what all warps of the launch share
  const std::uint32_t* mask = nullptr;  ///< all ones in active lanes, else zero
  Mask active = 0;                      ///< the same
  Mask outer = 0;                       ///< active lanes, while a guard holds
  // Masks: of the lanes at a place, and of those under a guard.
  alignas(kAlignment) std::uint32_t words[kMostLanes] = {};
  alignas(kAlignment) std::uint32_t guard_words[kMostLanes] = {};
  Reach* reached = nullptr;                 ///< by access of the program
  const unsigned char* recorded = nullptr;  ///< by access: 1 where its loads are kept; null where none are
  std::byte* shared = nullptr;              ///< shared memory
  std::uint64_t shared_bytes = 0;
  std::uint64_t writes = 0;  ///< to memory
};

struct Step;
using Function = void (*)(Lanes&, const Step&);

/// Where an array of numbers is: bytes from a base, whose number is the lowest bit.
using Operand = std::uint32_t;

struct Step {
  Function function = nullptr;
  Operand out = 0;
  Operand in[4] = {};
  std::uint32_t first_lane = 0;   ///< 0 or 32
  std::uint64_t number = 0;       ///< that the operation has, such as a table
  const void* more = nullptr;     ///< of steps that need more
  std::uint32_t instruction = 0;  ///< whose step it is
};

/// A load or a store of elements that are neighbours in memory. The step's in[1] are addresses, to which `number` is
/// added; in[0] is room for the sums.
struct SimpleAccess {
  Function slow = nullptr;   ///< finds the addresses in in[0]
  std::uint32_t number = 0;  ///< among all accesses of the program
  std::uint32_t elements = 0;
  Operand places[4] = {};  ///< of what is loaded or stored, element by element
};

/// Functions over lanes, compiled for some vector instructions.
struct LaneFunctions {
  const char* name;
  /// @param inputs  how many
  /// @return the function of an operation whose floats are rounded to the nearest, neither flushed nor saturated, and
  ///         whose truth is neither turned nor joined; null where there is none
  Function (*find)(const isa::LaneOperation& operation, std::size_t inputs);
  /// The same of floats of 16 bits, alone or in pairs, whose arrays are of 32 bits.
  Function (*find_half)(const isa::LaneOperation& operation, std::size_t inputs);
  /// Of a step whose `number` is another function: that one, with floats rounded otherwise than to the nearest; null
  /// where the host cannot.
  Function (*rounded_as)(isa::Rounding rounding);
  /// Of a step that is a SimpleAccess; null where there is none.
  /// @param width     bytes of an element
  /// @param has_sign  what is loaded is widened by its sign
  /// @param wide      the arrays of what is loaded or stored are of 64 bits
  /// @param shared    in shared memory, by addresses of 32 bits; else in global memory
  Function (*find_access)(std::uint32_t width, bool has_sign, bool wide, bool shared, bool stores);
  /// Of numbers of 32 bits in warps of 32 lanes: in[0] are numbers, in[1] distances, in[2] bounds; in[3] - 1 gets who
  /// reads within its segment, where that is not 0. Null for other operations.
  Function (*find_shuffle)(isa::LaneOp op);
  Function begin_guard, end_guard;  ///< in[0]; `number` 1: turned; `first_lane`: lanes of a warp
  /// From one type of whole numbers to another: cuts, or fills up with zeros or the sign.
  Function (*resize)(isa::Type from, isa::Type to);
  Function join64, split64;                       ///< two arrays of 32 bits and one of 64: in[0], in[1]; out, in[1]
  Function is_zero;                               ///< of 32 bits: 1 or 0
  Function flush32, flush64;                      ///< floats below the normal ones become zero
  Function saturate32, saturate64;                ///< floats stay within 0 and 1
  Function combine_and, combine_or, combine_xor;  ///< of 32 bits
  Function add_number64;                          ///< in[0] and `number`
  Function widen_and_add;                         ///< in[0] of 32 bits and `number`, to 64
  void (*to_words)(Mask lanes, std::uint32_t* words);
  /// Which numbers of `count` lanes are not zero.
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
/// The widest ones that this host has. All compute the same bits.
const LaneFunctions& lane_functions();

}  // namespace warpipe::machine
