#include "what_if_model.hpp"

#include "warpipe/engine/simulate.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

WhatIfModel settled(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  WhatIfModel model{with_options(kernel, options), with_options(device, options), options};
  model.options.set.clear();
  model.options.scale.clear();
  model.options.final_set.clear();
  return model;
}

Ticks cycles_of(const WhatIfModel& model) {
  const Kernel kernel = with_options(model.kernel, model.options);
  const Device device = with_options(model.device, model.options);
  const Launch launch = resolve_launch(kernel, device, model.options);
  return simulate(lower(kernel, device, launch, model.options), model.options.skipping).cycles;
}

Ticks cycles_with(WhatIfModel model, const Edit& edit) {
  edit(model);
  return cycles_of(model);
}

}  // namespace warpipe
