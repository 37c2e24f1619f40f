#include "shown_time.hpp"

#include <fmt/format.h>

#include "warpipe/views/numbers.hpp"

namespace warpipe {

TimeUnit unit_for(Seconds longest) {
  if (longest.count >= 1) return {"s", 1};
  if (longest.count >= 1e-3) return {"ms", 1e-3};
  return {"us", 1e-6};
}

std::string name_of_launch(const Prediction& prediction) {
  const auto& title = prediction.device_title;
  return fmt::format("{} on {}{}", prediction.kernel, prediction.device, title.empty() ? "" : ", " + title);
}

}  // namespace warpipe
