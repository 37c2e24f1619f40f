#include "shown_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr std::string_view kLatency = "latency";

}  // namespace

TimeUnit unit_for(Seconds longest) {
  if (longest.count >= 1) return {"s", 1};
  if (longest.count >= 1e-3) return {"ms", 1e-3};
  return {"us", 1e-6};
}

Ticks throughput_bound(const Prediction& prediction) {
  Ticks highest;
  for (const auto& bound : prediction.bounds) {
    if (bound.name != kLatency) highest = std::max(highest, bound.cycles);
  }
  return highest;
}

Ticks latency_bound(const Prediction& prediction) {
  const auto bound = std::ranges::find(prediction.bounds, kLatency, &Bound::name);
  return bound == prediction.bounds.end() ? Ticks{} : bound->cycles;
}

std::string name_of_launch(const Prediction& prediction) {
  const auto& title = prediction.device_title;
  return fmt::format("{} on {}{}", prediction.kernel, prediction.device, title.empty() ? "" : ", " + title);
}

}  // namespace warpipe
