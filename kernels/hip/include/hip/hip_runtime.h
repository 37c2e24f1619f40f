// What ordinary HIP and CUDA kernels use of their headers, for a clang that has neither ROCm nor CUDA beside it: enough to
// compile the device's side to assembly. Mathematics is that of the hardware's instructions, without corrections for
// subnormal numbers; waves have 64 lanes on CDNA and 32 on RDNA.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
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

#define WARPIPE_VECTORS(type, name)                                                                          \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                                   \
  struct name##3 { type x, y, z; };                                                                          \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 { type x, y, z, w; };                \
  __device__ __forceinline__ name##2 make_##name##2(type x, type y) { return {x, y}; }                       \
  __device__ __forceinline__ name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }            \
  __device__ __forceinline__ name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
WARPIPE_VECTORS(float, float)
WARPIPE_VECTORS(double, double)
WARPIPE_VECTORS(int, int)
WARPIPE_VECTORS(unsigned, uint)
WARPIPE_VECTORS(unsigned char, uchar)
WARPIPE_VECTORS(short, short)
#undef WARPIPE_VECTORS

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

// Places in the launch, as members that read as numbers.
#define WARPIPE_MEMBER(name, value)                       \
  struct name##_t {                                       \
    __device__ __forceinline__ operator unsigned() const { return value; } \
  } name
#define WARPIPE_GROUPS(axis) \
  (((const __attribute__((address_space(4))) unsigned*)__builtin_amdgcn_implicitarg_ptr())[axis])
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
  WARPIPE_MEMBER(x, WARPIPE_GROUPS(0));
  WARPIPE_MEMBER(y, WARPIPE_GROUPS(1));
  WARPIPE_MEMBER(z, WARPIPE_GROUPS(2));
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

#define warpSize __builtin_amdgcn_wavefrontsize()

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
  return warpSize == 64 ? __builtin_amdgcn_ballot_w64(predicate != 0) : __builtin_amdgcn_ballot_w32(predicate != 0);
}
__device__ __forceinline__ int __any(int predicate) { return __ballot(predicate) != 0; }
__device__ __forceinline__ int __all(int predicate) { return __ballot(predicate == 0) == 0; }
__device__ __forceinline__ unsigned long __ballot_sync(unsigned long, int predicate) { return __ballot(predicate); }
__device__ __forceinline__ int __any_sync(unsigned long, int predicate) { return __any(predicate); }
__device__ __forceinline__ int __all_sync(unsigned long, int predicate) { return __all(predicate); }

// ---- atomics

template <class T>
__device__ __forceinline__ T atomicAdd(T* at, T value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicMin(T* at, T value) {
  return __hip_atomic_fetch_min(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicMax(T* at, T value) {
  return __hip_atomic_fetch_max(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicOr(T* at, T value) {
  return __hip_atomic_fetch_or(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicAnd(T* at, T value) {
  return __hip_atomic_fetch_and(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicExch(T* at, T value) {
  return __hip_atomic_exchange(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T atomicCAS(T* at, T expected, T value) {
  __hip_atomic_compare_exchange_strong(at, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

// ---- numbers

#define WARPIPE_MATH(type, name, value) \
  __device__ __forceinline__ type name(type x) { return value; }
WARPIPE_MATH(float, sqrtf, __builtin_sqrtf(x))
WARPIPE_MATH(float, rsqrtf, __builtin_amdgcn_rsqf(x))
WARPIPE_MATH(float, __frcp_rn, 1.0f / x)
WARPIPE_MATH(float, expf, __builtin_amdgcn_exp2f(x * 1.44269504f))
WARPIPE_MATH(float, __expf, __builtin_amdgcn_exp2f(x * 1.44269504f))
WARPIPE_MATH(float, exp2f, __builtin_amdgcn_exp2f(x))
WARPIPE_MATH(float, logf, __builtin_amdgcn_logf(x) * 0.69314718f)
WARPIPE_MATH(float, __logf, __builtin_amdgcn_logf(x) * 0.69314718f)
WARPIPE_MATH(float, log2f, __builtin_amdgcn_logf(x))
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
WARPIPE_MATH(double, sqrt, __builtin_sqrt(x))
WARPIPE_MATH(double, fabs, __builtin_fabs(x))
WARPIPE_MATH(double, floor, __builtin_floor(x))
WARPIPE_MATH(double, ceil, __builtin_ceil(x))
WARPIPE_MATH(int, abs, x < 0 ? -x : x)
#undef WARPIPE_MATH
// tanh and erf by their usual approximations: their instructions count, not their last digits.
__device__ __forceinline__ float tanhf(float x) { return 1.0f - 2.0f / (1.0f + expf(2.0f * x)); }
__device__ __forceinline__ float erff(float x) {
  const float t = 1.0f / (1.0f + 0.3275911f * fabsf(x));
  const float sum = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  return __builtin_copysignf(1.0f - sum * expf(-x * x), x);
}
__device__ __forceinline__ float erfcf(float x) { return 1.0f - erff(x); }
__device__ __forceinline__ float powf(float x, float y) { return exp2f(y * log2f(x)); }
__device__ __forceinline__ float fmodf(float x, float y) { return x - y * truncf(x / y); }
__device__ __forceinline__ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ __forceinline__ float __fdividef(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }
__device__ __forceinline__ float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__device__ __forceinline__ float fminf(float a, float b) { return __builtin_fminf(a, b); }
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
