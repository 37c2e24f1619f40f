#include "survey/linear_system.hpp"

#include <algorithm>
#include <utility>

namespace warpipe::isa {
namespace {

__extension__ using Wide = __int128;

Wide magnitude(Wide x) { return x < 0 ? -x : x; }

/// Divides a row by the greatest common divisor of its numbers.
void shorten(std::vector<Wide>& row) {
  Wide common = 0;
  for (const Wide number : row)
    for (Wide other = magnitude(number); other != 0;) other = std::exchange(common, other) % other;
  if (common > 1)
    for (Wide& number : row) number /= common;
}

}  // namespace

/// Takes an unknown out of a row.
/// @return false where a number gets too large
bool LinearSystem::eliminate(Row& row, const Row& by, std::size_t column) {
  const Wide keep = by[column], take = row[column];
  if (take == 0) return true;
  for (std::size_t i = 0; i < row.size(); ++i) {
    Wide kept = 0, taken = 0;
    if (__builtin_mul_overflow(row[i], keep, &kept) || __builtin_mul_overflow(by[i], take, &taken) ||
        __builtin_sub_overflow(kept, taken, &row[i]))
      return false;
  }
  shorten(row);
  return true;
}

bool LinearSystem::add(std::span<const std::int64_t> coefficients, std::int64_t result) {
  Row row(coefficients.begin(), coefficients.end());
  row.push_back(result);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!eliminate(row, rows_[i], pivots_[i])) return false;
  const auto end = row.end() - 1;
  const auto pivot = std::find_if(row.begin(), end, [](Wide number) { return number != 0; });
  if (pivot == end) return row.back() == 0;
  const auto column = static_cast<std::size_t>(pivot - row.begin());
  shorten(row);
  for (Row& other : rows_)
    if (!eliminate(other, row, column)) return false;
  rows_.push_back(std::move(row));
  pivots_.push_back(column);
  return true;
}

std::optional<std::vector<std::int64_t>> LinearSystem::solution() const {
  std::vector<std::int64_t> unknowns(unknowns_, 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Wide value = rows_[i].back() / rows_[i][pivots_[i]];
    if (rows_[i].back() % rows_[i][pivots_[i]] != 0 || value > INT64_MAX || value < INT64_MIN) return std::nullopt;
    unknowns[pivots_[i]] = static_cast<std::int64_t>(value);
  }
  return unknowns;
}

}  // namespace warpipe::isa
