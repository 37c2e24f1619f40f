// Straight code of kFma multiplications and additions in a loop: from a size on it does not stay where instructions are kept.
#include <cuda_runtime.h>

template <int kFma>
__device__ __forceinline__ void unrolled(float& x0, float& x1, float& x2, float& x3, float a, float b) {
#pragma unroll
  for (int i = 0; i < kFma / 4; ++i) {
    x0 = fmaf(x0, a, b);
    x1 = fmaf(x1, a, b);
    x2 = fmaf(x2, a, b);
    x3 = fmaf(x3, a, b);
  }
}

// The compiler unrolls no more than 16384 of them at once.
template <int kFma>
__global__ void straight(int trips, float a, float b, float* __restrict__ out) {
  float x0 = threadIdx.x, x1 = x0 + a, x2 = x0 + b, x3 = x1 + b;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    unrolled<kFma / 2>(x0, x1, x2, x3, a, b);
    unrolled<kFma / 2>(x0, x1, x2, x3, a, b);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x0 + x1 + x2 + x3;
}

template __global__ void straight<256>(int, float, float, float*);
template __global__ void straight<1024>(int, float, float, float*);
template __global__ void straight<2048>(int, float, float, float*);
template __global__ void straight<4096>(int, float, float, float*);
template __global__ void straight<6144>(int, float, float, float*);
template __global__ void straight<8192>(int, float, float, float*);
template __global__ void straight<12288>(int, float, float, float*);
template __global__ void straight<16384>(int, float, float, float*);
template __global__ void straight<32768>(int, float, float, float*);
