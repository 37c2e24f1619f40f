#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

/// Pointers in scalar registers that are known for every launch: to the arguments, to the dispatch packet, to the
/// addresses of symbols.

namespace warpipe::amdgcn {

struct KnownPointer {
  enum class To { Arguments, Dispatch, AddressOf };
  To to = To::Arguments;
  std::uint32_t region = 0;  ///< of AddressOf
  std::int64_t offset = 0;   ///< bytes
  bool high = false;         ///< the upper half of it
  friend bool operator==(const KnownPointer&, const KnownPointer&) = default;
};
using KnownScalars = std::map<std::uint32_t, KnownPointer>;

/// The effect of an instruction on known pointers: a copy, or a sum with a number.
struct ScalarEffect {
  std::uint32_t to = 0, from = 0, count = 0;  ///< count 0: nothing
  std::int64_t add = 0;
  std::optional<KnownPointer> sets;  ///< instead: the pair at `to`
};

/// @param effects  by instruction; every further register it writes becomes unknown
/// @param begin    known at the first instruction
/// @return         by instruction, before it
std::vector<KnownScalars> known_scalars(const isa::Program& program, const isa::ControlFlow& flow,
                                        const std::vector<ScalarEffect>& effects, const KnownScalars& begin);

}  // namespace warpipe::amdgcn
