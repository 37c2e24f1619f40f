// A gigabyte or two read once: how much a thread has under way, how many groups, and in which order they read.
#include <cuda_runtime.h>

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

// `in_parts`: each group reads one part, side by side; otherwise all groups read side by side.
template <typename T, int kUnroll>
__global__ void __launch_bounds__(512)
    read_once(int trips, int in_parts, const T* __restrict__ from, float* __restrict__ out) {
  const size_t step = in_parts ? blockDim.x : gridDim.x * size_t{blockDim.x};
  const T* at = from + (in_parts ? blockIdx.x * size_t{blockDim.x} * trips * kUnroll : blockIdx.x * size_t{blockDim.x}) +
                threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    T read[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) read[i] = at[i * step];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) sum += sum_of(read[i]);
    at += kUnroll * step;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void read_once<float, 4>(int, int, const float*, float*);
template __global__ void read_once<float4, 1>(int, int, const float4*, float*);
template __global__ void read_once<float4, 2>(int, int, const float4*, float*);
template __global__ void read_once<float4, 4>(int, int, const float4*, float*);
template __global__ void read_once<float4, 8>(int, int, const float4*, float*);

// Two arrays at once, two gigabytes in all.
template <int kUnroll>
__global__ void __launch_bounds__(512)
    read_two(int trips, const float4* __restrict__ left, const float4* __restrict__ right, float* __restrict__ out) {
  const size_t step = gridDim.x * size_t{blockDim.x};
  size_t at = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    float4 a[kUnroll], b[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) a[i] = left[at + i * step], b[i] = right[at + i * step];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) sum += sum_of(a[i]) * sum_of(b[i]);
    at += kUnroll * step;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void read_two<2>(int, const float4*, const float4*, float*);
template __global__ void read_two<4>(int, const float4*, const float4*, float*);
