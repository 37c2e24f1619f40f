#pragma once

#include <exception>
#include <mutex>
#include <new>
#include <string_view>

#include "../src/cuda.hpp"
#include "../src/session.hpp"
#include "warpipe/idg/error.hpp"

/// Helpers of the functions in place of CUDA's runtime and driver.

/// The major version of the runtime linked into a library of the program; 0 without one. libraries.cpp, which is loaded
/// on its own, writes it.
extern "C" __attribute__((visibility("default"))) int warpipe_runtime_of_libraries;

#define WARPIPE_CALL extern "C" __attribute__((visibility("default")))
/// Another name of a function of the same file: for programs whose default stream is the thread's own.
#define WARPIPE_ALSO(name, of) extern "C" decltype(of) name __attribute__((visibility("default"), alias(#of)))

namespace warpipe::programs {

/// The error of the thread's latest failed call.
inline thread_local cuda::Error last_error = cuda::kSuccess;

/// Whether the program has called the driver, which has no latest error and makes no context current by itself.
inline thread_local bool is_in_driver = false;

inline cuda::Error noted(cuda::Error error) {
  if (error != cuda::kSuccess && !is_in_driver) last_error = error;
  return error;
}

/// Answers a call of the program; threads take turns.
template <class Body>
cuda::Error answer(Body&& body) noexcept {
  try {
    auto& session = Session::of_process();
    const auto since = session.clock().now();
    const std::lock_guard guard(session.mutex());
    if (!is_in_driver) session.contexts().use_primary();
    const ProgramClock::Call call(session.clock(), session.timeline(), since);
    if (session.broken() != cuda::kSuccess) return noted(session.broken());
    return noted(body(session));
  } catch (const std::bad_alloc&) {
    return noted(cuda::kOutOfMemory);
  } catch (const std::exception& error) {
    Session::of_process().complain(error.what());
    return noted(cuda::kUnknown);
  }
}

/// As answer, with the stream of a handle.
template <class Body>
cuda::Error answer_on(void* handle, Body&& body) noexcept {
  return answer([&](Session& session) {
    auto* const stream = session.find_stream(handle);
    return stream == nullptr ? cuda::kInvalidHandle : body(session, *stream);
  });
}

template <class T>
cuda::Error put(T* to, T value) {
  if (to == nullptr) return cuda::kInvalidValue;
  *to = value;
  return cuda::kSuccess;
}

/// Leads calls here in programs whose runtime is linked in: finds the names of the runtime's functions in the program
/// and redirects them to this library.
void lead_calls_here();
/// @return the function with this name in this library; null where it has none
void* own_function(std::string_view name);

/// The major version of the program's runtime: 11, 12 or 13.
int runtime_version();
void set_runtime_version(int major);

}  // namespace warpipe::programs
