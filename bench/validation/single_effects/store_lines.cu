// Stores and loads past L1 by the lines and the sectors that a warp's words lie in; what is touched stays in L2.
#include <cuda_runtime.h>

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

// In each line of 128 bytes lie the elements of `lanes` lanes, `step` elements apart.
template <typename T>
__device__ int element_of_lane(int lanes, int step) {
  const int lane = threadIdx.x % 32;
  return lane / lanes * (128 / static_cast<int>(sizeof(T))) + lane % lanes * step;
}

// Each warp writes 64 lines of its own again and again.
template <typename T>
__global__ void __launch_bounds__(256, 4) stores_by_lines(int trips, int lanes, int step, T* __restrict__ to) {
  constexpr int kLine = 128 / sizeof(T);
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  to += warp * 64 * kLine + element_of_lane<T>(lanes, step);
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    T* at = to + (t & 7) * 4 * kLine;
    at[0] = T{};
    asm volatile("" ::: "memory");
  }
}
template __global__ void stores_by_lines<float>(int, int, int, float*);
template __global__ void stores_by_lines<float4>(int, int, int, float4*);

template <typename T>
__global__ void __launch_bounds__(256, 4)
    loads_by_lines(int trips, int lanes, int step, const T* __restrict__ from, float* __restrict__ out) {
  constexpr int kLine = 128 / sizeof(T);
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  from += warp * 64 * kLine + element_of_lane<T>(lanes, step);
  float sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) sum += sum_of(__ldcg(from + (t & 7) * 4 * kLine));
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void loads_by_lines<float>(int, int, int, const float*, float*);
template __global__ void loads_by_lines<float4>(int, int, int, const float4*, float*);
