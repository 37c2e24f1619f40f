#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simplify.hpp"

namespace warpipe::ptx {

/// A set of registers, and the number of 32-bit registers they take.
class RegisterSet {
 public:
  /// @param words  of each register of the routine; must outlive the set
  explicit RegisterSet(const std::vector<std::int64_t>& words) : sizes_(&words), bits_(words.size() / 64 + 1, 0) {}

  bool has(std::uint32_t reg) const { return ((bits_[reg / 64] >> (reg % 64)) & 1) != 0; }
  void add(std::uint32_t reg);
  void remove(std::uint32_t reg);
  void add(const RegisterSet& others);
  std::int64_t words() const { return words_; }
  /// The members that take any 32-bit register.
  std::vector<std::uint32_t> registers() const;
  bool operator==(const RegisterSet& other) const { return bits_ == other.bits_; }

 private:
  const std::vector<std::int64_t>* sizes_;
  std::vector<std::uint64_t> bits_;
  std::int64_t words_ = 0;
};

/// The live values at each point of a routine: registers with a value still to be read. Predicates and uniform values
/// take no register of a lane; operands replaced by arguments or numbers are not read.
class LiveValues {
 public:
  /// @param uniform  of uniform_values; empty where the hardware has no uniform registers
  /// @throws InputError for more than 10^9 (blocks x registers)
  /// @source liveness: backward dataflow to a fixed point
  LiveValues(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow, const Lowered& lowered,
             const std::vector<bool>& uniform);
  LiveValues(const LiveValues&) = delete;
  LiveValues& operator=(const LiveValues&) = delete;

  /// The registers alive behind a block.
  RegisterSet leaving(std::uint32_t block) const;
  /// Goes back over an instruction: from the registers alive behind it to the registers alive before it.
  void step_back(std::uint32_t instruction, RegisterSet& live) const;
  /// Whether an instruction is still there, or stands for a copy: a removed instruction whose result is read.
  bool is_left(std::uint32_t instruction, const RegisterSet& live) const;
  const std::vector<std::uint32_t>& reads(std::uint32_t instruction) const { return reads_[instruction]; }
  const std::vector<std::uint32_t>& writes(std::uint32_t instruction) const { return writes_[instruction]; }
  /// Whether no bit of its results' old values is kept.
  bool overwrites(std::uint32_t instruction) const { return overwrites_[instruction]; }
  std::int64_t words(std::uint32_t reg) const { return words_[reg]; }
  /// The only instruction that writes a register; UINT32_MAX where several do, or none.
  std::uint32_t only_writer(std::uint32_t reg) const { return only_writer_[reg]; }

 private:
  void find_writers();
  void solve();

  const Routine& routine_;
  const isa::ControlFlow& flow_;
  const Lowered& lowered_;
  std::vector<std::int64_t> words_;                         ///< by register
  std::vector<std::uint32_t> only_writer_;                  ///< by register
  std::vector<std::vector<std::uint32_t>> reads_, writes_;  ///< by instruction
  std::vector<bool> overwrites_;                            ///< by instruction
  std::vector<RegisterSet> entering_;                       ///< by block
};

}  // namespace warpipe::ptx
