// Atomics on shared memory: lanes that meet on one word, and bins anywhere.
#include <cuda_runtime.h>

// Where a one is added to a whole number and nobody reads the old one, ptxas 13.0 makes it ATOMS.POPC.INC, which adds
// for a warp; where it is read ATOMS.ADD; of floats a loop of ATOMS.CAS.
template <typename T, bool kUsed>
__device__ void act(T* at, unsigned& sum) {
  const T old = atomicAdd(at, T{1});
  if constexpr (kUsed) sum += static_cast<unsigned>(old);
}

// `lanes` neighbouring lanes on each word, warps on words of their own.
template <typename T, bool kUsed>
__global__ void __launch_bounds__(256, 8) meet_shared(int trips, int lanes, unsigned* out) {
  __shared__ T words[256];
  words[threadIdx.x] = 0;
  __syncthreads();
  T* at = words + (threadIdx.x & ~31u) + threadIdx.x % 32 / lanes;
  unsigned sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) act<T, kUsed>(at, sum);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + static_cast<unsigned>(words[threadIdx.x]);
}
template __global__ void meet_shared<unsigned, false>(int, int, unsigned*);
template __global__ void meet_shared<unsigned, true>(int, int, unsigned*);
template __global__ void meet_shared<float, false>(int, int, unsigned*);
template __global__ void meet_shared<float, true>(int, int, unsigned*);

// Bins anywhere below `mask + 1`, all of the group's.
template <typename T, bool kUsed>
__global__ void __launch_bounds__(256, 8) bins_shared(int trips, unsigned mask, unsigned* out) {
  __shared__ T words[4096];
  for (int i = threadIdx.x; i < 4096; i += 256) words[i] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) {
    unsigned key = thread * 0x9E3779B9u + t * 0x85EBCA6Bu;
    key = (key ^ key >> 15) * 0x2C1B3C6Du;
    key ^= key >> 13;
    act<T, kUsed>(words + (key & mask), sum);
  }
  __syncthreads();
  out[thread] = sum + static_cast<unsigned>(words[threadIdx.x]);
}
template __global__ void bins_shared<unsigned, false>(int, unsigned, unsigned*);
template __global__ void bins_shared<unsigned, true>(int, unsigned, unsigned*);
template __global__ void bins_shared<float, false>(int, unsigned, unsigned*);
