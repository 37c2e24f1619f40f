#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/views/sweep_view.hpp"

namespace warpipe::app {

/// The kept part of a sweep's point whose row is written as it comes; as a text it goes from rank to rank.
struct PointRow {
  std::string row;
  std::string error;  ///< with flags; empty where there is a prediction
  std::vector<std::string> warnings;
  std::optional<double> cost;  ///< by which the best points are chosen
};

/// @param variations  of the sweep
PointRow row_of(SweepPoint point, const SweepRows& rows, const std::vector<Variation>& variations);

std::string pack(const PointRow& row);
PointRow unpack_point_row(const std::string& packed);

}  // namespace warpipe::app
