#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "decode.hpp"

namespace warpipe::sass {

/// The uniform registers that describe a copy of an engine: their numbers from bits 24 and 32 on.
struct EngineFields {
  bool stores = false;  ///< to global memory
  int axes = 0;         ///< of a tensor; 0: bytes in a row
  int left = 0, right = 0;
  bool known = true;  ///< whether one side is global memory
};
EngineFields engine_fields(const Decoded& decoded);

/// A copy of the tensor memory accelerator between global and shared memory.
struct EngineCopy {
  bool stores = false;
  Operand global;                    ///< two registers: its address; of a tensor the address of its map
  std::optional<Operand> barrier;    ///< holds the address of the mbarrier to arrive at
  std::vector<Operand> coordinates;  ///< of a tensor
  std::optional<Operand> size;       ///< of bytes in a row, in pieces of kPieceOfSize bytes
};
constexpr std::int64_t kPieceOfSize = 16;

/// @return nothing for other instructions, or where no side is known to be global memory
std::optional<EngineCopy> engine_copy(const Decoded& decoded);

/// Of an mbarrier instruction: whether it arrives, and whether it tells the bytes to come.
bool arrives(const Decoded& decoded);
bool expects_bytes(const Decoded& decoded);

}  // namespace warpipe::sass
