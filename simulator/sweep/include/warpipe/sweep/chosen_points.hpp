#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/expression.hpp"
#include "warpipe/sweep/variation.hpp"

/// The predicted combinations of a sweep.

namespace warpipe {

/// A condition on a combination's values: "block * 2 <= n".
class Restriction {
 public:
  /// Each varied name may be used: `group_size`, `n`, `block` (its threads), `block_x`, `block_y`, `block_z` and the
  /// same of the grid; of `arg.n` both `n` and `arg_n`; in other names `_` stands for any character but letters and
  /// digits, as in `ffma_issue`. Kernels, devices and policies are compared with one of their values:
  /// `device == 'h100'`, `policy != "oldest"`.
  /// @throws UsageError for text that does not parse, and for an unknown name, with the known names
  Restriction(const std::string& text, const std::vector<Variation>& variations);

  /// @throws UsageError for a combination for which the expression has no value
  bool holds(const std::vector<VariedValue>& values) const;

 private:
  /// `device == 'h100'`: the name of a truth value in the expression.
  struct Comparison {
    std::string name;
    std::size_t variation = 0;
    std::string value;
    bool is_equal = true;
  };

  std::string without_comparisons(const std::string& text, const std::vector<Variation>& variations);
  Values values_at(const std::vector<VariedValue>& values) const;

  std::vector<Comparison> comparisons_;
  Expression expression_;
  std::vector<Variation> variations_;  ///< without their values
};

/// The combinations to predict, in their order: at first all of them.
class ChosenPoints {
 public:
  /// @param count  of all combinations
  explicit ChosenPoints(std::size_t count) : count_(count) {}

  std::size_t size() const { return chosen_ ? chosen_->size() : count_; }
  /// @return the index of a combination
  std::size_t operator[](std::size_t index) const { return chosen_ ? (*chosen_)[index] : index; }

  void keep_if(const std::function<bool(std::size_t combination)>& is_wanted);
  /// Keeps `count` points, drawn at random without replacement; all where there are no more.
  /// @param seed  equal seeds give the same draw on every computer
  void draw(std::size_t count, std::uint64_t seed);
  /// Keeps the cheapest points.
  /// @param costs  of each; points without a cost take no part
  void keep_cheapest(std::size_t count, const std::vector<std::optional<double>>& costs);

 private:
  std::size_t count_;
  std::optional<std::vector<std::uint32_t>> chosen_;  ///< ascending; nothing: all
};

}  // namespace warpipe
