#pragma once

/// A common source for CUDA and HIP. GPU(Malloc) is cudaMalloc or hipMalloc; WARPIPE_PTX allows inline PTX; opaque(x)
/// keeps a compiler without PTX from looking through x. A third side, an emulation on the host, exists for the tests:
/// it runs threads one after the other and its cycles mean nothing.
#if defined(WARPIPE_GPU_EMULATED)
#include "emulated_gpu.hpp"
#elif defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#define WARPIPE_PTX 0
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
using cudaDeviceProp_t = cudaDeviceProp;  // as HIP calls it
#define WARPIPE_PTX 1
#endif

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#if !defined(WARPIPE_GPU_EMULATED)
/// Launches a kernel on the default stream, and checks the launch for errors.
#define GPU_LAUNCH(kernel, grid, block, local_bytes, ...)       \
  do {                                                          \
    kernel<<<(grid), (block), (local_bytes), 0>>>(__VA_ARGS__); \
    GPU_CHECK(GPU(GetLastError)());                             \
  } while (false)
#endif

#if !defined(WARPIPE_GPU_EMULATED)
/// Names the dynamic shared memory of a launch.
#define GPU_DYNAMIC_SHARED(Type, name) extern __shared__ Type name[]
#endif

#define GPU_CHECK(call) ::measure::check((call), #call, __FILE__, __LINE__)

namespace measure {

using Error = GPU(Error_t);

/// @throws std::runtime_error with the call, the place and the runtime's own words for a failed call
inline void check(Error error, const char* call, const char* file, int line) {
  if (error == GPU(Success)) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           GPU(GetErrorString)(error));
}

/// Hides a value from the optimizer: later operations cannot be merged with earlier operations.
template <class T>
__device__ inline void opaque(T& value) {
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile("" : "+v"(value));
#elif defined(WARPIPE_GPU_EMULATED)
  emulated::step(value);
#else
  (void)value;
#endif
}

/// Cycles of the clock of this compute unit.
__device__ inline long long unit_clock() { return clock64(); }

/// The compute unit of this thread; only equality means anything.
__device__ inline unsigned unit_id() {
#if WARPIPE_PTX
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
#else
  return __smid();
#endif
}

constexpr unsigned kMostUnits = 1024;

/// Waits until all groups of this compute unit have come, and so are resident. All threads call it. The starts of their
/// warps do not show whether they run at once: units that prefer the oldest warp let young warps wait for as long as
/// old warps have work.
/// @param arrived  kMostUnits counters, 0 before the launch
/// @param groups   of this unit
/// @return         whether they came within 200,000 cycles; an emulation runs groups one after the other and returns
///                 true
__device__ inline bool meet(unsigned* arrived, unsigned groups) {
#if defined(WARPIPE_GPU_EMULATED)
  (void)arrived;
  (void)groups;
  __syncthreads();
  return true;
#else
  bool came = true;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    unsigned* const count = &arrived[unit_id() % kMostUnits];
    atomicAdd(count, 1u);
    const long long begin = unit_clock();
    while (came && *static_cast<volatile unsigned*>(count) < groups) came = unit_clock() - begin < 200000;
  }
  return __syncthreads_and(came ? 1 : 0) != 0;
#endif
}

}  // namespace measure
