#include "warpipe/predictor.hpp"

#include <utility>

#include "warpipe/explain/simulation.hpp"
#include "warpipe/parallel/loops.hpp"

namespace warpipe {

std::vector<Attempt> predict_all(std::size_t count, const std::function<Prediction(std::size_t)>& make,
                                 std::size_t threads) {
  std::vector<Attempt> attempts(count);
  for_each_index(count, threads,
                 [&](std::size_t index) {
                   try {
                     attempts[index].prediction = make(index);
                   } catch (const Error& error) {
                     attempts[index].problems = error.diagnostics();
                   }
                 },
                 {});
  return attempts;
}

Predictor::Predictor(Kernel kernel, Device device)
    : kernel_(std::make_shared<const Kernel>(std::move(kernel))),
      device_(std::make_shared<const Device>(std::move(device))) {}

Prediction Predictor::predict(const LaunchOptions& options) const {
  return warpipe::predict(*kernel_, *device_, options);
}

Outcome Predictor::explain(const LaunchOptions& options) const {
  Simulation simulation(lower_launch(*kernel_, *device_, options), {.stalls = true});
  return {simulation.prediction(), simulation.explanation()};
}

std::vector<Attempt> Predictor::predict_all(std::span<const LaunchOptions> options, std::size_t threads) const {
  return warpipe::predict_all(
      options.size(), [&](std::size_t index) { return predict(options[index]); }, threads);
}

}  // namespace warpipe
