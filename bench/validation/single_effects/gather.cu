// Loads from anywhere in an array, indices hashed from thread and trip.
#include <cuda_runtime.h>

struct alignas(32) Sector {
  uint4 low, high;
};

__device__ unsigned sum_of(unsigned v) { return v; }
__device__ unsigned sum_of(uint2 v) { return v.x + v.y; }
__device__ unsigned sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }
__device__ unsigned sum_of(Sector v) { return sum_of(v.low) + sum_of(v.high); }

// Of `mask + 1` elements, kInFlight loads of a thread at a time; the first of them wait for the last of the trip
// before. `zero` is 0.
template <typename T, int kInFlight>
__global__ void __launch_bounds__(256, 8)
    gather(int trips, unsigned mask, const T* __restrict__ from, unsigned* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    unsigned next = 0;
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {
      unsigned key = thread * 0x9E3779B9u + (t * kInFlight + i) * 0x85EBCA6Bu;
      key = (key ^ key >> 15) * 0x2C1B3C6Du;
      key ^= key >> 13;
      next += sum_of(from[key & mask]);
    }
    sum += next;
  }
  out[thread] = sum;
}
template __global__ void gather<unsigned, 1>(int, unsigned, const unsigned*, unsigned*);
template __global__ void gather<unsigned, 4>(int, unsigned, const unsigned*, unsigned*);
template __global__ void gather<uint2, 4>(int, unsigned, const uint2*, unsigned*);
template __global__ void gather<uint4, 1>(int, unsigned, const uint4*, unsigned*);
template __global__ void gather<uint4, 4>(int, unsigned, const uint4*, unsigned*);
template __global__ void gather<Sector, 1>(int, unsigned, const Sector*, unsigned*);
