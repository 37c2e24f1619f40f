// Loads from anywhere in an array of which each waits for the one before.
#include <cuda_runtime.h>

// `kChains` of a thread at once, in an array of zeros; a thread's place follows from its number and the trip.
template <int kChains>
__global__ void __launch_bounds__(256, 8)
    random_walk(int trips, unsigned mask, const unsigned* __restrict__ zeros, unsigned* __restrict__ out) {
  unsigned key[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) key[i] = (blockIdx.x * blockDim.x + threadIdx.x) * kChains + i;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) {
      unsigned next = (key[i] + t) * 0x9E3779B9u;
      next = (next ^ next >> 15) * 0x2C1B3C6Du;
      next ^= next >> 13;
      key[i] = next + zeros[next & mask];
    }
  }
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) sum += key[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void random_walk<1>(int, unsigned, const unsigned*, unsigned*);
template __global__ void random_walk<4>(int, unsigned, const unsigned*, unsigned*);

// A warp's lanes walk to one place, or to words side by side of it.
__global__ void __launch_bounds__(256, 8)
    warp_walk(int trips, unsigned mask, int lane_words, const unsigned* __restrict__ zeros, unsigned* __restrict__ out) {
  unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32 * lane_words;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    unsigned next = (key + t) * 0x9E3779B9u;
    next = (next ^ next >> 15) * 0x2C1B3C6Du;
    next ^= next >> 13;
    key = next + zeros[(next & mask & ~31u) + lane];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = key;
}

// Numbers looked up in 2^steps - 1 sorted ones: random, or in order.
__global__ void __launch_bounds__(256, 8) binary_search(int steps, int searches, int in_order,
                                                        const unsigned* __restrict__ sorted, unsigned* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = (1u << steps) - 1;
  unsigned sum = 0;
#pragma unroll 1
  for (int s = 0; s < searches; ++s) {
    unsigned key = thread + s * gridDim.x * blockDim.x;
    if (!in_order) {
      key *= 0x9E3779B9u;
      key = (key ^ key >> 15) * 0x2C1B3C6Du;
      key ^= key >> 13;
    }
    key &= mask;
    unsigned found = 0;
#pragma unroll 1
    for (unsigned half = 1u << (steps - 1); half > 0; half >>= 1)
      if (sorted[found + half - 1] < key) found += half;
    sum += found;
  }
  out[thread] = sum;
}
