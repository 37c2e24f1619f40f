#pragma once

#include <cstdint>
#include <string_view>

namespace warpipe::sass {

/// The 128 bits of an instruction.
struct Word {
  std::uint64_t low = 0, high = 0;

  /// Bits [first, first + count), count <= 64.
  constexpr std::uint64_t bits(int first, int count) const {
    std::uint64_t value = first >= 64 ? high >> (first - 64) : low >> first;
    if (first < 64 && first > 0 && first + count > 64) value |= high << (64 - first);
    return count >= 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }
  constexpr bool bit(int place) const { return bits(place, 1) != 0; }
  constexpr std::int64_t whole(int first, int count) const {
    return static_cast<std::int64_t>(bits(first, count) << (64 - count)) >> (64 - count);
  }
};

/// The instruction at an address of code, which must hold all of it.
Word word_at(std::string_view code, std::uint64_t address);

/// When an instruction issues, and the scoreboards it waits for.
/// @source bits: Mesa, src/nouveau/compiler/nak/sm70_encode.rs, set_instr_deps (MIT)
struct Control {
  static constexpr unsigned kNone = 7;
  unsigned stall = 0;  ///< cycles until the next instruction
  bool yield = false;
  unsigned write_barrier = kNone, read_barrier = kNone;  ///< scoreboards
  unsigned waits = 0;                                    ///< bit by scoreboard
};
constexpr int kScoreboards = 6;

Control control_of(const Word& word);

/// Whether the register with its number at `place` keeps its value for the same operand of the next instruction.
/// @source bits: like Control
bool is_reused(const Word& word, int place);

}  // namespace warpipe::sass
