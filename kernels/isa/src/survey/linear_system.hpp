#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpipe::isa {

/// Linear equations with whole coefficients, in reduced row echelon form: exact, whatever their order.
class LinearSystem {
 public:
  explicit LinearSystem(std::size_t unknowns) : unknowns_(unknowns) {}

  /// Adds: the sum of coefficients x unknowns is `result`.
  /// @return false where that contradicts the equations before it, or takes numbers of more than 128 bits
  bool add(std::span<const std::int64_t> coefficients, std::int64_t result);

  /// The unknowns; 0 for those that the equations leave open. Nothing where one is not a whole number of 64 bits.
  std::optional<std::vector<std::int64_t>> solution() const;

  std::size_t rank() const { return rows_.size(); }  ///< equations that do not follow from the others

 private:
  __extension__ using Wide = __int128;
  /// The coefficients, then the result.
  using Row = std::vector<Wide>;

  static bool eliminate(Row& row, const Row& by, std::size_t column);

  std::size_t unknowns_;
  std::vector<Row> rows_;
  std::vector<std::size_t> pivots_;  ///< by row: its unknown, which no other row has
};

}  // namespace warpipe::isa
