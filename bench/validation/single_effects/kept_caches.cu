// A launch that finds in L2 what the launch before it left there ("after"): read or written, clean or dirty.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(512) read_all(unsigned count, const float4* __restrict__ values, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (unsigned i = thread; i < count; i += gridDim.x * blockDim.x) {
    const float4 v = values[i];
    sum += v.x + v.y + v.z + v.w;
  }
  out[thread] = sum;
}

__global__ void __launch_bounds__(512) write_all(unsigned count, float4* __restrict__ values, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (unsigned i = thread; i < count; i += gridDim.x * blockDim.x) values[i] = float4{1, 2, 3, 1.0f * thread};
  out[thread] = 1;
}

__global__ void __launch_bounds__(512) update_all(unsigned count, float4* __restrict__ values, float* __restrict__ out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (unsigned i = thread; i < count; i += gridDim.x * blockDim.x) {
    float4 v = values[i];
    v.x += 1;
    values[i] = v;
  }
  out[thread] = 1;
}
