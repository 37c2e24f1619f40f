#pragma once

#include <string>
#include <vector>

#include "warpipe/views/sweep_view.hpp"

namespace warpipe::app {

/// What is kept of a point of a sweep whose rows are written as they come; as a text it goes from rank to rank.
struct PointRow {
  std::string row;
  std::string error;  ///< with flags; empty where there is a prediction
  std::vector<std::string> warnings;
};

PointRow row_of(SweepPoint point, const SweepRows& rows);

std::string pack(const PointRow& row);
PointRow unpack_point_row(const std::string& packed);

}  // namespace warpipe::app
