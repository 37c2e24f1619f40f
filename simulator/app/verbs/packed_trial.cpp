#include "verbs/packed_trial.hpp"

#include <nlohmann/json.hpp>

namespace warpipe::app {
namespace {

using Json = nlohmann::json;

Json packed(const Interval& interval) { return {interval.low, interval.high}; }
Interval unpacked(const Json& json) { return {json[0], json[1]}; }

}  // namespace

std::string pack(const WhatIfTrial& trial) {
  Json json{trial.saved, trial.remark, trial.why_not, nullptr, nullptr, trial.off};
  if (trial.cycles) json[3] = trial.cycles->count;
  if (const auto& range = trial.range)
    json[4] = {packed(range->cycles), packed(range->time), packed(range->total_time)};
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

WhatIfTrial unpack_trial(const std::string& packed) {
  const auto json = Json::from_cbor(packed);
  WhatIfTrial trial{{}, json[0], json[5], json[1], json[2]};
  if (!json[3].is_null()) trial.cycles = Ticks{json[3].get<std::int64_t>()};
  if (const auto& range = json[4]; !range.is_null())
    trial.range = TimeRange{unpacked(range[0]), unpacked(range[1]), unpacked(range[2])};
  return trial;
}

}  // namespace warpipe::app
