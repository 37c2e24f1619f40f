// Loads that hit L1, and the same from shared memory: one word for all lanes, words side by side, words in many lines.
#include <cuda_runtime.h>

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float2 v) { return v.x + v.y; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ float product(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ float product(float2 a, float2 b, float sum) { return fmaf(a.x, b.x, fmaf(a.y, b.y, sum)); }
__device__ float product(float4 a, float4 b, float sum) {
  return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
}

// Products of two operands, `a` and `b` words from one lane to the next: 0 is one word for all, 1 side by side.
template <typename T>
__global__ void __launch_bounds__(256, 8)
    products(int trips, int a, int b, int mask, const T* __restrict__ from, float* __restrict__ out) {
  const int lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const T* left = from + lane * a + (t & mask) * 32;
    const T* right = from + lane * b + (t & mask) * 32 + 8;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum = product(left[i * 64], right[i * 64 + 32], sum);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void products<float>(int, int, int, int, const float*, float*);
template __global__ void products<float2>(int, int, int, int, const float2*, float*);
template __global__ void products<float4>(int, int, int, int, const float4*, float*);

template <typename T>
__global__ void __launch_bounds__(256, 8) products_shared(int trips, int a, int b, int mask, float* __restrict__ out) {
  __shared__ T from[512];
  for (int i = threadIdx.x; i < 512; i += 256) from[i] = T{};
  __syncthreads();
  const int lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const T* left = from + lane * a + (t & mask) * 32;
    const T* right = from + lane * b + (t & mask) * 32 + 8;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum = product(left[i * 64], right[i * 64 + 32], sum);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void products_shared<float>(int, int, int, int, float*);
template __global__ void products_shared<float2>(int, int, int, int, float*);
template __global__ void products_shared<float4>(int, int, int, int, float*);

// A warp's words lie in 32 / `lanes` lines of 128 bytes: `lanes` side by side in each.
template <typename T>
__global__ void __launch_bounds__(256, 8)
    lines(int trips, int lanes, int mask, const T* __restrict__ from, float* __restrict__ out) {
  constexpr int kLine = 128 / sizeof(T);
  const int lane = threadIdx.x % 32;
  const T* first = from + lane / lanes * kLine + lane % lanes;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const T* at = first + (t & mask) * kLine;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += sum_of(at[i * kLine]);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void lines<float>(int, int, int, const float*, float*);
template __global__ void lines<float4>(int, int, int, const float4*, float*);

template <typename T>
__global__ void __launch_bounds__(256, 8) lines_shared(int trips, int lanes, int mask, float* __restrict__ out) {
  constexpr int kLine = 128 / sizeof(T);
  __shared__ T from[40 * kLine];
  for (int i = threadIdx.x; i < 40 * kLine; i += 256) from[i] = T{};
  __syncthreads();
  const int lane = threadIdx.x % 32;
  const T* first = from + lane / lanes * kLine + lane % lanes;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const T* at = first + (t & mask) * kLine;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += sum_of(at[i * kLine]);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void lines_shared<float>(int, int, int, float*);
