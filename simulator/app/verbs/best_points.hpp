#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verbs/sweep_inputs.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe::app {

/// The points of a sweep with the lowest costs.
class BestPoints {
 public:
  /// @param most  of them
  explicit BestPoints(std::size_t most) : most_(most) {}

  void add(std::optional<double> cost, std::size_t index);
  /// The best point first; equal points in the order of their indices.
  std::vector<std::size_t> indices() const;

 private:
  std::size_t most_;
  std::set<std::pair<double, std::size_t>> best_;
};

/// @return the number in the column time_us of a row; nothing where it has none
/// @param header  of the rows
std::optional<double> time_us_of_row(const std::string& header, const std::string& row, RowForm form);

}  // namespace warpipe::app
