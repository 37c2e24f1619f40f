#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kernel/slot_values.hpp"

namespace warpipe::isa {

/// Copies of a program's instructions in a kernel, in the order of its text: several copies of instructions in loops
/// written out. An instruction waits for all copies that may be the last executed before it.
class WrittenCopies {
 public:
  /// @param instructions  of the program
  explicit WrittenCopies(std::size_t instructions) : copies_(instructions) {}

  /// Opens a loop of the kernel, inside the loops open already: it holds the copies added from here on.
  /// @param first  the number of its first instruction
  void open_loop(std::size_t first);

  /// Closes the loop opened last.
  /// @param last  the number of its last instruction + 1
  void close_loop(std::size_t last);

  /// Adds the next copy of an instruction.
  /// @param first, last  numbers of the kernel's instructions that begin it and yield its result; above those before
  /// @param slots        the warps to execute it whenever they come by
  void add(std::uint32_t instruction, std::size_t first, std::size_t last, const Slots& slots);

  struct Copy {
    std::size_t first, last;
    const Slots* slots;
    std::size_t loop;  ///< the innermost loop around it
  };
  const std::vector<Copy>& of(std::uint32_t instruction) const { return copies_[instruction]; }

  /// Copies of a producer, each executed last by some warp before a copy of a consumer; none where no warp executes
  /// both.
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
