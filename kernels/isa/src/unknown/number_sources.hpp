#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanes/execution.hpp"

namespace warpipe::isa {

/// Sources of a number, whatever computes it: parameters, indices, data and counters.
struct NumberSources {
  /// Parameters, as bits by their place in a list: the number grows with `rising`, and gets smaller with `falling`.
  /// Factors count as positive.
  std::uint64_t rising = 0, falling = 0;
  bool by_thread = false;   ///< the thread's index in its group, or its lane
  bool by_group = false;    ///< the group's index in the grid
  bool loaded = false;      ///< data from memory
  bool by_counter = false;  ///< counts of a loop in steps without any of the parameters

  std::uint64_t parameters() const { return rising | falling; }
  bool is_index() const { return (by_thread || by_group) && !loaded; }
  void add(const NumberSources& other);
  friend bool operator==(const NumberSources&, const NumberSources&) = default;
};

/// Finds the sources of numbers in a slice, from the program's text.
class NumberSourceFinder {
 public:
  static constexpr std::size_t kMost = 64;

  /// @param parameters  to tell apart, at most kMost
  /// @complexity  the slice's reads x the depth of its computations
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
