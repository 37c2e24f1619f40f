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
  /// @return false where this contradicts earlier equations, or takes numbers of more than 128 bits
  bool add(std::span<const std::int64_t> coefficients, std::int64_t result);

  /// The unknowns; 0 for unknowns left open. Nothing where an unknown is not a whole number of 64 bits.
  std::optional<std::vector<std::int64_t>> solution() const;

  std::size_t rank() const { return rows_.size(); }  ///< independent equations

 private:
  __extension__ using Wide = __int128;
  /// The coefficients, then the result.
  using Row = std::vector<Wide>;

  static bool eliminate(Row& row, const Row& by, std::size_t column);

  std::size_t unknowns_;
  std::vector<Row> rows_;
  std::vector<std::size_t> pivots_;  ///< by row: its unknown, absent from all other rows
};

}  // namespace warpipe::isa
