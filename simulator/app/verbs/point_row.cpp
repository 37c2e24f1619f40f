#include "verbs/point_row.hpp"

#include <nlohmann/json.hpp>

#include "terminal/flags.hpp"

namespace warpipe::app {

PointRow row_of(SweepPoint point, const SweepRows& rows) {
  point.error = with_flags(point.error);
  return {rows.row(point), point.error, point.prediction ? point.prediction->warnings : std::vector<std::string>()};
}

std::string pack(const PointRow& row) {
  std::string packed;
  nlohmann::json::to_cbor(nlohmann::json{row.row, row.error, row.warnings}, packed);
  return packed;
}

PointRow unpack_point_row(const std::string& packed) {
  const auto json = nlohmann::json::from_cbor(packed);
  return {json[0], json[1], json[2]};
}

}  // namespace warpipe::app
