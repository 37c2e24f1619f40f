// Streams of reads and writes: how many of each, how wide, and sectors written in part.
#include <cuda_runtime.h>

__device__ float sum_of(float a, float b) { return a + b; }
__device__ float2 sum_of(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float4 sum_of(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ unsigned short sum_of(unsigned short a, unsigned short b) { return a + b; }
__device__ unsigned char sum_of(unsigned char a, unsigned char b) { return a + b; }

// Reads `kReads` arrays and writes `kWrites` arrays of `count` elements each. Without writes a thread writes its sum.
template <typename T, int kReads, int kWrites>
__global__ void __launch_bounds__(256) stream(unsigned count, const T* __restrict__ from, T* __restrict__ to) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  T sum{};
#pragma unroll 4
  for (unsigned i = thread; i < count; i += gridDim.x * blockDim.x) {
    if (kWrites > 0) sum = T{};
#pragma unroll
    for (int r = 0; r < kReads; ++r) sum = sum_of(sum, from[i + r * count]);
#pragma unroll
    for (int w = 0; w < kWrites; ++w) to[i + w * count] = sum;
  }
  if (kWrites == 0) to[thread] = sum;
}
#define STREAM(T, reads, writes) template __global__ void stream<T, reads, writes>(unsigned, const T*, T*)
STREAM(float, 1, 0);
STREAM(float, 0, 1);
STREAM(float, 1, 1);
STREAM(float, 1, 2);
STREAM(float, 1, 4);
STREAM(float, 2, 1);
STREAM(float, 4, 1);
STREAM(float, 3, 1);
STREAM(float2, 1, 1);
STREAM(float2, 0, 1);
STREAM(float4, 1, 0);
STREAM(float4, 0, 1);
STREAM(float4, 1, 1);
STREAM(float4, 1, 2);
STREAM(float4, 2, 1);
STREAM(unsigned short, 0, 1);
STREAM(unsigned short, 1, 1);
STREAM(unsigned char, 0, 1);
STREAM(unsigned char, 1, 1);

// Reads and writes the same words.
template <typename T>
__global__ void __launch_bounds__(256) update(unsigned count, T* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = sum_of(values[i], values[i]);
}
template __global__ void update<float>(unsigned, float*);
template __global__ void update<float4>(unsigned, float4*);

// Writes every `stride`-th word.
__global__ void __launch_bounds__(256) strided(unsigned count, unsigned stride, float* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i * stride] = 1.0f;
}
