// Straight code of 32 to 3072 multiply-adds in a loop, lengths between those of instruction_fetch.cu, and code that is
// run once.
#include <cuda_runtime.h>

template <int kFma>
__global__ void looped(int trips, float a, float b, float* __restrict__ out) {
  float x0 = threadIdx.x, x1 = x0 + a, x2 = x0 + b, x3 = x1 + b;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < kFma / 4; ++i) {
      x0 = fmaf(x0, a, b);
      x1 = fmaf(x1, a, b);
      x2 = fmaf(x2, a, b);
      x3 = fmaf(x3, a, b);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x0 + x1 + x2 + x3;
}
#define LOOPED(length) template __global__ void looped<length>(int, float, float, float*)
LOOPED(32);
LOOPED(64);
LOOPED(96);
LOOPED(128);
LOOPED(192);
LOOPED(256);
LOOPED(384);
LOOPED(512);
LOOPED(768);
LOOPED(1280);
LOOPED(1536);
LOOPED(1792);
LOOPED(1920);
LOOPED(2304);
LOOPED(2560);
LOOPED(3072);
LOOPED(5120);
LOOPED(7168);
