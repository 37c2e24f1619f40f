#pragma once

#include <cstdint>
#include <vector>

namespace warpipe {

/// The kinds of a launch's groups in the order of placement (rules 3 and 8): runs of groups of equal kind, in a
/// repeated list.
class GroupOrder {
 public:
  struct Run {
    std::uint32_t kind = 0;   ///< index into Program::kinds
    std::int64_t groups = 1;  ///< >= 1
    friend bool operator==(const Run&, const Run&) = default;
  };

  /// All groups are of kind 0.
  GroupOrder() : GroupOrder({{0, 1}}) {}
  /// @param runs  at least one; neighbours of equal kind are merged
  /// @throws ModelError for a list of more groups than fit 62 bits
  explicit GroupOrder(const std::vector<Run>& runs);

  /// Of a single repetition of the list; neighbours differ.
  const std::vector<Run>& runs() const { return runs_; }

  /// The kind of the group placed after `age` groups.
  /// @complexity logarithm of the runs
  std::uint32_t kind_of(std::int64_t age) const;

  /// Counts the first `groups` groups by kind.
  /// @param kinds  number of kinds
  std::vector<std::int64_t> counts(std::size_t kinds, std::int64_t groups) const;

  /// Likewise, by kind and age modulo `modulus`.
  /// @complexity  (runs + kinds x modulus) x modulus
  std::vector<std::vector<std::int64_t>> counts_by_age(std::size_t kinds, std::int64_t groups,
                                                       std::int64_t modulus) const;

  /// The number of groups in a row, from `first` on, each of the same kind as the group `distance` before.
  /// @param distance  1 to first
  /// @param most      an upper limit of the result
  /// @complexity      runs
  std::int64_t repeats(std::int64_t first, std::int64_t distance, std::int64_t most) const;

  friend bool operator==(const GroupOrder& a, const GroupOrder& b) { return a.runs_ == b.runs_; }

 private:
  std::size_t run_at(std::int64_t in_cycle) const;

  std::vector<Run> runs_;
  std::vector<std::int64_t> ends_;  ///< of the runs, from the start of the list
};

}  // namespace warpipe
