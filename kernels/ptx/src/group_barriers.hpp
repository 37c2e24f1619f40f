#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routine.hpp"

/// The PTX instructions for waits of warps for each other and for copy engines: mbarriers, named barriers, bulk copies.

namespace warpipe::ptx {

/// Whether an instruction arrives at an mbarrier or a named barrier, and whether it waits there.
struct BarrierWords {
  bool arrives = false, awaits = false;
  bool named = false;  ///< its place is a number, else an address
  const Operand* place = nullptr;
  const Operand* parity = nullptr;  ///< of the awaited phase; null where the text does not say
};
/// @return nothing for all other instructions, and for a barrier of the whole group
std::optional<BarrierWords> barrier_words(const Instruction& instruction);

/// Whether a copy engine copies between global and shared memory.
bool is_bulk_copy(const Instruction& instruction);

/// Where a bulk copy reaches global memory.
const Operand& global_side(const Instruction& copy);

/// The bytes moved by a bulk copy, where the text says: its own size, or for a tensor copy the bytes expected by the
/// mbarrier before it, in equal parts for each tensor copy up to the next mbarrier.
/// @param copy  index of its instruction
std::optional<std::int64_t> bytes_of_bulk_copy(const Routine& routine, std::uint32_t copy);

/// The ops of instructions that use barriers, and of bulk copies; nothing for all others.
std::optional<std::vector<std::string>> asynchronous_ops(const Instruction& instruction);

}  // namespace warpipe::ptx
