// What ordinary HIP and CUDA programs use of their headers, for a clang that has neither ROCm nor CUDA beside it: enough to
// compile the device's side to assembly, with the host's side in the same file. Mathematics is that of the hardware's
// instructions, without corrections for subnormal numbers; waves have 64 lanes on CDNA and 32 on RDNA.
#pragma once

// HIP's own header brings these.
#if __has_include(<cmath>)
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#if __clang_major__ < 15  // a keyword since then, which the standard library uses as well
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

#define WARPIPE_EVERYWHERE __host__ __device__ __forceinline__

// Vectors of one to four numbers, with make_ functions and arithmetic by element.
#define WARPIPE_OPERATOR(type, v, sign)                                                                       \
  WARPIPE_EVERYWHERE v##1 operator sign(v##1 a, v##1 b) { return {static_cast<type>(a.x sign b.x)}; }         \
  WARPIPE_EVERYWHERE v##2 operator sign(v##2 a, v##2 b) {                                                     \
    return {static_cast<type>(a.x sign b.x), static_cast<type>(a.y sign b.y)};                                \
  }                                                                                                           \
  WARPIPE_EVERYWHERE v##3 operator sign(v##3 a, v##3 b) {                                                     \
    return {static_cast<type>(a.x sign b.x), static_cast<type>(a.y sign b.y), static_cast<type>(a.z sign b.z)}; \
  }                                                                                                           \
  WARPIPE_EVERYWHERE v##4 operator sign(v##4 a, v##4 b) {                                                     \
    return {static_cast<type>(a.x sign b.x), static_cast<type>(a.y sign b.y), static_cast<type>(a.z sign b.z), \
            static_cast<type>(a.w sign b.w)};                                                                 \
  }
#define WARPIPE_VECTORS(type, name)                                                                           \
  struct name##1 { type x; };                                                                                 \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                                    \
  struct name##3 { type x, y, z; };                                                                           \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 { type x, y, z, w; };                 \
  WARPIPE_EVERYWHERE name##1 make_##name##1(type x) { return {x}; }                                           \
  WARPIPE_EVERYWHERE name##2 make_##name##2(type x, type y) { return {x, y}; }                                \
  WARPIPE_EVERYWHERE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                     \
  WARPIPE_EVERYWHERE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }          \
  WARPIPE_OPERATOR(type, name, +)                                                                             \
  WARPIPE_OPERATOR(type, name, -)                                                                             \
  WARPIPE_OPERATOR(type, name, *)                                                                             \
  WARPIPE_OPERATOR(type, name, /)
WARPIPE_VECTORS(signed char, char)
WARPIPE_VECTORS(unsigned char, uchar)
WARPIPE_VECTORS(short, short)
WARPIPE_VECTORS(unsigned short, ushort)
WARPIPE_VECTORS(int, int)
WARPIPE_VECTORS(unsigned, uint)
WARPIPE_VECTORS(long, long)
WARPIPE_VECTORS(unsigned long, ulong)
WARPIPE_VECTORS(long long, longlong)
WARPIPE_VECTORS(unsigned long long, ulonglong)
WARPIPE_VECTORS(float, float)
WARPIPE_VECTORS(double, double)
#undef WARPIPE_VECTORS
#undef WARPIPE_OPERATOR

struct dim3 {
  unsigned x, y, z;
  WARPIPE_EVERYWHERE constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// Places in the launch, as members that read as numbers.
#define WARPIPE_MEMBER(name, value)                       \
  struct name##_t {                                       \
    __device__ __forceinline__ operator unsigned() const { return value; } \
  } name
#if __clang_major__ < 18  // code objects of version 4: only the packet of the launch has its size
#define WARPIPE_GROUPS(axis) (__builtin_amdgcn_grid_size_##axis() / __builtin_amdgcn_workgroup_size_##axis())
#else
#define WARPIPE_GROUPS(axis) WARPIPE_HIDDEN(#axis[0] - 'x')
#define WARPIPE_HIDDEN(number) \
  (((const __attribute__((address_space(4))) unsigned*)__builtin_amdgcn_implicitarg_ptr())[number])
#endif
struct warpipe_thread_index {
  WARPIPE_MEMBER(x, __builtin_amdgcn_workitem_id_x());
  WARPIPE_MEMBER(y, __builtin_amdgcn_workitem_id_y());
  WARPIPE_MEMBER(z, __builtin_amdgcn_workitem_id_z());
};
struct warpipe_group_index {
  WARPIPE_MEMBER(x, __builtin_amdgcn_workgroup_id_x());
  WARPIPE_MEMBER(y, __builtin_amdgcn_workgroup_id_y());
  WARPIPE_MEMBER(z, __builtin_amdgcn_workgroup_id_z());
};
struct warpipe_group_size {
  WARPIPE_MEMBER(x, __builtin_amdgcn_workgroup_size_x());
  WARPIPE_MEMBER(y, __builtin_amdgcn_workgroup_size_y());
  WARPIPE_MEMBER(z, __builtin_amdgcn_workgroup_size_z());
};
struct warpipe_grid_size {
  WARPIPE_MEMBER(x, WARPIPE_GROUPS(x));
  WARPIPE_MEMBER(y, WARPIPE_GROUPS(y));
  WARPIPE_MEMBER(z, WARPIPE_GROUPS(z));
};
#undef WARPIPE_MEMBER
extern const __device__ __attribute__((weak)) warpipe_thread_index threadIdx;
extern const __device__ __attribute__((weak)) warpipe_group_index blockIdx;
extern const __device__ __attribute__((weak)) warpipe_group_size blockDim;
extern const __device__ __attribute__((weak)) warpipe_grid_size gridDim;
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

// ---- groups and warps

// A member of hipDeviceProp_t has the same name, so that it is no macro.
struct warpipe_wave_size {
#ifdef __AMDGCN_WAVEFRONT_SIZE
  WARPIPE_EVERYWHERE constexpr operator int() const { return __AMDGCN_WAVEFRONT_SIZE; }
#else
  __device__ __forceinline__ operator int() const { return __builtin_amdgcn_wavefrontsize(); }
#endif
};
extern const __device__ __attribute__((weak)) warpipe_wave_size warpSize;

__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ __forceinline__ void __syncwarp(unsigned long = ~0UL) { __builtin_amdgcn_wave_barrier(); }
__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__device__ __forceinline__ unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

template <class T>
__device__ __forceinline__ T warpipe_from_lane(T value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  union {
    T value;
    int word[words];
  } parts{value};
  for (int i = 0; i < words; ++i) parts.word[i] = __builtin_amdgcn_ds_bpermute(lane << 2, parts.word[i]);
  return parts.value;
}
template <class T>
__device__ __forceinline__ T __shfl(T value, int from, int width = warpSize) {
  const int self = __lane_id();
  return warpipe_from_lane(value, (self & ~(width - 1)) | (from & (width - 1)));
}
template <class T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  const int self = __lane_id(), from = self ^ mask;
  return warpipe_from_lane(value, from >= ((self + width) & ~(width - 1)) ? self : from);
}
template <class T>
__device__ __forceinline__ T __shfl_down(T value, unsigned by, int width = warpSize) {
  const int self = __lane_id();
  return warpipe_from_lane(value, (self & (width - 1)) + static_cast<int>(by) >= width ? self : self + by);
}
template <class T>
__device__ __forceinline__ T __shfl_up(T value, unsigned by, int width = warpSize) {
  const int self = __lane_id(), from = self - static_cast<int>(by);
  return warpipe_from_lane(value, from < (self & ~(width - 1)) ? self : from);
}
// CUDA's, with a mask of those that take part, which is not looked at.
template <class T>
__device__ __forceinline__ T __shfl_sync(unsigned long, T value, int from, int width = warpSize) {
  return __shfl(value, from, width);
}
template <class T>
__device__ __forceinline__ T __shfl_xor_sync(unsigned long, T value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}
template <class T>
__device__ __forceinline__ T __shfl_down_sync(unsigned long, T value, unsigned by, int width = warpSize) {
  return __shfl_down(value, by, width);
}
template <class T>
__device__ __forceinline__ T __shfl_up_sync(unsigned long, T value, unsigned by, int width = warpSize) {
  return __shfl_up(value, by, width);
}
__device__ __forceinline__ unsigned long __ballot(int predicate) {
#if __has_builtin(__builtin_amdgcn_ballot_w64)
  return warpSize == 64 ? __builtin_amdgcn_ballot_w64(predicate != 0) : __builtin_amdgcn_ballot_w32(predicate != 0);
#else
  return __builtin_amdgcn_uicmp(predicate, 0, 33);  // is not equal
#endif
}
__device__ __forceinline__ int __any(int predicate) { return __ballot(predicate) != 0; }
__device__ __forceinline__ int __all(int predicate) { return __ballot(predicate == 0) == 0; }
__device__ __forceinline__ unsigned long __ballot_sync(unsigned long, int predicate) { return __ballot(predicate); }
__device__ __forceinline__ int __any_sync(unsigned long, int predicate) { return __any(predicate); }
__device__ __forceinline__ int __all_sync(unsigned long, int predicate) { return __all(predicate); }

// ---- atomics

#define WARPIPE_ATOMIC(name, value)                                                        \
  template <class T, class Value>                                                          \
  __device__ __forceinline__ T name(T* at, Value x) {                                      \
    return value;                                                                          \
  }                                                                                        \
  template <class T, class Value>                                                          \
  __device__ __forceinline__ T name##_system(T* at, Value x) {                             \
    return name(at, x);                                                                    \
  }
#define WARPIPE_FETCH(what) \
  __hip_atomic_fetch_##what(at, static_cast<T>(x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
WARPIPE_ATOMIC(atomicAdd, WARPIPE_FETCH(add))
WARPIPE_ATOMIC(atomicSub, __hip_atomic_fetch_add(at, -static_cast<T>(x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
WARPIPE_ATOMIC(atomicMin, WARPIPE_FETCH(min))
WARPIPE_ATOMIC(atomicMax, WARPIPE_FETCH(max))
WARPIPE_ATOMIC(atomicOr, WARPIPE_FETCH(or))
WARPIPE_ATOMIC(atomicXor, WARPIPE_FETCH(xor))
WARPIPE_ATOMIC(atomicAnd, WARPIPE_FETCH(and))
WARPIPE_ATOMIC(atomicExch, __hip_atomic_exchange(at, static_cast<T>(x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
#undef WARPIPE_FETCH
#undef WARPIPE_ATOMIC
template <class T, class Expected, class Value>
__device__ __forceinline__ T atomicCAS(T* at, Expected expected, Value value) {
  T seen = static_cast<T>(expected);
  __hip_atomic_compare_exchange_strong(at, &seen, static_cast<T>(value), __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return seen;
}

// ---- numbers

#if __has_builtin(__builtin_amdgcn_exp2f)
#define WARPIPE_EXP2(x) __builtin_amdgcn_exp2f(x)
#define WARPIPE_LOG2(x) __builtin_amdgcn_logf(x)
#else
#define WARPIPE_EXP2(x) __builtin_exp2f(x)
#define WARPIPE_LOG2(x) __builtin_log2f(x)
#endif

#define WARPIPE_MATH(type, name, value) \
  __device__ __forceinline__ type name(type x) { return value; }
WARPIPE_MATH(float, sqrtf, __builtin_sqrtf(x))
WARPIPE_MATH(float, rsqrtf, __builtin_amdgcn_rsqf(x))
WARPIPE_MATH(float, __frcp_rn, 1.0f / x)
WARPIPE_MATH(float, expf, WARPIPE_EXP2(x * 1.44269504f))
WARPIPE_MATH(float, __expf, WARPIPE_EXP2(x * 1.44269504f))
WARPIPE_MATH(float, exp2f, WARPIPE_EXP2(x))
WARPIPE_MATH(float, logf, WARPIPE_LOG2(x) * 0.69314718f)
WARPIPE_MATH(float, __logf, WARPIPE_LOG2(x) * 0.69314718f)
WARPIPE_MATH(float, log2f, WARPIPE_LOG2(x))
WARPIPE_MATH(float, sinf, __builtin_amdgcn_sinf(x * 0.15915494f))
WARPIPE_MATH(float, cosf, __builtin_amdgcn_cosf(x * 0.15915494f))
WARPIPE_MATH(float, __sinf, __builtin_amdgcn_sinf(x * 0.15915494f))
WARPIPE_MATH(float, __cosf, __builtin_amdgcn_cosf(x * 0.15915494f))
WARPIPE_MATH(float, fabsf, __builtin_fabsf(x))
WARPIPE_MATH(float, floorf, __builtin_floorf(x))
WARPIPE_MATH(float, ceilf, __builtin_ceilf(x))
WARPIPE_MATH(float, truncf, __builtin_truncf(x))
WARPIPE_MATH(float, roundf, __builtin_roundf(x))
WARPIPE_MATH(float, rintf, __builtin_rintf(x))
WARPIPE_MATH(float, tanf, __builtin_amdgcn_sinf(x * 0.15915494f) / __builtin_amdgcn_cosf(x * 0.15915494f))
WARPIPE_MATH(float, log10f, WARPIPE_LOG2(x) * 0.30103f)
WARPIPE_MATH(float, sqrt, sqrtf(x))
WARPIPE_MATH(float, exp, expf(x))
WARPIPE_MATH(float, log, logf(x))
WARPIPE_MATH(float, sin, sinf(x))
WARPIPE_MATH(float, cos, cosf(x))
WARPIPE_MATH(float, fabs, fabsf(x))
WARPIPE_MATH(float, abs, fabsf(x))
WARPIPE_MATH(float, floor, floorf(x))
WARPIPE_MATH(float, ceil, ceilf(x))
WARPIPE_MATH(float, round, roundf(x))
WARPIPE_MATH(double, sqrt, __builtin_sqrt(x))
WARPIPE_MATH(double, fabs, __builtin_fabs(x))
WARPIPE_MATH(double, floor, __builtin_floor(x))
WARPIPE_MATH(double, ceil, __builtin_ceil(x))
WARPIPE_MATH(double, abs, __builtin_fabs(x))
WARPIPE_MATH(int, abs, x < 0 ? -x : x)
#undef WARPIPE_MATH
#undef WARPIPE_EXP2
#undef WARPIPE_LOG2
// tanh and erf by their usual approximations: their instructions count, not their last digits.
__device__ __forceinline__ float tanhf(float x) { return 1.0f - 2.0f / (1.0f + expf(2.0f * x)); }
__device__ __forceinline__ float erff(float x) {
  const float t = 1.0f / (1.0f + 0.3275911f * fabsf(x));
  const float sum = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  return __builtin_copysignf(1.0f - sum * expf(-x * x), x);
}
__device__ __forceinline__ float erfcf(float x) { return 1.0f - erff(x); }
__device__ __forceinline__ float powf(float x, float y) { return exp2f(y * log2f(x)); }
__device__ __forceinline__ float pow(float x, float y) { return powf(x, y); }
__device__ __forceinline__ float fmodf(float x, float y) { return x - y * truncf(x / y); }
__device__ __forceinline__ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ __forceinline__ float __fdividef(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }
__device__ __forceinline__ float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__device__ __forceinline__ float fminf(float a, float b) { return __builtin_fminf(a, b); }
__device__ __forceinline__ float fmax(float a, float b) { return __builtin_fmaxf(a, b); }
__device__ __forceinline__ float fmin(float a, float b) { return __builtin_fminf(a, b); }
__device__ __forceinline__ double fmax(double a, double b) { return __builtin_fmax(a, b); }
__device__ __forceinline__ double fmin(double a, double b) { return __builtin_fmin(a, b); }
#define WARPIPE_LEAST_AND_MOST(type)                                               \
  __device__ __forceinline__ type min(type a, type b) { return b < a ? b : a; }    \
  __device__ __forceinline__ type max(type a, type b) { return a < b ? b : a; }
WARPIPE_LEAST_AND_MOST(int)
WARPIPE_LEAST_AND_MOST(unsigned)
WARPIPE_LEAST_AND_MOST(long)
WARPIPE_LEAST_AND_MOST(unsigned long)
WARPIPE_LEAST_AND_MOST(float)
WARPIPE_LEAST_AND_MOST(double)
#undef WARPIPE_LEAST_AND_MOST
__device__ __forceinline__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__device__ __forceinline__ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__device__ __forceinline__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__device__ __forceinline__ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__device__ __forceinline__ int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ __forceinline__ int __popcll(unsigned long x) { return __builtin_popcountl(x); }
__device__ __forceinline__ int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
__device__ __forceinline__ int __ffs(int x) { return __builtin_ffs(x); }
__device__ __forceinline__ int __ffsll(long x) { return __builtin_ffsl(x); }
__device__ __forceinline__ unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__device__ __forceinline__ int __mul24(int a, int b) { return a * b; }
__device__ __forceinline__ unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long>(a) * b) >> 32);
}
template <class T>
__device__ __forceinline__ T __ldg(const T* at) {
  return *at;
}
__device__ __forceinline__ float __fmul_rn(float a, float b) { return a * b; }
__device__ __forceinline__ float __fadd_rn(float a, float b) { return a + b; }
__device__ __forceinline__ float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ long long clock64() { return static_cast<long long>(__builtin_readcyclecounter()); }
__device__ __forceinline__ long long wall_clock64() { return clock64(); }
// Checks hold, and nothing is printed: what that takes is left out.
__device__ __forceinline__ void __assert_fail(const char*, const char*, unsigned, const char*) {}
template <class... Arguments>
__device__ __forceinline__ int printf(const char*, Arguments...) {
  return 0;
}
#if __has_include(<cmath>)
namespace std {  // by their overloads for the device
using ::abs;
using ::ceil;
using ::cos;
using ::exp;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::log;
using ::pow;
using ::round;
using ::sin;
using ::sqrt;
}  // namespace std
#endif

// ---- the host's side, so that its text can be gone through: the kernels alone are compiled, and no call does anything

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorMemoryAllocation = 2,
  hipErrorNotInitialized = 3,
  hipErrorDeinitialized = 4,
  hipErrorInvalidConfiguration = 9,
  hipErrorInvalidSymbol = 13,
  hipErrorInvalidDevicePointer = 17,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorFileNotFound = 301,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorPeerAccessNotEnabled = 705,
  hipErrorLaunchFailure = 719,
  hipErrorCooperativeLaunchTooLarge = 720,
  hipErrorNotSupported = 801,
  hipErrorUnknown = 999
};
enum hipMemcpyKind {
  hipMemcpyHostToHost,
  hipMemcpyHostToDevice,
  hipMemcpyDeviceToHost,
  hipMemcpyDeviceToDevice,
  hipMemcpyDefault
};
enum hipFuncCache_t { hipFuncCachePreferNone, hipFuncCachePreferShared, hipFuncCachePreferL1, hipFuncCachePreferEqual };
enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9
};
enum hipDeviceAttribute_t {
  hipDeviceAttributeClockRate,
  hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeComputeCapabilityMinor,
  hipDeviceAttributeConcurrentManagedAccess,
  hipDeviceAttributeCooperativeLaunch,
  hipDeviceAttributeCooperativeMultiDeviceLaunch,
  hipDeviceAttributeL2CacheSize,
  hipDeviceAttributeManagedMemory,
  hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxGridDimX,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeMemoryClockRate,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeWarpSize
};
struct hipDeviceProp_t {
  char name[256], gcnArchName[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, textureAlignment, maxSharedMemoryPerMultiProcessor;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, memoryClockRate,
      memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode,
      clockInstructionRate, concurrentKernels, pciDomainID, pciBusID, pciDeviceID, isMultiGpuBoard, canMapHostMemory,
      gcnArch, integrated, cooperativeLaunch, cooperativeMultiDeviceLaunch, managedMemory, concurrentManagedAccess,
      regsPerMultiprocessor, asyncEngineCount, ECCEnabled, kernelExecTimeoutEnabled, unifiedAddressing;
};
struct hipFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, ptxVersion;
};
typedef struct warpipe_stream* hipStream_t;
typedef struct warpipe_event* hipEvent_t;
typedef struct warpipe_module* hipModule_t;
typedef struct warpipe_function* hipFunction_t;
typedef struct warpipe_context* hipCtx_t;
typedef struct warpipe_graph* hipGraph_t;
typedef struct warpipe_graph_exec* hipGraphExec_t;
typedef struct warpipe_graph_node* hipGraphNode_t;
typedef struct warpipe_pool* hipMemPool_t;
typedef int hipDevice_t;
typedef void* hipDeviceptr_t;
#define hipStreamDefault 0  // also a stream
enum {
  hipStreamNonBlocking = 1,
  hipEventDefault = 0,
  hipEventBlockingSync = 1,
  hipEventDisableTiming = 2,
  hipHostMallocDefault = 0,
  hipHostMallocPortable = 1,
  hipHostMallocMapped = 2,
  hipHostMallocWriteCombined = 4,
  hipHostMallocNonCoherent = 0x80000000,
  hipHostRegisterDefault = 0,
  hipHostRegisterPortable = 1,
  hipHostRegisterMapped = 2,
  hipMemAttachGlobal = 1,
  hipMemAttachHost = 2,
  hipDeviceScheduleAuto = 0,
  hipDeviceScheduleSpin = 1,
  hipDeviceScheduleYield = 2,
  hipDeviceScheduleBlockingSync = 4,
  hipDeviceMapHost = 8,
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2
};

// Calls take any arguments: which ones, no kernel depends on.
#define WARPIPE_CALL(name)                                 \
  template <class... Arguments>                            \
  __host__ inline hipError_t name(const Arguments&...) {   \
    return hipSuccess;                                     \
  }
#define WARPIPE_CALLS_2(a, b) WARPIPE_CALL(a) WARPIPE_CALL(b)
#define WARPIPE_CALLS_4(a, b, c, d) WARPIPE_CALLS_2(a, b) WARPIPE_CALLS_2(c, d)
WARPIPE_CALLS_4(hipInit, hipDriverGetVersion, hipRuntimeGetVersion, hipGetLastError)
WARPIPE_CALLS_4(hipPeekAtLastError, hipGetDeviceCount, hipGetDevice, hipSetDevice)
WARPIPE_CALLS_4(hipGetDeviceProperties, hipDeviceGetAttribute, hipDeviceSynchronize, hipDeviceReset)
WARPIPE_CALLS_4(hipDeviceGet, hipDeviceGetName, hipDeviceTotalMem, hipDeviceGetPCIBusId)
WARPIPE_CALLS_4(hipDeviceGetUuid, hipDeviceComputeCapability, hipDeviceCanAccessPeer, hipDeviceEnablePeerAccess)
WARPIPE_CALLS_4(hipDeviceDisablePeerAccess, hipDeviceSetCacheConfig, hipDeviceGetLimit, hipDeviceSetLimit)
WARPIPE_CALLS_4(hipDeviceGetStreamPriorityRange, hipDeviceSetSharedMemConfig, hipSetDeviceFlags, hipGetDeviceFlags)
WARPIPE_CALLS_4(hipChooseDevice, hipFuncSetCacheConfig, hipFuncSetAttribute, hipFuncGetAttributes)
WARPIPE_CALLS_4(hipFuncSetSharedMemConfig, hipMalloc, hipMallocManaged, hipMallocAsync)
WARPIPE_CALLS_4(hipMallocHost, hipHostMalloc, hipHostAlloc, hipHostFree)
WARPIPE_CALLS_4(hipFreeHost, hipFree, hipFreeAsync, hipHostRegister)
WARPIPE_CALLS_4(hipHostUnregister, hipHostGetDevicePointer, hipMallocPitch, hipExtMallocWithFlags)
WARPIPE_CALLS_4(hipMemcpy, hipMemcpyAsync, hipMemcpyWithStream, hipMemcpy2D)
WARPIPE_CALLS_4(hipMemcpy2DAsync, hipMemcpy3D, hipMemcpy3DAsync, hipMemcpyPeer)
WARPIPE_CALLS_4(hipMemcpyPeerAsync, hipMemcpyToSymbol, hipMemcpyToSymbolAsync, hipMemcpyFromSymbol)
WARPIPE_CALLS_4(hipMemcpyFromSymbolAsync, hipMemcpyHtoD, hipMemcpyDtoH, hipMemcpyDtoD)
WARPIPE_CALLS_4(hipMemcpyHtoDAsync, hipMemcpyDtoHAsync, hipMemcpyDtoDAsync, hipMemset)
WARPIPE_CALLS_4(hipMemsetAsync, hipMemset2D, hipMemset2DAsync, hipMemsetD8)
WARPIPE_CALLS_4(hipMemsetD16, hipMemsetD32, hipMemsetD8Async, hipMemsetD16Async)
WARPIPE_CALLS_4(hipMemsetD32Async, hipMemGetInfo, hipPointerGetAttributes, hipGetSymbolAddress)
WARPIPE_CALLS_4(hipGetSymbolSize, hipMemAdvise, hipMemPrefetchAsync, hipStreamCreate)
WARPIPE_CALLS_4(hipStreamCreateWithFlags, hipStreamCreateWithPriority, hipStreamDestroy, hipStreamSynchronize)
WARPIPE_CALLS_4(hipStreamQuery, hipStreamWaitEvent, hipStreamAddCallback, hipStreamGetFlags)
WARPIPE_CALLS_4(hipStreamGetPriority, hipStreamBeginCapture, hipStreamEndCapture, hipStreamIsCapturing)
WARPIPE_CALLS_4(hipStreamAttachMemAsync, hipLaunchHostFunc, hipEventCreate, hipEventCreateWithFlags)
WARPIPE_CALLS_4(hipEventRecord, hipEventSynchronize, hipEventElapsedTime, hipEventQuery)
WARPIPE_CALLS_4(hipEventDestroy, hipGraphCreate, hipGraphInstantiate, hipGraphLaunch)
WARPIPE_CALLS_4(hipGraphDestroy, hipGraphExecDestroy, hipGraphAddKernelNode, hipGraphAddMemcpyNode)
WARPIPE_CALLS_4(hipGraphAddMemsetNode, hipModuleLoad, hipModuleLoadData, hipModuleLoadDataEx)
WARPIPE_CALLS_4(hipModuleUnload, hipModuleGetFunction, hipModuleGetGlobal, hipModuleLaunchKernel)
WARPIPE_CALLS_4(hipExtModuleLaunchKernel, hipLaunchKernel, hipExtLaunchKernel, hipLaunchCooperativeKernel)
WARPIPE_CALLS_4(hipLaunchCooperativeKernelMultiDevice, hipCtxCreate, hipCtxDestroy, hipCtxSetCurrent)
WARPIPE_CALLS_4(hipCtxGetCurrent, hipCtxSynchronize, hipProfilerStart, hipProfilerStop)
WARPIPE_CALLS_4(hipOccupancyMaxPotentialBlockSize, hipOccupancyMaxActiveBlocksPerMultiprocessor,
                hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, hipModuleOccupancyMaxPotentialBlockSize)
WARPIPE_CALLS_4(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, hipExtGetLastError,
                hipMemPoolTrimTo, hipDeviceGetDefaultMemPool)
#undef WARPIPE_CALLS_4
#undef WARPIPE_CALLS_2
#undef WARPIPE_CALL
__host__ inline const char* hipGetErrorString(hipError_t) { return ""; }
__host__ inline const char* hipGetErrorName(hipError_t) { return ""; }

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)2)
#define HIP_LAUNCH_PARAM_END ((void*)3)
#define WARPIPE_LAUNCH(kernel, grid, block, shared, stream, ...)     \
  do {                                                               \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);    \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) WARPIPE_LAUNCH((kernel), __VA_ARGS__)
// What clang makes of kernel<<<...>>>.
extern "C" __host__ unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                        hipStream_t stream = 0);
