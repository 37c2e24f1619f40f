#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "warpipe/isa/type.hpp"

namespace warpipe::isa {

/// The memory contents left by a warp's own stores: each thread's memory, and the group's. Bytes without a store by the
/// warp, or with an unknown value, are unknown.
class WarpMemory {
 public:
  explicit WarpMemory(std::size_t lanes) : private_(lanes), shared_(1) {}

  /// The store of one lane.
  struct Write {
    std::size_t lane = 0;
    std::uint64_t address = 0;
    int bytes = 0;                       ///< at most 8
    std::optional<std::uint64_t> value;  ///< nothing: not known
  };

  /// Whether an address of a space lies in kept memory. Generic addresses are told apart by their window.
  static bool is_kept(Space space, std::uint64_t address);
  /// @return whether the number is known; an unknown number leaves `value` unchanged
  bool read(Space space, std::size_t lane, std::uint64_t address, int bytes, std::uint64_t& value) const;
  /// Makes the stores of an instruction, all at once: bytes of the group's memory with different values from several
  /// lanes become unknown. Stores to any other memory are skipped.
  /// @return whether the known contents have changed
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
  /// The bytes written to a word by the lanes of an instruction.
  struct WrittenWord {
    Word word;
    std::uint8_t bytes = 0;  ///< written bytes
    void add(std::uint8_t more, const std::optional<std::uint64_t>& value);
  };
  /// A memory of each thread, or a memory for all.
  class Words {
   public:
    explicit Words(std::size_t owners) : owners_(owners) {}
    const Word* find(std::size_t owner, std::uint64_t at) const;
    /// @return whether the known contents have changed
    bool put(std::size_t owner, std::uint64_t at, const WrittenWord& written);
    /// @return whether anything was known
    bool forget();
    bool is_empty() const { return known_ == 0; }

   private:
    std::size_t owners_;
    std::size_t known_ = 0;  ///< words with any known byte
    /// By address / 8, owner: threads mostly use the same addresses, each of its own memory.
    std::unordered_map<std::uint64_t, std::vector<Word>> words_;
  };

  static bool is_private(Space space, std::uint64_t address);
  Words private_, shared_;
};

}  // namespace warpipe::isa
