#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "warpipe/isa/type.hpp"

namespace warpipe::isa {

/// What a warp's own stores have left in memory: each thread's, and that of the group. Bytes that it did not write, or
/// of which nothing is known, are not known.
class WarpMemory {
 public:
  explicit WarpMemory(std::size_t lanes) : words_(lanes + 1) {}

  /// What one lane stores.
  struct Write {
    std::size_t lane = 0;
    std::uint64_t address = 0;
    int bytes = 0;                       ///< at most 8
    std::optional<std::uint64_t> value;  ///< nothing: not known
  };

  /// Whether addresses of a space lie in memory that is kept. Generic ones are told apart by their window.
  static bool is_kept(Space space, std::uint64_t address);
  std::optional<std::uint64_t> read(Space space, std::size_t lane, std::uint64_t address, int bytes) const;
  /// The stores of one instruction, at once: where lanes write different values to the same byte of the group's memory,
  /// nothing is known of it. Those elsewhere are left out.
  /// @return whether what is known has changed
  bool write(Space space, const std::vector<Write>& writes);
  /// @return whether anything was known
  bool forget_shared();
  bool forget_all();
  bool is_empty() const;

 private:
  /// Eight bytes, aligned.
  struct Word {
    std::uint64_t value = 0;
    std::uint8_t known = 0;  ///< bytes
  };
  /// What the lanes of an instruction write to a word.
  struct WrittenWord {
    Word word;
    std::uint8_t bytes = 0;  ///< that are written
    void add(std::uint8_t more, const std::optional<std::uint64_t>& value);
  };
  using Words = std::unordered_map<std::uint64_t, Word>;  ///< by address / 8

  std::size_t memory_of(Space space, std::size_t lane, std::uint64_t address) const;
  static bool put(Words& memory, std::uint64_t at, const WrittenWord& written);
  std::vector<Words> words_;  ///< by lane, and at last the group's
};

}  // namespace warpipe::isa
