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
  explicit WarpMemory(std::size_t lanes) : private_(lanes), shared_(1) {}

  /// What one lane stores.
  struct Write {
    std::size_t lane = 0;
    std::uint64_t address = 0;
    int bytes = 0;                       ///< at most 8
    std::optional<std::uint64_t> value;  ///< nothing: not known
  };

  /// Whether addresses of a space lie in memory that is kept. Generic ones are told apart by their window.
  static bool is_kept(Space space, std::uint64_t address);
  /// @return whether what lies there is known; `value` is left as it is where not
  bool read(Space space, std::size_t lane, std::uint64_t address, int bytes, std::uint64_t& value) const;
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
  /// A memory of each thread, or one of all.
  class Words {
   public:
    explicit Words(std::size_t owners) : owners_(owners) {}
    const Word* find(std::size_t owner, std::uint64_t at) const;
    /// @return whether what is known has changed
    bool put(std::size_t owner, std::uint64_t at, const WrittenWord& written);
    /// @return whether anything was known
    bool forget();
    bool is_empty() const { return known_ == 0; }

   private:
    std::size_t owners_;
    std::size_t known_ = 0;  ///< words of which something is known
    /// By address / 8, owner: threads mostly use the same addresses, each of its own memory.
    std::unordered_map<std::uint64_t, std::vector<Word>> words_;
  };

  static bool is_private(Space space, std::uint64_t address);
  Words private_, shared_;
};

}  // namespace warpipe::isa
