// The part of CUDA used by the sources of kernels/cuda: clang compiles them without CUDA's own headers and libraries.
// Exponential and logarithm are the fast functions here, also where the source asks for exact results.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __align__(bytes) __attribute__((aligned(bytes)))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
};
struct __align__(16) float4 {
  float x, y, z, w;
};

#include <__clang_cuda_builtin_vars.h>

#define inline_device __device__ inline __attribute__((always_inline))

inline_device float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

inline_device float __shfl_down_sync(unsigned mask, float value, int distance) {
  return __nvvm_shfl_sync_down_f32(mask, value, distance, 31);
}

inline_device float __shfl_xor_sync(unsigned mask, float value, int distance) {
  return __nvvm_shfl_sync_bfly_f32(mask, value, distance, 31);
}

inline_device unsigned atomicAdd(unsigned* address, unsigned value) {
  return static_cast<unsigned>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), static_cast<int>(value)));
}

inline_device float fabsf(float x) { return __nvvm_fabs_f(x); }
inline_device float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
inline_device float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
inline_device float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
inline_device float expf(float x) { return __nvvm_ex2_approx_f(1.4426950408889634f * x); }
inline_device float __expf(float x) { return expf(x); }
inline_device float __logf(float x) { return 0.6931471805599453f * __nvvm_lg2_approx_f(x); }
