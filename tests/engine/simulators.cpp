#include "simulators.hpp"

#include "support/reference_engine.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

reference::Outcome simulate_reference(const Kernel& kernel, const Device& device, Units units) {
  const auto mode = units == Units::One ? reference::Mode::OneUnit : reference::Mode::AllUnits;
  return reference::simulate(kernel, device, reference::launch_of(kernel, device, mode));
}

Prediction simulate_product(const Kernel& kernel, const Device& device, Units units) {
  LaunchOptions options;
  options.units = units;
  options.ignore_limits = true;
  return predict(kernel, device, options);
}

}  // namespace

std::string to_string(Simulator simulator) { return simulator == Simulator::Reference ? "Reference" : "Product"; }

Ticks simulated_cycles(Simulator simulator, const Kernel& kernel, const Device& device, Units units) {
  return simulator == Simulator::Reference ? simulate_reference(kernel, device, units).cycles
                                           : simulate_product(kernel, device, units).cycles;
}

std::string cycles(Simulator simulator, const Kernel& kernel, const Device& device, Units units) {
  return format_cycles(simulated_cycles(simulator, kernel, device, units));
}

std::int64_t instructions_issued(Simulator simulator, const Kernel& kernel, const Device& device, Units units) {
  return simulator == Simulator::Reference
             ? static_cast<std::int64_t>(simulate_reference(kernel, device, units).timeline.size())
             : simulate_product(kernel, device, units).instructions_issued;
}

std::map<std::string, Ticks> busy_pipelines(Simulator simulator, const Kernel& kernel, const Device& device,
                                            Units units) {
  std::map<std::string, Ticks> busy;
  if (simulator == Simulator::Reference) {
    for (const reference::InstanceUse& instance : simulate_reference(kernel, device, units).instances)
      busy[device.pipelines[instance.pipeline].name].count += instance.busy.count;
  } else {
    for (const PipelineUse& use : simulate_product(kernel, device, units).pipelines) busy[use.name] = use.busy;
  }
  std::erase_if(busy, [](const auto& pipeline) { return pipeline.second == Ticks{}; });
  return busy;
}

Program program_of(const Kernel& kernel, const Device& device, Units units) {
  LaunchOptions options;
  options.units = units;
  options.ignore_limits = true;
  return lower(kernel, device, resolve_launch(kernel, device, options), options);
}

Program program_of(const random_model::Model& model) {
  return program_of(random_model::read_kernel(model), random_model::read_device(model),
                    model.all_units ? Units::All : Units::One);
}

bool comes_to_an_end(const Program& program) {
  try {
    simulate(program);
  } catch (const ModelError&) {
    return false;
  }
  return true;
}

}  // namespace warpipe
