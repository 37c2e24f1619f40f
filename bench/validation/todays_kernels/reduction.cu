// Reductions: sums, products, extrema, over everything and over columns.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Sum of n floats: 16-byte loads, shuffles within warps, one atomic per group.
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    sum_vectorised(int n, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float of_warps[kThreads / 32];
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n / 4; i += gridDim.x * kThreads) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  for (int i = n / 4 * 4 + blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < kThreads / 32) {
    constexpr unsigned kMask = (1ull << kThreads / 32) - 1;
    sum = of_warps[threadIdx.x];
#pragma unroll
    for (int step = kThreads / 64; step > 0; step /= 2) sum += __shfl_down_sync(kMask, sum, step);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}
template __global__ void sum_vectorised<512>(int, const float*, float*);

// Inner product in double precision with cooperative groups, a whole-grid barrier, and a second step by group 0.
__global__ void __launch_bounds__(256) dot_grid_sync(int n, const double* __restrict__ a, const double* __restrict__ b,
                                                     double* __restrict__ partial, double* __restrict__ out) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ double of_warps[8];
  auto block_sum = [&](double v) {
    v = cg::reduce(warp, v, cg::plus<double>());
    if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = v;
    block.sync();
    double sum = 0.0;
    if (block.thread_rank() == 0)
      for (int i = 0; i < 8; ++i) sum += of_warps[i];
    block.sync();
    return sum;
  };
  double sum = 0.0;
  for (long long i = grid.thread_rank(); i < n; i += grid.size()) sum = fma(a[i], b[i], sum);
  sum = block_sum(sum);
  if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x == 0) {
    sum = 0.0;
    for (int i = block.thread_rank(); i < gridDim.x; i += block.size()) sum += partial[i];
    sum = block_sum(sum);
    if (block.thread_rank() == 0) *out = sum;
  }
}

// Where the largest element of each row is, value and index together in 64 bits, a group per row.
__global__ void __launch_bounds__(256) arg_max_rows(int cols, const float* __restrict__ in, int* __restrict__ out) {
  __shared__ unsigned long long of_warps[8];
  const float* from = in + static_cast<size_t>(blockIdx.x) * cols;
  unsigned long long best = 0;
  for (int i = threadIdx.x; i < cols; i += 256) {
    const unsigned bits = __float_as_uint(from[i]);
    const unsigned key = bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
    best = max(best, static_cast<unsigned long long>(key) << 32 | static_cast<unsigned>(~i));
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, step));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int i = 1; i < 8; ++i) best = max(best, of_warps[i]);
    out[blockIdx.x] = static_cast<int>(~static_cast<unsigned>(best));
  }
}

// Sums of columns, as the gradient of a bias: 32 columns and all rows of a part per group, through shared memory.
__global__ void __launch_bounds__(1024)
    sum_columns(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < rows; row += gridDim.y * 32)
    sum += in[static_cast<size_t>(row) * cols + col];
  tile[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = tile[threadIdx.x][threadIdx.y];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) atomicAdd(&out[blockIdx.x * 32 + threadIdx.y], sum);
}

// Sum in one launch without atomics on floats: the group that comes last, by a ticket, adds the parts up.
__global__ void __launch_bounds__(256) sum_last_block(int n, const float* __restrict__ in, float* __restrict__ partial,
                                                      unsigned* __restrict__ ticket, float* __restrict__ out) {
  __shared__ float of_warps[8];
  __shared__ bool last;
  auto block_sum = [&](float v) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warps[threadIdx.x % 8];
#pragma unroll
    for (int step = 4; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    __syncthreads();
    return v;
  };
  float sum = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) sum += __ldcg(&partial[i]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) *out = sum;
}
