#include "verbs/point_row.hpp"

#include <nlohmann/json.hpp>

#include "terminal/flags.hpp"
#include "warpipe/sweep/equal_work.hpp"

namespace warpipe::app {

PointRow row_of(SweepPoint point, const SweepRows& rows, const std::vector<Variation>& variations) {
  point.error = with_flags(point.error);
  PointRow row{rows.row(point), point.error, {}, {}};
  if (!point.prediction) return row;
  row.warnings = point.prediction->warnings;
  row.cost = cost_of(time_us(*point.prediction), point.prediction->launch, point.arrays, variations);
  return row;
}

std::string pack(const PointRow& row) {
  nlohmann::json json{row.row, row.error, row.warnings};
  if (row.cost) json.push_back(*row.cost);
  std::string packed;
  nlohmann::json::to_cbor(json, packed);
  return packed;
}

PointRow unpack_point_row(const std::string& packed) {
  const auto json = nlohmann::json::from_cbor(packed);
  PointRow row{json[0], json[1], json[2], {}};
  if (json.size() > 3) row.cost = json[3].get<double>();
  return row;
}

}  // namespace warpipe::app
