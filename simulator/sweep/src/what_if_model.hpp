#pragma once

#include <functional>

#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// What a prediction is made of, with the options that change latencies already applied, so that edits come after them.
struct WhatIfModel {
  Kernel kernel;
  Device device;
  LaunchOptions options;
};

using Edit = std::function<void(WhatIfModel&)>;

WhatIfModel settled(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @return the cycles that predict says, without its bounds
/// @throws as predict does
Ticks cycles_of(const WhatIfModel& model);
Ticks cycles_with(WhatIfModel model, const Edit& edit);

}  // namespace warpipe
