#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// The result of one of several predictions.
struct Attempt {
  std::optional<Prediction> prediction;
  std::vector<Diagnostic> problems;  ///< why there is no prediction
};

/// Makes many predictions on several threads.
/// @param make     called once for each index below `count`, several at a time. An Error that it throws is the problem
///                 of its attempt; any other exception ends all
/// @param threads  the most threads; 0: all cores. Never changes the result
/// @return         a result for each index, in order
std::vector<Attempt> predict_all(std::size_t count, const std::function<Prediction(std::size_t index)>& make,
                                 std::size_t threads = 0);

/// A kernel on a device, to be asked for many launches. May be asked by several threads.
class Predictor {
 public:
  Predictor(Kernel kernel, Device device);

  const Kernel& kernel() const { return *kernel_; }
  const Device& device() const { return *device_; }

  /// @throws as warpipe::predict
  Prediction predict(const LaunchOptions& options = {}) const;

  /// A prediction, and the shares of its time: by state, instruction, pipeline and unit.
  /// @throws as warpipe::predict
  Outcome explain(const LaunchOptions& options = {}) const;

  /// Predicts many launches, in the order of the options.
  /// @param threads  as predict_all
  std::vector<Attempt> predict_all(std::span<const LaunchOptions> options, std::size_t threads = 0) const;

 private:
  std::shared_ptr<const Kernel> kernel_;
  std::shared_ptr<const Device> device_;
};

}  // namespace warpipe
