// Branches that all lanes take, or none: what one costs beside the instructions that it skips.
#include <cuda_runtime.h>

template <int kFma>
__device__ __forceinline__ void multiply_add(float (&x)[4], float a, float b) {
#pragma unroll
  for (int i = 0; i < kFma; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % 4]) : "f"(a), "f"(b));
}

// Sixteen times: kRun multiply-adds, and 32 more where `taken` is 0 and a branch skips none.
template <int kRun>
__global__ void __launch_bounds__(256, 4) skips(int trips, int taken, float a, float b, float* __restrict__ out) {
  float x[4] = {1.0f * threadIdx.x, a, b, a + b};
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      multiply_add<kRun>(x, a, b);
      if (taken == 0) multiply_add<32>(x, b, a);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
template __global__ void skips<4>(int, int, float, float, float*);
template __global__ void skips<8>(int, int, float, float, float*);
template __global__ void skips<16>(int, int, float, float, float*);
template __global__ void skips<32>(int, int, float, float, float*);

// A loop of kRun multiply-adds, which ends with a branch that is taken.
template <int kRun>
__global__ void __launch_bounds__(256, 4) loop(int trips, float a, float b, float* __restrict__ out) {
  float x[4] = {1.0f * threadIdx.x, a, b, a + b};
#pragma unroll 1
  for (int t = 0; t < trips; ++t) multiply_add<kRun>(x, a, b);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
template __global__ void loop<1>(int, float, float, float*);
template __global__ void loop<2>(int, float, float, float*);
template __global__ void loop<4>(int, float, float, float*);
template __global__ void loop<8>(int, float, float, float*);
template __global__ void loop<16>(int, float, float, float*);
template __global__ void loop<32>(int, float, float, float*);
template __global__ void loop<64>(int, float, float, float*);
