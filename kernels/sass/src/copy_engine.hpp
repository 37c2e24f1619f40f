#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "decode.hpp"

namespace warpipe::sass {

/// How many uniform registers say what a copy engine moves: from bits 24 and 32 on.
struct EngineFields {
  bool stores = false;  ///< to global memory
  int axes = 0;         ///< of a tensor; 0: bytes in a row
  int left = 0, right = 0;
  bool known = true;  ///< whether one side is global memory
};
EngineFields engine_fields(const Decoded& decoded);

/// What the tensor memory accelerator moves between global and shared memory.
struct EngineCopy {
  bool stores = false;
  Operand global;                    ///< two registers: its address, of a tensor that of its map
  std::optional<Operand> barrier;    ///< holds the address of the mbarrier that it arrives at
  std::vector<Operand> coordinates;  ///< of a tensor
  std::optional<Operand> size;       ///< of bytes in a row, in pieces of kPieceOfSize bytes
};
constexpr std::int64_t kPieceOfSize = 16;

/// @return none of another instruction, or where no side is known to be global memory
std::optional<EngineCopy> engine_copy(const Decoded& decoded);

/// Of an mbarrier: whether an arrival is one, and whether it says how many bytes are to come.
bool arrives(const Decoded& decoded);
bool expects_bytes(const Decoded& decoded);

}  // namespace warpipe::sass
