#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "models.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"

/// Helpers shared by the tests of launching, lowering and predicting, besides the models of the engine's tests.

namespace warpipe {

/// A kernel file "k.json".
/// @param head  members of the root, each with a comma behind it: `"parameters": {"n": 4},`
/// @param body  the items of its body, without the brackets
inline Kernel kernel_file(std::string_view head, std::string_view body) {
  return read_kernel_json(
      fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "k", {} "body": [{}]}})", head, body),
      "k.json");
}

/// The program simulated by a prediction.
inline Program lowered(const Kernel& original_kernel, const Device& original_device,
                       const LaunchOptions& options = {}) {
  const Kernel kernel = with_options(original_kernel, options);
  const Device device = with_options(original_device, options);
  return lower(kernel, device, resolve_launch(kernel, device, options), options);
}

/// A unit with the ops x, lambda 1 and Lambda 10, and y, lambda 2 and Lambda 4.
inline Device two_ops() { return device_with({{"x", "a", 1, 10}, {"y", "b", 2, 4}}); }

inline LaunchOptions all_units() {
  LaunchOptions options;
  options.units = Units::All;
  return options;
}

/// The message of an `Exception` thrown by an action; empty where it throws nothing, other exceptions pass.
template <class Exception, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace warpipe
