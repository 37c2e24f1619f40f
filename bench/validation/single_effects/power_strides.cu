// Rows of 128 bytes that lie a power of 2 apart, or nearly: sets of caches, channels of memory, pages.
#include <cuda_runtime.h>

// Each warp reads a row at a time, in order, and begins where its number says; `mask + 1` rows.
__global__ void __launch_bounds__(256)
    rows_past_l1(int trips, unsigned mask, unsigned stride, const char* __restrict__ from, float* __restrict__ out) {
  const unsigned warps = gridDim.x * blockDim.x / 32;
  unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  from += threadIdx.x % 32 * 4;
  float sum = 0;
#pragma unroll 8
  for (int t = 0; t < trips; ++t) {
    sum += __ldcg(reinterpret_cast<const float*>(from + static_cast<size_t>(row & mask) * stride));
    row += warps;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Likewise through L1: each group reads the same rows.
__global__ void __launch_bounds__(256)
    rows_in_l1(int trips, unsigned mask, unsigned stride, const char* __restrict__ from, float* __restrict__ out) {
  unsigned row = threadIdx.x / 32;
  from += threadIdx.x % 32 * 4;
  float sum = 0;
#pragma unroll 8
  for (int t = 0; t < trips; ++t) {
    sum += *reinterpret_cast<const float*>(from + static_cast<size_t>(row & mask) * stride);
    row += blockDim.x / 32;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
