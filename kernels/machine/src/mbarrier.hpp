#pragma once

#include <cstdint>

/// The state of an mbarrier in its 64 bits of memory. PTX leaves the form to the device: 20 bits of arrivals still
/// awaited in the phase, 20 bits of arrivals expected in each, 22 bits of bytes still awaited, with a sign, and the
/// parity of the phase.
/// @source PTX ISA, "mbarrier"

namespace warpipe::machine::mbarrier {

inline constexpr int kExpectedAt = 20, kBytesAt = 40, kParityAt = 62;
inline constexpr std::uint64_t kCount = (std::uint64_t{1} << 20) - 1, kBytes = (std::uint64_t{1} << 22) - 1;

inline std::uint64_t parity_of(std::uint64_t state) { return (state >> kParityAt) & 1; }

inline std::uint64_t state_of(std::uint64_t awaited, std::uint64_t expected, std::uint64_t bytes,
                              std::uint64_t parity) {
  return (awaited & kCount) | (expected & kCount) << kExpectedAt | (bytes & kBytes) << kBytesAt | parity << kParityAt;
}

inline std::uint64_t initial(std::uint64_t arrivals) { return state_of(arrivals, arrivals, 0, 0); }

/// The state behind arrivals: with the last of them, and without bytes on their way, the next phase begins.
/// @param leaving  of the arrivals, how many are not expected again
/// @param bytes    more on their way; negative: so many came
inline std::uint64_t behind(std::uint64_t state, std::uint64_t arrivals, std::uint64_t leaving, std::uint64_t bytes) {
  const auto awaited = ((state & kCount) - arrivals) & kCount;
  const auto expected = ((state >> kExpectedAt & kCount) - leaving) & kCount;
  const auto rest = ((state >> kBytesAt) + bytes) & kBytes;
  const bool is_over = awaited == 0 && rest == 0;
  return is_over ? state_of(expected, expected, 0, parity_of(state) ^ 1)
                 : state_of(awaited, expected, rest, parity_of(state));
}

}  // namespace warpipe::machine::mbarrier
