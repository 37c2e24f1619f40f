#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kernel/slot_values.hpp"

namespace warpipe::isa {

/// What a kernel has of a program's instructions, in the order of its text: several copies of those in loops that are
/// written out. An instruction waits for the copies whose execution may be the last one of all before its own.
class WrittenCopies {
 public:
  /// @param instructions  of the program
  explicit WrittenCopies(std::size_t instructions) : copies_(instructions) {}

  /// What is added from here on goes round in a loop of the kernel, in those that are open already.
  /// @param first  the number that its first instruction will have
  void open_loop(std::size_t first);

  /// @param last  one past the number of the last instruction of the loop that was opened last
  void close_loop(std::size_t last);

  /// Adds the next copy of an instruction.
  /// @param first, last  numbers of the kernel's instructions that begin it and yield its result; above those before
  /// @param slots        the warps that execute it whenever they come by
  void add(std::uint32_t instruction, std::size_t first, std::size_t last, const Slots& slots);

  struct Copy {
    std::size_t first, last;
    const Slots* slots;
    std::size_t loop;  ///< the innermost one around it
  };
  const std::vector<Copy>& of(std::uint32_t instruction) const { return copies_[instruction]; }

  /// Copies of a producer of which each is the one that some warp executed last before it executes a copy of a
  /// consumer; none where no warp executes both.
  /// @complexity its copies x the warps
  std::vector<std::size_t> last_before(const Copy& consumer, std::uint32_t producer) const;

 private:
  static constexpr std::size_t kNoLoop = SIZE_MAX;
  struct OpenedLoop {
    std::size_t first, last, around;
  };

  void take(std::uint32_t producer, std::size_t first, std::size_t last, Slots& waiting,
            std::vector<std::size_t>& taken) const;

  std::vector<std::vector<Copy>> copies_;  ///< by instruction of the program
  std::vector<OpenedLoop> loops_;
  std::size_t innermost_ = kNoLoop;
  std::set<Slots> slots_;  ///< each once
};

}  // namespace warpipe::isa
