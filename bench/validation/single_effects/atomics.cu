// Atomics on global memory: how many meet on one word, and how far the words lie apart.
#include <cuda_runtime.h>

// What is done. Inline PTX, since the compiler would let one lane act for a warp that meets on one word.
struct add_u32 {
  using Word = unsigned;
  static __device__ void red(Word* at, Word x) { asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(x)); }
  static __device__ unsigned atom(Word* at, Word x) {
    Word old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(x));
    return old;
  }
};

struct add_f32 {
  using Word = float;
  static __device__ void red(Word* at, Word x) { asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(x)); }
  static __device__ unsigned atom(Word* at, Word x) {
    Word old;
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(at), "f"(x));
    return __float_as_uint(old);
  }
};

struct max_u64 {
  using Word = unsigned long long;
  static __device__ void red(Word* at, Word x) { asm volatile("red.global.max.u64 [%0], %1;" ::"l"(at), "l"(x)); }
  static __device__ unsigned atom(Word* at, Word x) {
    Word old;
    asm volatile("atom.global.max.u64 %0, [%1], %2;" : "=l"(old) : "l"(at), "l"(x));
    return static_cast<unsigned>(old);
  }
};

struct cas_u64 {
  using Word = unsigned long long;
  static __device__ unsigned atom(Word* at, Word x) {
    Word old;
    asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(old) : "l"(at), "l"(x), "l"(x + 1));
    return static_cast<unsigned>(old);
  }
};

template <typename Operation, bool kUsed>
__device__ void act(typename Operation::Word* at, unsigned& sum) {
  if constexpr (kUsed)
    sum += Operation::atom(at, 1);
  else
    Operation::red(at, 1);
}

// The first `lanes` lanes of the warps of the first `threads` threads; words by lane, warp, and group modulo `modulus`.
template <typename Operation, bool kUsed>
__global__ void __launch_bounds__(256, 8)
    meet(int trips, int lanes, int threads, int lane_words, int warp_words, int group_words, int modulus,
         typename Operation::Word* words, unsigned* out) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto* at = words + lane * lane_words + warp * warp_words + blockIdx.x % modulus * group_words;
  unsigned sum = 0;
  if (lane < lanes && threadIdx.x < threads) {
#pragma unroll 4
    for (int t = 0; t < trips; ++t) act<Operation, kUsed>(at, sum);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void meet<add_u32, false>(int, int, int, int, int, int, int, unsigned*, unsigned*);
template __global__ void meet<add_u32, true>(int, int, int, int, int, int, int, unsigned*, unsigned*);
template __global__ void meet<add_f32, false>(int, int, int, int, int, int, int, float*, unsigned*);
template __global__ void meet<add_f32, true>(int, int, int, int, int, int, int, float*, unsigned*);
template __global__ void meet<max_u64, false>(int, int, int, int, int, int, int, unsigned long long*, unsigned*);
template __global__ void meet<cas_u64, true>(int, int, int, int, int, int, int, unsigned long long*, unsigned*);

// Words anywhere below `mask + 1`.
template <typename Operation, bool kUsed>
__global__ void __launch_bounds__(256, 8)
    scatter(int trips, unsigned mask, typename Operation::Word* words, unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) {
    unsigned key = thread * 0x9E3779B9u + t * 0x85EBCA6Bu;
    key = (key ^ key >> 15) * 0x2C1B3C6Du;
    key ^= key >> 13;
    act<Operation, kUsed>(words + (key & mask), sum);
  }
  out[thread] = sum;
}
template __global__ void scatter<add_u32, false>(int, unsigned, unsigned*, unsigned*);
template __global__ void scatter<add_u32, true>(int, unsigned, unsigned*, unsigned*);
template __global__ void scatter<add_f32, false>(int, unsigned, float*, unsigned*);
template __global__ void scatter<cas_u64, true>(int, unsigned, unsigned long long*, unsigned*);

// A sum as one writes it, on one word: the compiler lets one lane act for a warp.
template <bool kUsed>
__global__ void __launch_bounds__(256, 8) meet_combined(int trips, unsigned* words, unsigned* out) {
  unsigned sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) {
    const unsigned old = atomicAdd(words, 1u);
    if (kUsed) sum += old;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void meet_combined<false>(int, unsigned*, unsigned*);
template __global__ void meet_combined<true>(int, unsigned*, unsigned*);
