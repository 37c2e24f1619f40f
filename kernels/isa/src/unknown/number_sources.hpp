#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanes/execution.hpp"

namespace warpipe::isa {

/// What a number is made of, whatever is computed.
struct NumberSources {
  /// Of some parameters, as bits by their place among them: those with which it grows, and with which it gets smaller.
  /// Factors count as positive.
  std::uint64_t rising = 0, falling = 0;
  bool by_thread = false;   ///< the thread's index in its group, or its lane
  bool by_group = false;    ///< the group's index in the grid
  bool loaded = false;      ///< data from memory
  bool by_counter = false;  ///< what a loop counts in steps that have none of the parameters in them

  std::uint64_t parameters() const { return rising | falling; }
  bool is_index() const { return (by_thread || by_group) && !loaded; }
  void add(const NumberSources& other);
  friend bool operator==(const NumberSources&, const NumberSources&) = default;
};

/// Tells what numbers of a slice are made of from the text.
class NumberSourceFinder {
 public:
  static constexpr std::size_t kMost = 64;

  /// @param parameters  those that are told apart, at most kMost
  /// @complexity  the slice's reads x the depth of what numbers are made of
  NumberSourceFinder(const ExecutionInput& input, const std::vector<std::size_t>& parameters);

  NumberSources of(std::uint32_t instruction, const Input& input) const;

 private:
  NumberSources of_result(std::uint32_t instruction, const Assignment& assignment) const;
  bool counts(std::uint32_t instruction, const Assignment& assignment) const;

  const ExecutionInput& input_;
  std::vector<std::uint64_t> bit_of_;  ///< by parameter
  std::vector<NumberSources> of_;      ///< by instruction
};

}  // namespace warpipe::isa
