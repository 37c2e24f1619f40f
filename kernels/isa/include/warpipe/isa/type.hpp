#pragma once

#include <cstdint>
#include <string_view>

namespace warpipe::isa {

/// Where a memory region or an access lies. Generic: an address says it itself.
enum class Space { Generic, Parameter, Constant, Global, Shared, Local };
/// "generic", "param", "const", "global", "shared", "local".
std::string_view to_string(Space space);

/// A type of numbers; `bits` is 1 for a predicate.
struct Type {
  enum class Kind { None, Signed, Unsigned, Bits, Float, Predicate };
  Kind kind = Kind::None;
  int bits = 0;
  friend bool operator==(const Type&, const Type&) = default;
};

/// Generic addresses of the spaces other than global lie in windows of their own.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 60;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 60;
inline constexpr std::uint64_t kConstantWindow = std::uint64_t{3} << 60;
inline constexpr std::uint64_t kWindowMask = std::uint64_t{15} << 60;

}  // namespace warpipe::isa
