// Branches and loops that lanes of a warp take differently.
#include <cuda_runtime.h>

// Chains of kLength steps that the compiler cannot merge with those of another kWay.
template <int kWay, int kLength>
__device__ void chain(float& x) {
#pragma unroll
  for (int i = 0; i < kLength; ++i)
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(0.5f + 0.01f * kWay), "f"(1.0f + kWay));
}

// One lane of `mask + 1` goes one way, the others another. A `mask` of 0 does not diverge.
template <int kLength>
__global__ void __launch_bounds__(256, 8) two_ways(int trips, unsigned mask, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    if (((threadIdx.x + t) & mask) == 0)
      chain<0, kLength>(x);
    else
      chain<1, kLength>(x);
  }
  out[thread] = x;
}
template __global__ void two_ways<4>(int, unsigned, float*);
template __global__ void two_ways<16>(int, unsigned, float*);
template __global__ void two_ways<64>(int, unsigned, float*);

// A branch without another side.
template <int kLength>
__global__ void __launch_bounds__(256, 8) one_way(int trips, unsigned mask, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    if (((threadIdx.x + t) & mask) == 0) chain<0, kLength>(x);
    chain<1, 4>(x);
  }
  out[thread] = x;
}
template __global__ void one_way<16>(int, unsigned, float*);

// Loops of 1 to `mask + 1` rounds by lane.
__global__ void __launch_bounds__(256, 8) rounds_by_lane(int trips, unsigned mask, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const unsigned rounds = 1 + ((threadIdx.x + t) & mask);
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) chain<0, 4>(x);
  }
  out[thread] = x;
}

// One lane of a warp takes `mask + 1` rounds, the others one.
__global__ void __launch_bounds__(256, 8) one_long_lane(int trips, unsigned mask, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const unsigned rounds = (threadIdx.x + t) % 32 == 0 ? mask + 1 : 1;
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) chain<0, 4>(x);
  }
  out[thread] = x;
}

template <int kWay, int kWays>
__device__ void choose(unsigned way, float& x) {
  if constexpr (kWay < kWays) {
    if (way == kWay)
      chain<kWay, 16>(x);
    else
      choose<kWay + 1, kWays>(way, x);
  }
}

// A switch of 16 ways of which the lanes of a warp take `mask + 1`.
__global__ void __launch_bounds__(256, 8) switch_16(int trips, unsigned mask, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) choose<0, 16>((threadIdx.x + t) & mask, x);
  out[thread] = x;
}
