#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

/// Pointers that scalar registers hold whatever the launch: to the arguments, to the dispatch packet, to the addresses
/// of symbols.

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

/// How an instruction changes what is known: what it copies, or adds a number to.
struct ScalarEffect {
  std::uint32_t to = 0, from = 0, count = 0;  ///< count 0: nothing
  std::int64_t add = 0;
  std::optional<KnownPointer> sets;  ///< instead: the pair at `to`
};

/// @param effects  by instruction; whatever else an instruction writes is not known
/// @param begin    known at the first one
/// @return         by instruction, before it
std::vector<KnownScalars> known_scalars(const isa::Program& program, const isa::ControlFlow& flow,
                                        const std::vector<ScalarEffect>& effects, const KnownScalars& begin);

}  // namespace warpipe::amdgcn
