#pragma once

#include "../cudart/calls.hpp"

/// Helpers of the functions in place of CUDA's driver. Most have the effect of a function of the runtime.

namespace warpipe::programs {

/// The state required before a call of the driver.
enum class Needs { Nothing, Init, Context };

inline cuda::Error error_before(Needs needs) {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  if (needs != Needs::Nothing && !session.contexts().is_initialised()) return cuda::kNotInitialised;
  if (needs == Needs::Context && session.contexts().current() == nullptr) return cuda::kInvalidContext;
  return cuda::kSuccess;
}

/// Answers as a function of the runtime does, with the driver's errors.
template <class Function, class... Arguments>
cuda::Error after(Needs needs, Function&& function, Arguments... arguments) noexcept {
  if (const auto error = error_before(needs); error != cuda::kSuccess) return error;
  is_in_driver = true;
  const auto error = function(arguments...);
  is_in_driver = false;
  return cuda::driver_error(error);
}

/// As after, for calls that need a context.
template <class Function, class... Arguments>
cuda::Error as(Function&& function, Arguments... arguments) noexcept {
  return after(Needs::Context, function, arguments...);
}

/// Answers a call of the driver without a counterpart in the runtime.
template <class Body>
cuda::Error drive(Needs needs, Body&& body) noexcept {
  return after(needs, [&] { return answer(body); });
}

/// As drive, with the stream of a handle.
template <class Body>
cuda::Error drive_on(void* handle, Body&& body) noexcept {
  return as([&] { return answer_on(handle, body); });
}

}  // namespace warpipe::programs
